// The report of a device's benchmark for people.
#pragma once

#include <string>

#include "api/benchmark_cuda.hpp"
#include "cli/look.hpp"

namespace apsp::cli {

std::string benchmark_text(const api::CudaBenchmarkReport& report, const Look& look);

}  // namespace apsp::cli
