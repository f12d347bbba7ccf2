// SPDX-License-Identifier: MIT
#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "engine/drivers.h"
#include "engine/run_order.h"
#include "engine/thread_place.h"

namespace zonal::engine {
namespace {

// Stop() only sets a flag (it must be safe in a signal handler), so nobody sleeps
// longer than this.
constexpr nanoseconds kLongestSleep{20'000'000};
// All writers of a device have been stuck for so long: none will go on. A worker
// that was woken needs far less to run.
constexpr nanoseconds kGiveUpAfter{500'000'000};

// Tells a worker to give up that waits for others when every live writer of its
// device is stuck, and none went on meanwhile: where many hand one zone on, on a
// slow machine, somebody looks at moments when all of them wait.
class StuckWatch {
 public:
  void Look(Worker& worker, Instant now) {
    const bool waits = worker.stuck() || worker.starving();
    const RunOrder& order = *worker.setup().order;
    const std::uint64_t restarts = order.RestartsOn(worker.setup().target);
    const bool somebody_went_on = std::exchange(restarts_, restarts) != restarts;
    if (!waits || somebody_went_on || !order.NoWriterCanGoOn(worker.setup().target)) {
      since_ = Instant{-1};
      return;
    }
    if (since_.ns < 0) since_ = now;
    if (now - since_ >= kGiveUpAfter) worker.GiveUp();
  }

 private:
  Instant since_{-1};
  std::uint64_t restarts_ = 0;
};

void DriveWorker(Worker& worker, const Clock& clock) {
  // Was tried before the run. Should it fail now, the worker runs where it is.
  if (WantsPlace(worker.setup().workload)) (void)PlaceThread(worker.setup().workload);
  StuckWatch watch;
  for (;;) {
    const StepResult step = worker.Step();
    if (step.kind == StepResult::Kind::kDone) break;
    if (step.kind == StepResult::Kind::kRan) continue;
    const Instant now = clock.Now();
    nanoseconds sleep = kLongestSleep;
    if (step.kind == StepResult::Kind::kIdle) sleep = std::min(sleep, step.until - now);
    watch.Look(worker, now);
    if (sleep.count() <= 0) continue;
    if (worker.started()) {
      worker.WaitForIo(sleep);
    } else if (step.kind == StepResult::Kind::kWaiting) {
      worker.setup().order->WaitToStart(worker.setup().index, sleep);
    } else {
      std::this_thread::sleep_for(sleep);  // its delay
    }
  }
  worker.Ended(ThisThread());
}

// Calls something from a thread of its own, again and again, until destroyed.
class RepeatingThread {
 public:
  RepeatingThread(nanoseconds interval, std::function<void()> what)
      : interval_(interval), what_(std::move(what)), thread_([this] { Loop(); }) {}
  ~RepeatingThread() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  void Loop() {
    std::unique_lock lock(mutex_);
    // At even distances, however long it takes.
    auto next = std::chrono::steady_clock::now() + interval_;
    while (!changed_.wait_until(lock, next, [this] { return over_; })) {
      lock.unlock();  // whoever ends this waits for the call under way, not for the lock
      what_();
      lock.lock();
      next = std::max(next + interval_, std::chrono::steady_clock::now());
    }
  }

  const nanoseconds interval_;
  const std::function<void()> what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;  // the last: uses the others
};

// A log's buffer lasts this long at three million operations a second.
constexpr nanoseconds kLogInterval{20'000'000};

constexpr nanoseconds kLongestAnswer{1'000'000'000};

void ShowStatus(Workers& workers, const RunCompany& company, const Clock& clock) {
  const Instant until = clock.Now() + kLongestAnswer;
  std::vector<WorkerResult> results;
  results.reserve(workers.size());
  for (const std::unique_ptr<Worker>& worker : workers) {
    results.push_back(worker->AskForResult(company.started, until - clock.Now()));
  }
  company.show_status(std::move(results));
}

void ShowProgress(const Workers& workers, RunControl& control, nanoseconds elapsed) {
  std::vector<WorkerProgress> all;
  all.reserve(workers.size());
  for (const std::unique_ptr<Worker>& worker : workers) {
    all.push_back(worker->progress().Read(worker->bytes_planned()));
  }
  control.on_progress(all, elapsed);
}

std::vector<std::unique_ptr<ServiceThread>> StartServices(const Workers& workers,
                                                          Targets& targets) {
  std::vector<std::unique_ptr<ServiceThread>> services;
  for (const std::unique_ptr<Target>& target : targets) {
    const bool needed =
        target->service != nullptr &&
        std::any_of(workers.begin(), workers.end(), [&](const std::unique_ptr<Worker>& worker) {
          const QueueFeatures& features = worker->features();
          return worker->setup().target == target.get() && !(features.manage && features.report);
        });
    if (needed) services.push_back(std::make_unique<ServiceThread>(*target->service));
  }
  return services;
}

}  // namespace

void DriveOnThreads(Workers& workers, Targets& targets, const RunCompany& company,
                    const Clock& clock) {
  const auto services = StartServices(workers, targets);
  RunControl& control = company.control;
  std::optional<RepeatingThread> progress, status, logs;
  if (control.on_progress) {
    progress.emplace(control.progress_interval,
                     [&] { ShowProgress(workers, control, clock.Now() - company.started); });
  }
  if (control.on_status && control.status_interval.count() > 0) {
    status.emplace(control.status_interval, [&] { ShowStatus(workers, company, clock); });
  }
  if (!company.logs.empty()) logs.emplace(kLogInterval, [&] { company.logs.Write(); });
  std::vector<std::thread> threads;
  threads.reserve(workers.size());
  for (const std::unique_ptr<Worker>& worker : workers) {
    threads.emplace_back([&worker = *worker, &clock] { DriveWorker(worker, clock); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace zonal::engine
