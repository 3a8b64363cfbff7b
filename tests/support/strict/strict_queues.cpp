#include "support/strict/strict_queues.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <atomic>
#include <cstdint>
#include <utility>

#include "support/strict/strict_device.hpp"

namespace apsp::kernels::strict {
namespace {

void learn(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size(), 0);
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

std::atomic<std::int64_t> operations_left{-1};  // −1: none fails

void meet_fault() {
  if (operations_left < 0 || --operations_left >= 0) return;
  operations_left = -1;
  throw Error(ErrorKind::device, "strict device: the operation failed, as it was asked to");
}

}  // namespace

void fail_after(std::int64_t operations) { operations_left = operations; }
bool has_failed() { return operations_left < 0; }

QueueId Queues::make_queue(int device) {
  Queue& queue = queues_.emplace_back();
  queue.device = device;
  queue.history.emplace_back();
  return static_cast<QueueId>(queues_.size()) - 1;
}

Queues::Queue& Queues::at(QueueId queue) {
  if (queue < 0 || static_cast<std::size_t>(queue) >= queues_.size()) {
    misuse("no such queue");
  }
  return queues_[static_cast<std::size_t>(queue)];
}

Clock& Queues::host_clock(int device) {
  const auto number = static_cast<std::size_t>(device);
  if (host_clocks_.size() <= number) host_clocks_.resize(number + 1);
  return host_clocks_[number];
}

Queues::Event Queues::at_event(EventId event) const {
  if (event < 0 || static_cast<std::size_t>(event) >= events_.size()) {
    misuse("no such event");
  }
  return events_[static_cast<std::size_t>(event)];
}

void Queues::give(QueueId queue, std::function<void()> work) {
  Queue& target = at(queue);
  if (failure_) return;
  target.work.push_back([this, queue, seen = host_clock(target.device), work = std::move(work)] {
    learn(at(queue).clock, seen);
    work();
  });
  ++target.given;
}

EventId Queues::record(QueueId queue) {
  events_.push_back({queue, at(queue).given});
  return static_cast<EventId>(events_.size()) - 1;
}

void Queues::wait(QueueId queue, int of, EventId event) {
  const Event reached = at_event(event);
  if (at(reached.queue).device != of) misuse("wait for an event of another device");
  give(queue, [this, queue, reached] {
    run_until(reached.queue, reached.count);
    learn(at(queue).clock, at(reached.queue).history[reached.count]);
  });
}

void Queues::await(int device, EventId event) {
  const Event reached = at_event(event);
  if (at(reached.queue).device != device) misuse("the host waits for an event of another device");
  run_until(reached.queue, reached.count);
  learn(host_clock(device), at(reached.queue).history[reached.count]);
}

void Queues::synchronize(QueueId queue) {
  run_until(queue, at(queue).given);
  // The host has seen this queue's end: whatever is given from now on comes after it.
  learn(host_clock(at(queue).device), at(queue).clock);
}

bool Queues::idle() const {
  return std::all_of(queues_.begin(), queues_.end(),
                     [](const Queue& queue) { return queue.work.empty(); });
}

bool Queues::idle(int device) const {
  return std::all_of(queues_.begin(), queues_.end(), [=](const Queue& queue) {
    return queue.device != device || queue.work.empty();
  });
}

void Queues::drop(int device) {
  for (Queue& queue : queues_) {
    if (queue.device == device) queue.work.clear();
  }
}

void Queues::run_until(QueueId id, std::size_t count) {
  if (failure_) std::rethrow_exception(failure_);
  try {
    while (at(id).done < count) run_next(id);
  } catch (...) {
    failure_ = std::current_exception();
    for (Queue& queue : queues_) queue.work.clear();
    throw;
  }
}

void Queues::run_next(QueueId id) {
  Queue& queue = at(id);
  if (queue.work.empty()) misuse("wait for a device that has ended");
  const std::function<void()> work = std::move(queue.work.front());
  queue.work.pop_front();
  if (queue.clock.size() < queues_.size()) queue.clock.resize(queues_.size(), 0);
  ++queue.clock[static_cast<std::size_t>(id)];
  meet_fault();
  work();
  ++queue.done;
  queue.history.push_back(queue.clock);
}

}  // namespace apsp::kernels::strict
