#include "api/kept_factor.hpp"

#include <array>
#include <utility>

#include "base/machine.hpp"
#include "engine/produce_rows.hpp"
#include "planner/value_type.hpp"
#include "query/statistics_pass.hpp"

namespace apsp::api {

KeptFactor::KeptFactor(std::shared_ptr<const elimination::Factor> factor, kernels::Sign sign)
    : factor_(std::move(factor)), rows_(*factor_, sign) {}

Statistics KeptFactor::statistics(const Graph& graph, const Control& control) const {
  query::StatisticsPass pass(graph, rows_.semiring(), rows_.type(),
                             planner::distance_bound(graph, rows_.semiring()));
  const std::array<store::RowSink*, 1> sinks = {&pass};
  engine::produce_rows(rows_, sinks, 0, base::thread_count(0), control);
  return pass.statistics();
}

}  // namespace apsp::api
