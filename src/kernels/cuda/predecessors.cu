// Predecessors from rows of distances (kernels/searches.hpp), one row per block; a finished
// block takes the next row.
//
// A search lists the vertices it has reached, level after level. A bit for each vertex of this and
// earlier levels lets most arcs end with one access to shared memory. Some neighbouring threads
// walk the arcs of a vertex, or the whole block if there are many. The smallest predecessor is an
// atomic minimum in the requested row.
#include "kernels/cuda/predecessors.hpp"

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/searching.cuh"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kTreeThreads = 256;          // of a block
constexpr int kTreeLongRow = 512;          // arcs; longer rows are shared by the whole block
constexpr int kTreeLongRows = 64;          // long rows per level
constexpr int kTreeBitsShared = 24 << 10;  // bytes; larger sets are in device memory

struct TreeArguments {
  void* predecessors;
  std::int64_t predecessor_stride;
  const void* distances;
  std::int64_t distance_stride;
  int count, vertices;
  const std::uint32_t* sources;
  const std::uint32_t* first;
  const void* arcs;
  int width;  // threads per vertex, a power of two
  unsigned* torn;
  unsigned* next;
  std::uint32_t* lists;
  unsigned* bits;  // [blocks, words], or null if they are in shared memory
  unsigned* rows;  // [blocks, vertices], or null if predecessors have 32 bits
};

struct TreeShared {
  int row, paths, reached, long_rows;
  std::uint32_t long_row[kTreeLongRows];
};

/// Type of sums of distances and weights without overflow.
template <class T>
using TreeSum = std::conditional_t<std::is_integral_v<T>, long long, double>;

template <class S>
class Tree {
 public:
  using T = typename S::Value;
  using Arc = SearchArc<T>;

  __device__ Tree(const TreeArguments& p, TreeShared& shared, unsigned* bits)
      : p_(p),
        shared_(shared),
        bits_(bits),
        list_(p.lists + std::int64_t{blockIdx.x} * p.vertices) {}

  static __host__ __device__ int words(int vertices) { return (vertices + 31) / 32; }

  __device__ void run() {
    for (;;) {
      if (thread() == 0) shared_.row = static_cast<int>(atomicAdd(p_.next, 1u));
      __syncthreads();
      const int row = shared_.row;
      if (row >= p_.count) return;
      const std::int64_t at = row * p_.predecessor_stride;
      before_ = p_.rows == nullptr ? static_cast<unsigned*>(p_.predecessors) + at
                                   : p_.rows + std::int64_t{blockIdx.x} * p_.vertices;
      distances_ = static_cast<const T*>(p_.distances) + row * p_.distance_stride;
      search(p_.sources[row]);
      if (p_.rows != nullptr) narrow(static_cast<unsigned short*>(p_.predecessors) + at);
    }
  }

 private:
  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ int threads() { return static_cast<int>(blockDim.x); }

  __device__ void search(std::uint32_t source) {
    begin(source);
    int begun = 0;
    for (int end = 1; begun < end; end = shared_.reached) {
      for (int i = begun + thread(); i < end; i += threads()) {
        const std::uint32_t v = list_[i];
        atomicOr(bits_ + v / 32, 1u << v % 32);
      }
      if (thread() == 0) shared_.long_rows = 0;
      __syncthreads();  // all have read `end` and the reached vertices
      walk_level(begun, end);
      begun = end;
      __syncthreads();
    }
    if (thread() == 0 && begun != shared_.paths) atomicAdd(p_.torn, 1u);
  }

  /// Called after the last level and a barrier.
  __device__ void narrow(unsigned short* to) const {
    for (int v = thread(); v < p_.vertices; v += threads()) {
      // Past the cache, from where atomics write.
      to[v] = static_cast<unsigned short>(__ldcg(before_ + v));
    }
  }

  __device__ void begin(std::uint32_t source) {
    if (thread() == 0) shared_.paths = 0;
    __syncthreads();
    for (int w = thread(); w < words(p_.vertices); w += threads()) bits_[w] = 0;
    int paths = 0;
    for (int v = thread(); v < p_.vertices; v += threads()) {
      before_[v] = kNone;
      paths += distances_[v] != S::zero() ? 1 : 0;
    }
    atomicAdd(&shared_.paths, paths);
    if (thread() == 0) {
      list_[0] = source;
      shared_.reached = 1;
    }
    __syncthreads();
  }

