// Reachability in packed bits of the host's memory, in whatever order: words of 32 vertices, row by
// row, are those of devices.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>

#include "dense/tiled_matrix.hpp"
#include "flow/derived_store.hpp"
#include "kernels/contract.hpp"
#include "kernels/cpu/bits.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::dense {

class ReachableBits {
 public:
  virtual ~ReachableBits() = default;
  virtual std::int64_t n() const = 0;
  /// bytes [n] ← 1 where row i has a bit, else 0. Any number of threads at once.
  virtual void unpack(std::int64_t i, std::uint8_t* bytes) const = 0;
};

/// A row of a matrix of bytes.
inline std::uint8_t* byte_row(kernels::View bytes, std::int64_t i) {
  return static_cast<std::uint8_t*>(bytes.data) + i * bytes.stride;
}

/// reach [n, n] of bytes ← the bits. Throws `Error` (interrupted).
void unpack(const ReachableBits& bits, kernels::View reach, int threads, const Control& control);

/// Reachability that stays in bits, as a matrix of bytes that is not there.
class ClosedStore final : public flow::DerivedStore {
 public:
  /// `tile`: rows of a band that sinks are given. Rows are unpacked by so many threads.
  ClosedStore(std::unique_ptr<const ReachableBits> bits, std::int64_t tile, int threads);

  void read(store::Plane plane, store::Block block, void* out, std::int64_t stride) const override;

 private:
  std::unique_ptr<const ReachableBits> bits_;
  int threads_;
};

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
