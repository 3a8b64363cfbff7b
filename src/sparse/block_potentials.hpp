// Potentials of blocks of sources, by which distances of i32 fit u16 (Johnson 1977).
//
// The potential p of a vertex is its distance from a source c in the middle of the block. Then
// d(s, v) + p(s) − p(v) is at least 0 and at most d(s, c) + d(c, s) for every source s and vertex v
// that it reaches, however far v is: sources that follow each other in the order of an elimination
// are near each other. Entries of a factor are lengths of paths and are reduced in the same way, so
// that a block is swept over them as over a factor of u16.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sparse/factor_query.hpp"

namespace apsp::sparse {

/// The source c of each block, by its first source.
using BlockCenters = std::unordered_map<Vertex, Vertex>;

/// Each thread needs its own object.
class BlockPotentials {
 public:
  /// Requires: distances of i32 ≥ 0, `symmetric`: the same both ways. `copies`: of the factor, for
  /// `fill`, which `threads` share; null: none. `centers`: those that are known. All of them
  /// outlive this.
  BlockPotentials(const Factor& factor, bool symmetric, DownwardCopies* copies = nullptr,
                  int threads = 1, const BlockCenters* centers = nullptr);

  /// Returns the source c if reduced distances from all these sources are at most
  /// `kernels::kMostReduced`. Takes the time of some pairs.
  std::optional<Vertex> fit(std::span<const Vertex> sources);
  /// [n] ← the potentials of all vertices by position. Takes the time of a row.
  void fill(std::span<const Vertex> sources, std::span<std::int32_t> potentials);
  /// Bytes with a copy of the factor, which several share.
  static std::int64_t bytes(const Tree& tree);

 private:
  /// Sets `around_` to the distances from v to the sources and back.
  void find_around(Vertex v);
  /// Sets `around_` to those of the source c.
  Vertex find_center(std::span<const Vertex> sources);

  const Tree& tree_;
  bool symmetric_;
  int threads_;
  const BlockCenters* centers_;
  FactorQuery query_;
  std::vector<Position> positions_;
  std::vector<std::int32_t> around_, back_;  // of the sources
  std::vector<std::int32_t> row_;            // [n] by vertex
};

/// Sources in whole blocks of `lanes` whose distances fit, and the others.
struct ReducedSources {
  std::vector<Vertex> fitting, others;
  BlockCenters centers;
};
/// Requires: `sources` in the order of the elimination.
ReducedSources reduced_sources(const Factor& factor, bool symmetric,
                               std::span<const Vertex> sources, std::int64_t lanes, int threads);

}  // namespace apsp::sparse
