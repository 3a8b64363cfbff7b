// <apsp/progress.hpp>: following a long solve, and ending it early.
#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>

#include <iostream>
#include <string_view>

/// Counts what is done, and asks for an end at half of the relaxations.
class HalfWay : public apsp::Progress {
 public:
  void begin(std::string_view task, double total, std::string_view unit) override {
    std::cout << task << ": " << total << ' ' << unit << "s\n";
    half_ = unit == "relaxation" ? total / 2 : 0;
  }
  void update(double done) override {
    if (half_ > 0 && done >= half_) stop.request();
  }
  void end() override {}

  apsp::Cancellation stop;

 private:
  double half_ = 0;
};

int main() {
  HalfWay progress;
  apsp::SolveOptions options;
  options.machine.threads = 2;
  options.machine.device = apsp::Device::cpu;
  options.control = {&progress, &progress.stop};
  try {
    apsp::solve(apsp::generate({.kind = apsp::GraphKind::dense, .vertices = 800}), options);
  } catch (const apsp::Error& error) {
    std::cout << "ended early: " << error.what() << '\n';
    return error.kind() == apsp::ErrorKind::interrupted ? 0 : 1;
  }
  std::cout << "nobody stopped it\n";
  return 1;
}
