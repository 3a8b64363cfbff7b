// Matrices that are selected from another matrix or computed when they are read.
#pragma once

#include <apsp/error.hpp>

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "flow/row_source.hpp"
#include "store/store.hpp"
#include "system/pool.hpp"

namespace apsp::flow {

/// Writing throws `Error` (usage).
class DerivedStore : public store::Store {
 public:
  void write(store::Plane, store::Block, const void*, std::int64_t) final { refuse(); }
  void commit(const Graph&, const store::Metadata&) final { refuse(); }

 protected:
  using store::Store::Store;

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorKind::usage, "a matrix that is derived when it is read cannot be written to");
  }
};

class SelectedStore final : public DerivedStore {
 public:
  /// Requires: `whole` has all rows and columns and outlives this.
  SelectedStore(const store::Store& whole, store::Selection selection);

  void read(store::Plane plane, store::Block block, void* out, std::int64_t stride) const override;

 private:
  const store::Store& whole_;
};

/// to[i] ← from[columns[i]] for values of `size` bytes.
void gather_columns(const std::byte* from, std::span<const Vertex> columns, std::int64_t size,
                    std::byte* to);

class RowSourceStore final : public DerivedStore {
 public:
  /// Requires: `source` outlives this.
  explicit RowSourceStore(const RowSource& source);

  /// Uses all threads for several rows, the source's `pair` for one value, and keeps the last rows.
  void read(store::Plane plane, store::Block block, void* out, std::int64_t stride) const override;

 private:
  using Values = std::shared_ptr<const std::vector<std::byte>>;
  struct Kept {
    Vertex vertex;
    Values values;
  };
  struct Bench {
    std::unique_ptr<RowSource::Worker> worker;
    std::vector<std::byte> rows;
  };

  Values row(Vertex vertex) const;
  Values kept(Vertex vertex) const;
  void read_rows(store::Block block, std::byte* out, std::int64_t stride) const;

  const RowSource& source_;
  mutable system::Pool<Bench> benches_;
  mutable std::mutex mutex_;
  mutable std::deque<Kept> kept_;
};

}  // namespace apsp::flow
