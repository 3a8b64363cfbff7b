#include "graph/rows.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/numbers.hpp"
#include "base/pages.hpp"
#include "base/team.hpp"
#include "graph/matrix_bands.hpp"
#include "graph/row_sort.hpp"

namespace apsp::graph {
namespace {

constexpr std::size_t kEdgesAtOnce = std::size_t{1} << 16;        // given back to the system, 1 MiB
constexpr std::size_t kEdgesWorthThreads = std::size_t{1} << 16;  // edges: sorting fewer takes 1 ms

class BucketSort {
 public:
  BucketSort(ArcBuckets& arcs, std::size_t n, Vertex first_id)
      : threads_(arcs.threads()), n_(n), first_id_(first_id), listing_(arcs.list()) {}

  CompressedRows run() {
    begins_.assign(1, 0);
    for (const auto& chunks : listing_.chunks) begins_.push_back(begins_.back() + count(chunks));
    const auto arcs = static_cast<std::size_t>(begins_.back());
    rows_.targets = std::make_unique_for_overwrite<Vertex[]>(arcs);
    rows_.weights = std::make_unique_for_overwrite<double[]>(arcs);
    rows_.offsets.assign(n_ + 1, 0);
    rows_.largest.assign(n_, 0.0);
    std::vector<RowSort> sorters(static_cast<std::size_t>(threads_));
    // Buckets differ in size, so threads claim them.
    base::share_items(std::ssize(listing_.chunks), threads_, [&](std::int64_t b, int member) {
      sort_bucket(static_cast<std::size_t>(b), sorters[static_cast<std::size_t>(member)]);
    });
    std::fill(rows_.offsets.begin() + static_cast<std::ptrdiff_t>(sorted_rows()) + 1,
              rows_.offsets.end(), begins_.back());  // vertices behind all that have arcs
    return std::move(rows_);
  }

 private:
  static std::int64_t count(std::span<const ArcChunk* const> chunks) {
    std::int64_t arcs = 0;
    for (const ArcChunk* chunk : chunks) arcs += (chunk->end - sizeof(ArcChunk)) / chunk->width;
    return arcs;
  }

  /// CompressedRows of all buckets.
  std::size_t sorted_rows() const {
    return std::min(n_, (listing_.chunks.size() << listing_.row_bits) - first_id_);
  }

  void sort_bucket(std::size_t b, RowSort& sorter) {
    const auto begin = static_cast<std::size_t>(begins_[b]);
    const auto arcs = static_cast<std::size_t>(begins_[b + 1]) - begin;
    // Row `first_id_` of the file is row 0; nothing lies before it.
    const std::size_t id = std::max<std::size_t>(b << listing_.row_bits, first_id_);
    const std::size_t row = id - first_id_;
    const std::size_t behind = std::min(n_, ((b + 1) << listing_.row_bits) - first_id_);
    if (arcs > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorKind::does_not_fit, "more than 2^32 arcs from neighbouring vertices");
    }
    if (row >= behind) return;
    base::touch(rows_.targets.get() + begin, static_cast<std::int64_t>(arcs * sizeof(Vertex)));
    base::touch(rows_.weights.get() + begin, static_cast<std::int64_t>(arcs * sizeof(double)));
    sorter.sort(listing_.chunks[b], static_cast<Vertex>(id), first_id_,
                {.targets = {rows_.targets.get() + begin, arcs},
                 .weights = {rows_.weights.get() + begin, arcs},
                 .ends = {rows_.offsets.data() + row + 1, behind - row},
                 .largest = {rows_.largest.data() + row, behind - row},
                 .first_arc = begins_[b]});
  }

  int threads_;
  std::size_t n_;
  Vertex first_id_;
  ArcBuckets::Listing listing_;
  std::vector<std::int64_t> begins_;  // [buckets + 1] arcs before each
  CompressedRows rows_;
};

}  // namespace

void fail_unusable(const Edge& edge, std::size_t n) {
  if (edge.from >= n || edge.to >= n) {
    throw Error(ErrorKind::usage,
                fmt::format("edge {} → {} in a graph of {}", edge.from, edge.to,
                            base::counted(static_cast<std::int64_t>(n), "vertex", "vertices")));
  }
  throw Error(ErrorKind::usage,
              fmt::format("edge {} → {} has the weight {}", edge.from, edge.to, edge.weight));
}

CompressedRows sort_into_rows(ArcBuckets&& arcs, std::int64_t n, Vertex first_id) {
  ArcBuckets held = std::move(arcs);
  return BucketSort(held, static_cast<std::size_t>(n), first_id).run();
}

ArcBuckets collect_arcs(std::vector<Edge>&& edges, std::int64_t n, bool directed, int threads) {
  const std::size_t count = edges.size();
  ArcBuckets arcs(!directed, n, count < kEdgesWorthThreads ? 1 : threads);
  const auto blocks = static_cast<std::int64_t>((count + kEdgesAtOnce - 1) / kEdgesAtOnce);
  const auto limit = static_cast<std::size_t>(n);
  const auto usable = [limit](const Edge& edge) { return is_usable(edge, limit); };
  const auto block_of = [&](std::int64_t i) {
    const std::size_t first = static_cast<std::size_t>(i) * kEdgesAtOnce;
    return std::span(edges).subspan(first, std::min(kEdgesAtOnce, count - first));
  };
  base::share_items(blocks, arcs.threads(), [&](std::int64_t i) {
    const std::span<Edge> block = block_of(i);
    if (!std::all_of(block.begin(), block.end(), usable)) {
      fail_unusable(*std::find_if_not(edges.begin(), edges.end(), usable), limit);
    }
  });
  base::share_items(blocks, arcs.threads(), [&](std::int64_t i, int member) {
    const std::span<Edge> block = block_of(i);
    arcs.add(block, static_cast<Vertex>(n - 1), member);
    base::discard(block.data(), static_cast<std::int64_t>(block.size_bytes()));
  });
  std::vector<Edge>().swap(edges);
  return arcs;
}

CompressedRows compress_matrix(const WeightMatrix& matrix, const std::vector<std::int64_t>& offsets,
                               int threads) {
  const auto arcs = static_cast<std::size_t>(offsets.back());
  CompressedRows rows;
  rows.targets = std::make_unique_for_overwrite<Vertex[]>(arcs);
  rows.weights = std::make_unique_for_overwrite<double[]>(arcs);
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);  // [n] where each row goes on
  matrix.with_type([&]<class T>() {
    // Lines by rising number: so the arcs of a row rise by target in either order of storage.
    const auto take = [&](std::int64_t first, std::int64_t lines) {
      for (std::int64_t line = first; line < first + lines; ++line) {
        const T* const values = static_cast<const T*>(matrix.data) + line * matrix.n;
        for (std::int64_t at = 0; at < matrix.n; ++at) {
          if (values[at] == WeightMatrix::no_arc<T>()) continue;
          if (at == line && !(values[at] < T(0))) continue;
          const std::int64_t from = matrix.by_columns ? at : line;
          const auto slot = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
          rows.targets[slot] = static_cast<Vertex>(matrix.by_columns ? line : at);
          rows.weights[slot] = static_cast<double>(values[at]) + 0.0;  // one zero only
        }
      }
    };
    for_each_band(matrix, matrix.by_columns ? 1 : threads, take);
  });
  return rows;
}

}  // namespace apsp::graph
