// Progress on standard error: task, bar, percentage, rate, time left.
#pragma once

#include <apsp/progress.hpp>
#include <chrono>
#include <cstdio>
#include <string>

#include "cli/terminal_style.hpp"

namespace apsp::cli {

struct ProgressState {
  std::string task;
  std::string unit;  ///< of one: "relaxation", "byte", "row"
  double total = 0;
  double done = 0;
  double seconds = 0;
};

/// "3.2 G relaxations/s", "120.0 MiB/s".
std::string rate_text(double units, double seconds, const std::string& unit);

/// "solving ▕███▌      ▏ 35 %  3.2 G relaxations/s  12 s left", at most `look.width` − 1 columns.
std::string progress_line(const ProgressState& state, const TerminalStyle& look);

/// The same without a bar, for logs: "solving: 35 %, 3.2 G relaxations/s, 12 s left".
std::string progress_sentence(const ProgressState& state);

/// Redraws a line on a terminal at most ten times a second; otherwise prints a sentence every ten
/// seconds. Shows no tasks shorter than a second.
class ProgressBar : public Progress {
 public:
  ProgressBar(std::FILE* stream, TerminalStyle look) : stream_(stream), look_(look) {}
  ~ProgressBar() override { end(); }

  void begin(std::string_view task, double total, std::string_view unit) override;
  void update(double done) override;
  void end() override;

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);

  std::FILE* stream_;
  TerminalStyle look_;
  ProgressState state_;
  Clock::time_point began_;
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace apsp::cli
