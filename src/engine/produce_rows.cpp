#include "engine/produce_rows.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "base/team.hpp"

namespace apsp::engine {
namespace {

using Sources = std::span<const Vertex>;

std::vector<Vertex> all_vertices(std::int64_t n) {
  std::vector<Vertex> vertices(static_cast<std::size_t>(n));
  std::iota(vertices.begin(), vertices.end(), Vertex{0});
  return vertices;
}

/// work(thread, block) for all blocks of sources, `thread` made once for each thread. Threads claim
/// one block of `rows` at a time, in order, so that few bands are begun at once.
template <class Thread, class F>
void share_blocks(const store::RowSource& source, Sources sources, std::int64_t rows_of_block,
                  int threads, const Control& control, F&& work) {
  const auto rows = static_cast<std::size_t>(rows_of_block);
  base::ProgressTask progress(control, "solving", static_cast<double>(sources.size()), "row");
  std::atomic<std::size_t> next{0};
  base::run_team(threads, [&](int) {
    Thread thread(source);
    for (;;) {
      const std::size_t first = next.fetch_add(rows, std::memory_order_relaxed);
      if (first >= sources.size() || base::cancelled(control)) return;
      const Sources block = sources.subspan(first, std::min(rows, sources.size() - first));
      try {
        work(thread, block);
      } catch (...) {
        next.store(sources.size(), std::memory_order_relaxed);
        throw;
      }
      progress.advance(static_cast<double>(block.size()));
    }
  });
  base::check_cancelled(control);
}

/// A worker, and where its rows go.
struct Producer {
  explicit Producer(const store::RowSource& source)
      : worker(source.worker()), stride(source.columns()) {}

  /// `columns`: null, or takes the distances as well.
  const void* compute(Sources block, ValueType type, store::ColumnSink* columns) {
    rows.require(std::ssize(block) * stride * size_of(type));
    if (columns == nullptr) {
      worker->compute(block, rows.data(), stride);
    } else {
      if (part == nullptr) part = &columns->part();
      worker->compute_both(block, rows.data(), stride, *part);
    }
    return rows.data();
  }

  /// The same, to where the rows belong.
  void compute_into(store::RowSink& sink, Sources block, ValueType type,
                    store::ColumnSink* columns) {
    if (columns != nullptr && part == nullptr) part = &columns->part();
    worker->compute_into(block, sink.lend(block, type), part);
    sink.give_back(block);
  }

  std::unique_ptr<store::RowSource::Worker> worker;
  std::int64_t stride;
  base::AlignedMemory rows;
  store::ColumnSink::Writer* part = nullptr;
};

/// A worker whose rows go into the matrix, or whose columns to a sink.
struct Filler {
  explicit Filler(const store::RowSource& source) : worker(source.worker()) {}

  std::unique_ptr<store::RowSource::Worker> worker;
  store::ColumnSink::Writer* part = nullptr;
};

}  // namespace

std::int64_t block_rows(const store::RowSource& source, std::int64_t count, int threads) {
  // Few sources are shared out among all threads.
  const std::int64_t share = (count + threads - 1) / std::max(1, threads);
  return std::clamp<std::int64_t>(share, 1, source.block_rows());
}

void give_rows(const store::RowSource& source, Sources vertices,
               std::span<store::RowSink* const> sinks, std::int64_t band, int threads,
               const Control& control, store::ColumnSink* columns) {
  const bool straight = source.fills_rooms() && sinks.size() == 1 && sinks.front()->lends();
  share_blocks<Producer>(source, store::in_bands(source.order(), vertices, band),
                         block_rows(source, std::ssize(vertices), threads), threads, control,
                         [&](Producer& thread, Sources block) {
                           if (straight) {
                             return thread.compute_into(*sinks.front(), block, source.type(),
                                                        columns);
                           }
                           const void* const rows = thread.compute(block, source.type(), columns);
                           for (store::RowSink* const sink : sinks) {
                             sink->take({block, rows, thread.stride, source.type()});
                           }
                         });
}

void produce_rows(const store::RowSource& source, Sources vertices,
                  std::span<store::RowSink* const> sinks, std::int64_t band, int threads,
                  const Control& control, store::ColumnSink* columns) {
  give_rows(source, vertices, sinks, band, threads, control, columns);
  for (store::RowSink* const sink : sinks) sink->finish();
}

void produce_rows(const store::RowSource& source, std::span<store::RowSink* const> sinks,
                  std::int64_t band, int threads, const Control& control,
                  store::ColumnSink* columns) {
  produce_rows(source, all_vertices(source.vertices()), sinks, band, threads, control, columns);
}

void produce_columns(const store::RowSource& source, Sources vertices, store::ColumnSink& sink,
                     int threads, const Control& control, std::int64_t rows) {
  if (rows == 0) rows = block_rows(source, std::ssize(vertices), threads);
  share_blocks<Filler>(source, store::in_bands(source.order(), vertices, 0), rows, threads, control,
                       [&](Filler& thread, Sources block) {
                         if (thread.part == nullptr) thread.part = &sink.part();
                         thread.worker->compute_columns(block, *thread.part, sink.pairs_once());
                       });
}

void produce_columns(const store::RowSource& source, store::ColumnSink& sink, int threads,
                     const Control& control) {
  produce_columns(source, source.order(), sink, threads, control);
}

void fill_rows(const store::RowSource& source, kernels::View matrix, int threads,
               const Control& control) {
  // Neighbours in the matrix, so that a block goes straight to where it belongs.
  const std::vector<Vertex> vertices = all_vertices(source.vertices());
  const std::int64_t rows = block_rows(source, std::ssize(vertices), threads);
  share_blocks<Filler>(
      source, vertices, rows, threads, control, [&](Filler& thread, Sources block) {
        const std::int64_t first = block.front() * matrix.stride * size_of(source.type());
        thread.worker->compute(block, static_cast<std::byte*>(matrix.data) + first, matrix.stride);
      });
}

}  // namespace apsp::engine
