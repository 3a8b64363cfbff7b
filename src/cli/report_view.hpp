// What a solve cost, in one line.
#pragma once

#include <string>

#include <apsp/solve.hpp>

namespace apsp::cli {

/// "done in 1.32 s: read 0.10 s, prepare …, solve … (3.2 G relaxations/s on 2 threads), store …";
/// after a GPU "solve 3.1 s (2.5 s in NVIDIA H200, predicted 2.4 s, 14.1 T relaxations/s on
/// cuda:0)".
std::string timing_line(const SolveReport& report, double seconds_read);

}  // namespace apsp::cli
