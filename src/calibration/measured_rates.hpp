// The rates that a plan of this process uses. They are in the cache, or they are measured where the
// solve is long enough. Otherwise there are none, and predictions say "about".
//
// Measuring takes at most an eighth of the time that figures on the safe side promise for the
// solve, and is not done at all below three seconds: a short job never waits for it. Searches of
// the graph itself are tried out where some of them are a small part of all. The last large output
// on the same file system tells what a store takes; before there was one, the speed of memory and
// disk does.
#pragma once

#include <apsp/progress.hpp>
#include <map>
#include <string>

#include "base/json.hpp"
#include "calibration/measure_rates.hpp"
#include "calibration/rate_cache.hpp"
#include "planner/devices.hpp"
#include "planner/rates.hpp"

namespace apsp::calibration {

/// The default folder; APSP_MEASURE=never|always|auto says when. Where the memory is limited
/// (bytes; 0: it is not), nothing is measured: that may take more than the solve. Throws `Error`
/// (usage) for other words.
RatePolicy rate_policy(const Cancellation* cancellation = nullptr, std::int64_t memory = 0);

class MeasuredRates {
 public:
  explicit MeasuredRates(RatePolicy policy, planner::FindDevices find = planner::cuda_devices);
  MeasuredRates(const MeasuredRates&) = delete;
  MeasuredRates& operator=(const MeasuredRates&) = delete;

  /// This and `find` refer to this object.
  planner::RateSource source();
  /// As the one handed in; how long drivers take to start is noted.
  planner::FindDevices find();

 private:
  template <class Rates>
  std::optional<Rates> rates_of(const planner::RateQuery& asked);
  /// As kept; or measured, where that is worth it, and kept.
  template <class Rates>
  std::optional<Rates> kept_or_measured(const nlohmann::json& key, const planner::RateQuery& asked);
  std::optional<planner::LinkRates> any_link();
  std::optional<double> sample(const Graph& graph, const planner::RowSample& rows,
                               double guess) const;
  void stored(const planner::RateQuery& output, double bytes, double seconds) const;
  /// Empty where the folder of the path cannot be asked.
  std::optional<nlohmann::json> key_of(std::string_view what, const KeyParts& parts,
                                       const planner::RateQuery& asked) const;
  MeasureLimits limits_of(double seconds) const;
  /// Seconds that may be spent; 0: not at all.
  double budget(double guess, double least, double most) const;

  RatePolicy policy_;
  RateCache cache_;
  planner::FindDevices find_;
  planner::Devices devices_;  // as found
  double starting_ = 0;       // s, that drivers took to start
  double measuring_ = 0;      // s, spent here: part of what the user waits for, this once
  std::optional<planner::LinkRates> any_link_;  // in the cache
  bool looked_for_link_ = false;
  std::map<std::string, nlohmann::json> here_;  // key -> figures, measured by this process
};

/// Measures again and keeps the figures that most solves use, without a solve at hand: shortest
/// paths in u16, i32 and f32, memory, and the disk that keeps the figures. `threads`: 0: all. Takes
/// some two seconds. Throws `Error` (interrupted).
void renew_rates(int threads, const Control& control);

}  // namespace apsp::calibration
