// <apsp/io.hpp>: reading a graph whose format is recognised, and writing it in another one.
#include <apsp/io.hpp>

#include <filesystem>
#include <iostream>
#include <string>

int main() {
  const std::string text =
      "from,to,weight\n"
      "A,B,4\n"
      "B,C,1.5\n";
  const apsp::Graph graph = apsp::parse_graph(text, "roads.csv");
  std::cout << graph.vertex_count() << " vertices, " << graph.arc_count() << " arcs from a table\n";

  const auto path = std::filesystem::temp_directory_path() / "apsp_example_io.mtx.gz";
  apsp::write_graph(graph, path.string());
  const apsp::Graph again = apsp::read_graph(path.string());
  std::cout << "the same from a compressed Matrix Market file: " << again.arc_count() << " arcs\n";
  std::filesystem::remove(path);

  double sum = 0;
  again.visit_all([&](apsp::Vertex, apsp::Vertex, double weight) { sum += weight; });
  const bool right = graph.vertex_count() == 3 && again.arc_count() == 2 && sum == 5.5;
  return right ? 0 : 1;
}
