#include "store/selected_store.hpp"

#include <apsp/error.hpp>
#include <cstring>

#include "store/tiling.hpp"

namespace apsp::store {
namespace {

template <class T>
void gather(const std::byte* from, std::span<const Vertex> columns, std::byte* to) {
  for (const Vertex column : columns) {
    std::memcpy(to, from + column * std::int64_t{sizeof(T)}, sizeof(T));
    to += sizeof(T);
  }
}

[[noreturn]] void refuse_writing() {
  throw Error(ErrorKind::usage, "some rows and columns of a matrix cannot be written to");
}

Layout of(Layout whole, Selection selection) {
  whole.selection = std::move(selection);
  return whole;
}

}  // namespace

void gather_columns(const std::byte* from, std::span<const Vertex> columns, std::int64_t size,
                    std::byte* to) {
  switch (size) {
    case 1:
      return gather<std::uint8_t>(from, columns, to);
    case 2:
      return gather<std::uint16_t>(from, columns, to);
    case 4:
      return gather<std::uint32_t>(from, columns, to);
    default:
      return gather<std::uint64_t>(from, columns, to);
  }
}

SelectedStore::SelectedStore(const Store& whole, Selection selection)
    : Store(of(whole.layout(), std::move(selection))), whole_(whole) {}

void SelectedStore::read(Plane plane, Block block, void* out, std::int64_t stride) const {
  require_readable(*this, plane, block);
  if (block.rows == 0 || block.cols == 0) return;
  const std::int64_t n = layout_.n, size = value_size(layout_, plane);
  const std::span<const Vertex> targets = layout_.selection.targets;
  std::vector<std::byte> row(static_cast<std::size_t>(targets.empty() ? 0 : n * size));
  auto* to = static_cast<std::byte*>(out);
  for (std::int64_t i = 0; i < block.rows; ++i, to += stride * size) {
    const std::int64_t source = layout_.source(block.row + i);
    if (targets.empty()) {
      whole_.read(plane, {source, block.col, 1, block.cols}, to, block.cols);
      continue;
    }
    whole_.read(plane, {source, 0, 1, n}, row.data(), n);
    gather_columns(
        row.data(),
        targets.subspan(static_cast<std::size_t>(block.col), static_cast<std::size_t>(block.cols)),
        size, to);
  }
}

void SelectedStore::write(Plane, Block, const void*, std::int64_t) { refuse_writing(); }
void SelectedStore::commit(const Graph&, const Metadata&) { refuse_writing(); }

}  // namespace apsp::store
