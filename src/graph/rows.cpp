// Sorting of a bucket's arcs in cache by row, then target, then weight. Rows are separated by
// counting, as records of 8 bytes if all weights are integers below 2^32, else of 16. A row of up
// to 64 arcs is sorted by ranks: the position of an arc is the number of smaller targets, counted
// for four arcs at once, k²/4 vector steps without data-dependent branches. (Insertion sort
// mispredicts about once per arc, 5 ns.) Equal ranks reveal parallel arcs; such rows, and longer
// ones, are sorted by comparison.
#include "graph/rows.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <limits>
#include <utility>

#include "base/units.hpp"
#include "graph/edge_tally.hpp"
#include "graph/given_row.hpp"
#include "graph/matrix_scan.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::graph {
namespace {

constexpr std::size_t kMostRanked = 64;  // arcs of a row; a set of ranks fits one word
constexpr std::size_t kLanes = 4;        // width of the vectors that every processor has
using Lanes = std::int32_t __attribute__((vector_size(16)));

/// Returns false if two targets are equal; the output is then undefined.
template <class Record>
bool sort_by_ranks(std::span<const Record> arcs, Vertex* targets, double* weights) {
  constexpr Vertex kSignBit = 0x80000000u;  // flipping it maps unsigned to signed order
  alignas(Lanes) std::int32_t keys[kMostRanked];
  alignas(Lanes) std::int32_t ranks[kMostRanked];
  const std::size_t size = arcs.size();
  for (std::size_t i = 0; i < size; ++i) {
    keys[i] = static_cast<std::int32_t>(arcs[i].to() ^ kSignBit);
  }
  for (std::size_t i = size; i % kLanes != 0; ++i) keys[i] = 0;
  for (std::size_t i = 0; i < size; i += kLanes) {
    const Lanes mine = *reinterpret_cast<const Lanes*>(keys + i);
    Lanes smaller = {};
    for (std::size_t j = 0; j < size; ++j) smaller -= mine > (Lanes{} + keys[j]);
    *reinterpret_cast<Lanes*>(ranks + i) = smaller;
  }
  std::uint64_t taken = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto rank = static_cast<std::size_t>(ranks[i]);
    taken |= std::uint64_t{1} << rank;
    targets[rank] = arcs[i].to();
    weights[rank] = arcs[i].weight();
  }
  return size == 0 || taken == ~std::uint64_t{0} >> (kMostRanked - size);
}

template <class Record>
void sort_by_comparing(std::span<Record> arcs, Vertex* targets, double* weights) {
  if (!std::is_sorted(arcs.begin(), arcs.end())) std::sort(arcs.begin(), arcs.end());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    targets[i] = arcs[i].to();
    weights[i] = arcs[i].weight();
  }
}

/// Two halves, because each maximum depends on the previous one.
double largest_magnitude(std::span<const double> weights) {
  double even = 0, odd = 0;
  std::size_t i = 0;
  for (; i + 1 < weights.size(); i += 2) {
    even = std::max(even, std::abs(weights[i]));
    odd = std::max(odd, std::abs(weights[i + 1]));
  }
  if (i < weights.size()) even = std::max(even, std::abs(weights[i]));
  return std::max(even, odd);
}

struct RowsPart {
  std::span<Vertex> targets;
  std::span<double> weights;
  std::span<std::int64_t> ends;  ///< [rows] receives `first_arc` + the arcs of all rows up to each
  std::span<double> largest;     ///< [rows] receives the largest |weight|, 0 without arcs
  std::int64_t first_arc;
};

class RowSort {
 public:
  /// `in_order`: arcs come in the order in which they were given.
  explicit RowSort(bool in_order) : in_order_(in_order) {}

