// A matrix that is never there: each block that is read is computed. For whoever asks for some rows
// or pairs of many; all that reads a store works on it.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/pool.hpp"
#include "store/row_source.hpp"
#include "store/store.hpp"

namespace apsp::store {

class RowSourceStore final : public Store {
 public:
  /// The source outlives this.
  explicit RowSourceStore(const RowSource& source);

  /// One value costs what the source's `pair` takes, else a row. A single row is kept for the next
  /// calls. Many rows are computed by all threads that the process may use.
  void read(Plane plane, Block block, void* out, std::int64_t stride) const override;

  /// Throws `Error` (usage): nothing is stored.
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override;
  void commit(const Graph& graph, const Metadata& metadata) override;

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
  void read_rows(Block block, std::byte* out, std::int64_t stride) const;

  const RowSource& source_;
  mutable base::Pool<Bench> benches_;
  mutable std::mutex mutex_;
  mutable std::deque<Kept> kept_;  // the last rows that were read alone
};

}  // namespace apsp::store
