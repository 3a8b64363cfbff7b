#include "algorithms/team_place.hpp"

#include <algorithm>

#include "algorithms/blocked_floyd_warshall.hpp"

namespace apsp {

TeamPlace::TeamPlace(std::int64_t tiles, int threads, const Control& control)
    : tiles_(tiles),
      threads_(threads),
      control_(control),
      steps_(std::make_unique<Step[]>(static_cast<std::size_t>(tiles))) {}

void TeamPlace::set_tasks(const Tasks& tasks) {
  for (std::int64_t k = 0; k < tiles_; ++k) {
    const bool last = k + 1 == tiles_;
    step(k).close.set_items(1);
    step(k).panels.set_items(tasks.panels);
    step(k).diagonal.set_items(last ? 0 : 1);
    step(k).cross.set_items(last ? 0 : tasks.cross);
    step(k).rest.set_items(tasks.rest);
  }
}

std::int64_t TeamPlace::row_parts(std::int64_t least) const {
  constexpr std::int64_t kTasksAThread = 16;
  std::int64_t parts = least;
  while (parts < tiles_ && tiles_ * parts < kTasksAThread * threads_) parts *= 2;
  return parts;
}

std::int64_t TeamPlace::panel_tile(std::int64_t k, std::int64_t item) const {
  const std::int64_t other = item % (tiles_ - 1);
  return other < k ? other : other + 1;
}

void TeamPlace::run_team(const std::string& activity, double relaxations) {
  progress_ = std::make_unique<base::ProgressTask>(control_, activity, relaxations, "relaxation");
#pragma omp parallel num_threads(threads_)
  blocked_floyd_warshall(*this);
  progress_.reset();
  base::check_cancelled(control_);
}

void TeamPlace::close(std::int64_t k) {
  // Whoever comes first closes and waits for one tile only; the others go on.
  step(k).close.share([&](std::int64_t) {
    if (k > 0) step(k - 1).diagonal.await(stop_);
    if (!stopped()) close_tile(k);
  });
}

void TeamPlace::update_panels(std::int64_t k) {
  step(k).close.await(stop_);
  if (k > 0) step(k - 1).cross.await(stop_);
  step(k).panels.share([&](std::int64_t item) {
    if (!stopped()) update_panel(k, item);
  });
}

void TeamPlace::await_rest_before(std::int64_t k) {
  step(k).panels.await(stop_);
  if (k > 0) step(k - 1).rest.await(stop_);
}

void TeamPlace::update_cross(std::int64_t k) {
  await_rest_before(k);
  step(k).diagonal.share([&](std::int64_t) {
    if (!stopped()) update_diagonal(k);
  });
  step(k).cross.share([&](std::int64_t item) {
    if (!stopped()) update_cross_tile(k, item);
  });
}

void TeamPlace::update_rest(std::int64_t k) {
  await_rest_before(k);
  step(k).rest.share([&](std::int64_t item) {
    if (base::cancelled(control_)) stop();
    if (!stopped()) update_rest_part(k, item);
  });
}

}  // namespace apsp
