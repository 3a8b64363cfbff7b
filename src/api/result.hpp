// The state of a `Result`.
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

#include "flow/row_source.hpp"
#include "planner/signed_weights.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/stored_factor.hpp"
#include "sparse/stored_paths.hpp"
#include "store/store.hpp"

namespace apsp {

namespace api {
/// Throws `Error` (usage) if the vertex is out of range.
void check_vertex(const Graph& graph, Vertex v);
void check_vertex(std::int64_t vertices, Vertex v);

/// A factor in a file that is read only as needed for the first few pairs. Thread-safe.
class OpenedFactor {
 public:
  /// Requires: `StoredPaths::reads`.
  OpenedFactor(std::unique_ptr<store::Store> stored, std::string path)
      : stored_(std::move(stored)), path_(std::move(path)) {}

  const store::Store& stored() const { return *stored_; }
  const std::string& path() const { return path_; }
  bool is_whole() const { return whole_.load(std::memory_order_acquire); }
  /// Calls read() for the whole factor until it succeeds once.
  template <class Read>
  void read_whole(Read&& read) {
    if (is_whole()) return;
    const std::lock_guard lock(mutex_);
    if (is_whole()) return;
    read();
    paths_.reset();
    whole_.store(true, std::memory_order_release);
  }

  /// [pairs] same as `Result::distance`. Empty after many pairs: then read the whole factor.
  /// Requires: vertices in range. Throws as `sparse::StoredPaths`.
  std::optional<std::vector<double>> distances(std::span<const VertexPair> pairs);
  /// Same as `Graph::first_id`, for vertices without labels.
  std::optional<Vertex> first_number() const { return stored_->first_number(); }

 private:
  std::unique_ptr<store::Store> stored_;
  std::string path_;
  std::mutex mutex_;
  std::atomic<bool> whole_ = false;
  std::unique_ptr<sparse::StoredPaths> paths_;
  std::size_t asked_ = 0;
};

}  // namespace api

struct Result::State {
  Graph graph;
  std::unique_ptr<sparse::FactorRows> factor;            // null: not kept
  std::optional<planner::SignedWeights> signed_weights;  // of the factor, if weights are reduced
  std::unique_ptr<flow::RowSource> factor_rows;          // the factor's distances
  std::unique_ptr<store::Store> store;  // or of the factor's rows; null: only statistics
  store::Layout layout;
  SolveReport report;
  std::optional<store::Positions> rows, columns;  // by `layout`, set by `Result`
  std::mutex statistics_mutex;
  std::optional<Statistics> statistics;
  /// Until it is read completely, `graph`, `factor`, `store` and `statistics` are empty.
  std::unique_ptr<api::OpenedFactor> opened;

  bool is_partial() const { return opened != nullptr && !opened->is_whole(); }
  /// The row or column of a vertex. Throws `Error` (usage) if it is out of range or not selected.
  std::int64_t row_of(Vertex source) const;
  std::int64_t column_of(Vertex target) const;
  /// Throws `Error` (usage) unless all vertices have a column. `what`: "a path".
  void require_whole_rows(const char* what) const;

  /// `weights`: null, or those of the factor.
  void keep(std::unique_ptr<sparse::FactorRows> rows,
            const planner::SignedWeights* weights = nullptr);
  /// Distances from the factor to these columns.
  std::unique_ptr<flow::RowSource> rows_to(const store::VertexList& targets) const;
  /// The distance of a pair from its value by the factor.
  double as_distance(VertexPair pair, const void* value) const;
  /// Throws `Error` (usage) if neither matrix nor factor was kept.
  store::Store& matrix() const;
  store::Metadata metadata() const;
};

}  // namespace apsp
