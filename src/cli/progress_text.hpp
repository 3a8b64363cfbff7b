// The words of a progress line: task, bar, percentage, rate, time left.
#pragma once

#include <string>

#include "cli/look.hpp"

namespace apsp::cli {

struct ProgressState {
  std::string task;
  std::string unit;    ///< of one: "relaxation", "byte", "row"
  double total = 0;    ///< units; 0: not known
  double done = 0;     ///< units
  double seconds = 0;  ///< since the task began
};

/// "3.2 G relaxations/s", "120.0 MiB/s".
std::string rate_text(double units, double seconds, const std::string& unit);

/// "solving ▕███▌      ▏ 35 %  3.2 G relaxations/s  12 s left", at most `look.width` − 1 columns.
std::string progress_line(const ProgressState& state, const Look& look);

/// The same without a bar, for logs: "solving: 35 %, 3.2 G relaxations/s, 12 s left".
std::string progress_sentence(const ProgressState& state);

}  // namespace apsp::cli
