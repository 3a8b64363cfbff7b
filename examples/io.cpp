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
  std::cout << graph.vertex_count() << " vertices, " << graph.edge_count()
            << " edges from a table\n";

  const auto path = std::filesystem::temp_directory_path() / "apsp_example_io.mtx.gz";
  apsp::write_graph(graph, path.string());
  const apsp::Graph again = apsp::read_graph(path.string());
  std::cout << "the same from a compressed Matrix Market file: " << again.edge_count()
            << " edges\n";
  std::filesystem::remove(path);

  // A table without a word on it is undirected (docs/formats.md).
  const bool right =
      graph.vertex_count() == 3 && again.edge_count() == 2 && again.weight_facts().greatest == 4;
  return right ? 0 : 1;
}
