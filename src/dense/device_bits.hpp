// Reachability on devices: words of 32 vertices, row by row.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>

#include "dense/reachable_bits.hpp"
#include "dense/tiled_matrix.hpp"
#include "kernels/contract.hpp"
#include "kernels/cpu/bits.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::dense {

/// The side of a tile of bits.
inline constexpr std::int64_t kDeviceClosureTile = 512;

/// A matrix of n vertices as bits of `rows` rows; `words`: [rows, cols / 32 rounded up].
TiledMatrix bit_tiling(std::uint32_t* words, std::int64_t rows, std::int64_t cols);
/// words [cols / 32 rounded up] ← which bytes of a row are not 0, and back.
void pack_bits(const std::uint8_t* row, std::int64_t cols, std::uint32_t* words);
void unpack_bits(const std::uint32_t* words, std::int64_t cols, std::uint8_t* row);

/// A square matrix of bits in the host's memory. A row is a whole number of cache lines, so that
/// the kernels of the host pack and unpack it.
class DeviceBits final : public ReachableBits {
 public:
  /// Allocates n rows. Throws `Error` (does_not_fit) if the system refuses the memory.
  explicit DeviceBits(std::int64_t n);
  static std::int64_t bytes_for(std::int64_t n);

  /// Sets the bits of arcs and of the empty path at every vertex. Throws `Error` (interrupted).
  void fill(const Graph& graph, int threads, const Control& control);
  /// The same for a matrix of bytes, not 0 where there is an arc.
  void fill(kernels::View matrix, int threads, const Control& control);

  /// Returns a view of this memory for a Place.
  TiledMatrix tiled();

  std::int64_t n() const override { return n_; }
  void unpack(std::int64_t i, std::uint8_t* bytes) const override;

 private:
  using BitLine = kernels::cpu::BitLine;

  BitLine* row(std::int64_t i) { return memory_.as<BitLine>() + i * lines_; }
  const BitLine* row(std::int64_t i) const { return memory_.as<BitLine>() + i * lines_; }
  std::int64_t columns_of(std::int64_t line) const;

  std::int64_t n_, lines_;  // lines of a row
  system::AlignedMemory memory_;
};

}  // namespace apsp::dense
