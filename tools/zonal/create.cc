// SPDX-License-Identifier: MIT
// zonal create: makes the file of an emulated drive.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <optional>

#include "command.h"
#include "core/units.h"
#include "exit_codes.h"
#include "zonal/emulated.h"

namespace zonal::cli {
namespace {

// As typed; empty where not given.
struct CreateArguments {
  std::string path, preset, dialect;
  std::string zone_size, zone_capacity, last_zone_size, block_size, write_granularity;
  std::optional<std::uint32_t> zones, conventional;
  std::string max_open, max_active, read_only_zones, offline_zones, durability;
  bool force = false;
};

void Describe(CLI::App& app, CreateArguments& to) {
  std::string presets;
  for (std::string_view name : EmulatedPresetNames()) {
    presets += (presets.empty() ? "" : ", ") + std::string(name);
  }
  app.add_option("FILE", to.path, "the file to make; sparse, so it takes little space")->required();
  app.add_option("--preset", to.preset, "start from a known drive: " + presets);
  app.add_option("--dialect", to.dialect, "whose rules: zns (default) or zbc");
  app.add_option("--zones", to.zones, "how many zones, conventional ones included");
  app.add_option("--zone-size", to.zone_size, "address stride of a zone, e.g. 64MiB");
  app.add_option("--zone-capacity", to.zone_capacity,
                 "writable bytes of a zone; default: its size");
  app.add_option("--last-zone-size", to.last_zone_size, "a shorter last zone");
  app.add_option("--conventional", to.conventional, "how many zones at the front are conventional");
  app.add_option("--block-size", to.block_size, "logical block: 512 or 4096");
  app.add_option("--write-granularity", to.write_granularity,
                 "writes come in multiples of it; default: the block size");
  app.add_option("--max-open", to.max_open, "open zones at once; a number or unlimited");
  app.add_option("--max-active", to.max_active, "open and closed zones at once; or unlimited");
  app.add_option("--read-only-zones", to.read_only_zones, "e.g. 3,7-9");
  app.add_option("--offline-zones", to.offline_zones, "e.g. 3,7-9");
  app.add_option("--durability", to.durability,
                 "what acknowledged writes survive: process (a killed process; default), or host");
  app.add_flag("--force", to.force, "replace a drive that is there already");
}

// Reads `text` with `parse` into `to`; an empty text changes nothing.
template <typename T, typename Parse>
absl::Status Take(std::string_view flag, const std::string& text, Parse parse, T& to) {
  if (text.empty()) return absl::OkStatus();
  auto value = parse(text);
  if (!value.ok()) {
    return absl::InvalidArgumentError(std::string(flag) + ": " +
                                      std::string(value.status().message()));
  }
  to = static_cast<T>(*std::move(value));
  return absl::OkStatus();
}

absl::StatusOr<std::uint32_t> ParseSmallBytes(std::string_view text) {
  const absl::StatusOr<std::uint64_t> bytes = core::ParseBytes(text);
  if (bytes.ok() && *bytes > UINT32_MAX) {
    return absl::InvalidArgumentError("\"" + std::string(text) + "\" is too large");
  }
  return bytes.ok() ? absl::StatusOr<std::uint32_t>(static_cast<std::uint32_t>(*bytes))
                    : bytes.status();
}

absl::StatusOr<Durability> ParseDurability(std::string_view text) {
  if (text == "process") return Durability::kProcess;
  if (text == "host") return Durability::kHost;
  return absl::InvalidArgumentError("\"" + std::string(text) + "\": give process or host");
}

absl::StatusOr<EmulatedOptions> StartingPoint(const CreateArguments& typed) {
  if (typed.preset.empty()) {
    return ParseEmulatedSpec("emu,dialect=" + (typed.dialect.empty() ? "zns" : typed.dialect));
  }
  absl::StatusOr<EmulatedOptions> options = EmulatedPreset(typed.preset);
  if (options.ok() && !typed.dialect.empty() && typed.dialect != ToString(options->dialect)) {
    return absl::InvalidArgumentError("--preset " + typed.preset + " has its own dialect, " +
                                      std::string(ToString(options->dialect)) +
                                      ": leave --dialect out");
  }
  return options;
}

absl::StatusOr<EmulatedOptions> ToOptions(const CreateArguments& typed) {
  absl::StatusOr<EmulatedOptions> start = StartingPoint(typed);
  if (!start.ok()) return start.status();
  EmulatedOptions& options = *start;
  if (typed.zones) options.zones = *typed.zones;
  if (typed.conventional) options.conventional = *typed.conventional;
  // A new stride leaves no sense in a preset's capacity and short last zone.
  if (!typed.zone_size.empty()) options.zone_capacity = options.last_zone_size = 0;
  const absl::Status steps[] = {
      Take("--zone-size", typed.zone_size, core::ParseBytes, options.zone_size),
      Take("--zone-capacity", typed.zone_capacity, core::ParseBytes, options.zone_capacity),
      Take("--last-zone-size", typed.last_zone_size, core::ParseBytes, options.last_zone_size),
      Take("--block-size", typed.block_size, ParseSmallBytes, options.block),
      Take("--write-granularity", typed.write_granularity, ParseSmallBytes,
           options.write_granularity),
      Take("--max-open", typed.max_open, ParseLimit, options.max_open),
      Take("--max-active", typed.max_active, ParseLimit, options.max_active),
      Take("--read-only-zones", typed.read_only_zones, ParseZoneList, options.read_only_zones),
      Take("--offline-zones", typed.offline_zones, ParseZoneList, options.offline_zones),
      Take("--durability", typed.durability, ParseDurability, options.durability),
  };
  for (const absl::Status& step : steps) {
    if (!step.ok()) return step;
  }
  return start;
}

// --force replaces emulated drives, never anything else.
absl::Status CheckReplacement(const CreateArguments& typed) {
  std::error_code ignored;
  if (!typed.force || !std::filesystem::exists(typed.path, ignored)) return absl::OkStatus();
  if (std::filesystem::is_regular_file(typed.path, ignored) && IsEmulatedFile(typed.path)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(typed.path +
                                       " is not an emulated drive: --force does not replace it");
}

void PrintMade(const std::string& path, const EmulatedOptions& options) {
  const std::uint64_t capacity =
      options.zone_capacity == 0 ? options.zone_size : options.zone_capacity;
  std::cout << "created " << path << ": " << options.zones << " zones of "
            << core::FormatBytes(options.zone_size) << ", " << options.conventional
            << " of them conventional, " << ToString(options.dialect) << " rules\n"
            << "zone capacity " << core::FormatBytes(capacity) << ", block "
            << core::FormatBytes(options.block) << ", open zones " << FormatLimit(options.max_open)
            << ", active zones "
            << FormatLimit(options.dialect == Dialect::kZbc ? Limit::Unlimited()
                                                            : options.max_active)
            << '\n';
}

}  // namespace

int Create(const Arguments& arguments) {
  CLI::App app("Makes an emulated zoned drive in a file. Sizes take a unit: 4096, 64MiB, 1G.",
               "zonal create");
  app.footer(
      "Example:\n  zonal create smr.zoned --preset smr-15tb\n"
      "  zonal create d.zoned --zones 64 --zone-size 64MiB --zone-capacity 48MiB --max-open 8");
  CreateArguments typed;
  Describe(app, typed);
  const ParseOutcome parsed = Parse(app, arguments);
  if (!parsed.go_on) return parsed.exit_code;

  const absl::StatusOr<EmulatedOptions> options = ToOptions(typed);
  if (!options.ok()) return Refuse("create", options.status());
  if (absl::Status s = Validate(*options); !s.ok()) return Refuse("create", s);
  if (absl::Status s = CheckReplacement(typed); !s.ok()) return Refuse("create", s);
  absl::Status made = CreateEmulatedFile(typed.path, *options, typed.force);
  if (absl::IsAlreadyExists(made)) {
    return Fail("create", typed.path + " exists; --force replaces it, with all its data", kRefused);
  }
  if (!made.ok()) return Refuse("create", made);
  PrintMade(typed.path, *options);
  return kDone;
}

}  // namespace zonal::cli
