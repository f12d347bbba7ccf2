// SPDX-License-Identifier: MIT
// A child process works on a drive's file with several queues and is killed at
// a random moment; then the drive must open, have every acknowledged write, and
// have no pointer over bytes that never landed. 200 runs; the seed is printed
// and ZONAL_SEED replays it (the moment of the kill is the machine's).
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "device/drive_file.h"
#include "support/catch.h"
#include "zonal/clock.h"
#include "zonal/emulated.h"
#include "zonal/rng.h"

namespace zonal {
namespace {

constexpr std::uint32_t kBlock = 4096;
constexpr std::uint32_t kZoneBlocks = 64;  // stride
constexpr std::uint32_t kCapacityBlocks = 48;
constexpr std::uint32_t kWriters = 3;
constexpr std::uint32_t kOwnedZones = 4;    // for each writer: it alone writes them
constexpr std::uint32_t kAppendZones = 12;  // all writers append, nobody resets
constexpr std::uint32_t kZones = kWriters * kOwnedZones + kAppendZones;
constexpr std::uint64_t kZoneBytes = std::uint64_t{kZoneBlocks} * kBlock;

EmulatedOptions DriveOptions(Durability durability) {
  EmulatedOptions options;
  options.zones = kZones;
  options.zone_size = kZoneBytes;
  options.zone_capacity = std::uint64_t{kCapacityBlocks} * kBlock;
  options.block = kBlock;
  options.max_open = Limit::Of(6);  // few enough that zones are closed on demand
  options.max_active = Limit::Unlimited();
  options.durability = durability;
  return options;
}

// --- stamped blocks ---

struct Stamp {
  std::uint64_t seed = 0;
  std::uint32_t zone = 0;
  std::uint32_t block = 0;  // in the zone; of appends not known beforehand: 0
  std::uint32_t epoch = 0;  // resets of the zone before it
  std::uint32_t sequence = 0;
  friend bool operator==(const Stamp&, const Stamp&) = default;
};
constexpr std::size_t kWords = kBlock / sizeof(std::uint64_t);
using Block = std::array<std::uint64_t, kWords>;
constexpr std::uint64_t kMagic = 0x5A4F4E414C4B494Cull;

void Fill(Block& block, const Stamp& stamp) {
  block[0] = kMagic;
  block[1] = stamp.seed;
  block[2] = std::uint64_t{stamp.zone} << 32 | stamp.block;
  block[3] = std::uint64_t{stamp.epoch} << 32 | stamp.sequence;
  std::uint64_t state = block[1] ^ block[2] * 3 ^ block[3] * 7;
  for (std::size_t i = 4; i < kWords; ++i) block[i] = SplitMix64(state);
}

// nullopt if any word of the block is not the stamp's.
std::optional<Stamp> ReadStamp(const Block& block) {
  Stamp stamp;
  stamp.seed = block[1];
  stamp.zone = static_cast<std::uint32_t>(block[2] >> 32);
  stamp.block = static_cast<std::uint32_t>(block[2]);
  stamp.epoch = static_cast<std::uint32_t>(block[3] >> 32);
  stamp.sequence = static_cast<std::uint32_t>(block[3]);
  Block expected;
  Fill(expected, stamp);
  return expected == block ? std::optional(stamp) : std::nullopt;
}

// --- what the child tells, in memory that outlives it ---

enum class Event : std::uint32_t { kWritten, kResetIssued, kResetDone, kFinishIssued, kFinishDone };

struct Record {
  Event event = Event::kWritten;
  std::uint32_t zone = 0;
  std::uint32_t block = 0;
  std::uint32_t blocks = 0;
  std::uint32_t sequence = 0;
};

struct Log {
  static constexpr std::uint32_t kMost = 1 << 15;
  std::atomic<std::uint32_t> count{0};
  Record records[kMost];

  bool Full() const { return count.load(std::memory_order_relaxed) + 16 >= kMost; }
  void Add(const Record& record) {
    const std::uint32_t at = count.load(std::memory_order_relaxed);
    records[at] = record;
    count.store(at + 1, std::memory_order_release);
  }
};

struct Shared {
  std::atomic<bool> at_work{false};
  std::atomic<bool> stop{false};
  std::atomic<int> failed{0};  // errc of a completion that should have been good, or -1
  Log logs[kWriters];
};

// --- the child ---

class Writer {
 public:
  Writer(Device& device, Shared& shared, std::uint32_t index, std::uint64_t seed)
      : device_(device),
        shared_(shared),
        log_(shared.logs[index]),
        index_(index),
        seed_(seed),
        rng_(seed * kWriters + index) {}

  void Run() {
    absl::StatusOr<std::unique_ptr<IoQueue>> queue = device_.NewQueue({QueueKind::kDefault, 8});
    if (!queue.ok()) return Fail(-1);
    queue_ = *std::move(queue);
    while (!shared_.stop.load() && !log_.Full() && shared_.failed.load() == 0) Step();
  }

