// Dependencies of shortest paths (kernels/path_shares.hpp), one row per block; a finished block
// takes the next row.
//
// Some neighbouring threads, or the whole block for a vertex with many arcs, walk the arcs of a
// vertex and sum in a fixed order, so that bits depend only on the graph. Sums over rows are atomic
// additions to slices, which never round.
#include "kernels/cuda/path_shares.hpp"

#include <cfloat>
#include <cstdint>
#include <type_traits>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/searching.cuh"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kShareThreads = 256;            // of a block
constexpr std::uint32_t kShareLongRow = 512;  // arcs; longer rows are shared by the whole block
constexpr int kShareWarps = kShareThreads / 32;

template <class K>
__device__ K no_counted_path() {
  if constexpr (std::is_integral_v<K>) {
    return kNoCountedPath;
  } else {
    return INFINITY;
  }
}

template <class S, class K>
__global__ void gather_kernel(GatheredDistances p) {
  using T = typename S::Value;
  const T* const from = static_cast<const T*>(p.from.data) + blockIdx.y * p.from.stride;
  K* const to = static_cast<K*>(p.to.data) + blockIdx.y * p.to.stride;
  for (std::int64_t j = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; j < p.to.cols;
       j += std::int64_t{gridDim.x} * blockDim.x) {
    const T value = from[p.columns[j]];
    to[j] = value == S::zero() ? no_counted_path<K>() : static_cast<K>(value);
  }
}

template <class S>
void launch_gather(cudaStream_t stream, const GatheredDistances& gathered) {
  constexpr int kThreads = 256;
  constexpr std::int64_t kMostRows = 65535;
  for (std::int64_t row = 0; row < gathered.to.rows; row += kMostRows) {
    const std::int64_t rows = std::min(kMostRows, gathered.to.rows - row);
    GatheredDistances some = gathered;
    const int size = gathered.whole ? sizeof(std::uint32_t) : sizeof(double);
    some.to = part(gathered.to, size, row, 0, rows, gathered.to.cols);
    some.from = part(gathered.from, sizeof(typename S::Value), row, 0, rows, gathered.from.cols);
    const std::int64_t blocks =
        std::min<std::int64_t>((some.to.cols + kThreads - 1) / kThreads, 64);
    const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(rows));
    if (blocks == 0) return;
    if (gathered.whole) {
      gather_kernel<S, std::uint32_t><<<grid, kThreads, 0, stream>>>(some);
    } else {
      gather_kernel<S, double><<<grid, kThreads, 0, stream>>>(some);
    }
    check_launch("gathering distances");
  }
}

struct ShareArguments {
  PathShares of;
  int width;  // threads per vertex, a power of two
  unsigned* next;
  double* values;        // [blocks, vertices + 2]
  std::uint32_t* lists;  // [blocks, 4, vertices + 2]
};

struct ShareShared {
  int row, paths, reached, long_rows;
  double part[kShareWarps];
};

template <class K>
class ShareSearch {
 public:
  using Arc = SearchArc<K>;

  __device__ ShareSearch(const ShareArguments& arguments, ShareShared& shared)
      : p_(arguments.of), width_(arguments.width), next_(arguments.next), shared_(shared) {
    const std::int64_t length = p_.vertices + 2;
    values_ = arguments.values + blockIdx.x * length;
    waiting_ = arguments.lists + blockIdx.x * 4 * length;
    list_ = waiting_ + length;
    level_end_ = list_ + length;
    long_rows_ = level_end_ + length;
  }

  __device__ void run() {
    for (;;) {
      if (thread() == 0) shared_.row = static_cast<int>(atomicAdd(next_, 1u));
      __syncthreads();
      const int row = shared_.row;
      if (row >= p_.rows) return;
      distances_ = reinterpret_cast<const K*>(p_.distances) + row * p_.vertices;
      source_ = p_.sources[row];
      times_ = p_.times[row];
      begin();
      const int levels = count_paths();
      if (shared_.reached != shared_.paths) {
        if (thread() == 0) atomicOr(p_.found, kTornPaths);
      } else {
        add_up_shares(levels);
      }
      __syncthreads();
    }
  }

 private:
  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ int threads() { return static_cast<int>(blockDim.x); }

  /// The distance at the end of an arc; none if that vertex is not counted.
  __device__ K at(std::uint32_t v) const {
    return v < p_.vertices ? distances_[v] : no_counted_path<K>();
  }

