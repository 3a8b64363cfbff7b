#include "api/kept_factor.hpp"

#include <array>

#include "base/machine.hpp"
#include "elimination/stored_factor.hpp"
#include "engine/produce_rows.hpp"
#include "planner/value_type.hpp"
#include "query/statistics_pass.hpp"

namespace apsp::api {

std::unique_ptr<elimination::FactorRows> stored_rows(const store::Store& stored,
                                                     const Graph& graph) {
  if (!elimination::holds_factor(stored)) return nullptr;
  return std::make_unique<elimination::FactorRows>(elimination::read_factor(stored, graph),
                                                   sign_of(graph));
}

kernels::Sign sign_of(const Graph& graph) {
  return graph.weight_facts().least < 0 ? kernels::Sign::any : kernels::Sign::non_negative;
}

Statistics statistics_of(const elimination::FactorRows& rows, const Graph& graph,
                         const Control& control) {
  query::StatisticsPass pass(graph, rows.semiring(), rows.type(),
                             planner::distance_bound(graph, rows.semiring()));
  const std::array<store::RowSink*, 1> sinks = {&pass};
  engine::produce_rows(rows, sinks, 0, base::thread_count(0), control);
  return pass.statistics();
}

}  // namespace apsp::api
