// A distance matrix in memory. Rows begin on multiples of 64 bytes, a cache line and the widest
// vector register, whatever n is.
#pragma once

#include <optional>
#include <vector>

#include "base/aligned_memory.hpp"
#include "store/store.hpp"

namespace apsp::store {

class MemoryStore final : public Store {
 public:
  /// Bytes of all planes of a layout.
  static std::int64_t bytes_of(const Layout& layout);

  /// Throws `Error`: usage (see `require_layout`), does_not_fit.
  explicit MemoryStore(const Layout& layout);

  void read(Plane plane, Block block, void* out, std::int64_t stride) const override;
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override;
  void commit(const Graph& graph, const Metadata& metadata) override;
  std::optional<Graph> graph() const override { return graph_; }
  Metadata metadata() const override { return metadata_; }
  using Store::data;
  /// Zeros until written.
  void* data(Plane plane) override;
  std::int64_t stride() const override { return stride_; }

 private:
  std::size_t position(Plane plane) const;

  std::int64_t stride_;                        // values, the same for every plane
  std::vector<base::AlignedMemory> matrices_;  // in the order of layout_.planes: [rows, stride_]
  std::optional<Graph> graph_;
  Metadata metadata_;
};

}  // namespace apsp::store
