#include "kernels/strict/strict_queues.hpp"

#include <algorithm>
#include <utility>

#include "kernels/strict/strict_misuse.hpp"

namespace apsp::kernels::strict {
namespace {

void learn(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size(), 0);
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

QueueId Queues::make_queue() {
  queues_.emplace_back().history.emplace_back();
  return static_cast<QueueId>(queues_.size()) - 1;
}

Queues::Queue& Queues::at(QueueId queue) {
  if (queue < 0 || static_cast<std::size_t>(queue) >= queues_.size()) {
    misuse("no such queue");
  }
  return queues_[static_cast<std::size_t>(queue)];
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
  target.work.push_back([this, queue, seen = host_clock_, work = std::move(work)] {
    learn(at(queue).clock, seen);
    work();
  });
  ++target.given;
}

EventId Queues::record(QueueId queue) {
  events_.push_back({queue, at(queue).given});
  return static_cast<EventId>(events_.size()) - 1;
}

void Queues::wait(QueueId queue, EventId event) {
  const Event reached = at_event(event);
  give(queue, [this, queue, reached] {
    run_until(reached.queue, reached.count);
    learn(at(queue).clock, at(reached.queue).history[reached.count]);
  });
}

void Queues::await(EventId event) {
  const Event reached = at_event(event);
  run_until(reached.queue, reached.count);
  learn(host_clock_, at(reached.queue).history[reached.count]);
}

void Queues::synchronize(QueueId queue) {
  run_until(queue, at(queue).given);
  // The host has seen this queue's end: whatever is given from now on comes after it.
  learn(host_clock_, at(queue).clock);
}

bool Queues::idle() const {
  return std::all_of(queues_.begin(), queues_.end(),
                     [](const Queue& queue) { return queue.work.empty(); });
}

void Queues::run_until(QueueId id, std::size_t count) {
  if (failure_) throw Error(*failure_);
  try {
    while (at(id).done < count) run_next(id);
  } catch (const Error& error) {
    failure_ = error;
    for (Queue& queue : queues_) queue.work.clear();
    throw;
  }
}

void Queues::run_next(QueueId id) {
  Queue& queue = at(id);
  const std::function<void()> work = std::move(queue.work.front());
  queue.work.pop_front();
  if (queue.clock.size() < queues_.size()) queue.clock.resize(queues_.size(), 0);
  ++queue.clock[static_cast<std::size_t>(id)];
  work();
  ++queue.done;
  queue.history.push_back(queue.clock);
}

}  // namespace apsp::kernels::strict
