// The report of a device's benchmark for people.
#pragma once

#include <string>

#include "cli/terminal_style.hpp"
#include "program/benchmark_cuda.hpp"

namespace apsp::cli {

std::string benchmark_text(const bench::CudaBenchmarkReport& report, const TerminalStyle& look);

}  // namespace apsp::cli
