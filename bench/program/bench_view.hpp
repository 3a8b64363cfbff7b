// The benchmark's report for people.
#pragma once

#include <string>

#include "cli/terminal_style.hpp"
#include "program/benchmark.hpp"

namespace apsp::cli {

/// The name of a kernel in signs that the terminal has.
std::string kernel_text(const bench::BenchmarkKernel& kernel, const TerminalStyle& look);

/// `machine`: its name and instruction set, for the first heading.
std::string benchmark_text(const bench::BenchmarkReport& report, const std::string& machine,
                           const TerminalStyle& look);

}  // namespace apsp::cli
