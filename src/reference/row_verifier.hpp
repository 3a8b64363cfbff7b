// The checks of rows as a sink: rows are checked while they are at hand, in any order, by whoever
// brings them, and nothing is read again.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/pool.hpp"
#include "flow/row_sink.hpp"
#include "reference/row_checks.hpp"

namespace apsp::reference {

/// Which of `rows` rows are checked, in ascending order: all, or a sample, as `options` ask for.
std::vector<Vertex> choose_rows(const Graph& graph, std::int64_t rows,
                                const VerifyOptions& options);

/// The report of what was tallied, of those checks that `applies(check)` names. `checked` of `rows`
/// rows were, of a graph of so many vertices. `named_tolerance`: `VerifyOptions::tolerance`.
VerifyReport report_of(const Tally& tally, const std::function<bool(Check)>& applies,
                       std::int64_t checked, std::int64_t rows, std::int64_t vertices,
                       const std::optional<double>& named_tolerance);

/// Memory: some 20 bytes a vertex for each thread that brings rows, and what Claim takes.
class RowVerifier final : public flow::RowSink {
 public:
  /// Requires: the graph outlives this. Checks the rows that `options` choose, of all or of
  /// `sources`, and passes over others.
  RowVerifier(const Graph& graph, Semiring semiring, ValueType type, const VerifyOptions& options,
              const store::VertexList& sources = {});

  flow::RowPreference preference() const override { return {.rows = 16}; }
  flow::RowTask task() const override { return {"verify"}; }
  /// What was tallied so far, for another process, and what another one tallied of other rows.
  /// Require: no row is coming.
  base::ByteVector found();
  void add_found(std::span<const std::byte> found);
  /// Requires: `finish` has ended.
  VerifyReport report();

 private:
  void accept(const RowBlock& block) override;
  Tally whole();

  Control control_;
  std::optional<double> tolerance_;
  Claim claim_;
  std::vector<Vertex> sources_;  // ascending
  base::Pool<RowChecker> checkers_;
  Tally elsewhere_;  // of other processes
};

}  // namespace apsp::reference
