// Statistics as tables: the summary, how distances spread, which vertices are central.
#pragma once

#include <string>

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>

#include "cli/look.hpp"

namespace apsp::cli {

struct StatisticsView {
  const Statistics& statistics;
  const Graph& graph;
  Semiring semiring = Semiring::min_plus;
  ValueType value_type = ValueType::f32;
  std::size_t top = 5;  ///< central vertices shown; 0: none
};

std::string statistics_text(const StatisticsView& view, const Look& look);

}  // namespace apsp::cli
