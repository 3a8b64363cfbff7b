// For tests: keeps what progress was reported, and may ask for an end at some point.
#pragma once

#include <apsp/progress.hpp>
#include <string_view>

namespace apsp {

class Recorder : public Progress {
 public:
  void begin(std::string_view, double total, std::string_view) override { total_ = total; }
  void update(double done) override {
    done_ = done;
    if (done >= cancel_at) cancellation.request();
  }
  void end() override { ended_ = true; }
  bool complete() const { return ended_ && done_ == total_; }
  double done() const { return done_; }

  double cancel_at = 1e300;
  Cancellation cancellation;

 private:
  double total_ = -1, done_ = 0;
  bool ended_ = false;
};

}  // namespace apsp
