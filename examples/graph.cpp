// <apsp/graph.hpp>: building a graph with labels, and walking over its arcs.
#include <apsp/graph.hpp>

#include <iostream>

int main() {
  apsp::GraphBuilder builder(3, false);  // undirected
  builder.set_labels({"Bern", "Genf", "Chur"});
  builder.add_edge(0, 1, 158);
  builder.add_edge(0, 2, 242);
  const apsp::Graph graph = std::move(builder).build();

  double kilometres = 0;
  const apsp::Vertex bern = graph.find("Bern").value();
  graph.for_each_arc(bern, [&](apsp::Vertex to, double weight) {
    std::cout << graph.name(bern) << " to " << graph.name(to) << ": " << weight << " km\n";
    kilometres += weight;
  });
  std::cout << graph.vertex_count() << " towns, " << graph.edge_count() << " roads\n";

  // An undirected edge stands as two arcs.
  const bool right = kilometres == 400 && graph.edge_count() == 2 && graph.arc_count() == 4;
  return right ? 0 : 1;
}
