// A distance matrix in memory. Rows begin on multiples of 64 bytes, a cache line and the widest
// vector register, whatever n is.
#include <apsp/error.hpp>

#include <algorithm>

#include "base/aligned_memory.hpp"
#include "base/rounded_up.hpp"
#include "store/store.hpp"
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
  return base::rounded_up(std::max<std::int64_t>(1, layout.cols()), kRowAlignment / narrowest);
}

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(const Layout& layout) : Store(layout) {
    require_layout(layout);
    if (layout.planes.empty()) throw Error(ErrorKind::usage, "a matrix in memory without planes");
    stride_ = padded_stride(layout);
    for (const Plane plane : layout.planes) {
      const std::int64_t row_bytes = stride_ * value_size(layout, plane);
      // Even an empty matrix has an address.
      matrices_.emplace_back(matrix_bytes(std::max<std::int64_t>(1, layout.rows()), row_bytes));
    }
  }

  void read(Plane plane, Block block, void* out, std::int64_t stride) const override {
    require_readable(*this, plane, block);
    const std::int64_t size = value_size(layout_, plane);
    const std::byte* from = matrices_[position(plane)].data();
    copy_rows(static_cast<std::byte*>(out), stride * size,
              from + (block.row * stride_ + block.col) * size, stride_ * size, block.rows,
              block.cols * size);
  }
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override {
    require_writable(*this, plane, block);
    const std::int64_t size = value_size(layout_, plane);
    std::byte* to = matrices_[position(plane)].data();
    copy_rows(to + (block.row * stride_ + block.col) * size, stride_ * size,
              static_cast<const std::byte*>(in), stride * size, block.rows, block.cols * size);
  }
  void commit(const Graph& graph, const Metadata& metadata) override {
    require_metadata(layout_, graph, metadata);
    graph_ = graph_to_keep(layout_, graph);
    metadata_ = metadata;
  }
  std::optional<Graph> graph() const override { return graph_; }
  Metadata metadata() const override { return metadata_; }
  using Store::data;
  /// Zeros until written.
  void* data(Plane plane) override {
    return holds(plane) ? matrices_[position(plane)].data() : nullptr;
  }
  std::int64_t stride() const override { return stride_; }

 private:
  std::size_t position(Plane plane) const {
    const auto at = std::ranges::find(layout_.planes, plane);
    return static_cast<std::size_t>(at - layout_.planes.begin());
  }

  std::int64_t stride_;                        // values, the same for every plane
  std::vector<base::AlignedMemory> matrices_;  // in the order of layout_.planes: [rows, stride_]
  std::optional<Graph> graph_;
  Metadata metadata_;
};

}  // namespace

std::int64_t bytes_in_memory(const Layout& layout) {
  std::int64_t row_bytes = 0;
  for (const Plane plane : layout.planes) {
    row_bytes += padded_stride(layout) * value_size(layout, plane);
  }
  return std::max<std::int64_t>(1, layout.rows()) * row_bytes;
}

std::unique_ptr<Store> make_memory_store(const Layout& layout) {
  return std::make_unique<MemoryStore>(layout);
}

}  // namespace apsp::store
