// SPDX-License-Identifier: MIT
// "emu,key=value,...": one table of keys, read both ways.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/status_macros.h"
#include "core/units.h"
#include "zonal/emulated.h"

namespace zonal {
namespace {

using core::FormatBytes;
using core::ParseBytes;
using core::ParseCount;

absl::Status Bad(const std::string& message) { return absl::InvalidArgumentError(message); }

template <typename T>
absl::Status Into(T& target, const absl::StatusOr<std::uint64_t>& value) {
  if (!value.ok()) return value.status();
  if (*value > std::numeric_limits<T>::max()) return Bad(std::to_string(*value) + " is too large");
  target = static_cast<T>(*value);
  return absl::OkStatus();
}

// A word for each value of an enumeration.
template <typename T>
struct Word {
  std::string_view name;
  T value;
};

template <typename T, std::size_t n>
absl::Status IntoWord(T& target, std::string_view text, const Word<T> (&words)[n]) {
  std::string names;
  for (const Word<T>& word : words) {
    if (word.name == text) {
      target = word.value;
      return absl::OkStatus();
    }
    names += (names.empty() ? "" : ", ") + std::string(word.name);
  }
  return Bad("'" + std::string(text) + "' is none of " + names);
}

template <typename T, std::size_t n>
std::string WordFor(T value, const Word<T> (&words)[n]) {
  for (const Word<T>& word : words) {
    if (word.value == value) return std::string(word.name);
  }
  return "";
}

constexpr Word<Dialect> kDialects[] = {{"zns", Dialect::kZns}, {"zbc", Dialect::kZbc}};
constexpr Word<DataPolicy> kData[] = {{"keep", DataPolicy::kKeep},
                                      {"discard", DataPolicy::kDiscard}};
constexpr Word<CompletionOrder> kOrders[] = {{"submission", CompletionOrder::kSubmission},
                                             {"seeded", CompletionOrder::kSeeded},
                                             {"reverse", CompletionOrder::kReverse}};
constexpr Word<Durability> kDurabilities[] = {{"process", Durability::kProcess},
                                              {"host", Durability::kHost}};
constexpr Word<bool> kYesNo[] = {{"yes", true}, {"no", false}};
constexpr Word<bool> kPastPointer[] = {{"zeros", false}, {"fails", true}};

absl::Status IntoLimit(Limit& target, std::string_view text) {
  if (text == "unlimited") {
    target = Limit::Unlimited();
    return absl::OkStatus();
  }
  std::uint32_t count = 0;
  ZONAL_RETURN_IF_ERROR(Into(count, ParseCount(text)));
  target = Limit::Of(count);
  return absl::OkStatus();
}

std::string LimitText(Limit limit) {
  return limit.has_count() ? std::to_string(*limit.count()) : "unlimited";
}

// "3", "3-5", "3+7-9": `+` because the comma ends the value.
absl::Status IntoZones(std::vector<std::uint32_t>& target, std::string_view text) {
  target.clear();
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find('+'));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const std::size_t dash = item.find('-');
    std::uint32_t first = 0;
    ZONAL_RETURN_IF_ERROR(Into(first, ParseCount(item.substr(0, dash))));
    std::uint32_t last = first;
    if (dash != std::string_view::npos) {
      ZONAL_RETURN_IF_ERROR(Into(last, ParseCount(item.substr(dash + 1))));
    }
    if (last < first || last - first >= 1u << 24) {
      return Bad("'" + std::string(item) + "' is no range of zones");
    }
    // By their number: the last zone may be the last number there is.
    const std::uint32_t count = last - first + 1;
    for (std::uint32_t i = 0; i < count; ++i) target.push_back(first + i);
  }
  return absl::OkStatus();
}

std::string ZonesText(const std::vector<std::uint32_t>& zones) {
  std::string text;
  for (std::size_t i = 0; i < zones.size();) {
    std::size_t end = i + 1;
    while (end < zones.size() && zones[end] == zones[end - 1] + 1) ++end;
    text += (text.empty() ? "" : "+") + std::to_string(zones[i]);
    if (end - i > 1) text += "-" + std::to_string(zones[end - 1]);
    i = end;
  }
  return text;
}

