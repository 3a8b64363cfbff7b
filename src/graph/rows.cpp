#include "graph/rows.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "base/pages.hpp"
#include "base/team.hpp"
#include "graph/matrix_bands.hpp"
#include "graph/row_sort.hpp"

namespace apsp::graph {
namespace {

// Buckets: enough for each to fit the cache, few enough for their ends to stay in the TLB.
constexpr std::size_t kMostBuckets = 512;
constexpr int kMostRowBits = 16;  // a row within its bucket is kept in 16 bits
constexpr std::size_t kEdgesAtOnce = std::size_t{1} << 16;   // given back to the system, 1 MiB
constexpr std::size_t kWorthThreads = std::size_t{1} << 16;  // edges: sorting fewer takes 1 ms

class EdgeSort {
 public:
  EdgeSort(std::size_t n, bool directed, std::vector<Edge>&& edges)
      : n_(n), directed_(directed), edges_(std::move(edges)) {
    while (row_bits_ < kMostRowBits && (n >> row_bits_) >= kMostBuckets) ++row_bits_;
  }

  Rows run() && {
    count_buckets();
    fill_buckets();
    std::vector<Edge>().swap(edges_);
    rows_.offsets.assign(n_ + 1, 0);
    sort_buckets();
    return std::move(rows_);
  }

 private:
  template <class Visit>
  void for_each_arc(std::span<const Edge> edges, const Visit& visit) const {
    for (const Edge& edge : edges) {
      visit(edge.from, edge.to, edge.weight);
      if (!directed_ && edge.from != edge.to) visit(edge.to, edge.from, edge.weight);
    }
  }

  /// The edges of one thread, which appends to its own part of every bucket.
  std::span<const Edge> share(std::size_t thread) const {
    const std::size_t first = edges_.size() * thread / threads_;
    const std::size_t last = edges_.size() * (thread + 1) / threads_;
    return std::span(edges_).subspan(first, last - first);
  }

  template <class Work>
  void for_each_thread(const Work& work) const {
    const auto count = static_cast<std::int64_t>(threads_);
    base::share_items(count, static_cast<int>(threads_),
                      [&](std::int64_t t) { work(static_cast<std::size_t>(t)); });
  }

  void count_buckets() {
    if (edges_.size() >= kWorthThreads) {
      threads_ = static_cast<std::size_t>(base::thread_count(0));
    }
    const std::size_t buckets = (n_ >> row_bits_) + 1;
    slots_.assign(threads_, std::vector<std::size_t>(buckets, 0));
    for_each_thread([&](std::size_t t) {
      std::vector<std::size_t>& count = slots_[t];
      for_each_arc(share(t), [&](Vertex from, Vertex, double) { ++count[from >> row_bits_]; });
    });
    bucket_begin_.assign(buckets + 1, 0);
    std::size_t arcs = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      for (std::vector<std::size_t>& slots : slots_) arcs += std::exchange(slots[b], arcs);
      bucket_begin_[b + 1] = arcs;
    }
  }

  void fill_buckets() {
    const std::size_t arcs = bucket_begin_.back();
    rows_.targets = std::make_unique_for_overwrite<Vertex[]>(arcs);
    rows_.weights = std::make_unique_for_overwrite<double[]>(arcs);
    row_in_bucket_ = std::make_unique_for_overwrite<std::uint16_t[]>(arcs);
    if (!directed_) touch_large_pages(arcs);
    for_each_thread([this](std::size_t t) { fill_buckets(share(t), slots_[t]); });
  }

  /// Large pages are touched all at once, as every one holds a part of some bucket: 14 bytes an arc
  /// beside the 8 of an undirected edge's half. A directed edge has 16, which would be 30.
  void touch_large_pages(std::size_t arcs) {
    base::prefer_large_pages(rows_.targets.get(), arcs * sizeof(Vertex));
    base::prefer_large_pages(rows_.weights.get(), arcs * sizeof(double));
    base::prefer_large_pages(row_in_bucket_.get(), arcs * sizeof(std::uint16_t));
  }

  void fill_buckets(std::span<const Edge> edges, std::vector<std::size_t>& slots) {
    // Copies, which no store can change: else every arc would load them again.
    const auto put = [next = slots.data(), targets = rows_.targets.get(),
                      weights = rows_.weights.get(), rows = row_in_bucket_.get(), bits = row_bits_,
                      mask = (1u << row_bits_) - 1](Vertex from, Vertex to, double weight) {
      const std::size_t slot = next[from >> bits]++;
      targets[slot] = to;
      weights[slot] = weight + 0.0;  // −0 becomes +0: one zero only
      rows[slot] = static_cast<std::uint16_t>(from & mask);
    };
    for (; !edges.empty(); edges = edges.subspan(std::min(kEdgesAtOnce, edges.size()))) {
      const std::span<const Edge> now = edges.first(std::min(kEdgesAtOnce, edges.size()));
      for_each_arc(now, put);
      base::discard(const_cast<Edge*>(now.data()), static_cast<std::int64_t>(now.size_bytes()));
    }
  }

  /// Buckets differ in size, so threads claim them.
  void sort_buckets() {
    const auto buckets = static_cast<std::int64_t>(bucket_begin_.size()) - 1;
    std::vector<RowSort> sorters(threads_);
    base::share_items(buckets, static_cast<int>(threads_), [&](std::int64_t b, int member) {
      sort_bucket(static_cast<std::size_t>(b), sorters[static_cast<std::size_t>(member)]);
    });
  }

  void sort_bucket(std::size_t b, RowSort& sorter) {
    const std::size_t begin = bucket_begin_[b], arcs = bucket_begin_[b + 1] - begin;
    const std::size_t first_row = b << row_bits_;
    const std::size_t row_count = std::min(n_ - first_row, std::size_t{1} << row_bits_);
    if (arcs > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorKind::does_not_fit, "more than 2^32 arcs from neighbouring vertices");
    }
    sorter.sort({rows_.targets.get() + begin, arcs}, {rows_.weights.get() + begin, arcs},
                {row_in_bucket_.get() + begin, arcs},
                {rows_.offsets.data() + first_row + 1, row_count},
                static_cast<std::int64_t>(begin));
  }

  std::size_t n_;
  bool directed_;
  std::vector<Edge> edges_;
  int row_bits_ = 0;
  std::size_t threads_ = 1;
  std::vector<std::size_t> bucket_begin_;           // [buckets + 1] slots
  std::vector<std::vector<std::size_t>> slots_;     // [threads][buckets] where the next arc goes
  std::unique_ptr<std::uint16_t[]> row_in_bucket_;  // [arcs]
  Rows rows_;
};

}  // namespace

Rows sort_into_rows(std::size_t n, bool directed, std::vector<Edge>&& edges) {
  return EdgeSort(n, directed, std::move(edges)).run();
}

Rows compress_matrix(const WeightMatrix& matrix, const std::vector<std::int64_t>& offsets,
                     int threads) {
  const auto arcs = static_cast<std::size_t>(offsets.back());
  Rows rows{{},
            std::make_unique_for_overwrite<Vertex[]>(arcs),
            std::make_unique_for_overwrite<double[]>(arcs)};
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
