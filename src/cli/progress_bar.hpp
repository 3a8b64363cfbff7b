// Progress on standard error: a line that redraws itself on a terminal, at most ten times a second,
// or a sentence every ten seconds where the output is a file. Tasks that end within a second stay
// unseen.
#pragma once

#include <chrono>
#include <cstdio>

#include <apsp/progress.hpp>

#include "cli/progress_text.hpp"

namespace apsp::cli {

class ProgressBar : public Progress {
 public:
  /// `stream` must outlive this.
  ProgressBar(std::FILE* stream, Look look) : stream_(stream), look_(look) {}
  ~ProgressBar() override { end(); }

  void begin(std::string_view task, double total, std::string_view unit) override;
  void update(double done) override;
  void end() override;

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);

  std::FILE* stream_;
  Look look_;
  ProgressState state_;
  Clock::time_point began_;
  Clock::time_point next_;  // when the next drawing is due
  bool drawn_ = false;      // a line stands on the terminal and wants to be cleared
};

}  // namespace apsp::cli
