#include "dense/team_place.hpp"

#include "base/seconds_since.hpp"
#include "dense/blocked_floyd_warshall.hpp"
#include "system/threads.hpp"

namespace apsp::dense {

TeamPlace::TeamPlace(std::int64_t tiles, int threads, const Control& control, Panels panels)
    : tiles_(tiles),
      threads_(threads),
      control_(control),
      panels_(panels),
      steps_(std::make_unique<Step[]>(static_cast<std::size_t>(tiles))) {}

void TeamPlace::set_tasks(const Tasks& tasks) {
  const Tile end(tiles_);
  for (Tile k = kFirstTile; k < end; ++k) {
    const bool last = k + 1 == end;
    step(k).close.set_items(1);
    step(k).panels.set_items(tasks.panels);
    step(k).diagonal.set_items(last ? 0 : 1);
    step(k).cross.set_items(last ? 0 : tasks.cross);
    step(k).rest.set_items(tasks.rest, threads_);
  }
  steps_of_item_ =
      std::make_unique<std::atomic<std::int32_t>[]>(static_cast<std::size_t>(tasks.rest));
}

Tile TeamPlace::panel_tile(Tile k, std::int64_t item) const {
  const Tile other(item % (tiles_ - 1));
  return other < k ? other : other + 1;
}

void TeamPlace::run_threads(const std::string& activity, double relaxations) {
  waits_ = {};
  relaxations_ = relaxations;
  progress_ = std::make_unique<base::ProgressTask>(control_, activity, relaxations, "relaxation");
  system::run_threads(threads_, [this](int index) {
    try {
      Member member(*this, index);
      blocked_floyd_warshall(member);
    } catch (...) {
      stop();
      throw;
    }
  });
  progress_.reset();
  base::check_cancelled(control_);
}

void TeamPlace::stop() {
  stop_ = true;
  changed_.notify();
}

template <class F>
bool TeamPlace::share_one(SharedPhase& phase, F&& work) {
  const bool worked = phase.share_one([&](std::int64_t item) {
    if (!stopped()) work(item);
  });
  if (worked && phase.complete()) changed_.notify();
  return worked;
}

TeamPlace::Member::~Member() {
  const std::lock_guard lock(place_.waits_mutex_);
  for (std::size_t i = 0; i < waits_.size(); ++i) place_.waits_[i] += waits_[i];
}

template <class Ready>
void TeamPlace::Member::await(Awaited what, const Ready& ready) {
  const auto end = [&] { return stopped() || ready(); };
  if (end()) return;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  place_.changed_.await(end);
  waits_[static_cast<std::size_t>(what)] += base::seconds_since(start);
}

void TeamPlace::Member::await_rest_item(Tile k, std::int64_t item) {
  await(Awaited::rest_item,
        [&] { return place_.steps_of(item).load(std::memory_order_acquire) >= k.number(); });
}

void TeamPlace::Member::await_rest_before_cross(Tile k, std::int64_t item) {
  if (place_.panels_ == Panels::copied) await_rest_item(k, place_.rest_item_of_cross(k, item));
}

void TeamPlace::Member::close(Tile k) {
  // The member that has updated the diagonal tile closes it; the others continue with the
  // remainder.
  if (k > kFirstTile && !closes_next_) return;
  closes_next_ = false;
  place_.share_one(place_.step(k).close, [&](std::int64_t) { place_.close_tile(k); });
}

bool TeamPlace::Member::panels_may_begin(Tile k) const {
  // Panels k take the buffers of panels k − 2.
  return place_.step(k).close.complete() && (k < Tile(1) || place_.step(k - 1).cross.complete()) &&
         (k < Tile(2) || place_.step(k - 2).rest.complete());
}

bool TeamPlace::Member::update_one_panel_tile(Tile k) {
  return place_.share_one(place_.step(k).panels,
                          [&](std::int64_t item) { place_.update_panel(k, item); });
}

void TeamPlace::Member::update_panels(Tile k) {
  await(Awaited::free_panels, [&] { return panels_may_begin(k); });
  while (update_one_panel_tile(k)) {
  }
}

void TeamPlace::Member::await_panels(Tile k) {
  await(Awaited::panels, [&] { return place_.step(k).panels.complete(); });
  if (place_.panels_ == Panels::copied || k == kFirstTile) return;
  // The panels are in the matrix, and step k changes those of step k − 1.
  await(Awaited::rest_item, [&] { return place_.step(k - 1).rest.complete(); });
}

void TeamPlace::Member::update_cross(Tile k) {
  Step& step = place_.step(k);
  await_panels(k);
  closes_next_ = place_.share_one(step.diagonal, [&](std::int64_t) {
    await_rest_before_cross(k, -1);
    if (!stopped()) place_.update_diagonal(k);
  });
  // The others will wait for the closed tile, so this member closes it before it takes cross tasks.
  if (!closes_next_) share_cross(k);
}

void TeamPlace::Member::share_cross(Tile k) {
  while (place_.share_one(place_.step(k).cross, [&](std::int64_t item) {
    await_rest_before_cross(k, item);
    if (!stopped()) place_.update_cross_tile(k, item);
  })) {
  }
}

void TeamPlace::Member::update_rest_item(Tile k, std::int64_t item) {
  if (base::cancelled(place_.control_)) place_.stop();
  await_rest_item(k, item);
  if (stopped()) return;
  relaxations_ += place_.update_rest_item(k, item);
  place_.steps_of(item).store(static_cast<std::int32_t>(k.number() + 1), std::memory_order_release);
  place_.changed_.notify();
  tell_progress(false);
}

void TeamPlace::Member::update_rest(Tile k) {
  Step& step = place_.step(k);
  await_panels(k);
  share_cross(k);
  const bool last = k + 1 == Tile(tiles());
  bool next_panels = !last;
  std::int64_t done = 0;
  int offset = 0;
  for (;;) {
    while (next_panels && panels_may_begin(k + 1)) next_panels = update_one_panel_tile(k + 1);
    const std::int64_t item = step.rest.claim(index_, offset);
    if (item < 0) break;
    update_rest_item(k, item);
    ++done;
  }
  step.rest.note_done(done);
  if (step.rest.complete()) place_.changed_.notify();
  tell_progress(last);
}

void TeamPlace::Member::tell_progress(bool at_once) {
  if (relaxations_ == 0) return;
  // Reports are frequent enough for a bar and too rare for members to wait for each other in them.
  constexpr std::chrono::milliseconds kPause{10};
  constexpr double kShare = 0.01;
  const auto now = std::chrono::steady_clock::now();
  const bool much = relaxations_ >= kShare * place_.relaxations_;
  if (!at_once && !much && now - told_ < kPause) return;
  told_ = now;
  place_.progress_->advance(relaxations_);
  relaxations_ = 0;
}

}  // namespace apsp::dense
