// Operations of a matrix update on lines of values; only these are compiled for each type.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/device.hpp"

namespace apsp::engine {

using kernels::Range;

/// A value of the matrix's type, in the first bytes.
using Weight = std::array<std::byte, 8>;

struct WeighedArc {
  Vertex from = 0, to = 0;
  Weight before{}, now{};
};

/// An arc with one end in Q, at index `place`; `other` is the other end.
struct CoveredArc {
  std::int64_t place = 0;
  Vertex other = 0;
  Weight weight{};
};

/// Lines are arrays of the matrix's type.
class Lines {
 public:
  virtual ~Lines() = default;
  virtual bool better(const Weight& a, const Weight& b) const = 0;
  /// Whether a best path may end with one of the arcs. `rounding`: relative error of a sum.
  virtual bool uses(const void* line, std::span<const WeighedArc> arcs, double rounding) const = 0;
  /// Whether one of the arcs, with its new weight, improves the path to its head.
  virtual bool improves(const void* line, std::span<const WeighedArc> arcs) const = 0;
  /// improved[j] ← 1 if w ⊗ head[j] is better than tail[j].
  virtual void mark_improved(const Weight& w, const void* head, const void* tail, Range columns,
                             char* improved) const = 0;
  virtual void add(void* line, const void* other, std::int64_t n) const = 0;
  /// line ← line ⊕ w ⊗ other.
  virtual void add_times(void* line, const Weight& w, const void* other, std::int64_t n) const = 0;
  virtual void add_one(void* line, std::int64_t place) const = 0;
  /// line[arc.place] ← line[arc.place] ⊕ from[arc.other] ⊗ arc.weight.
  virtual void add_arcs(void* line, const void* from, std::span<const CoveredArc> arcs) const = 0;
  virtual void put(void* line, std::int64_t place, const Weight& w) const = 0;
  /// line[i] ← from[places[i]].
  virtual void gather(void* line, const void* from, std::span<const Vertex> places) const = 0;
  /// The same, and from[places[i]] ← 𝟘.
  virtual void move(void* line, void* from, std::span<const std::int64_t> places) const = 0;
};

std::unique_ptr<Lines> lines_of(Semiring semiring, ValueType type);
/// An arc's weight as a value of the type.
Weight weight_of(Semiring semiring, ValueType type, double weight);

}  // namespace apsp::engine
