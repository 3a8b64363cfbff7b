#include "planner/problem.hpp"

#include "planner/findings.hpp"
#include "store/store.hpp"

namespace apsp::planner {

std::shared_ptr<Findings> new_findings() { return std::make_shared<Findings>(); }

PlanRequest PlanRequest::with(const SolveOptions& others) const {
  static const RateSource none;
  return {graph, others, find, none, estimated_from, findings};
}

bool wants_pairs_alone(const SolveOptions& options) {
  return options.pairs > 0 && options.keep == Keep::automatic && !options.statistics &&
         options.output.empty() && options.into.values == nullptr && !options.on_device_rows;
}

bool may_store_factor(const SolveOptions& options, const Problem& problem) {
  const bool dissects = options.algorithm == Algorithm::automatic ||
                        options.algorithm == Algorithm::nested_dissection;
  return options.stored == Keep::automatic && store::is_zarr(options.output) &&
         !options.predecessors && problem.selection.all() && dissects;
}

bool names_rows(const SolveOptions& options) {
  return options.algorithm != Algorithm::automatic &&
         options.algorithm != Algorithm::floyd_warshall;
}

}  // namespace apsp::planner
