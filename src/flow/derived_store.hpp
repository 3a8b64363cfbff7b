// Matrices that are not there: what is read of them is picked from another matrix, or computed.
#pragma once

#include <apsp/error.hpp>

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/pool.hpp"
#include "flow/row_source.hpp"
#include "store/store.hpp"

namespace apsp::flow {

/// Writing throws `Error` (usage): nothing is stored.
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

/// Some rows and columns of a finished matrix: what is not asked for is passed on to nobody.
class SelectedStore final : public DerivedStore {
 public:
  /// Requires: `whole` holds all rows and columns; it outlives this.
  SelectedStore(const store::Store& whole, store::Selection selection);

  void read(store::Plane plane, store::Block block, void* out, std::int64_t stride) const override;

 private:
  const store::Store& whole_;
};

/// `to`[i] ← `from`[columns[i]], values of `size` bytes.
void gather_columns(const std::byte* from, std::span<const Vertex> columns, std::int64_t size,
                    std::byte* to);

/// Each block that is read is computed. For whoever asks for some rows or pairs of many.
class RowSourceStore final : public DerivedStore {
 public:
  /// The source outlives this.
  explicit RowSourceStore(const RowSource& source);

  /// One value costs what the source's `pair` takes, else a row. A single row is kept for the next
  /// calls. Many rows are computed by all threads that the process may use.
  void read(store::Plane plane, store::Block block, void* out, std::int64_t stride) const override;

 private:
  using Values = std::shared_ptr<const std::vector<std::byte>>;  // a row
  struct Kept {
    Vertex vertex;
    Values values;
  };
  /// A worker and the rows that it computes.
  struct Bench {
    std::unique_ptr<RowSource::Worker> worker;
    std::vector<std::byte> rows;
  };

  Values row(Vertex vertex) const;
  Values kept(Vertex vertex) const;  // null: it is not
  void read_rows(store::Block block, std::byte* out, std::int64_t stride) const;

  const RowSource& source_;
  mutable base::Pool<Bench> benches_;
  mutable std::mutex mutex_;
  mutable std::deque<Kept> kept_;  // the last rows that were read alone
};

}  // namespace apsp::flow
