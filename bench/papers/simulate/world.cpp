#include "papers/simulate/world.hpp"

#include <apsp/error.hpp>
#include <cmath>

namespace apsp::simulation {

namespace {

/// A nudged process wakes so much later, seconds: it then looks at the 64 pieces of a panel a few
/// times instead of 64.
constexpr double kSoon = 50e-6;

}  // namespace

struct World::Process final : EventHandler {
  Process(World& of, int counted, std::function<void()> body)
      : world(of), number(counted), fiber(std::move(body)) {}
  /// A timer rings; one that was set before the process was woken means nothing any more.
  void handle(std::int64_t what) override {
    if (what == sleeps) world.wake(number);
  }
  World& world;
  int number;
  Fiber fiber;
  bool asleep = false, woken = false;
  std::int64_t sleeps = 0;   // so far
  std::int64_t nudged = -1;  // in that sleep
};

World::World() = default;
World::~World() = default;

void World::at(double time, EventHandler& target, std::int64_t what) {
  events_.push({time, sequence_++, &target, what});
}

int World::add_process(std::function<void()> body) {
  const auto number = static_cast<int>(processes_.size());
  processes_.push_back(std::make_unique<Process>(*this, number, std::move(body)));
  ready_.push_back(number);
  return number;
}

void World::sleep_until(int process, double time) {
  Process& sleeper = *processes_[static_cast<std::size_t>(process)];
  if (sleeper.woken) {
    sleeper.woken = false;
    return;
  }
  if (time <= now_) return;
  ++sleeper.sleeps;
  if (std::isfinite(time)) at(time, sleeper, sleeper.sleeps);
  sleeper.asleep = true;
  sleeper.fiber.pause();
}

void World::wake(int process) {
  Process& sleeper = *processes_[static_cast<std::size_t>(process)];
  if (!sleeper.asleep) {
    sleeper.woken = true;
    return;
  }
  sleeper.asleep = false;
  ++sleeper.sleeps;
  ready_.push_back(process);
}

void World::nudge(int process) {
  Process& sleeper = *processes_[static_cast<std::size_t>(process)];
  if (!sleeper.asleep) {
    sleeper.woken = true;
  } else if (sleeper.nudged != sleeper.sleeps) {
    sleeper.nudged = sleeper.sleeps;
    at(now_ + kSoon, sleeper, sleeper.sleeps);
  }
}

void World::run() {
  auto living = processes_.size();
  while (living > 0) {
    while (!ready_.empty()) {
      turn_.swap(ready_);
      for (const int number : turn_) {
        Process& process = *processes_[static_cast<std::size_t>(number)];
        process.fiber.resume();
        if (process.fiber.ended()) --living;
      }
      turn_.clear();
    }
    if (living == 0) break;
    if (events_.empty()) {
      throw Error(ErrorKind::defect, "simulated processes wait for what never happens");
    }
    const Event event = events_.top();
    events_.pop();
    now_ = event.time;
    event.target->handle(event.what);
  }
}

}  // namespace apsp::simulation