  /// Counts the vertices before each that are not ready; the source is the first level.
  __device__ void begin() {
    if (thread() == 0) {
      shared_.paths = 0;
      shared_.reached = 1;
      list_[0] = source_;
    }
    __syncthreads();
    int paths = 0;
    walk(
        0, static_cast<int>(p_.vertices), [](int i) { return static_cast<std::uint32_t>(i); },
        p_.in,
        [&](std::uint32_t v, const Arc& arc, std::uint32_t) {
          const K d = distances_[v];
          return d != no_counted_path<K>() && at(arc.to) + arc.weight == d ? 1.0 : 0.0;
        },
        [&](std::uint32_t v, double before) {
          if (distances_[v] == no_counted_path<K>()) return;
          ++paths;
          waiting_[v] = static_cast<std::uint32_t>(before);
        });
    if (paths > 0) atomicAdd(&shared_.paths, paths);
    __syncthreads();
  }

  /// Counts paths by levels from the source. Returns the number of levels.
  __device__ int count_paths() {
    int begun = 0, level = 0;
    for (int end = 1; begun < end; ++level) {
      if (thread() == 0) level_end_[level] = static_cast<std::uint32_t>(end);
      const auto of_list = [this](int i) { return list_[i]; };
      walk(
          begun, end, of_list, p_.in,
          [this](std::uint32_t v, const Arc& arc, std::uint32_t) {
            return at(arc.to) + arc.weight == distances_[v] ? values_[arc.to] : 0.0;
          },
          [this](std::uint32_t v, double paths) {
            if (v == source_) paths = 1;
            if (!(paths <= DBL_MAX)) atomicOr(p_.found, kTooManyPaths);
            values_[v] = paths;
          });
      walk(
          begun, end, of_list, p_.out,
          [this](std::uint32_t v, const Arc& arc, std::uint32_t) {
            if (arc.to < p_.vertices && distances_[v] + arc.weight == distances_[arc.to] &&
                atomicSub(waiting_ + arc.to, 1u) == 1) {
              list_[atomicAdd(&shared_.reached, 1)] = arc.to;
            }
            return 0.0;
          },
          [](std::uint32_t, double) {});
      __syncthreads();
      begun = end;
      end = shared_.reached;
      __syncthreads();  // all have read `end`
    }
    return level;
  }

  __device__ void add_up_shares(int levels) {
    for (int level = levels - 1; level >= 0; --level) {
      const int begun = level == 0 ? 0 : static_cast<int>(level_end_[level - 1]);
      const int end = static_cast<int>(level_end_[level]);
      walk(
          begun, end, [this](int i) { return list_[i]; }, p_.out,
          [this](std::uint32_t v, const Arc& arc, std::uint32_t place) {
            if (arc.to >= p_.vertices || distances_[v] + arc.weight != distances_[arc.to])
              return 0.0;
            const double share = values_[arc.to];
            if (p_.of_arcs.high != nullptr) add(p_.of_arcs, place, __dmul_rn(values_[v], share));
            return share;
          },
          [this](std::uint32_t v, double shares) { close(v, shares); });
      __syncthreads();
    }
  }

  /// Sets the dependency of a vertex; `values_` held its number of paths.
  __device__ void close(std::uint32_t v, double shares) {
    const double paths = values_[v], through = __dmul_rn(paths, shares);
    values_[v] = __ddiv_rn(__dadd_rn(p_.stand_for[v], through), paths);
    double share = p_.ends ? __dadd_rn(through, 1.0) : through;
    if (v == source_) share = p_.ends ? static_cast<double>(shared_.reached - 1) : 0.0;
    add(p_.of_vertices, v, share);
  }

  __device__ void add(const SlicedSums& sums, std::int64_t i, double share) const {
    const double value = __dmul_rn(share, times_);
    if (value == 0) return;
    const double high = __dsub_rn(__dadd_rn(value, p_.round_high), p_.round_high);
    const double low = __dsub_rn(__dadd_rn(__dsub_rn(value, high), p_.round_low), p_.round_low);
    if (high != 0) atomicAdd(sums.high + i, high);
    if (low != 0) atomicAdd(sums.low + i, low);
  }

