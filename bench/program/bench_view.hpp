// The reports of `apsp bench` for people.
#pragma once

#include <string>

#include "cli/terminal_style.hpp"
#include "program/benchmark.hpp"
#include "program/cluster_benchmark.hpp"

namespace apsp::cli {

/// `machine`: its name and instruction set, for the headings.
std::string benchmark_text(const bench::BenchmarkReport& report, const std::string& machine,
                           const TerminalStyle& look);
std::string cluster_benchmark_text(const bench::ClusterBenchmarkReport& report,
                                   const TerminalStyle& look);

}  // namespace apsp::cli