 private:
  struct Owned {
    std::uint32_t pointer = 0;
    std::uint32_t epoch = 0;
    bool full = false;
  };

  void Fail(int errc) { shared_.failed.store(errc); }

  void Step() {
    const std::uint64_t what = rng_.Below(100);
    if (what < 25) return Append();
    const auto which = static_cast<std::uint32_t>(rng_.Below(kOwnedZones));
    Owned& zone = owned_[which];
    const std::uint32_t id = index_ * kOwnedZones + which;
    if (what == 25 && !device_.Flush().ok()) return Fail(-1);
    if (zone.full || what < 32) return Manage(zone, id, ZoneOp::kReset);
    if (what < 36 && zone.pointer > 0) return Manage(zone, id, ZoneOp::kFinish);
    WriteSome(zone, id);
  }

  void Manage(Owned& zone, std::uint32_t id, ZoneOp op) {
    const bool reset = op == ZoneOp::kReset;
    log_.Add({reset ? Event::kResetIssued : Event::kFinishIssued, id, 0, 0, 0});
    const absl::StatusOr<ManageResult> result = device_.Manage(op, {ZoneId(id), 1}, nanoseconds(0));
    if (!result.ok() || !result->first_error.ok()) return Fail(-1);
    log_.Add({reset ? Event::kResetDone : Event::kFinishDone, id, 0, 0, 0});
    zone.full = !reset;
    if (reset) {
      zone.pointer = 0;
      zone.epoch += 1;
    }
  }

  // Up to four writes of up to four blocks, in flight together.
  void WriteSome(Owned& zone, std::uint32_t id) {
    std::array<IoRequest, 4> requests;
    std::size_t count = 0;
    const std::uint64_t wanted = 1 + rng_.Below(requests.size());
    while (count < wanted && zone.pointer < kCapacityBlocks) {
      const auto blocks = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(1 + rng_.Below(4), kCapacityBlocks - zone.pointer));
      pending_[count] = {Event::kWritten, id, zone.pointer, blocks, ++sequence_};
      for (std::uint32_t i = 0; i < blocks; ++i) {
        Fill(buffers_[count][i], {seed_, id, zone.pointer + i, zone.epoch, sequence_});
      }
      requests[count] = IoRequest{};
      requests[count].op = IoOp::kWrite;
      requests[count].fua = rng_.Below(64) == 0;
      requests[count].offset = id * kZoneBytes + std::uint64_t{zone.pointer} * kBlock;
      requests[count].bytes = std::uint64_t{blocks} * kBlock;
      requests[count].buffer = buffers_[count].data();
      requests[count].user_data = count;
      zone.pointer += blocks;
      ++count;
    }
    zone.full = zone.pointer == kCapacityBlocks;
    Drive(std::span(requests).first(count));
  }

  void Append() {
    if (append_zone_ == kZones) return;
    IoRequest request;
    request.op = IoOp::kAppend;
    request.offset = append_zone_ * kZoneBytes;
    request.bytes = kBlock;
    request.buffer = buffers_[0].data();
    pending_[0] = {Event::kWritten, append_zone_, 0, 1, ++sequence_};
    Fill(buffers_[0][0], {seed_, append_zone_, 0, index_, sequence_});
    Drive(std::span(&request, 1));
  }

  // Submits, and logs every acknowledgement after it came.
  void Drive(std::span<const IoRequest> requests) {
    std::size_t submitted = 0, done = 0;
    while (done < requests.size()) {
      submitted += queue_->Submit(requests.subspan(submitted));
      std::array<Completion, 8> completions;
      const std::size_t count = queue_->Poll(completions, 1, std::chrono::seconds(1));
      for (std::size_t i = 0; i < count; ++i) Acknowledge(completions[i]);
      done += count;
    }
    shared_.at_work.store(true);
  }

  void Acknowledge(const Completion& completion) {
    const IoResult& result = completion.result;
    Record record = pending_[completion.user_data];
    const bool append = record.zone >= kWriters * kOwnedZones;
    if (append && result.errc == Errc::kZoneFull) {
      append_zone_ = std::max(append_zone_, record.zone + 1);
      return;
    }
    if (!result.ok()) return Fail(static_cast<int>(result.errc));
    if (append) {
      record.block =
          static_cast<std::uint32_t>((result.offset - record.zone * kZoneBytes) / kBlock);
    }
    log_.Add(record);
  }

