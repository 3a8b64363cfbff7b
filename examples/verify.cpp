// <apsp/statistics.hpp>: is a result right? Checked by its properties, without solving again.
#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>

#include <iostream>

int main() {
  const apsp::Graph graph =
      apsp::generate({.kind = apsp::GraphKind::gnp, .vertices = 200, .probability = 0.05});
  const apsp::Result result = apsp::solve(graph);

  const apsp::VerifyReport report = result.verify();
  for (const apsp::VerifyCheck& check : report.checks) {
    std::cout << check.name << ": " << check.tested << " tested, " << check.failed << " wrong\n";
  }
  std::cout << (report.passed ? "passed: " : "failed: ") << report.meaning << '\n';

  return report.passed && report.sources_checked == 200 && !report.checks.empty() ? 0 : 1;
}
