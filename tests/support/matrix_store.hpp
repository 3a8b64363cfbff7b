// A store over plain doubles, and right answers to spoil.
#pragma once

#include <gtest/gtest.h>
#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>

#include <cmath>
#include <set>
#include <stdexcept>

#include "support/graph_of.hpp"
#include "support/textbook.hpp"
#include "support/value_cell.hpp"
#include "verifier/verifier.hpp"

namespace apsp::verifier {

/// A matrix of doubles that reads as the layout's type; the type's own marks stand for "no path"
/// and the empty path.
class MatrixStore : public store::Store {
 public:
  MatrixStore(std::int64_t n, Semiring semiring, ValueType type, std::vector<double> values)
      : Store({.n = n, .type = type, .semiring = semiring, .tile = 4}),
        values_(std::move(values)) {}

  double& at(std::int64_t row, std::int64_t col) {
    return values_[static_cast<std::size_t>(row * layout_.n + col)];
  }

  void read(store::Plane, store::Block block, void* out, std::int64_t stride) const override {
    for (std::int64_t r = 0; r < block.rows; ++r) {
      for (std::int64_t c = 0; c < block.cols; ++c) {
        put_value(layout_.type, out, r * stride + c,
                  values_[static_cast<std::size_t>((block.row + r) * layout_.n + block.col + c)]);
      }
    }
  }
  void write(store::Plane, store::Block, const void*, std::int64_t) override { FAIL(); }
  void commit(const Graph&, const store::Metadata&) override { FAIL(); }

 private:
  std::vector<double> values_;
};

/// The right answer, from the triple loop.
inline MatrixStore solved(const Graph& graph, Semiring semiring = Semiring::min_plus,
                          ValueType type = ValueType::i32) {
  std::vector<double> d = floyd_warshall(graph, semiring);
  const bool plus_is_none = semiring == Semiring::min_plus || semiring == Semiring::min_max;
  for (double& value : d) {
    if (semiring == Semiring::or_and || !std::isinf(value)) continue;
    value = (value > 0) == plus_is_none ? no_path(semiring, type) : empty_path(semiring, type);
  }
  return {graph.vertex_count(), semiring, type, std::move(d)};
}

inline const VerifyCheck& find(const VerifyReport& report, std::string_view name) {
  for (const VerifyCheck& check : report.checks) {
    if (check.name == name) return check;
  }
  throw std::out_of_range(std::string(name));
}

/// Relative.
inline VerifyOptions with_tolerance(double tolerance) {
  VerifyOptions options;
  options.tolerance = tolerance;
  return options;
}

/// Names of the checks that failed.
inline std::set<std::string> failures(const Graph& graph, const store::Store& store,
                                      const VerifyOptions& options = {}) {
  const VerifyReport report = verify(graph, store, options);
  std::set<std::string> names;
  for (const VerifyCheck& check : report.checks) {
    if (check.failed > 0) names.insert(check.name);
    EXPECT_EQ(check.failed == 0, check.first_failure.empty());
  }
  EXPECT_EQ(report.passed, names.empty());
  return names;
}

/// 0 → 1 → 2 → 3 with lengths 2, 3, 4, a detour 0 → 2 of 9 with a parallel arc of 20, a loop,
/// and 4 ⇄ 5 apart.
inline Graph small_graph() {
  return graph_of(
      6, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {0, 2, 9}, {0, 2, 20}, {1, 1, 7}, {4, 5, 1}, {5, 4, 1}});
}

}  // namespace apsp::verifier
