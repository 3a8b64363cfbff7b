// Boost's floyd_warshall_all_pairs_shortest_paths on an adjacency matrix, f64, one thread (all it
// has). VARIANT is not read.
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/multi_array.hpp>
#include <cmath>
#include <limits>
#include <memory>

#include "peer_program.hpp"

namespace {

using Graph = boost::adjacency_matrix<boost::directedS, boost::no_property,
                                      boost::property<boost::edge_weight_t, double>>;
using Distances = boost::multi_array<double, 2>;

struct Prepared {
  std::unique_ptr<Graph> graph;
  std::unique_ptr<Distances> distances;
};

Prepared prepare(const peers::Task& task, const std::vector<double>& matrix) {
  const auto n = static_cast<std::size_t>(task.n);
  Prepared prepared{std::make_unique<Graph>(n),
                    std::make_unique<Distances>(boost::extents[task.n][task.n])};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i != j && std::isfinite(matrix[i * n + j])) {
        add_edge(i, j, matrix[i * n + j], *prepared.graph);
      }
    }
  }
  return prepared;
}

void solve(Prepared& prepared) {
  boost::floyd_warshall_all_pairs_shortest_paths(*prepared.graph, *prepared.distances);
}

std::vector<double> result(const Prepared& prepared) {
  const Distances& distances = *prepared.distances;
  std::vector<double> values(distances.data(), distances.data() + distances.num_elements());
  for (double& value : values) {
    if (value == std::numeric_limits<double>::max()) value = INFINITY;
  }
  return values;
}

}  // namespace

int main(int argc, char** argv) { return peers::run(argc, argv, prepare, solve, result); }
