// One process's view of a matrix that is distributed by rows. All make the same calls in order.
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
  virtual bool shared() const { return false; }
  /// The first row of this process. The rows of the next process follow.
  virtual std::int64_t first() const { return 0; }
  /// Concatenates the numbers of all processes in their order.
  virtual std::vector<std::int64_t> joined(std::vector<std::int64_t> mine) { return mine; }
  /// Completes rows of these vertices, [count, row_bytes]; those of this process are present.
  virtual void complete(std::span<const Vertex>, std::byte*, std::int64_t) {}
  /// values ← values ⊕ those of all other processes. `plus`: ⊕ of two ranges of bytes.
  using Plus = std::function<void(std::span<std::byte> into, std::span<const std::byte> other)>;
  virtual void add_up(std::span<std::byte>, int /*value_size*/, const Plus&) {}
};

}  // namespace apsp::engine