  Device& device_;
  Shared& shared_;
  Log& log_;
  const std::uint32_t index_;
  const std::uint64_t seed_;
  Rng rng_;
  std::unique_ptr<IoQueue> queue_;
  std::array<Owned, kOwnedZones> owned_;
  std::uint32_t append_zone_ = kWriters * kOwnedZones;
  std::uint32_t sequence_ = 0;
  std::array<Record, 4> pending_;
  std::array<std::array<Block, 4>, 4> buffers_;
};

[[noreturn]] void Child(const std::string& path, Shared& shared, std::uint64_t seed) {
  {
    absl::StatusOr<std::unique_ptr<Device>> device = OpenEmulatedFile(path, true, MonotonicClock());
    if (!device.ok()) shared.failed.store(-1);
    std::vector<std::unique_ptr<Writer>> writers;
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; device.ok() && i < kWriters; ++i) {
      writers.push_back(std::make_unique<Writer>(**device, shared, i, seed));
      threads.emplace_back([writer = writers.back().get()] { writer->Run(); });
    }
    for (std::thread& thread : threads) thread.join();
    writers.clear();
  }
  _exit(0);
}

// --- the check ---

// What the logs say a zone must and may hold.
struct Expected {
  std::array<std::optional<std::uint32_t>, kCapacityBlocks> sequence;  // acknowledged
  std::uint32_t epoch = 0;
  bool reset_in_flight = false;
  bool finish_in_flight = false;
  bool finished = false;
};

std::vector<Expected> ReadLogs(const Shared& shared) {
  std::vector<Expected> zones(kZones);
  for (const Log& log : shared.logs) {
    const std::uint32_t count = log.count.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Record& record = log.records[i];
      Expected& zone = zones[record.zone];
      switch (record.event) {
        case Event::kWritten:
          for (std::uint32_t b = 0; b < record.blocks; ++b) {
            zone.sequence[record.block + b] = record.sequence;
          }
          break;
        case Event::kResetIssued:
          zone.reset_in_flight = true;
          break;
        case Event::kResetDone: {
          const std::uint32_t epoch = zone.epoch + 1;
          zone = Expected{};
          zone.epoch = epoch;
          break;
        }
        case Event::kFinishIssued:
          zone.finish_in_flight = true;
          break;
        case Event::kFinishDone:
          zone.finish_in_flight = false;
          zone.finished = true;
          break;
      }
    }
  }
  return zones;
}

class Checker {
 public:
  Checker(Device& device, std::uint64_t seed)
      : device_(device), queue_(*device.NewQueue({QueueKind::kDefault, 4})), seed_(seed) {}

  // Empty, or what is wrong.
  std::string Check(const Zone& zone, std::uint32_t id, const Expected& expected) {
    if (!Transfer(IoOp::kRead, zone.start, kCapacityBlocks)) return "the zone cannot be read";
    const bool full = zone.condition == ZoneCondition::kFull;
    if (IsOpen(zone.condition)) return "a zone is open after a power cycle";
    std::uint32_t valid = 0;
    std::optional<std::uint32_t> epoch;
    while (valid < kCapacityBlocks) {
      const std::optional<Stamp> stamp = ReadStamp(blocks_[valid]);
      if (!stamp.has_value()) break;
      if (std::string wrong = CheckStamp(*stamp, id, valid, expected, epoch); !wrong.empty()) {
        return wrong;
      }
      ++valid;
    }
    const auto pointer = static_cast<std::uint32_t>((zone.write_pointer - zone.start) / kBlock);
    if (!full && pointer != valid) {
      return "pointer at block " + std::to_string(pointer) + " but " + std::to_string(valid) +
             " blocks are there";
    }
    if (full && valid < kCapacityBlocks && !expected.finished && !expected.finish_in_flight) {
      return "a full zone nobody finished has only " + std::to_string(valid) + " blocks";
    }
    if (!AllZeroFrom(valid)) return "bytes behind the last block";
    return CheckAcknowledged(expected, full, valid);
  }

  bool WritesAgain() {
    const auto reset = device_.Manage(ZoneOp::kReset, {ZoneId(1), 1}, nanoseconds(0));
    if (!reset.ok() || !reset->first_error.ok()) return false;
    const Stamp stamp{seed_, 1, 0, 12345, 1};
    Fill(blocks_[0], stamp);
    if (!Transfer(IoOp::kWrite, kZoneBytes, 1)) return false;
    blocks_[0] = {};
    return Transfer(IoOp::kRead, kZoneBytes, 1) && ReadStamp(blocks_[0]) == stamp;
  }

 private:
  bool Transfer(IoOp op, std::uint64_t offset, std::uint32_t blocks) {
    IoRequest request;
    request.op = op;
    request.offset = offset;
    request.bytes = std::uint64_t{blocks} * kBlock;
    request.buffer = blocks_.data();
    Completion completion;
    return queue_->Submit(std::span(&request, 1)) == 1 &&
           queue_->Poll(std::span(&completion, 1), 1, std::chrono::seconds(1)) == 1 &&
           completion.result.ok();
  }