  /// Calls, for vertices vertex_at(begin), … , vertex_at(end − 1), of_arc(v, arc, its index) for
  /// all arcs, then, in one thread, of_vertex(v, their sum). Called by all threads of the block.
  template <class At, class OfArc, class OfVertex>
  __device__ void walk(int begin, int end, At&& vertex_at, const CountedArcRows& rows,
                       OfArc&& of_arc, OfVertex&& of_vertex) {
    const bool long_rows = p_.most_arcs > kShareLongRow;
    if (long_rows) {
      if (thread() == 0) shared_.long_rows = 0;
      __syncthreads();
    }
    const int lane = thread() % width_, step = threads() / width_;
    for (int i = begin + thread() / width_; i < end; i += step) {
      const std::uint32_t v = vertex_at(i);
      const std::uint32_t first = __ldg(rows.first + v), last = __ldg(rows.first + v + 1);
      if (last - first > kShareLongRow) {
        if (lane == 0) long_rows_[atomicAdd(&shared_.long_rows, 1)] = v;
        continue;
      }
      double sum = sum_of(v, first + static_cast<std::uint32_t>(lane), last,
                          static_cast<std::uint32_t>(width_), rows, of_arc);
      for (int other = width_ / 2; other > 0; other /= 2) {
        sum = __dadd_rn(sum, __shfl_xor_sync(neighbours(), sum, other, width_));
      }
      if (lane == 0) of_vertex(v, sum);
    }
    if (!long_rows) return;
    __syncthreads();
    for (int i = 0, kept = shared_.long_rows; i < kept; ++i) {
      const std::uint32_t v = long_rows_[i];
      const double sum = of_block(sum_of(v, __ldg(rows.first + v) + threadIdx.x,
                                         __ldg(rows.first + v + 1), blockDim.x, rows, of_arc));
      if (thread() == 0) of_vertex(v, sum);
      __syncthreads();
    }
  }

  template <class OfArc>
  __device__ double sum_of(std::uint32_t v, std::uint32_t arc, std::uint32_t last,
                           std::uint32_t step, const CountedArcRows& rows, OfArc&& of_arc) {
    double sum = 0;
    for (; arc < last; arc += step) {
      sum = __dadd_rn(sum, of_arc(v, load_arc(reinterpret_cast<const Arc*>(rows.arcs) + arc), arc));
    }
    return sum;
  }

  /// Sums over all threads in the order of their numbers; thread 0 gets the result.
  __device__ double of_block(double sum) {
    for (int other = 16; other > 0; other /= 2) {
      sum = __dadd_rn(sum, __shfl_xor_sync(~0u, sum, other));
    }
    if (thread() % 32 == 0) shared_.part[thread() / 32] = sum;
    __syncthreads();
    double all = 0;
    if (thread() == 0) {
      for (int i = 0; i < kShareWarps; ++i) all = __dadd_rn(all, shared_.part[i]);
    }
    return all;
  }

  __device__ unsigned neighbours() const {
    const int first = thread() % 32 / width_ * width_;
    return ~0u >> (32 - width_) << first;
  }

  const PathShares& p_;
  int width_;
  unsigned* next_;
  ShareShared& shared_;
  double* values_;  // numbers of paths; after the vertex' level on the way back, (ω + δ) / σ
  std::uint32_t *waiting_, *list_, *level_end_, *long_rows_;
  const K* distances_ = nullptr;
  std::uint32_t source_ = 0;
  double times_ = 1;
};

template <class K>
__global__ void __launch_bounds__(kShareThreads) share_kernel(ShareArguments p) {
  __shared__ ShareShared shared;
  ShareSearch<K>(p, shared).run();
}

template <class K>
void launch(const LaunchSite& site, const ShareArguments& arguments) {
  const auto kernel = share_kernel<K>;
  const int fitting = blocks_that_fit(kernel, kShareThreads, 0);
  kernel<<<searching_blocks(site, arguments.of.searches, arguments.of.rows, fitting), kShareThreads,
           0, site.stream>>>(arguments);
  check_launch("adding up shares of paths");
}

}  // namespace

LaunchGather gather_distances(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type, [&]<class S>() -> LaunchGather {
    if constexpr (S::kKind == Semiring::min_plus) {
      return launch_gather<S>;
    } else {
      return nullptr;
    }
  });
}

void launch_path_shares(const LaunchSite& site, const PathShares& shares) {
  if (shares.rows == 0 || shares.vertices == 0) return;
  ShareArguments p{};
  p.of = shares;
  // One thread per vertex for roads, whose sums then have the host's bits.
  p.width = walking_threads(shares.arc_count, shares.vertices, 1, 4);
  p.next = reinterpret_cast<unsigned*>(shares.scratch);
  p.values = reinterpret_cast<double*>(shares.scratch + share_bytes(shares.vertices, 0));
  p.lists = reinterpret_cast<std::uint32_t*>(p.values + shares.searches * (shares.vertices + 2));
  clear(site.stream, p.next, sizeof *p.next);
  if (shares.whole) {
    launch<std::uint32_t>(site, p);
  } else {
    launch<double>(site, p);
  }
}

}  // namespace apsp::kernels::cuda
