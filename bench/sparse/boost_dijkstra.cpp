// Boost's dijkstra_shortest_paths from every source, or from K evenly spaced sources, shared
// out by OpenMP ("BGL-Plus" of Xia 2021, §V).
//
//   peer_boost_dijkstra GRAPH.gr THREADS K     (K 0: every source)
//
// GRAPH.gr: DIMACS. Weights are integers of 32 bits where all are, else doubles. Prints one JSON
// object.
#include <omp.h>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/property_map.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Arcs {
  std::size_t n = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<double> weights;
  bool integral = true;
};

Arcs read(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string(path) + " cannot be read");
  Arcs arcs;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(1));
    std::string sp;
    std::uint32_t u = 0, v = 0;
    double weight = 0;
    if (line[0] == 'p') words >> sp >> arcs.n;
    if (line[0] != 'a' || !(words >> u >> v >> weight)) continue;
    arcs.ends.emplace_back(u - 1, v - 1);
    arcs.weights.push_back(weight);
    arcs.integral = arcs.integral && weight == std::trunc(weight);
  }
  return arcs;
}

template <class Weight>
void solve(const Arcs& arcs, int threads, std::size_t count) {
  struct Road {
    Weight weight;
  };
  using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Road>;
  std::vector<Road> roads;
  for (const double weight : arcs.weights) roads.push_back({static_cast<Weight>(weight)});
  const Graph graph(boost::edges_are_unsorted_multi_pass, arcs.ends.begin(), arcs.ends.end(),
                    roads.begin(), arcs.n);
  if (count == 0 || count > arcs.n) count = arcs.n;
  constexpr Weight kNone = std::numeric_limits<Weight>::max();
  double sum = 0, greatest = 0;
  std::int64_t pairs = 0;
  const auto start = std::chrono::steady_clock::now();
#pragma omp parallel num_threads(threads) reduction(+ : sum, pairs) reduction(max : greatest)
  {
    std::vector<Weight> row(arcs.n);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t source = i * arcs.n / count;
      boost::dijkstra_shortest_paths(graph, source,
                                     boost::weight_map(boost::get(&Road::weight, graph))
                                         .distance_map(boost::make_iterator_property_map(
                                             row.begin(), boost::get(boost::vertex_index, graph))));
      for (std::size_t v = 0; v < arcs.n; ++v) {
        if (row[v] == kNone || v == source) continue;
        ++pairs;
        sum += static_cast<double>(row[v]);
        greatest = std::max(greatest, static_cast<double>(row[v]));
      }
    }
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double share = static_cast<double>(count) / static_cast<double>(arcs.n);
  std::printf(
      "{\"vertices\": %zu, \"arcs\": %zu, \"threads\": %d, \"sources\": %zu, \"seconds\": %.6f, "
      "\"all_seconds\": %.6f, \"pairs\": %lld, \"sum\": %.17g, \"greatest\": %.17g}\n",
      arcs.n, arcs.ends.size(), threads, count, seconds, seconds / share,
      static_cast<long long>(pairs), sum, greatest);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s GRAPH.gr THREADS K\n", argv[0]);
    return 2;
  }
  try {
    const Arcs arcs = read(argv[1]);
    const auto count = static_cast<std::size_t>(std::atoll(argv[3]));
    if (arcs.integral) {
      solve<std::int32_t>(arcs, std::atoi(argv[2]), count);
    } else {
      solve<double>(arcs, std::atoi(argv[2]), count);
    }
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s: %s\n", argv[0], failure.what());
    return 1;
  }
}
