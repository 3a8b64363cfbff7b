// The inner loops of breadth-first searches from 512 sources, one bit a source (Then 2014).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>

#include "search/links.hpp"

namespace apsp::search {

inline constexpr std::int64_t kSourcesAtOnce = 512;

struct alignas(64) SourceBits {
  std::uint64_t words[kSourcesAtOnce / 64];
};

inline constexpr auto kLineBytes = static_cast<std::int64_t>(sizeof(SourceBits));

/// One level. Lists have the vertices with nonzero lines.
struct LevelStep {
  const Links* links;  // pull: reversed arcs; push: arcs
  SourceBits sources;
  SourceBits* seen;              // [n] sources that have reached the vertex
  std::uint8_t* full;            // [n] 1: all have
  SourceBits* frontier;          // [n] sources that reached it on the last level
  SourceBits* next;              // [n] sources that reach it on this level; zero before
  std::span<const Vertex> from;  // list of `frontier`
  Vertex* reached;               // [n] list of `next`
  std::int64_t level;            // > 0
  SourceBits* planes;            // [planes, n] binary digits of levels, lowest first
};

/// Converts lines of bits to rows of values and clears the lines.
struct BitRows {
  std::int64_t n;
  std::int64_t sources;  // ≤ 512
  SourceBits* seen;      // [n]
  SourceBits* planes;    // [plane_count, n]
  int plane_count;       // < 32
  void* rows;            // [sources, n] ← the level if seen, else "no path"
  std::int64_t stride;   // values
};

struct BitSteps {
  /// Reads the predecessors of vertices that are not full. Returns the number of vertices reached.
  std::int64_t (*pull)(const LevelStep& step);
  /// Writes the successors of the frontier. Returns the number of vertices reached.
  std::int64_t (*push)(const LevelStep& step);
  /// into[v] ← into[v] ∨ into[u] for u in `before`. Requires: arcs lead to greater vertices.
  void (*flow)(const Links& before, SourceBits* into);
  /// Min-plus, or for booleans 1 if seen.
  void (*write)(const BitRows& rows);
};

BitSteps bit_steps(ValueType type);

}  // namespace apsp::search