struct Key {
  std::string_view name;
  absl::Status (*parse)(EmulatedOptions&, std::string_view);
  std::string (*format)(const EmulatedOptions&);
};

using Options = EmulatedOptions;
using Text = std::string_view;

const Key kKeys[] = {
    {"zones", [](Options& o, Text t) { return Into(o.zones, ParseCount(t)); },
     [](const Options& o) { return std::to_string(o.zones); }},
    {"zone_size", [](Options& o, Text t) { return Into(o.zone_size, ParseBytes(t)); },
     [](const Options& o) { return FormatBytes(o.zone_size); }},
    {"zone_capacity", [](Options& o, Text t) { return Into(o.zone_capacity, ParseBytes(t)); },
     [](const Options& o) { return FormatBytes(o.zone_capacity); }},
    {"last_zone_size", [](Options& o, Text t) { return Into(o.last_zone_size, ParseBytes(t)); },
     [](const Options& o) { return FormatBytes(o.last_zone_size); }},
    {"conventional", [](Options& o, Text t) { return Into(o.conventional, ParseCount(t)); },
     [](const Options& o) { return std::to_string(o.conventional); }},
    {"block", [](Options& o, Text t) { return Into(o.block, ParseBytes(t)); },
     [](const Options& o) { return FormatBytes(o.block); }},
    {"write_granularity",
     [](Options& o, Text t) { return Into(o.write_granularity, ParseBytes(t)); },
     [](const Options& o) { return FormatBytes(o.write_granularity); }},
    {"max_open", [](Options& o, Text t) { return IntoLimit(o.max_open, t); },
     [](const Options& o) { return LimitText(o.max_open); }},
    {"max_active", [](Options& o, Text t) { return IntoLimit(o.max_active, t); },
     [](const Options& o) { return LimitText(o.max_active); }},
    {"max_append", [](Options& o, Text t) { return Into(o.max_append, ParseBytes(t)); },
     [](const Options& o) { return FormatBytes(o.max_append); }},
    {"read_only", [](Options& o, Text t) { return IntoZones(o.read_only_zones, t); },
     [](const Options& o) { return ZonesText(o.read_only_zones); }},
    {"offline", [](Options& o, Text t) { return IntoZones(o.offline_zones, t); },
     [](const Options& o) { return ZonesText(o.offline_zones); }},
    {"auto_close", [](Options& o, Text t) { return IntoWord(o.auto_close, t, kYesNo); },
     [](const Options& o) { return WordFor(o.auto_close, kYesNo); }},
    {"read_past_write_pointer",
     [](Options& o, Text t) { return IntoWord(o.read_past_write_pointer_fails, t, kPastPointer); },
     [](const Options& o) { return WordFor(o.read_past_write_pointer_fails, kPastPointer); }},
    {"data", [](Options& o, Text t) { return IntoWord(o.data, t, kData); },
     [](const Options& o) { return WordFor(o.data, kData); }},
    {"order", [](Options& o, Text t) { return IntoWord(o.order, t, kOrders); },
     [](const Options& o) { return WordFor(o.order, kOrders); }},
    {"seed", [](Options& o, Text t) { return Into(o.seed, ParseCount(t)); },
     [](const Options& o) { return std::to_string(o.seed); }},
    {"durability", [](Options& o, Text t) { return IntoWord(o.durability, t, kDurabilities); },
     [](const Options& o) { return WordFor(o.durability, kDurabilities); }},
};

EmulatedOptions DefaultsOf(Dialect dialect) {
  EmulatedOptions options;
  options.dialect = dialect;
  if (dialect == Dialect::kZns) return options;
  options.block = 512;
  options.max_open = Limit::Of(128);
  options.max_active = Limit::Unlimited();
  options.max_append = 0;
  options.read_past_write_pointer_fails = true;
  return options;
}

std::string KeyNames() {
  std::string names = "preset, dialect";
  for (const Key& key : kKeys) names += ", " + std::string(key.name);
  return names;
}

struct Setting {
  std::string_view key, value;
};

