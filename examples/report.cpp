// <apsp/report.hpp>: a page to look at.
#include <apsp/graph.hpp>
#include <apsp/report.hpp>

#include <iostream>

int main() {
  // A town of five streets and six alleys: vertex v at (v mod 6, v / 6).
  const apsp::Graph town =
      apsp::generate({.kind = apsp::GraphKind::grid, .vertices = 30, .directed = false});
  const apsp::Result result = apsp::solve(town);

  apsp::ReportOptions options;
  options.title = "Distances in town";
  options.verification = result.verify();
  options.coordinates.emplace();
  for (int v = 0; v < 30; ++v) {
    options.coordinates->x.push_back(v % 6);
    options.coordinates->y.push_back(v / 6);
  }
  const std::string page = apsp::report_page(result, options);  // write_report: into a file
  std::cout << "a page of " << page.size() / 1000 << " kB\n";

  const bool right = page.find("<h1>Distances in town</h1>") != std::string::npos &&
                     page.find("<h2>Verification</h2>") != std::string::npos;
  return right ? 0 : 1;
}
