#include "kernels/host/host_queues.hpp"

#include <apsp/error.hpp>

#include <utility>

#include "base/blocked_signals.hpp"

namespace apsp::kernels::host {

HostQueues::HostQueues(int threads) {
  const base::BlockedSignals blocked;
  for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

HostQueues::~HostQueues() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

QueueId HostQueues::make_queue(Priority priority) {
  const std::lock_guard lock(mutex_);
  queues_.push_back({.priority = priority});
  return static_cast<QueueId>(queues_.size()) - 1;
}

void HostQueues::give(QueueId queue, std::int64_t pieces, std::function<void(std::int64_t)> run) {
  if (pieces == 0) return;
  {
    const std::lock_guard lock(mutex_);
    HostQueue& target = queues_[static_cast<std::size_t>(queue)];
    target.jobs.push_back({.pieces = pieces, .run = std::move(run)});
    ++target.given;
  }
  changed_.notify_all();
}

EventId HostQueues::record(QueueId queue) {
  const std::lock_guard lock(mutex_);
  events_.push_back({queue, queues_[static_cast<std::size_t>(queue)].given});
  return static_cast<EventId>(events_.size()) - 1;
}

void HostQueues::wait(QueueId queue, EventId event) {
  const std::lock_guard lock(mutex_);
  if (is_reached(event)) return;
  HostQueue& target = queues_[static_cast<std::size_t>(queue)];
  target.jobs.push_back({.awaited = event});
  ++target.given;
}

bool HostQueues::is_reached(EventId event) const {
  const HostEvent& at = events_[static_cast<std::size_t>(event)];
  return queues_[static_cast<std::size_t>(at.queue)].done >= at.count;
}

bool HostQueues::reached(EventId event) {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  end_waits();
  return is_reached(event);
}

/// Takes away the waits at the front of queues whose events are reached, which may reach others.
void HostQueues::end_waits() {
  for (bool more = true; more;) {
    more = false;
    for (HostQueue& queue : queues_) {
      while (!queue.jobs.empty() && queue.jobs.front().awaited >= 0 &&
             is_reached(queue.jobs.front().awaited)) {
        queue.jobs.pop_front();
        ++queue.done;
        more = true;
      }
    }
  }
}

HostQueues::HostQueue* HostQueues::next_queue() {
  end_waits();
  HostQueue* best = nullptr;
  for (HostQueue& queue : queues_) {
    if (queue.jobs.empty()) continue;
    const Job& job = queue.jobs.front();
    if (job.awaited >= 0 || job.claimed == job.pieces) continue;
    if (queue.priority == Priority::high) return &queue;
    if (best == nullptr) best = &queue;
  }
  return best;
}

void HostQueues::run_piece(HostQueue& queue, std::unique_lock<std::mutex>& lock) {
  Job& job = queue.jobs.front();  // stays where it is until its last piece is done
  const std::int64_t piece = job.claimed++;
  const bool failed = failure_ != nullptr;
  lock.unlock();
  std::exception_ptr failure;
  try {
    if (!failed) job.run(piece);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (failure && !failure_) failure_ = failure;
  if (++job.done < job.pieces) return;
  queue.jobs.pop_front();
  ++queue.done;
  changed_.notify_all();
}

bool HostQueues::work() {
  std::unique_lock lock(mutex_);
  HostQueue* const queue = next_queue();
  if (queue == nullptr) return false;
  run_piece(*queue, lock);
  return true;
}

void HostQueues::await(EventId event) {
  std::unique_lock lock(mutex_);
  for (;;) {
    HostQueue* const queue = next_queue();
    if (is_reached(event)) break;
    if (queue != nullptr) {
      run_piece(*queue, lock);
    } else if (threads_.empty()) {
      throw Error(ErrorKind::device, "the host's queues wait for an event that nothing reaches");
    } else {
      changed_.wait(lock);
    }
  }
  if (failure_) std::rethrow_exception(failure_);
}

void HostQueues::serve() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    HostQueue* const queue = next_queue();
    queue != nullptr ? run_piece(*queue, lock) : changed_.wait(lock);
  }
}

}  // namespace apsp::kernels::host
