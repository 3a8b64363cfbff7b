// <apsp/graph.hpp>: test graphs that are the same on every machine.
#include <apsp/graph.hpp>

#include <iostream>

int main() {
  const apsp::GenerateOptions options{
      .kind = apsp::GraphKind::grid, .vertices = 12, .directed = false, .seed = 7};
  const apsp::Graph streets = apsp::generate(options);
  std::cout << "a grid of " << streets.vertex_count() << " crossings and " << streets.edge_count()
            << " streets, weights from " << streets.weight_facts().least << " to "
            << streets.weight_facts().greatest << '\n';

  // 3 rows of 4: 3 · 3 streets along the rows, 2 · 4 across; the same seed gives the same graph.
  const bool right =
      streets.edge_count() == 17 && streets.digest() == apsp::generate(options).digest();
  return right ? 0 : 1;
}
