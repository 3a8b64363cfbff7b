// What is behind the pointer of a `Result`.
#pragma once

#include <apsp/solve.hpp>
#include <memory>
#include <mutex>
#include <optional>

#include "api/opened_factor.hpp"
#include "elimination/factor_rows.hpp"
#include "store/store.hpp"

namespace apsp {

namespace api {
/// Throws `Error` (usage) for a vertex out of range.
void check_vertex(const Graph& graph, Vertex v);
void check_vertex(std::int64_t vertices, Vertex v);
}  // namespace api

struct Result::State {
  Graph graph;
  std::unique_ptr<elimination::FactorRows> factor;  // null: it was not kept
  std::unique_ptr<store::Store> store;  // of the factor's rows too; null: statistics alone
  store::Layout layout;
  SolveReport report;
  std::optional<store::Positions> rows, columns;  // where `layout` has them; set by `Result`
  std::mutex statistics_mutex;
  std::optional<Statistics> statistics;
  /// A factor in a file. Until it is read whole, `graph`, `factor`, `store` and `statistics` are
  /// empty.
  std::unique_ptr<api::OpenedFactor> opened;

  /// Whether the members above are not yet there.
  bool is_partial() const { return opened != nullptr && !opened->is_whole(); }
  /// Where the matrix holds the row, or the column, of a vertex. Throws `Error` (usage) for a
  /// vertex out of range, and for one that is not held.
  std::int64_t row_of(Vertex source) const;
  std::int64_t column_of(Vertex target) const;
  /// Throws `Error` (usage) where not all vertices have a column. `what`: "a path".
  void require_whole_rows(const char* what) const;

  /// Makes `rows` the factor, from which distances are computed from now on.
  void keep(std::unique_ptr<elimination::FactorRows> rows);
  /// Throws `Error` (usage) if neither matrix nor factor was kept.
  store::Store& matrix() const;
  /// What goes beside the planes of a store: report, statistics, per-vertex values.
  store::Metadata metadata() const;
};

}  // namespace apsp
