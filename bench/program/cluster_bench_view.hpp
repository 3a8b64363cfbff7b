// The report of a benchmark by several processes, for people.
#pragma once

#include <string>

#include "cli/terminal_style.hpp"
#include "program/cluster_benchmark.hpp"

namespace apsp::cli {

std::string cluster_benchmark_text(const bench::ClusterBenchmarkReport& report,
                                   const TerminalStyle& look);

}  // namespace apsp::cli
