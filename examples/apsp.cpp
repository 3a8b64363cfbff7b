// <apsp/apsp.hpp>, all of the library: from a list of edges to a shortest path.
#include <apsp/apsp.hpp>

#include <iostream>

int main() {
  // 0 → 1 → 2 → 3 costs 2 + 3 + 4; the direct edge 0 → 3 costs 10.
  apsp::GraphBuilder builder(4);
  builder.add_edge(0, 1, 2);
  builder.add_edge(1, 2, 3);
  builder.add_edge(2, 3, 4);
  builder.add_edge(0, 3, 10);

  const apsp::Result result = apsp::solve(std::move(builder).build());
  std::cout << "distance from 0 to 3: " << result.distance(0, 3) << "\npath:";
  for (const apsp::Vertex v : result.path(0, 3)) std::cout << ' ' << v;
  std::cout << '\n';

  const bool right = result.distance(0, 3) == 9 && result.path(0, 3).size() == 4;
  return right ? 0 : 1;
}
