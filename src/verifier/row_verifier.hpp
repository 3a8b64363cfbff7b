// Verification of rows as they are computed, in any order and by any thread.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/byte_stream.hpp"
#include "flow/row_sink.hpp"
#include "system/pool.hpp"
#include "verifier/row_proofs.hpp"

namespace apsp::verifier {

/// Returns the rows to check, ascending: all of `rows`, or a sample, according to `options`.
std::vector<Vertex> choose_rows(const Graph& graph, std::int64_t rows,
                                const VerifyOptions& options);

/// Returns the report of a tally, for the checks with `applies(check)`; `checked` of `rows` rows of
/// a graph of `vertices` vertices were checked. `named_tolerance`: `VerifyOptions::tolerance`.
VerifyReport report_of(const Tally& tally, const std::function<bool(Check)>& applies,
                       std::int64_t checked, std::int64_t rows, std::int64_t vertices,
                       const std::optional<double>& named_tolerance);

/// Memory: about 24 bytes per vertex and `kProofBytesAVertex` for each thread that provides rows,
/// and the Claim.
class RowVerifier final : public flow::RowSink {
 public:
  /// Checks the rows selected by `options` among all or `sources`. Requires: the graph outlives
  /// this.
  RowVerifier(const Graph& graph, Semiring semiring, ValueType type, const VerifyOptions& options,
              const store::VertexList& sources = {});

  flow::RowPreference preference() const override { return {.rows = 16}; }
  flow::RowTask task() const override { return {"verify"}; }
  /// Exchange of tallies between processes. Require: no rows arrive meanwhile.
  base::ByteVector found();
  void add_found(std::span<const std::byte> found);
  /// Requires: `finish` was called.
  VerifyReport report();

 private:
  void accept(const RowBlock& block) override;
  Tally whole();

  Control control_;
  std::optional<double> tolerance_;
  Claim claim_;
  std::vector<Vertex> sources_;  // ascending
  system::Pool<RowsChecker> checkers_;
  Tally elsewhere_;  // of other processes
};

}  // namespace apsp::verifier
