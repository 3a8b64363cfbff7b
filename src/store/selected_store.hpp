// Some rows and columns of a finished matrix, as a store of their own that is read only: what is
// not asked for is passed on to nobody.
#pragma once

#include "store/store.hpp"

namespace apsp::store {

class SelectedStore final : public Store {
 public:
  /// Requires: `whole` holds all rows and columns; it outlives this.
  SelectedStore(const Store& whole, Selection selection);

  void read(Plane plane, Block block, void* out, std::int64_t stride) const override;

  /// Throws `Error` (usage): nothing is stored.
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override;
  void commit(const Graph& graph, const Metadata& metadata) override;

 private:
  const Store& whole_;
};

/// `to`[i] ← `from`[columns[i]], values of `size` bytes.
void gather_columns(const std::byte* from, std::span<const Vertex> columns, std::int64_t size,
                    std::byte* to);

}  // namespace apsp::store
