// Statistics as tables: summary, histogram, central vertices.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/terminal_style.hpp"

namespace apsp::cli {

/// Joins neighbouring bins to at most `most` bins of equal counts (the last may have fewer).
std::vector<HistogramBin> joined(std::span<const HistogramBin> bins, std::size_t most);

/// One row per bin: range, bar, pairs, share. `whole`: distances are integers, and a bin of a
/// single integer is named by it. Empty without pairs.
std::string histogram_text(std::span<const HistogramBin> bins, bool whole,
                           const TerminalStyle& look);

struct StatisticsView {
  const Statistics& statistics;
  const Graph& graph;
  Semiring semiring = Semiring::min_plus;
  ValueType value_type = ValueType::f32;
  std::size_t top = 5;         ///< central vertices shown; 0: none
  bool named_figures = false;  ///< efficiency, Wiener index, …
};

std::string statistics_text(const StatisticsView& view, const TerminalStyle& look);

}  // namespace apsp::cli
