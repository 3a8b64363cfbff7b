#include <apsp/apsp.hpp>
#include <iostream>

int main() {
  apsp::GraphBuilder builder(3);
  builder.add_edge(0, 1, 2);
  builder.add_edge(1, 2, 3);
  const apsp::Result result = apsp::solve(std::move(builder).build());
  std::cout << "0 to 2: " << result.distance(0, 2) << " over " << result.path(0, 2).size()
            << " vertices\n";
}
