// Costs of rows that several engines share, on the host and on GPUs.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "planner/device_plan.hpp"
#include "planner/findings.hpp"
#include "planner/plan.hpp"

namespace apsp::planner {

struct RowsMeans {
  Findings& findings;
  const RateSource& rates;
  const Control& control;
  bool may_trim = false;          ///< the factor of the whole graph is not needed
  std::int64_t pairs_memory = 0;  ///< bytes of labels of the pairs; 0: half of what is free
  double best = std::numeric_limits<double>::infinity();  ///< s, of the best candidate so far
};

/// Bytes of all threads' blocks: whole rows, and a copy of the wanted columns.
std::int64_t blocks_bytes(std::int64_t n, std::int64_t block_rows, const Problem& problem);

/// A method that takes so many times as long as the best plan is not measured.
inline constexpr double kHopeless = 3;

/// Returns the source's rates, or those assumed. `guess`: s of the whole work at assumed rates; 0:
/// nothing is measured.
template <class Rates>
Rates known_or(Rates assumed, const AskRates<Rates>& ask, const Problem& problem, double guess) {
  if (!ask) return assumed;
  return ask({.kernel = problem.kernel(), .threads = problem.threads, .guess = guess})
      .value_or(std::move(assumed));
}

/// Returns measured seconds of a row. `together`: rows that a thread computes at once, the fewest
/// that it measures.
std::optional<double> sampled(Algorithm algorithm, const Graph& graph, const Problem& problem,
                              const RowsMeans& means, double guess, std::int64_t together);

/// Limits and rates of plans for rows on devices.
struct DeviceMeans {
  std::int64_t memory = 0;  ///< bytes of each device that may be used; 0: what is free
  std::int64_t band = 0;    ///< rows of a band of the output's tiles; 0: there is no output
  double best = std::numeric_limits<double>::infinity();  ///< s, of the best candidate so far
  LinkRates link{};
  std::optional<DeviceRowRates> rates{};  ///< empty: assumed
  decltype(RateSource::sample_on_device) sample{};
};

struct RowsOnDevices {
  DevicePlan devices;
  RowsPlan rows;
};

/// Returns a plan on all of `there.taken`, at least one, without bytes and seconds.
DevicePlan begun_rows(const Problem& problem, std::int64_t n, const DeviceMeans& means,
                      const NamedDevice& there);

/// Returns how a device counts distances for statistics of all pairs. It counts nothing if it could
/// not hold all digits; then rows leave the device.
statistics::CountMethod count_method(const Problem& problem);

/// Adds copies and memory of the host, when the devices' seconds are known. `pinned`: bytes that
/// rows pass through; `counting`: what each device counts.
void add_host_costs(std::int64_t sources, std::int64_t targets, std::int64_t pinned,
                    const statistics::CountMethod& counting, RowsOnDevices& on);

/// Costs of predecessors that devices compute: bytes of each device, and of the host for each;
/// seconds of all. `piece`: rows that are copied out at a time.
struct PredecessorCosts {
  std::int64_t device_bytes = 0, host_bytes = 0;
  double seconds = 0;
};
PredecessorCosts predecessor_costs(const DevicePlan& plan, const RowUses& uses, std::int64_t arcs,
                                   std::int64_t sources, std::int64_t piece);

}  // namespace apsp::planner