  /// Processes vertices [begun, end) of the list and adds those of the next level.
  __device__ void walk_level(int begun, int end) {
    const int lane = thread() % p_.width;
    for (int i = begun + thread() / p_.width; i < end; i += threads() / p_.width) {
      const std::uint32_t u = list_[i];
      const std::uint32_t arc = __ldg(p_.first + u), last = __ldg(p_.first + u + 1);
      if (last - arc > kTreeLongRow) {
        int kept = 0;
        if (lane == 0) kept = atomicAdd(&shared_.long_rows, 1);
        kept = __shfl_sync(neighbours(), kept, 0, p_.width);
        if (kept < kTreeLongRows) {
          if (lane == 0) shared_.long_row[kept] = u;
          continue;
        }
      }
      walk(u, arc + static_cast<std::uint32_t>(lane), last, static_cast<std::uint32_t>(p_.width));
    }
    __syncthreads();
    const int rows = min(shared_.long_rows, kTreeLongRows);
    for (int i = 0; i < rows; ++i) {
      const std::uint32_t u = shared_.long_row[i];
      walk(u, __ldg(p_.first + u) + threadIdx.x, __ldg(p_.first + u + 1), blockDim.x);
    }
  }

  __device__ unsigned neighbours() const {
    const int first = thread() % 32 / p_.width * p_.width;
    return ~0u >> (32 - p_.width) << first;
  }

  __device__ void walk(std::uint32_t u, std::uint32_t arc, std::uint32_t last, std::uint32_t step) {
    const T from = distances_[u];
    for (; arc < last; arc += step) {
      const Arc out = load_arc(static_cast<const Arc*>(p_.arcs) + arc);
      const std::uint32_t v = out.to;
      if ((bits_[v / 32] >> v % 32 & 1u) != 0 || !is_tight(from, out.weight, distances_[v]))
        continue;
      if (atomicMin(before_ + v, u) == kNone) list_[atomicAdd(&shared_.reached, 1)] = v;
    }
  }

  static __device__ bool is_tight(T from, T weight, T to) {
    if (to == S::zero()) return false;
    if constexpr (S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus) {
      using Sum = TreeSum<T>;
      return static_cast<Sum>(from) + static_cast<Sum>(weight) == static_cast<Sum>(to);
    } else {
      return S::times(from, weight) == to;
    }
  }

  static constexpr unsigned kNone = ~0u;  // −1, greater than any vertex

  const TreeArguments& p_;
  TreeShared& shared_;
  unsigned* bits_;
  std::uint32_t* list_;
  unsigned* before_ = nullptr;
  const T* distances_ = nullptr;
};

template <class S>
__global__ void __launch_bounds__(kTreeThreads) predecessors_kernel(TreeArguments p) {
  __shared__ TreeShared shared;
  extern __shared__ unsigned tree_bits[];
  const std::int64_t words = Tree<S>::words(p.vertices);
  Tree<S>(p, shared, p.bits == nullptr ? tree_bits : p.bits + blockIdx.x * words).run();
}

template <class S>
void launch(const LaunchSite& site, const SearchedPredecessors& rows) {
  const std::int64_t n = rows.predecessors.cols;
  if (rows.predecessors.rows == 0 || n == 0) return;
  TreeArguments p{};
  p.predecessors = rows.predecessors.data;
  p.predecessor_stride = rows.predecessors.stride;
  p.distances = rows.distances.data;
  p.distance_stride = rows.distances.stride;
  p.count = static_cast<int>(rows.predecessors.rows);
  p.vertices = static_cast<int>(n);
  p.sources = rows.sources;
  p.first = rows.first;
  p.arcs = rows.arcs;
  p.width = walking_threads(rows.arc_count, n, 4, 1);
  p.torn = rows.torn;
  p.next = reinterpret_cast<unsigned*>(rows.scratch);
  p.lists = reinterpret_cast<std::uint32_t*>(rows.scratch + predecessor_bytes(n, 0));
  int bytes = Tree<S>::words(p.vertices) * static_cast<int>(sizeof(unsigned));
  if (bytes > kTreeBitsShared) {
    bytes = 0;
    p.bits = p.lists + rows.searches * n;
  }
  if (predecessor_size(n) == 2) {
    p.rows = p.lists + rows.searches * (n + Tree<S>::words(p.vertices));
  }
  clear(site.stream, p.next, sizeof *p.next);
  const auto kernel = predecessors_kernel<S>;
  const int fitting = blocks_that_fit(kernel, kTreeThreads, bytes);
  kernel<<<searching_blocks(site, rows.searches, p.count, fitting), kTreeThreads,
           static_cast<std::size_t>(bytes), site.stream>>>(p);
  check_launch("looking for predecessors");
}

}  // namespace

void launch_predecessors(const LaunchSite& site, Semiring semiring, ValueType type,
                         const SearchedPredecessors& rows) {
  semiring::dispatch(semiring, type, [&]<class S>() {
    if constexpr (S::kKind != Semiring::or_and) launch<S>(site, rows);
  });
}

}  // namespace apsp::kernels::cuda
