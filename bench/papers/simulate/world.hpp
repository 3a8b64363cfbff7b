// Simulated time: events in their order, and processes that wait for them.
//
// One process runs at a time, until it sleeps; when all sleep, time goes on to the next event. The
// same run twice is the same to the last bit.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "papers/simulate/fiber.hpp"
#include "papers/simulate/timed_device.hpp"

namespace apsp::simulation {

/// A target of events. `what` is a number that the target gave when it asked for the event.
class EventHandler {
 public:
  virtual ~EventHandler() = default;
  virtual void handle(std::int64_t what) = 0;
};

class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  double now() const { return now_; }  // seconds
  /// At `time`, seconds, calls target.handle(what).
  void at(double time, EventHandler& target, std::int64_t what);

  /// A process that runs `body`; returns its number.
  int add_process(std::function<void()> body);
  /// Runs all processes to their ends. Throws what one of them throws, and `Error` (defect) where
  /// all sleep and nothing can happen.
  void run();

  /// Called by the process itself: sleeps until `time`, or until it is woken.
  void sleep_until(int process, double time);
  /// The process goes on now. If it is not asleep, its next `sleep_until` returns at once.
  void wake(int process);
  /// As `wake`, 50 µs from now if the process is asleep: several nudges until then wake it once.
  void nudge(int process);
  /// Events so far.
  std::int64_t events() const { return sequence_; }

 private:
  struct Event {
    double time;
    std::int64_t sequence;
    EventHandler* target;
    std::int64_t what;
    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : sequence > other.sequence;
    }
  };
  struct Process;

  double now_ = 0;
  std::int64_t sequence_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<int> ready_, turn_;
};

/// The time of one process.
class ProcessClock final : public kernels::timed::Clock {
 public:
  ProcessClock(World& world, int process) : world_(world), process_(process) {}
  double now() const override { return world_.now(); }
  void sleep_until(double time) override { world_.sleep_until(process_, time); }

 private:
  World& world_;
  int process_;
};

}  // namespace apsp::simulation
