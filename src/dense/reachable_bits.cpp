#include "dense/reachable_bits.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "store/tiling.hpp"
#include "system/threads.hpp"

namespace apsp::dense {
namespace {

constexpr int kBits = 32;

std::int64_t words_of(std::int64_t n) { return (n + kBits - 1) / kBits; }

/// A line of the host's kernels is 16 words of a device.
static_assert(std::endian::native == std::endian::little);

}  // namespace

void unpack(const ReachableBits& bits, kernels::View reach, int threads, const Control& control) {
  system::for_each_row(bits.n(), threads, control,
                       [&](std::int64_t i) { bits.unpack(i, byte_row(reach, i)); });
}

ClosedStore::ClosedStore(std::unique_ptr<const ReachableBits> bits, std::int64_t tile, int threads)
    : DerivedStore(
          {.n = bits->n(), .type = ValueType::boolean, .semiring = Semiring::or_and, .tile = tile}),
      bits_(std::move(bits)),
      threads_(threads) {}

void ClosedStore::read(store::Plane plane, store::Block block, void* out,
                       std::int64_t stride) const {
  store::require_readable(*this, plane, block);
  auto* const bytes = static_cast<std::uint8_t*>(out);
  if (block.cols == layout_.n) {
    return system::parallel_for(block.rows, threads_, [&](std::int64_t i) {
      bits_->unpack(block.row + i, bytes + i * stride);
    });
  }
  std::vector<std::uint8_t> row(static_cast<std::size_t>(layout_.n));
  for (std::int64_t i = 0; i < block.rows; ++i) {
    bits_->unpack(block.row + i, row.data());
    std::memcpy(bytes + i * stride, row.data() + block.col, static_cast<std::size_t>(block.cols));
  }
}

TiledMatrix bit_tiling(std::uint32_t* words, std::int64_t rows, std::int64_t cols) {
  TiledMatrix tiling{
      {words, rows, words_of(cols), words_of(cols)}, sizeof(std::uint32_t), kDeviceClosureTile};
  tiling.columns_per_value = kBits;
  return tiling;
}

void pack_bits(const std::uint8_t* row, std::int64_t cols, std::uint32_t* words) {
  std::fill_n(words, words_of(cols), std::uint32_t{0});
  for (std::int64_t j = 0; j < cols; ++j) {
    words[j / kBits] |= std::uint32_t{row[j] != 0} << j % kBits;
  }
}

void unpack_bits(const std::uint32_t* words, std::int64_t cols, std::uint8_t* row) {
  for (std::int64_t j = 0; j < cols; ++j) row[j] = words[j / kBits] >> j % kBits & 1;
}

DeviceBits::DeviceBits(std::int64_t n)
    : n_(n), lines_(kernels::cpu::BitMatrix::strips_of(n)), memory_(bytes_for(n)) {}

std::int64_t DeviceBits::bytes_for(std::int64_t n) {
  return n * kernels::cpu::BitMatrix::strips_of(n) * std::int64_t{sizeof(BitLine)};
}

std::int64_t DeviceBits::columns_of(std::int64_t line) const {
  return std::min(BitLine::kColumns, n_ - line * BitLine::kColumns);
}

TiledMatrix DeviceBits::tiled() {
  TiledMatrix tiling = bit_tiling(memory_.as<std::uint32_t>(), n_, n_);
  tiling.matrix.stride = lines_ * std::int64_t{sizeof(BitLine) / sizeof(std::uint32_t)};
  return tiling;
}

void DeviceBits::fill(const Graph& graph, int threads, const Control& control) {
  system::for_each_row(n_, threads, control, [&](std::int64_t i) {
    BitLine* const lines = row(i);
    const auto set = [&](std::int64_t j) {
      lines[j / BitLine::kColumns].words[j / 64 % BitLine::kWords] |= std::uint64_t{1} << j % 64;
    };
    std::fill_n(lines, lines_, BitLine{});
    graph.for_each_arc(static_cast<Vertex>(i), [&](Vertex to, double) { set(to); });
    set(i);
  });
}

void DeviceBits::fill(kernels::View matrix, int threads, const Control& control) {
  const kernels::cpu::BitOperations operations = kernels::cpu::bit_operations();
  system::for_each_row(n_, threads, control, [&](std::int64_t i) {
    for (std::int64_t line = 0; line < lines_; ++line) {
      operations.pack(byte_row(matrix, i) + line * BitLine::kColumns, columns_of(line),
                      row(i) + line);
    }
    row(i)[i / BitLine::kColumns].words[i / 64 % BitLine::kWords] |= std::uint64_t{1} << i % 64;
  });
}

void DeviceBits::unpack(std::int64_t i, std::uint8_t* bytes) const {
  const kernels::cpu::BitOperations operations = kernels::cpu::bit_operations();
  for (std::int64_t line = 0; line < lines_; ++line) {
    operations.unpack(row(i) + line, columns_of(line), bytes + line * BitLine::kColumns);
  }
}

}  // namespace apsp::dense
