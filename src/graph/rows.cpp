#include "graph/rows.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <numeric>
#include <span>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "graph/row_sort.hpp"

namespace apsp::graph {
namespace {

// Buckets: enough for each to fit the cache, few enough for their ends to stay in the TLB.
constexpr std::size_t kMostBuckets = 512;
constexpr int kMostRowBits = 16;  // a row within its bucket is kept in 16 bits
constexpr std::size_t kWorthThreads = std::size_t{1} << 16;  // arcs: sorting fewer takes 1 ms

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
  void for_each_arc(const Visit& visit) const {
    for (const Edge& edge : edges_) {
      visit(edge.from, edge.to, edge.weight);
      if (!directed_ && edge.from != edge.to) visit(edge.to, edge.from, edge.weight);
    }
  }

  void count_buckets() {
    bucket_begin_.assign((n_ >> row_bits_) + 2, 0);
    for_each_arc([&](Vertex from, Vertex, double) { ++bucket_begin_[(from >> row_bits_) + 1]; });
    std::partial_sum(bucket_begin_.begin(), bucket_begin_.end(), bucket_begin_.begin());
  }

  void fill_buckets() {
    const std::size_t arcs = bucket_begin_.back();
    rows_.targets.resize(arcs);
    rows_.weights.resize(arcs);
    row_in_bucket_.resize(arcs);
    std::vector<std::size_t> end = bucket_begin_;
    for_each_arc([&](Vertex from, Vertex to, double weight) {
      const std::size_t slot = end[from >> row_bits_]++;
      rows_.targets[slot] = to;
      rows_.weights[slot] = weight + 0.0;  // −0 becomes +0: one zero only
      row_in_bucket_[slot] = static_cast<std::uint16_t>(from & ((1u << row_bits_) - 1));
    });
  }

  /// Buckets differ in size, so threads claim them.
  void sort_buckets() {
    const auto buckets = static_cast<std::ptrdiff_t>(bucket_begin_.size()) - 1;
    const int threads = rows_.targets.size() < kWorthThreads ? 1 : base::thread_count(0);
    std::exception_ptr failure;
#pragma omp parallel num_threads(threads)
    {
      RowSort sorter;
#pragma omp for schedule(dynamic)
      for (std::ptrdiff_t b = 0; b < buckets; ++b) {
        try {
          sort_bucket(static_cast<std::size_t>(b), sorter);
        } catch (...) {
#pragma omp critical
          failure = std::current_exception();
        }
      }
    }
    if (failure) std::rethrow_exception(failure);
  }

  void sort_bucket(std::size_t b, RowSort& sorter) {
    const std::size_t begin = bucket_begin_[b], arcs = bucket_begin_[b + 1] - begin;
    const std::size_t first_row = b << row_bits_;
    const std::size_t row_count = std::min(n_ - first_row, std::size_t{1} << row_bits_);
    if (arcs > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorKind::does_not_fit, "more than 2^32 arcs from neighbouring vertices");
    }
    sorter.sort({rows_.targets.data() + begin, arcs}, {rows_.weights.data() + begin, arcs},
                {row_in_bucket_.data() + begin, arcs},
                {rows_.offsets.data() + first_row + 1, row_count},
                static_cast<std::int64_t>(begin));
  }

  std::size_t n_;
  bool directed_;
  std::vector<Edge> edges_;
  int row_bits_ = 0;
  std::vector<std::size_t> bucket_begin_;     // [buckets + 1] slots
  std::vector<std::uint16_t> row_in_bucket_;  // [arcs]
  Rows rows_;
};

}  // namespace

Rows sort_into_rows(std::size_t n, bool directed, std::vector<Edge>&& edges) {
  return EdgeSort(n, directed, std::move(edges)).run();
}

}  // namespace apsp::graph
