// The inner loops of searches from 512 sources at once: a bit a source, a line of 512 bits a vertex
// (Then 2014). Compiled once per instruction set and chosen at run time.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>

#include "search/links.hpp"

namespace apsp::search {

inline constexpr std::int64_t kSourcesAtOnce = 512;

/// A bit a source.
struct alignas(64) SourceBits {
  std::uint64_t words[kSourcesAtOnce / 64];
};

inline constexpr auto kLineBytes = static_cast<std::int64_t>(sizeof(SourceBits));

/// One level of the search. Lists hold the vertices whose line of frontier or next is not zero.
struct LevelStep {
  const Links* links;            // pull: arcs reversed; push: arcs as they are
  SourceBits sources;            // the bits that are in use
  SourceBits* seen;              // [n] who has reached a vertex
  std::uint8_t* full;            // [n] 1: all have
  SourceBits* frontier;          // [n] who reached it on the last level
  SourceBits* next;              // [n] who reaches it on this one; zeros before
  std::span<const Vertex> from;  // the frontier's list
  Vertex* reached;               // [n] next's list
  std::int64_t level;            // > 0
  SourceBits* planes;            // [planes, n] the digits of levels in base 2, lowest first
};

/// From lines of bits to rows of values; lines that were read become zero.
struct BitRows {
  std::int64_t n;
  std::int64_t sources;  // ≤ 512
  SourceBits* seen;      // [n]
  SourceBits* planes;    // [plane_count, n]
  int plane_count;       // < 32
  void* rows;            // [sources, n] ← the level where seen, else "no path"
  std::int64_t stride;   // values
};

struct BitSteps {
  /// Every vertex that not all sources have reached asks its predecessors. Returns how many
  /// vertices were reached.
  std::int64_t (*pull)(const LevelStep& step);
  /// Every vertex of the frontier tells its successors. The same.
  std::int64_t (*push)(const LevelStep& step);
  /// into [n] ← into ∨ the lines of all predecessors, in the order of the vertices. Requires: arcs
  /// lead to greater vertices. `before`: arcs reversed.
  void (*flow)(const Links& before, SourceBits* into);
  /// Min-plus; boolean: 1 where seen.
  void (*write)(const BitRows& rows);
};

/// For rows of this type.
BitSteps bit_steps(ValueType type);

}  // namespace apsp::search
