// Rows are sorted by target, then weight. So the arcs u → v with u < v, visited by rising u, must
// meet the arcs of row v that lead to smaller vertices in exactly their order.
#include "graph/mirrored.hpp"

#include "base/machine.hpp"
#include "base/symmetric_matrix.hpp"

namespace apsp {
namespace {

std::optional<Edge> find_unmirrored_in_rows(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  const auto offsets = graph.offsets();
  const auto targets = graph.targets();
  const auto weights = graph.weights();
  std::vector<std::size_t> next(n);  // [n] the next arc of each row to be met
  for (std::size_t v = 0; v < n; ++v) next[v] = static_cast<std::size_t>(offsets[v]);

  // Rows are met at random: where an arc will be looked for is asked of memory two steps ahead.
  const std::size_t arcs = targets.size();
  constexpr std::size_t kNear = 16, kFar = 32;  // arcs ahead
  const auto ask_ahead = [&](std::size_t a) {
    if (a + kFar < arcs) __builtin_prefetch(&next[targets[a + kFar]]);
    if (a + kNear >= arcs) return;
    const std::size_t mirror = next[targets[a + kNear]];
    __builtin_prefetch(targets.data() + mirror);
    __builtin_prefetch(weights.data() + mirror);
  };

  for (std::size_t u = 0; u < n; ++u) {
    const auto last = static_cast<std::size_t>(offsets[u + 1]);
    // By now row u must have met all its arcs to smaller vertices.
    std::size_t a = next[u];
    if (a < last && targets[a] < u) return Edge{static_cast<Vertex>(u), targets[a], weights[a]};
    while (a < last && targets[a] == u) ++a;
    for (; a < last; ++a) {
      ask_ahead(a);
      const Vertex v = targets[a];
      const std::size_t mirror = next[v]++;
      if (mirror >= static_cast<std::size_t>(offsets[v + 1])) {
        return Edge{static_cast<Vertex>(u), v, weights[a]};
      }
      if (targets[mirror] == u && weights[mirror] == weights[a]) continue;
      // Row v holds an arc that should have been met earlier, or lacks this one.
      const bool v_has_more =
          targets[mirror] < u || (targets[mirror] == u && weights[mirror] < weights[a]);
      if (v_has_more) return Edge{v, targets[mirror], weights[mirror]};
      return Edge{static_cast<Vertex>(u), v, weights[a]};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Edge> find_unmirrored(const Graph& graph, int threads) {
  const WeightMatrix* const matrix = graph.matrix();
  if (matrix == nullptr) return find_unmirrored_in_rows(graph);
  const auto place = base::find_asymmetry({matrix->data, matrix->n, matrix->n, matrix->type},
                                          base::thread_count(threads));
  graph.release_pages();
  if (!place) return std::nullopt;
  std::optional<Edge> lone;
  const auto look_for = [&](Vertex u, Vertex v) {
    if (lone) return;
    graph.for_each_arc_between(u, v, [&](double weight) { lone = Edge{u, v, weight}; });
  };
  const auto row = static_cast<Vertex>(place->row), col = static_cast<Vertex>(place->col);
  look_for(row, col);
  look_for(col, row);
  return lone;
}

}  // namespace apsp