  /// Sorts the arcs of `chunks`. Rows count from `first_row`, targets from `first_id`. Requires:
  /// fewer than 2^32 arcs.
  void sort(std::span<const ArcChunk* const> chunks, Vertex first_row, Vertex first_id,
            const RowsPart& part) {
    count_rows(chunks, first_row, part.ends.size());
    const auto scatter_to = [&](auto& arcs) {
      if (arcs.size() < part.targets.size()) arcs.resize(part.targets.size());
      return [first_row, first_id, ends = ends_.data(), arcs = arcs.data()](Vertex row, Vertex to,
                                                                            auto weight) {
        arcs[ends[row - first_row]++] = {to - first_id, weight};
      };
    };
    const bool whole = std::all_of(chunks.begin(), chunks.end(),
                                   [](const ArcChunk* chunk) { return chunk->is_whole(); });
    if (whole) {
      const auto scatter = scatter_to(whole_);
      for (const ArcChunk* chunk : chunks) chunk->for_each_whole_arc(scatter);
      return sort_rows(whole_, part);
    }
    const auto scatter = scatter_to(real_);
    for (const ArcChunk* chunk : chunks) {
      chunk->for_each_arc([&](Vertex row, Vertex to, auto weight) {
        scatter(row, to, static_cast<double>(weight));
      });
    }
    sort_rows(real_, part);
  }
  /// The places of the last call's parallel arcs. Callable once.
  std::vector<PlaceOfArc> as_given() { return std::exchange(as_given_, {}); }

 private:
  /// Target and integer weight below 2^32, compared as one number.
  struct WholeArc {
    std::uint64_t key;
    WholeArc() = default;
    WholeArc(Vertex to, std::uint32_t weight) : key(std::uint64_t{to} << 32 | weight) {}
    Vertex to() const { return static_cast<Vertex>(key >> 32); }
    double weight() const { return static_cast<double>(static_cast<std::uint32_t>(key)); }
    bool operator<(const WholeArc& other) const { return key < other.key; }
  };
  struct RealArc {
    double real;
    Vertex target;
    RealArc() = default;
    RealArc(Vertex to, double weight) : real(weight), target(to) {}
    Vertex to() const { return target; }
    double weight() const { return real; }
    bool operator<(const RealArc& other) const {
      return target < other.target || (target == other.target && real < other.real);
    }
  };

  void count_rows(std::span<const ArcChunk* const> chunks, Vertex first_row, std::size_t rows) {
    ends_.assign(rows + 1, 0);
    for (const ArcChunk* chunk : chunks) {
      chunk->for_each_arc([first_row, ends = ends_.data() + 1](Vertex row, Vertex, auto) {
        ++ends[row - first_row];
      });
    }
    for (std::size_t row = 1; row < ends_.size(); ++row) ends_[row] += ends_[row - 1];
  }

  template <class Record>
  void sort_rows(std::vector<Record>& arcs, const RowsPart& part) {
    std::size_t first = 0;
    for (std::size_t row = 0; row < part.ends.size(); ++row) {
      const std::size_t size = ends_[row] - first;
      sort_row(std::span<Record>(arcs).subspan(first, size), part, first);
      part.largest[row] = largest_magnitude(part.weights.subspan(first, size));
      first += size;
      part.ends[row] = part.first_arc + static_cast<std::int64_t>(first);
    }
  }

  template <class Record>
  void sort_row(std::span<Record> arcs, const RowsPart& part, std::size_t first) {
    Vertex* const targets = part.targets.data() + first;
    double* const weights = part.weights.data() + first;
    if (arcs.size() <= kMostRanked && sort_by_ranks<Record>(arcs, targets, weights)) return;
    if (!in_order_ || std::is_sorted(arcs.begin(), arcs.end())) {
      return sort_by_comparing(arcs, targets, weights);
    }
    given_.sort<Record>(arcs, targets, weights, static_cast<std::uint32_t>(first), as_given_);
  }

  bool in_order_;
  std::vector<std::uint32_t> ends_;
  std::vector<WholeArc> whole_;
  std::vector<RealArc> real_;  // used instead for real weights
  GivenRow given_;
  std::vector<PlaceOfArc> as_given_;  // for rows whose weights do not show the order
};

constexpr std::size_t kEdgesAtOnce = std::size_t{1} << 16;  // edges freed at once, 1 MiB
constexpr std::size_t kEdgesWorthThreads = std::size_t{1} << 16;

class BucketSort {
 public:
  BucketSort(ArcBuckets& arcs, std::size_t n, Vertex first_id)
      : threads_(arcs.threads()),
        in_order_(arcs.in_order()),
        n_(n),
        first_id_(first_id),
        listing_(arcs.list()) {}

