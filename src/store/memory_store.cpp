#include "store/memory_store.hpp"

#include <algorithm>
#include <apsp/error.hpp>

#include "store/metadata_check.hpp"
#include "store/tiling.hpp"

namespace apsp::store {
namespace {

constexpr std::int64_t kRowAlignment = 64;  // bytes

/// One stride in values serves planes of different types: the narrowest decides.
std::int64_t padded_stride(const Layout& layout) {
  std::int64_t narrowest = kRowAlignment;
  for (const Plane plane : layout.planes) {
    narrowest = std::min<std::int64_t>(narrowest, value_size(layout, plane));
  }
  const std::int64_t multiple = kRowAlignment / narrowest;
  return std::max<std::int64_t>(1, (layout.cols() + multiple - 1) / multiple) * multiple;
}

}  // namespace

std::int64_t MemoryStore::bytes_of(const Layout& layout) {
  std::int64_t row_bytes = 0;
  for (const Plane plane : layout.planes) {
    row_bytes += padded_stride(layout) * value_size(layout, plane);
  }
  return std::max<std::int64_t>(1, layout.rows()) * row_bytes;
}

MemoryStore::MemoryStore(const Layout& layout) : Store(layout) {
  require_layout(layout);
  if (layout.planes.empty()) throw Error(ErrorKind::usage, "a matrix in memory without planes");
  stride_ = padded_stride(layout);
  for (const Plane plane : layout.planes) {
    const std::int64_t row_bytes = stride_ * value_size(layout, plane);
    // Even an empty matrix has an address.
    matrices_.emplace_back(matrix_bytes(std::max<std::int64_t>(1, layout.rows()), row_bytes));
  }
}

std::size_t MemoryStore::position(Plane plane) const {
  const auto at = std::find(layout_.planes.begin(), layout_.planes.end(), plane);
  return static_cast<std::size_t>(at - layout_.planes.begin());
}

void* MemoryStore::data(Plane plane) {
  return holds(plane) ? matrices_[position(plane)].data() : nullptr;
}

void MemoryStore::read(Plane plane, Block block, void* out, std::int64_t stride) const {
  require_readable(*this, plane, block);
  const std::int64_t size = value_size(layout_, plane);
  const std::byte* from = matrices_[position(plane)].data();
  copy_rows(static_cast<std::byte*>(out), stride * size,
            from + (block.row * stride_ + block.col) * size, stride_ * size, block.rows,
            block.cols * size);
}

void MemoryStore::write(Plane plane, Block block, const void* in, std::int64_t stride) {
  require_writable(*this, plane, block);
  const std::int64_t size = value_size(layout_, plane);
  std::byte* to = matrices_[position(plane)].data();
  copy_rows(to + (block.row * stride_ + block.col) * size, stride_ * size,
            static_cast<const std::byte*>(in), stride * size, block.rows, block.cols * size);
}

void MemoryStore::commit(const Graph& graph, const Metadata& metadata) {
  require_metadata(layout_, graph, metadata);
  graph_ = graph_to_keep(layout_, graph);
  metadata_ = metadata;
}

std::unique_ptr<Store> make_memory_store(const Layout& layout) {
  return std::make_unique<MemoryStore>(layout);
}

}  // namespace apsp::store
