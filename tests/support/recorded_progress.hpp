// Keeps what progress was reported, and may ask for an end at some point.
#pragma once

#include <apsp/progress.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace apsp {

class RecordedProgress : public Progress {
 public:
  void begin(std::string_view task_, double total_, std::string_view unit_) override {
    task = task_;
    unit = unit_;
    total = totals[task] = total_;
    done = 0;
  }
  void update(double done_) override {
    ascending = ascending && done_ >= done;
    done = done_;
    ++reports;
    if (cancel_when && cancel_when()) cancellation.request();
  }
  void end() override { ++ended; }
  bool complete() const { return ended > 0 && done == total; }

  std::string task, unit;                // of the last task
  double total = -1, done = 0;           // of the last task
  std::map<std::string, double> totals;  // of every task
  int reports = 0, ended = 0;            // of all tasks
  bool ascending = true;                 // no report was less than the one before
  std::function<bool()> cancel_when;     // asked after every report; may throw
  Cancellation cancellation;
};

}  // namespace apsp
