// <apsp/loads.hpp>: trips on shortest paths, and the load of every arc.
#include <apsp/loads.hpp>

#include <iostream>

int main() {
  // A street of four crossings. 100 drive from one end to the other, 20 from 2 to 1.
  apsp::GraphBuilder builder(4, false);
  for (const apsp::Vertex v : {0u, 1u, 2u}) builder.add_edge(v, v + 1, 60);
  const apsp::Demand demand{{{0, 3}, {2, 1}}, {100, 20}};
  const apsp::Loads found = apsp::loads(std::move(builder).build(), demand, {.select = {{1, 2}}});
  double most = 0;
  for (std::size_t i = 0; i < found.arcs.size(); ++i) {
    std::cout << found.arcs[i].from << " to " << found.arcs[i].to << ": " << found.volumes[i]
              << '\n';
    most += found.volumes[i];
  }
  return most == 320 && found.costs[0] == 100 * 180 + 20 * 60 && found.selected.size() == 1 ? 0 : 1;
}
