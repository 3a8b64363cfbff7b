// The oracle: distances of a graph in exact arithmetic, and the bound that a plan prints.
#pragma once

#include <apsp/solve.hpp>
#include <optional>
#include <string>
#include <variant>

#include "support/exact_sums.hpp"

namespace apsp::campaign {

/// How far off a distance may be, as the plan prints it.
struct Bound {
  double an_edge = 0;   ///< relative
  double absolute = 0;  ///< instead, where not 0
};
Bound bound_of(const SolveReport& report);

/// As a distance of a result is told, as a double.
double told_no_path(Semiring semiring);
double told_empty_path(Semiring semiring);

class Truth {
 public:
  Truth(const Graph& graph, Semiring semiring);

  Semiring semiring() const { return semiring_; }
  bool cyclic() const;
  /// Weights are whole numbers: sums below 2^53 are doubles.
  bool whole() const { return values_.index() == 0; }
  bool reachable(Vertex u, Vertex v) const;
  /// To 64 bits; the value of no path where there is none.
  long double value(Vertex u, Vertex v) const;
  /// Whether a distance of a result is right: within the bound, the empty path on the diagonal.
  /// Returns what is wrong with it; empty: nothing.
  std::string judge(Vertex u, Vertex v, double found, const Bound& bound) const;

 private:
  long double error(Vertex u, Vertex v, double found) const;
  std::size_t most_edges(Vertex u, Vertex v, long double slack) const;

  Graph graph_;  // of ones, for reachability
  Semiring semiring_;
  std::variant<BestValues<std::int64_t>, ExactDistances> values_;
};

}  // namespace apsp::campaign
