// Simulated time: events in their order, and processes that wait for them.
//
// One process runs at a time, until it sleeps; when all sleep, time goes on to the next event. The
// same run twice is the same to the last bit.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "kernels/timed/timed_device.hpp"
#include "simulation/fiber.hpp"

namespace apsp::simulation {

/// Something to which things happen; `what` is its own to understand.
class Happening {
 public:
  virtual ~Happening() = default;
  virtual void happen(std::int64_t what) = 0;
};

class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  double now() const { return now_; }  // seconds
  void at(double time, Happening& target, std::int64_t what);

  /// A process whose life is `body`.
  int add_process(std::function<void()> body);
  /// Runs all processes to their ends. Throws what one of them throws, and `Error` (defect) where
  /// all sleep and nothing can happen.
  void run();

  /// Called by the process itself: sleeps until `time`, or until it is woken.
  void sleep_until(int process, double time);
  /// It goes on at this time; where it does not sleep, it will not sleep next time.
  void wake(int process);
  /// It goes on in a while, together with what else happens to it until then.
  void nudge(int process);
  /// Events so far.
  std::int64_t events() const { return sequence_; }

 private:
  struct Event {
    double time;
    std::int64_t sequence;
    Happening* target;
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
