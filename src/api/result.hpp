// What is behind the pointer of a `Result`.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "elimination/factor_rows.hpp"
#include "elimination/stored_factor.hpp"
#include "elimination/stored_paths.hpp"
#include "store/store.hpp"

namespace apsp {

namespace api {
/// Throws `Error` (usage) for a vertex out of range.
void check_vertex(const Graph& graph, Vertex v);
void check_vertex(std::int64_t vertices, Vertex v);

/// A factor in a file, opened without reading it: the first few pairs are answered from the parts
/// of it that they need. May be used by several threads.
class OpenedFactor {
 public:
  /// Requires: `StoredPaths::reads`.
  OpenedFactor(std::unique_ptr<store::Store> stored, std::string path)
      : stored_(std::move(stored)), path_(std::move(path)) {}

  const store::Store& stored() const { return *stored_; }
  const std::string& path() const { return path_; }
  /// Whether all of it was read.
  bool is_whole() const { return whole_.load(std::memory_order_acquire); }
  /// Calls read() once, which reads all of it; again where it threw.
  template <class Read>
  void read_whole(Read&& read) {
    if (is_whole()) return;
    const std::lock_guard lock(mutex_);
    if (is_whole()) return;
    read();
    paths_.reset();
    whole_.store(true, std::memory_order_release);
  }

  /// [pairs] as `Result::distance`. Empty: so many pairs have been asked for that all of it should
  /// be read. Requires: vertices in range. Throws as `elimination::StoredPaths`.
  std::optional<std::vector<double>> distances(std::span<const VertexPair> pairs);
  /// As `Graph::first_id`, where vertices have no labels.
  std::optional<Vertex> first_number() const { return stored_->first_number(); }

 private:
  std::unique_ptr<store::Store> stored_;
  std::string path_;
  std::mutex mutex_;
  std::atomic<bool> whole_ = false;
  std::unique_ptr<elimination::StoredPaths> paths_;  // from the first pair on
  std::size_t asked_ = 0;                            // pairs
};

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
