// <apsp/solve.hpp>: a plan, widest paths, and Floyd-Warshall on a matrix of one's own.
#include <apsp/solve.hpp>

#include <iostream>
#include <limits>
#include <vector>

int main() {
  // Pipes: what flows from 0 to 2 is limited by the narrowest pipe on the way.
  apsp::GraphBuilder builder(3);
  builder.add_edge(0, 1, 8);
  builder.add_edge(1, 2, 5);
  builder.add_edge(0, 2, 3);

  apsp::SolveOptions options;
  options.question.semiring = apsp::Semiring::max_min;
  options.machine.threads = 1;
  options.machine.device = apsp::Device::cpu;
  options.on_plan = [](const apsp::PlanReport& plan) {
    std::cout << "plan: " << plan.line << '\n';
  };
  const apsp::Result widest = apsp::solve(std::move(builder).build(), options);
  std::cout << "widest way from 0 to 2: " << widest.distance(0, 2) << '\n';

  // In place: infinity where there is no edge.
  constexpr float kNone = std::numeric_limits<float>::infinity();
  std::vector<float> d = {0,     1,     kNone,  //
                          kNone, 0,     2,      //
                          kNone, kNone, 0};
  apsp::floyd_warshall<apsp::MinPlus>(apsp::MatrixView<float>(d.data(), 3, 3));
  std::cout << "shortest way from 0 to 2: " << d[2] << '\n';

  return widest.distance(0, 2) == 5 && d[2] == 3 && d[6] == kNone ? 0 : 1;
}
