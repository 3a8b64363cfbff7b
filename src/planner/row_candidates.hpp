// Candidates that compute rows, and how rows are used.
#pragma once

#include <limits>
#include <vector>

#include "planner/candidates.hpp"
#include "planner/device_row_costs.hpp"
#include "planner/plan.hpp"
#include "planner/row_costs.hpp"

namespace apsp::planner {

enum class RowConsumers {
  nobody,
  matrix,           ///< the matrix of all distances in memory, and perhaps others
  one_place,        ///< a single consumer, into whose memory the engine may write
  device_callback,  ///< only a caller's function that reads rows on the device
  several,
};

enum class Counting {
  nobody,
  by_rows,
  by_columns,
};

RowUses uses_of(RowConsumers consumers, Counting counting);

/// Requires: why_not is empty. Throws `Error`: does_not_fit, interrupted.
RowsPlan plan_rows_by(Algorithm algorithm, const Graph& graph, const Problem& problem,
                      const RowsMeans& means);

/// All arguments must outlive this.
class RowCandidates {
 public:
  /// `matrix`: Floyd-Warshall in memory, for the same problem.
  RowCandidates(const PlanRequest& asked, const Problem& problem, const Plan& matrix)
      : asked_(asked), problem_(problem), matrix_(matrix) {}

  /// Plans the algorithm on the device that the options name, or else on the CPU. `best`: s, of the
  /// best candidate so far. Requires: `why_not` of the algorithm is empty. Throws `Error`:
  /// does_not_fit, interrupted.
  Planned by(Algorithm algorithm, double best = std::numeric_limits<double>::infinity()) const {
    return on(preferred_by(asked_.options), algorithm, best);
  }
  /// The same on these devices.
  Planned on(const DevicePreference& preference, Algorithm algorithm,
             double best = std::numeric_limits<double>::infinity()) const;

  /// Returns the same plan, and if the driver pays, the one with its sweeps on the first GPU.
  std::vector<Candidate> candidates(Algorithm algorithm, double best) const;
  /// Plans nested dissection for an output, or a result, that is the factor.
  Planned factored() const;

 private:
  Planned swept_instead(const Plan& on_host) const;
  Planned kept_as(const DevicePreference& preference, RowsPlan rows, Plan plan, double best) const;
  RowUses uses(const RowsPlan& rows, const Plan& plan, bool on_cuda) const;

  const PlanRequest& asked_;
  const Problem& problem_;
  const Plan& matrix_;
};

/// Plans the same engine on all of the devices. If they have too little memory, the devices' plan
/// says so, and its seconds are unknown. `rows`: the plan on the CPU, with its uses. Requires:
/// `why_not` of the algorithm is empty for the GPU.
RowsOnDevices rows_on_devices(const Graph& graph, const Problem& problem, const DeviceMeans& means,
                              const NamedDevice& devices, RowsPlan rows);

}  // namespace apsp::planner