  CompressedRows run() {
    begins_.assign(1, 0);
    for (const auto& chunks : listing_.chunks) begins_.push_back(begins_.back() + count(chunks));
    const auto arcs = static_cast<std::size_t>(begins_.back());
    rows_.targets = std::make_unique_for_overwrite<Vertex[]>(arcs);
    rows_.weights = std::make_unique_for_overwrite<double[]>(arcs);
    rows_.offsets.assign(n_ + 1, 0);
    rows_.largest.assign(n_, 0.0);
    const std::int64_t members = std::min<std::int64_t>(threads_, std::ssize(listing_.chunks));
    std::vector<RowSort> sorters(static_cast<std::size_t>(members), RowSort(in_order_));
    as_given_.resize(listing_.chunks.size());
    // Buckets differ in size, so threads take them dynamically.
    system::parallel_for(std::ssize(listing_.chunks), threads_, [&](std::int64_t b, int member) {
      sort_bucket(static_cast<std::size_t>(b), sorters[static_cast<std::size_t>(member)]);
    });
    const std::size_t sorted =
        std::min(n_, (listing_.chunks.size() << listing_.row_bits) - first_id_);
    std::fill(rows_.offsets.begin() + static_cast<std::ptrdiff_t>(sorted) + 1, rows_.offsets.end(),
              begins_.back());
    rows_.order_known = in_order_;
    put_places();
    return std::move(rows_);
  }

 private:
  void put_places() {
    std::size_t places = 0;
    for (const auto& some : as_given_) places += some.size();
    rows_.as_given.reserve(places);
    for (std::size_t b = 0; b < as_given_.size(); ++b) {
      for (const PlaceOfArc& one : as_given_[b]) {
        rows_.as_given.push_back({begins_[b] + one.arc, one.place});
      }
      std::vector<PlaceOfArc>().swap(as_given_[b]);
    }
  }

  static std::int64_t count(std::span<const ArcChunk* const> chunks) {
    std::int64_t arcs = 0;
    for (const ArcChunk* chunk : chunks) arcs += (chunk->end - sizeof(ArcChunk)) / chunk->width;
    return arcs;
  }

  void sort_bucket(std::size_t b, RowSort& sorter) {
    const auto begin = static_cast<std::size_t>(begins_[b]);
    const auto arcs = static_cast<std::size_t>(begins_[b + 1]) - begin;
    // Row `first_id_` of the file is row 0.
    const std::size_t id = std::max<std::size_t>(b << listing_.row_bits, first_id_);
    const std::size_t row = id - first_id_;
    const std::size_t behind = std::min(n_, ((b + 1) << listing_.row_bits) - first_id_);
    if (arcs > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorKind::does_not_fit, "more than 2^32 arcs from neighbouring vertices");
    }
    if (row >= behind) return;
    system::touch(rows_.targets.get() + begin, static_cast<std::int64_t>(arcs * sizeof(Vertex)));
    system::touch(rows_.weights.get() + begin, static_cast<std::int64_t>(arcs * sizeof(double)));
    sorter.sort(listing_.chunks[b], static_cast<Vertex>(id), first_id_,
                {.targets = {rows_.targets.get() + begin, arcs},
                 .weights = {rows_.weights.get() + begin, arcs},
                 .ends = {rows_.offsets.data() + row + 1, behind - row},
                 .largest = {rows_.largest.data() + row, behind - row},
                 .first_arc = begins_[b]});
    as_given_[b] = sorter.as_given();
  }

  int threads_;
  bool in_order_;
  std::size_t n_;
  Vertex first_id_;
  ArcBuckets::Listing listing_;
  std::vector<std::int64_t> begins_;
  std::vector<std::vector<PlaceOfArc>> as_given_;  // [buckets] with arcs counted in the bucket
  CompressedRows rows_;
};

constexpr std::int64_t kArcsWorthThreads = 1 << 16;  // fewer take less time than waking a thread

/// Takes the arcs [first, last) of `from`. Returns the largest |w|.
double take_row(const ArcArrays& arcs, std::size_t first, std::size_t last, Vertex from,
                std::size_t n, EdgeTally& tally) {
  double largest = 0;
  for (std::size_t a = first; a < last; ++a) {
    const Edge edge{from, arcs.targets[a], arcs.weights[a]};
    if (!is_usable(edge, n)) fail_unusable(edge, n);
    tally.take(edge);
    largest = std::max(largest, std::abs(edge.weight));
    if (a == first || arcs.targets[a - 1] < edge.to) continue;
    if (arcs.targets[a - 1] == edge.to && arcs.weights[a - 1] <= edge.weight) continue;
    throw Error(ErrorKind::usage, fmt::format("the arcs of vertex {} are out of order", from));
  }
  return largest;
}

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

