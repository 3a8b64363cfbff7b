#include "dense/reachable_bits.hpp"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "store/tiling.hpp"
#include "system/threads.hpp"

namespace apsp::dense {

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

}  // namespace apsp::dense