  std::string CheckStamp(const Stamp& stamp, std::uint32_t id, std::uint32_t at,
                         const Expected& expected, std::optional<std::uint32_t>& epoch) const {
    const bool append = id >= kWriters * kOwnedZones;
    if (stamp.seed != seed_ || stamp.zone != id || (!append && stamp.block != at)) {
      return "block " + std::to_string(at) + " carries another block's stamp";
    }
    if (append) return "";
    const bool known = stamp.epoch == expected.epoch ||
                       (expected.reset_in_flight && stamp.epoch == expected.epoch + 1);
    if (!known || (epoch.has_value() && *epoch != stamp.epoch)) {
      return "block " + std::to_string(at) + " is of epoch " + std::to_string(stamp.epoch) +
             ", the zone of " + std::to_string(expected.epoch);
    }
    epoch = stamp.epoch;
    return "";
  }

  bool AllZeroFrom(std::uint32_t block) const {
    for (; block < kCapacityBlocks; ++block) {
      if (blocks_[block] != Block{}) return false;
    }
    return true;
  }

  std::string CheckAcknowledged(const Expected& expected, bool full, std::uint32_t valid) const {
    if (expected.reset_in_flight) {
      // All or nothing; after it nothing of the old epoch may be left.
      if (valid == 0 && !full) return "";
    }
    if (expected.finished && !full) return "an acknowledged finish is gone";
    for (std::uint32_t i = 0; i < kCapacityBlocks; ++i) {
      if (!expected.sequence[i].has_value()) continue;
      if (i >= valid) return "acknowledged block " + std::to_string(i) + " is gone";
      if (ReadStamp(blocks_[i])->sequence != *expected.sequence[i]) {
        return "acknowledged block " + std::to_string(i) + " has another write's bytes";
      }
    }
    return "";
  }

  Device& device_;
  std::unique_ptr<IoQueue> queue_;
  const std::uint64_t seed_;
  std::array<Block, kCapacityBlocks> blocks_{};
};

// --- one run ---

class SharedMemory {
 public:
  SharedMemory()
      : at_(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                 0)) {
    shared_ = new (at_) Shared;
  }
  ~SharedMemory() { munmap(at_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  Shared& operator*() const { return *shared_; }
  Shared* operator->() const { return shared_; }

 private:
  void* at_;
  Shared* shared_;
};

void Sleep(std::uint64_t microseconds) { usleep(static_cast<useconds_t>(microseconds)); }

// When to kill: most often at work, sometimes while opening, sometimes while closing.
void WaitForTheMoment(Shared& shared, Rng& rng) {
  const std::uint64_t kind = rng.Below(8);
  if (kind == 0) return Sleep(rng.Below(4000));
  for (int i = 0; i < 20000 && !shared.at_work.load() && shared.failed.load() == 0; ++i) Sleep(100);
  Sleep(rng.Below(25000));
  if (kind != 1) return;
  shared.stop.store(true);
  Sleep(rng.Below(4000));
}

TEST_CASE("a killed writer loses nothing acknowledged and leaves no false pointer",
          "[file][simulation]") {
  const std::uint64_t base = test::SeedFromEnvironment();
  CAPTURE(base);
  WARN("ZONAL_SEED=" << base);
  const test::TempDir dir;
  std::uint64_t acknowledged = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    const std::uint64_t seed = base + run;
    Rng rng(seed);
    const std::string path = dir.Path("drive");
    const Durability durability = run % 4 == 3 ? Durability::kHost : Durability::kProcess;
    REQUIRE(CreateEmulatedFile(path, DriveOptions(durability), true).ok());
    const SharedMemory shared;
    const pid_t child = fork();
    if (child == 0) Child(path, *shared, seed);
    WaitForTheMoment(*shared, rng);
    kill(child, SIGKILL);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(shared->failed.load() == 0);

    absl::StatusOr<std::unique_ptr<Device>> device = OpenEmulatedFile(path, true, MonotonicClock());
    INFO(device.status().ToString());
    REQUIRE(device.ok());
    std::vector<Zone> zones(kZones);
    REQUIRE((*device)->Report(ZoneId(0), zones).ok());
    const std::vector<Expected> expected = ReadLogs(*shared);
    {
      Checker checker(**device, seed);
      for (std::uint32_t id = 0; id < kZones; ++id) {
        CAPTURE(id, ToString(zones[id].condition));
        REQUIRE(checker.Check(zones[id], id, expected[id]) == "");
      }
      REQUIRE(checker.WritesAgain());
    }
    for (const Log& log : shared->logs) acknowledged += log.count.load();
  }
  WARN("events before the kills: " << acknowledged);
  CHECK(acknowledged > 2000);
}

}  // namespace
}  // namespace zonal
