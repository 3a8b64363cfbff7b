#include "reference/dense.hpp"

#include <algorithm>
#include <limits>

namespace apsp::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// (⊕, ⊗) over doubles, one type a semiring: `none` is no path, `one` the empty path, `best` ⊕ and
/// `join` ⊗. Infinities of opposite sign never meet: paths of value `none` are not extended.
struct ShortestPath {
  static constexpr double none = kInfinity, one = 0;
  static double best(double a, double b) { return std::min(a, b); }
  static double join(double a, double b) { return a + b; }
};
struct LongestPath {
  static constexpr double none = -kInfinity, one = 0;
  static double best(double a, double b) { return std::max(a, b); }
  static double join(double a, double b) { return a + b; }
};
struct WidestPath {
  static constexpr double none = -kInfinity, one = kInfinity;
  static double best(double a, double b) { return std::max(a, b); }
  static double join(double a, double b) { return std::min(a, b); }
};
struct MinimaxPath {
  static constexpr double none = kInfinity, one = -kInfinity;
  static double best(double a, double b) { return std::min(a, b); }
  static double join(double a, double b) { return std::max(a, b); }
};
struct Reachability {
  static constexpr double none = 0, one = 1;
  static double best(double a, double b) { return std::max(a, b); }
  static double join(double a, double b) { return std::min(a, b); }
};

template <class Algebra>
std::vector<double> arcs_as_matrix(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> matrix(n * n, Algebra::none);
  for (Vertex u = 0; u < n; ++u) {
    double* row = matrix.data() + u * n;
    row[u] = Algebra::one;
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      const bool weighted = !std::is_same_v<Algebra, Reachability>;
      row[v] = Algebra::best(row[v], weighted ? weight : 1);
    });
  }
  return matrix;
}

template <class Algebra>
std::vector<double> close(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> d = arcs_as_matrix<Algebra>(graph);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if (d[i * n + k] == Algebra::none) continue;
      for (std::size_t j = 0; j < n; ++j) {
        if (d[k * n + j] == Algebra::none) continue;
        d[i * n + j] = Algebra::best(d[i * n + j], Algebra::join(d[i * n + k], d[k * n + j]));
      }
    }
  }
  return d;
}

/// Calls `f` with the algebra of the semiring.
template <class F>
std::vector<double> with_algebra(Semiring semiring, F&& f) {
  switch (semiring) {
    case Semiring::max_min:
      return f.template operator()<WidestPath>();
    case Semiring::min_max:
      return f.template operator()<MinimaxPath>();
    case Semiring::max_plus:
      return f.template operator()<LongestPath>();
    case Semiring::or_and:
      return f.template operator()<Reachability>();
    default:
      return f.template operator()<ShortestPath>();
  }
}

}  // namespace

std::vector<double> adjacency(const Graph& graph, Semiring semiring) {
  return with_algebra(semiring, [&]<class Algebra>() { return arcs_as_matrix<Algebra>(graph); });
}

std::vector<double> floyd_warshall(const Graph& graph, Semiring semiring) {
  return with_algebra(semiring, [&]<class Algebra>() { return close<Algebra>(graph); });
}

}  // namespace apsp::reference
