// A matrix whose rows several processes hold, as one of them sees the others. Every process makes
// the same calls in the same order.
#pragma once

#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace apsp::engine {

class RowShares {
 public:
  virtual ~RowShares() = default;
  /// Whether other processes have rows too, or may have.
  virtual bool shared() const { return false; }
  /// The first row that this process holds; the next process begins where its rows end.
  virtual std::int64_t first() const { return 0; }
  /// The numbers of all processes, in their order.
  virtual std::vector<std::int64_t> joined(std::vector<std::int64_t> mine) { return mine; }
  /// values [count, row_bytes]: rows of these vertices, where those of this process stand already.
  virtual void complete(std::span<const Vertex>, std::byte*, std::int64_t) {}
  /// values ← values ⊕ those of all other processes. `plus`: the same of two ranges of bytes.
  using Plus = std::function<void(std::span<std::byte> into, std::span<const std::byte> other)>;
  virtual void add_up(std::span<std::byte>, int /*value_size*/, const Plus&) {}
};

}  // namespace apsp::engine
