// The rates for plans of this process: from the cache, or measured if the solve is long enough.
// Otherwise predictions say "about".
//
// A measurement takes about an eighth of the cautiously predicted time of its work, or less, and
// none happens for work shorter than `RatePolicy` says; rows on a GPU are measured on graphs of one
// size. Searches of the graph itself are sampled if some are a small part of all. The rate of a
// store is that of the last large output on the file system, or of memory and disk.
#pragma once

#include <apsp/progress.hpp>
#include <map>
#include <string>

#include "base/json.hpp"
#include "planner/devices.hpp"
#include "planner/rates.hpp"
#include "rates/measure_rates.hpp"
#include "rates/rate_cache.hpp"

namespace apsp::rates {

/// The default folder; APSP_MEASURE=never|always|auto. Given a memory limit (bytes; 0: none),
/// nothing is measured, because that may take more memory. Throws `Error` (usage) for other words.
RatePolicy rate_policy(const Cancellation* cancellation = nullptr, std::int64_t memory = 0);

class MeasuredRates {
 public:
  explicit MeasuredRates(RatePolicy policy, planner::FindDevices find = planner::cuda_devices);
  MeasuredRates(const MeasuredRates&) = delete;
  MeasuredRates& operator=(const MeasuredRates&) = delete;

  /// The result, like that of `find`, refers to this object.
  planner::RateSource source();
  /// Returns a function that also notes the start time of drivers.
  planner::FindDevices find();

 private:
  template <class Rates>
  std::optional<Rates> rates_of(const planner::RateQuery& asked);
  /// Returns cached rates, or measures and caches them if worthwhile.
  template <class Rates>
  std::optional<Rates> kept_or_measured(const nlohmann::json& key, const planner::RateQuery& asked);
  std::optional<planner::LinkRates> any_link();
  std::optional<double> sample(const Graph& graph, const planner::RowSample& rows,
                               double guess) const;
  std::optional<double> sample_on_device(const Graph& graph,
                                         const planner::DeviceSearchSample& searches,
                                         double guess) const;
  void stored(const planner::RateQuery& output, double bytes, double seconds) const;
  /// Returns nothing if the folder of the path cannot be queried.
  std::optional<nlohmann::json> key_of(std::string_view what, const KeyParts& parts,
                                       const planner::RateQuery& asked) const;
  MeasureLimits limits_of(double seconds) const;
  /// Seconds for a measurement; 0: none.
  double budget(double guess, double least, double most) const;
  double most_waiting(int threads) const;

  RatePolicy policy_;
  RateCache cache_;
  planner::FindDevices find_;
  planner::Devices devices_;
  double starting_ = 0;   // s, start of drivers
  double measuring_ = 0;  // s, measurements, which the user waits for once
  std::optional<planner::LinkRates> any_link_;
  bool looked_for_link_ = false;
  std::map<std::string, nlohmann::json> here_;  // key -> figures measured by this process
};

/// Measures and caches again the figures of most solves: shortest paths in u16, i32 and f32, memory
/// and disk. `threads`: 0: all. Takes about two seconds. Throws `Error` (interrupted).
void renew_rates(int threads, const Control& control);

}  // namespace apsp::rates
