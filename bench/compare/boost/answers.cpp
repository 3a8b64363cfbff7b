// Boost's algorithms on the questions of bench/compare/compare.py: QUESTION FOLDER ANSWER.
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/exterior_property.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/version.hpp>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Road {
  double weight;
};
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Road>;

double cpu_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Distances from the nearest of `sources`.
std::vector<double> search(const Graph& graph, const std::vector<std::size_t>& sources) {
  std::vector<double> row(boost::num_vertices(graph));
  boost::dijkstra_shortest_paths(
      graph, sources.begin(), sources.end(), boost::dummy_property_map(),
      boost::make_iterator_property_map(row.begin(), boost::get(boost::vertex_index, graph)),
      boost::get(&Road::weight, graph), boost::get(boost::vertex_index, graph), std::less<>(),
      boost::closed_plus<double>(std::numeric_limits<double>::infinity()),
      std::numeric_limits<double>::infinity(), 0.0, boost::dijkstra_visitor<>());
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string question = argv[1], folder = argv[2];
  std::ifstream file(folder + "/graph.gr"), asked(folder + "/" + question + ".txt");
  std::size_t n = 0, u = 0, v = 0;
  double weight = 0;
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  std::vector<Road> roads;
  for (std::string word; file >> word;) {
    if (word == "sp") file >> n;
    if (word != "a") continue;
    file >> u >> v >> weight;
    ends.emplace_back(u - 1, v - 1);
    roads.push_back({weight});
  }
  std::vector<std::size_t> numbers;
  while (asked >> u) numbers.push_back(u);

  const double begin = cpu_now();
  // Searches for the nearest place go against the arcs.
  if (question == "nearest") {
    for (auto& [tail, head] : ends) std::swap(tail, head);
  }
  const Graph graph(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), roads.begin(),
                    n);
  const double prepared = cpu_now();
  std::vector<double> answer;
  if (question == "dense") {
    using Distances = boost::exterior_vertex_property<Graph, double>;
    Distances::matrix_type matrix(n);
    Distances::matrix_map_type rows(matrix, graph);
    boost::floyd_warshall_all_pairs_shortest_paths(
        graph, rows, boost::weight_map(boost::get(&Road::weight, graph)));
    for (std::size_t s = 0; s < n; ++s) {
      for (std::size_t t = 0; t < n; ++t) answer.push_back(rows[s][t]);
    }
  } else if (question == "nearest") {
    answer = search(graph, numbers);
  } else if (question == "row" || question == "rows" || question == "all_pairs") {
    if (question == "all_pairs") {
      numbers.resize(n);
      std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    }
    for (const std::size_t source : numbers) {
      const std::vector<double> row = search(graph, {source});
      answer.insert(answer.end(), row.begin(), row.end());
    }
  } else if (question == "betweenness") {
    answer.resize(n);
    boost::brandes_betweenness_centrality(
        graph,
        boost::make_iterator_property_map(answer.begin(), boost::get(boost::vertex_index, graph)));
  } else {
    return 3;
  }
  const double answered = cpu_now();
  std::ifstream status("/proc/self/status");
  long peak = 0;
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") status >> peak;
  }
  std::ofstream(argv[3], std::ios::binary)
      .write(reinterpret_cast<const char*>(answer.data()),
             static_cast<std::streamsize>(answer.size() * sizeof(double)));
  std::printf("{\"version\": \"%s\", \"prepare\": %f, \"answer\": %f, \"memory\": %ld}\n",
              BOOST_LIB_VERSION, prepared - begin, answered - prepared, peak * 1024);
}
