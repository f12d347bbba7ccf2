// SPDX-License-Identifier: MIT
// The least a program does that writes a file by io_uring: what zonal's file rows are
// held against. Same ring flags, registered file, depth and batches (fill all free
// places, submit, wait for one, take all that is there) and the same offsets (from the
// start, or at the pointer of a zone drawn at random); no statistics, no checks.
//
//   uring_loop --file=F --size=BYTES --io-size=BYTES --bs=BYTES --depth=N --zone=BYTES
//              --rw=write|randwrite
//
// Prints {"ios", "iops", "runtime_s"}.
#include <fcntl.h>
#include <liburing.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "zonal/clock.h"
#include "zonal/rng.h"

namespace {

struct Options {
  std::string file, rw = "write";
  std::uint64_t size = 0, io_size = 0, bs = 4096, zone = 16 << 20;
  unsigned depth = 32;
};

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "uring_loop: %s\n", what.c_str());
  std::exit(1);
}

Options Parse(int argc, char** argv) {
  std::map<std::string, std::string> given;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) Die("no value in " + argument);
    given[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  Options o;
  for (const auto& [name, value] : given) {
    if (name == "--file")
      o.file = value;
    else if (name == "--rw")
      o.rw = value;
    else if (name == "--size")
      o.size = std::stoull(value);
    else if (name == "--io-size")
      o.io_size = std::stoull(value);
    else if (name == "--bs")
      o.bs = std::stoull(value);
    else if (name == "--zone")
      o.zone = std::stoull(value);
    else if (name == "--depth")
      o.depth = static_cast<unsigned>(std::stoul(value));
    else
      Die("unknown option " + name);
  }
  if (o.size < o.zone || o.depth == 0 || o.bs == 0) Die("size, depth or bs make no sense");
  return o;
}

// Where the next write goes: zones are filled from their starts, and begun again.
class Offsets {
 public:
  explicit Offsets(const Options& o)
      : bs_(o.bs),
        zone_(o.zone),
        random_(o.rw == "randwrite"),
        written_(o.size / o.zone),
        rng_(1) {}
  std::uint64_t Next() {
    const std::uint64_t zone = random_ ? rng_.Below(written_.size()) : current_;
    std::uint64_t& pointer = written_[zone];
    if (pointer + bs_ > zone_) pointer = 0;
    const std::uint64_t offset = zone * zone_ + pointer;
    pointer += bs_;
    if (!random_ && pointer + bs_ > zone_) {
      current_ = (current_ + 1) % written_.size();
      written_[current_] = 0;
    }
    return offset;
  }

 private:
  std::uint64_t bs_, zone_;
  bool random_;
  std::vector<std::uint64_t> written_;
  std::uint64_t current_ = 0;
  zonal::Rng rng_;
};

void SetUp(io_uring& ring, unsigned depth, int fd) {
  for (const unsigned flags :
       {unsigned{IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
                 IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG},
        unsigned{IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN}, 0u}) {
    io_uring_params params{};
    params.flags = flags;
    if (io_uring_queue_init_params(depth, &ring, &params) == 0) {
      if (io_uring_register_files(&ring, &fd, 1) != 0) Die("no registered file");
      return;
    }
  }
  Die("no io_uring here");
}

std::uint64_t Run(io_uring& ring, const Options& o, std::byte* memory) {
  Offsets offsets(o);
  const std::uint64_t wanted = o.io_size / o.bs;
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < o.depth; ++i) free.push_back(i);
  std::uint64_t sent = 0, done = 0;
  while (done < wanted) {
    for (; !free.empty() && sent < wanted; ++sent) {
      io_uring_sqe* entry = io_uring_get_sqe(&ring);
      io_uring_prep_write(entry, 0, memory + free.back() * o.bs, static_cast<unsigned>(o.bs),
                          offsets.Next());
      entry->flags |= IOSQE_FIXED_FILE;
      entry->user_data = free.back();
      free.pop_back();
    }
    if (io_uring_submit_and_wait(&ring, 1) < 0) Die("submission failed");
    io_uring_cqe* entries[64];
    const unsigned count = io_uring_peek_batch_cqe(&ring, entries, 64);
    for (unsigned i = 0; i < count; ++i) {
      if (entries[i]->res != static_cast<int>(o.bs)) Die("a write failed");
      free.push_back(static_cast<std::uint32_t>(entries[i]->user_data));
    }
    io_uring_cq_advance(&ring, count);
    done += count;
  }
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  const Options o = Parse(argc, argv);
  const int fd = ::open(o.file.c_str(), O_RDWR | O_CREAT, 0644);
  if (fd < 0 || ::ftruncate(fd, static_cast<off_t>(o.size)) != 0) Die("cannot make " + o.file);
  void* memory = std::aligned_alloc(4096, o.bs * o.depth);
  if (memory == nullptr) Die("no memory");
  io_uring ring{};
  SetUp(ring, o.depth, fd);
  const zonal::Instant start = zonal::MonotonicClock().Now();
  const std::uint64_t done = Run(ring, o, static_cast<std::byte*>(memory));
  const double seconds = static_cast<double>(zonal::MonotonicClock().Now().ns - start.ns) / 1e9;
  std::printf("{\"ios\": %llu, \"iops\": %.1f, \"runtime_s\": %.6f}\n",
              static_cast<unsigned long long>(done), static_cast<double>(done) / seconds, seconds);
  io_uring_queue_exit(&ring);
  std::free(memory);
  ::close(fd);
  return 0;
}