ArcBuckets collect_arcs(std::vector<Edge>&& edges, std::int64_t n, bool directed, int threads,
                        bool in_order) {
  const std::size_t count = edges.size();
  ArcBuckets arcs(!directed, n, count < kEdgesWorthThreads ? 1 : threads, in_order);
  const auto blocks = static_cast<std::int64_t>((count + kEdgesAtOnce - 1) / kEdgesAtOnce);
  const auto limit = static_cast<std::size_t>(n);
  const auto usable = [limit](const Edge& edge) { return is_usable(edge, limit); };
  const auto block_of = [&](std::int64_t i) {
    const std::size_t first = static_cast<std::size_t>(i) * kEdgesAtOnce;
    return std::span(edges).subspan(first, std::min(kEdgesAtOnce, count - first));
  };
  system::parallel_for(blocks, arcs.threads(), [&](std::int64_t i) {
    const std::span<Edge> block = block_of(i);
    if (!std::all_of(block.begin(), block.end(), usable)) {
      fail_unusable(*std::find_if_not(edges.begin(), edges.end(), usable), limit);
    }
  });
  const std::int64_t parts = arcs.threads();
  system::parallel_for(parts, arcs.threads(), 1, [&](std::int64_t part) {
    for (std::int64_t i = blocks * part / parts; i < blocks * (part + 1) / parts; ++i) {
      const std::span<Edge> block = block_of(i);
      arcs.add(block, static_cast<Vertex>(n - 1), static_cast<int>(part));
      system::discard(block.data(), static_cast<std::int64_t>(block.size_bytes()));
    }
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
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  matrix.with_type([&]<class T>() {
    // Lines are taken in order, so the arcs of a row have increasing targets in either storage
    // order.
    const auto take = [&](std::int64_t first, std::int64_t lines, int) {
      for (std::int64_t line = first; line < first + lines; ++line) {
        const T* const values = static_cast<const T*>(matrix.data) + line * matrix.n;
        for (std::int64_t at = 0; at < matrix.n; ++at) {
          if (values[at] == WeightMatrix::no_arc<T>()) continue;
          if (at == line && !(values[at] < T(0))) continue;
          const std::int64_t from = matrix.by_columns ? at : line;
          const auto slot = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
          rows.targets[slot] = static_cast<Vertex>(matrix.by_columns ? line : at);
          rows.weights[slot] = static_cast<double>(values[at]) + 0.0;
        }
      }
    };
    for_each_band(matrix, {0, matrix.n}, matrix.by_columns ? 1 : threads, take);
  });
  return rows;
}

RowFacts row_facts(std::span<const std::int64_t> offsets, const ArcArrays& arcs, int threads) {
  const std::size_t n = offsets.size() - 1;
  const std::int64_t count = offsets.back();
  std::vector<double> largest(n, 0.0);
  if (count == 0) return {};
  if (count < kArcsWorthThreads) threads = 1;
  std::vector<EdgeTally> parts(static_cast<std::size_t>(threads));
  const auto rows = static_cast<std::int64_t>(n);
  // About 4 MiB of arcs at a time if rows have equal length.
  const std::int64_t block = std::max<std::int64_t>(1, rows * (std::int64_t{1} << 18) / count);
  system::parallel_for((rows + block - 1) / block, threads, [&](std::int64_t item, int member) {
    EdgeTally own;
    const std::int64_t end = std::min(rows, (item + 1) * block);
    for (std::int64_t v = item * block; v < end; ++v) {
      const auto row = static_cast<std::size_t>(v);
      largest[row] =
          take_row(arcs, static_cast<std::size_t>(offsets[row]),
                   static_cast<std::size_t>(offsets[row + 1]), static_cast<Vertex>(v), n, own);
    }
    parts[static_cast<std::size_t>(member)].add(own);
    if (member == 0) release_arcs(arcs, offsets[static_cast<std::size_t>(end)]);
  });
  EdgeTally all;
  for (const EdgeTally& part : parts) all.add(part);
  RowFacts facts{all.weight_facts(), all.loops};
  facts.weights.longest_path = longest_path(largest);
  return facts;
}

void release_arcs(const ArcArrays& arcs, std::int64_t count) {
  if (!arcs.mapped || count == 0) return;
  system::release_mapped(arcs.targets.get(), 0, count * std::int64_t{sizeof(Vertex)});
  system::release_mapped(arcs.weights.get(), 0, count * std::int64_t{sizeof(double)});
}

}  // namespace apsp::graph