// What follows "emu".
absl::StatusOr<std::vector<Setting>> Split(std::string_view rest) {
  std::vector<Setting> settings;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the comma
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(item.size());
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      return Bad("'" + std::string(item) + "' in an emulated drive's spec is not key=value");
    }
    settings.push_back({item.substr(0, equals), item.substr(equals + 1)});
    for (std::size_t i = 0; i + 1 < settings.size(); ++i) {
      if (settings[i].key == settings.back().key) {
        return Bad("emulated drive: '" + std::string(settings[i].key) + "' is given twice");
      }
    }
  }
  return settings;
}

absl::Status Wrong(const Setting& setting, const absl::Status& status) {
  return Bad("emulated drive: " + std::string(setting.key) + "=" + std::string(setting.value) +
             ": " + std::string(status.message()));
}

// preset and dialect decide what the other keys change.
absl::StatusOr<EmulatedOptions> Base(const std::vector<Setting>& settings) {
  Dialect dialect = Dialect::kZns;
  bool has_dialect = false;
  std::string_view preset;
  for (const Setting& setting : settings) {
    if (setting.key == "preset") preset = setting.value;
    if (setting.key != "dialect") continue;
    has_dialect = true;
    const absl::Status status = IntoWord(dialect, setting.value, kDialects);
    if (!status.ok()) return Wrong(setting, status);
  }
  if (preset.empty()) return DefaultsOf(dialect);
  if (has_dialect) return Bad("emulated drive: a preset has its dialect; leave one of them out");
  absl::StatusOr<EmulatedOptions> options = EmulatedPreset(preset);
  if (!options.ok()) return Bad("emulated drive: " + std::string(options.status().message()));
  return options;
}

absl::Status Apply(EmulatedOptions& options, const Setting& setting) {
  if (setting.key == "preset" || setting.key == "dialect") return absl::OkStatus();
  for (const Key& key : kKeys) {
    if (key.name != setting.key) continue;
    const absl::Status status = key.parse(options, setting.value);
    return status.ok() ? status : Wrong(setting, status);
  }
  return Bad("emulated drive: no key '" + std::string(setting.key) + "'; there are " + KeyNames());
}

absl::Status CheckZbcKeys(const EmulatedOptions& options) {
  if (options.dialect != Dialect::kZbc) return absl::OkStatus();
  if (!options.max_active.is_unlimited()) {
    return Bad("emulated drive: max_active: zbc has no active limit; leave it out");
  }
  if (options.max_append != 0) return Bad("emulated drive: max_append: zbc has no append");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<EmulatedOptions> ParseEmulatedSpec(std::string_view spec) {
  constexpr std::string_view kPrefix = "emu";
  if (spec.substr(0, 3) != kPrefix || (spec.size() > 3 && spec[3] != ',')) {
    return Bad("'" + std::string(spec) + "' is not of the form emu,key=value,...");
  }
  const absl::StatusOr<std::vector<Setting>> settings = Split(spec.substr(3));
  if (!settings.ok()) return settings.status();
  absl::StatusOr<EmulatedOptions> options = Base(*settings);
  if (!options.ok()) return options;
  for (const Setting& setting : *settings) {
    ZONAL_RETURN_IF_ERROR(Apply(*options, setting));
  }
  ZONAL_RETURN_IF_ERROR(CheckZbcKeys(*options));
  const absl::Status valid = Validate(*options);
  if (!valid.ok()) return Bad("emulated drive: " + std::string(valid.message()));
  return options;
}

std::string FormatEmulatedSpec(const EmulatedOptions& options) {
  EmulatedOptions shown = options;
  if (shown.dialect == Dialect::kZbc) {  // whatever these are, they mean nothing
    shown.max_active = Limit::Unlimited();
    shown.max_append = 0;
  }
  const EmulatedOptions defaults = DefaultsOf(shown.dialect);
  std::string spec = "emu";
  if (shown.dialect != Dialect::kZns) spec += ",dialect=" + WordFor(shown.dialect, kDialects);
  for (const Key& key : kKeys) {
    const std::string value = key.format(shown);
    const bool always = key.name == "zones" || key.name == "zone_size";
    if (always || value != key.format(defaults)) {
      spec += "," + std::string(key.name) + "=" + value;
    }
  }
  return spec;
}

}  // namespace zonal
