// The rates that a plan of this process goes by: from the cache, or measured where the solve is
// long enough that nobody notices, or none, and then predictions say "about".
//
// Measuring takes at most an eighth of the time that figures on the safe side promise for the
// solve, and is not done at all below three seconds: a short job never waits for it. Searches of
// the graph itself are tried out where some of them are a small part of all. What a store takes,
// the last large output on the same file system tells; before there was one, what memory and disk
// move.
#pragma once

#include <apsp/progress.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "calibration/rate_cache.hpp"
#include "planner/devices.hpp"
#include "planner/rates.hpp"

namespace apsp::calibration {

enum class Measuring { never, when_worth_it, always };

struct RatePolicy {
  std::string folder;  // of the cache; empty: nothing is kept
  Measuring measuring = Measuring::when_worth_it;
  const Cancellation* cancellation = nullptr;
  double least_on_host = 3, least_on_device = 4;         // s, that a solve must take to be worth it
  double most_on_host = 0.5, most_on_device = 2.5;       // s, that may be spent
  double least_sparse = 1, most_sparse = 0.6;            // s, the same of sparse solves
  double least_link = 0.2, most_link = 0.06;             // s, the same of what is around a GPU
  double least_transferred = 3, most_transferred = 0.3;  // s, the same of outputs
  double least_sampled = 0.5,
         part_sampled = 0.02;         // s; of a solve, that some of its rows may take
  std::vector<std::int64_t> sizes{};  // of the solves that measure; empty: chosen
  bool renew = false;                 // what the cache holds is measured again, once
  int processes = 1;                  // of this machine, which measure at the same time
};

/// The default folder; APSP_MEASURE=never|always|auto says when. Throws `Error` (usage) for other
/// words.
RatePolicy rate_policy(const Cancellation* cancellation = nullptr);

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
  std::optional<planner::HostRates> host(const planner::KernelKind& kind, places::Shape shape,
                                         int threads, double guess);
  std::optional<planner::DeviceRates> device(const planner::KernelKind& kind, places::Shape shape,
                                             const planner::DeviceFacts& facts, int threads,
                                             double guess);
  std::optional<planner::LinkRates> link(const planner::DeviceFacts& facts, double guess);
  std::optional<planner::LinkRates> any_link();
  std::optional<planner::EliminationRates> elimination(const planner::KernelKind& kind, int threads,
                                                       double guess);
  std::optional<planner::SearchRates> search(const planner::KernelKind& kind, int threads,
                                             double guess);
  std::optional<planner::BreadthFirstRates> breadth_first(const planner::KernelKind& kind,
                                                          int threads, double guess);
  std::optional<double> sample(const Graph& graph, const planner::RowSample& rows,
                               double guess) const;
  /// As kept; or measured, where `seconds` are not 0, and kept.
  template <class Rates, class Measure>
  std::optional<Rates> kept_or_measured(const nlohmann::json& key, double seconds,
                                        const Measure& measure);
  std::optional<planner::StoreRates> store(const std::string& output, bool compress,
                                           int threads) const;
  std::optional<planner::TransferRates> transfers(const std::string& path, int threads,
                                                  double guess);
  void stored(const std::string& output, bool compress, int threads, double bytes,
              double seconds) const;
  /// The same key for processes that share the machine's threads and memory meanwhile.
  nlohmann::json shared(nlohmann::json key) const;
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

}  // namespace apsp::calibration
