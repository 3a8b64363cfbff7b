// What the Places of one host memory share: a team of threads that works through the steps of
// blocked Floyd-Warshall.
//
// Each operation of a step is a list of tasks that the threads share out; nobody waits at the end
// of one, only before a task whose operands are not ready. While one thread closes the next
// diagonal tile the others are in the rest of the step. A Place says how many tasks there are, and
// does them.
#pragma once

#include <apsp/progress.hpp>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "algorithms/shared_phase.hpp"
#include "base/control.hpp"

namespace apsp {

class TeamPlace {
 public:
  TeamPlace(const TeamPlace&) = delete;
  TeamPlace& operator=(const TeamPlace&) = delete;

  // The operations of the driver (blocked_floyd_warshall.hpp).
  std::int64_t tiles() const { return tiles_; }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  void close(std::int64_t k);
  void update_panels(std::int64_t k);
  void update_cross(std::int64_t k);
  void update_rest(std::int64_t k);

 protected:
  TeamPlace(std::int64_t tiles, int threads, const Control& control);
  virtual ~TeamPlace() = default;

  /// Tasks of every step; cross: of every step but the last.
  struct Tasks {
    std::int64_t panels, cross, rest;
  };
  void set_tasks(const Tasks& tasks);
  /// Into how many parts a row of tiles of the rest is cut, at least `least`: enough that each
  /// thread has several tasks where tiles are few.
  std::int64_t row_parts(std::int64_t least = 1) const;
  /// The tile of a panel of step k that task `item` is about: all but k, again and again.
  std::int64_t panel_tile(std::int64_t k, std::int64_t item) const;

  /// Every thread runs the driver. Throws `Error` (interrupted).
  void run_team(const std::string& activity, double relaxations);
  void stop() { stop_ = true; }
  void advance(double relaxations) { progress_->advance(relaxations); }

  int threads() const { return threads_; }

 private:
  struct Step {
    SharedPhase close, panels, diagonal, cross, rest;
  };

  virtual void close_tile(std::int64_t k) = 0;
  virtual void update_panel(std::int64_t k, std::int64_t item) = 0;
  /// Tile (k + 1, k + 1).
  virtual void update_diagonal(std::int64_t k) = 0;
  virtual void update_cross_tile(std::int64_t k, std::int64_t item) = 0;
  virtual void update_rest_part(std::int64_t k, std::int64_t item) = 0;

  Step& step(std::int64_t k) { return steps_[static_cast<std::size_t>(k)]; }
  /// Before step k: every tile has left step k − 1.
  void await_rest_before(std::int64_t k);

  std::int64_t tiles_;
  int threads_;
  const Control& control_;
  std::unique_ptr<Step[]> steps_;  // [tiles]
  std::atomic<bool> stop_{false};
  std::unique_ptr<base::ProgressTask> progress_;
};

}  // namespace apsp
