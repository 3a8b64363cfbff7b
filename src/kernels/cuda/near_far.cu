// Near-far searches (kernels/searches.hpp), a block a source; blocks take the next source when
// they are done with one.
//
// Distances of a search lie in shared memory where they fit, else in the row that is asked for: an
// arc costs a look at one distance, at random, and that is most of the time. A vertex is in a set
// if its bit is set, and stands in that set's list once. A warp takes some vertices of the list of
// near ones at a time and walks their arcs as one row, so that short rows fill it; rows too long
// for a warp are kept for the whole block.
#include "kernels/cuda/device_operations.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/searches.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kNearFarThreads = 1024;  // of a block, at most
constexpr int kLongRow = 256;          // arcs: more are shared by the whole block
constexpr int kLongRows = 128;         // that are kept for it in a round

struct NearFarArguments {
  void* rows;
  std::int64_t stride;
  int count, vertices;
  const std::uint32_t* sources;
  const std::uint32_t* first;
  const void* arcs;
  double step;
  unsigned* next;        // the source that is to be taken next
  std::uint32_t* lists;  // [blocks, 3, vertices]
};

/// What the threads of a block agree on.
template <class T>
struct NearFarShared {
  int source, taken, long_rows;
  int counts[3];  // of the lists
  T best[kNearFarThreads / 32];
  std::uint32_t row_begin[kLongRows], row_end[kLongRows];
  T row_key[kLongRows];
};

template <class S, bool kKeysShared>
class NearFar {
 public:
  using T = typename S::Value;
  using Arc = SearchArc<T>;
  static constexpr bool kIsSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  static constexpr bool kLessIsBetter = S::better(T(1), T(2));

  __device__ NearFar(const NearFarArguments& p, NearFarShared<T>& shared, unsigned* bits, T* keys)
      : p_(p), shared_(shared), keys_(keys), near_bits_(bits), far_bits_(bits + words(p)) {}

  static __host__ __device__ int words(const NearFarArguments& p) { return (p.vertices + 31) / 32; }

  __device__ void run() {
    std::uint32_t* const lists = p_.lists + blockIdx.x * std::int64_t{3} * p_.vertices;
    for (;;) {
      if (threadIdx.x == 0) shared_.source = static_cast<int>(atomicAdd(p_.next, 1));
      __syncthreads();
      const int index = shared_.source;
      if (index >= p_.count) return;
      T* const row = static_cast<T*>(p_.rows) + index * p_.stride;
      if constexpr (!kKeysShared) keys_ = row;
      near_ = {lists, 0};
      next_ = {lists + p_.vertices, 1};
      far_ = {lists + 2 * std::int64_t{p_.vertices}, 2};
      search(p_.sources[index]);
      if constexpr (kKeysShared) {
        for (int v = thread(); v < p_.vertices; v += threads()) row[v] = keys_[v];
      }
      __syncthreads();
    }
  }

 private:
  struct List {
    std::uint32_t* at;
    int count;  // which of the shared ones
  };

  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ int threads() { return static_cast<int>(blockDim.x); }
  static __device__ int lane() { return thread() % 32; }

  __device__ void search(std::uint32_t source) {
    for (int v = thread(); v < p_.vertices; v += threads()) keys_[v] = S::zero();
    for (int w = thread(); w < 2 * words(p_); w += threads()) near_bits_[w] = 0;
    __syncthreads();
    if (thread() == 0) {
      keys_[source] = S::one();
      near_bits_[source / 32] = 1u << source % 32;
      near_.at[0] = source;
      shared_.counts[near_.count] = 1;
      shared_.counts[next_.count] = shared_.counts[far_.count] = 0;
      shared_.taken = shared_.long_rows = 0;
    }
    bound_ = worse_by_step(S::one());
    __syncthreads();
    do {
      for (int count = shared_.counts[near_.count]; count > 0;) {
        relax_near(count);
        if (thread() == 0) shared_.taken = shared_.long_rows = shared_.counts[near_.count] = 0;
        swap(near_, next_);
        __syncthreads();
        count = shared_.counts[near_.count];
      }
    } while (part_far());
  }

  static __device__ void swap(List& a, List& b) {
    const List c = a;
    a = b;
    b = c;
  }

  __device__ void relax_near(int count) {
    const int chunk = min(32, (count * 32 + threads() - 1) / threads());
    for (;;) {
      int begin = 0;
      if (lane() == 0) begin = atomicAdd(&shared_.taken, chunk);
      begin = __shfl_sync(~0u, begin, 0);
      if (begin >= count) break;
      relax_some(begin, min(chunk, count - begin));
    }
    __syncthreads();
    const int rows = min(shared_.long_rows, kLongRows);
    for (int i = 0; i < rows; ++i) {
      const std::uint32_t end = shared_.row_end[i];
      const T key = shared_.row_key[i];
      for (std::uint32_t a = shared_.row_begin[i] + threadIdx.x; a < end; a += blockDim.x) {
        relax(key, a);
      }
    }
    __syncthreads();
  }

  /// A warp walks the arcs of up to 32 near vertices.
  __device__ void relax_some(int begin, int count) {
    T key = S::zero();
    std::uint32_t arc = 0;
    int degree = 0;
    if (lane() < count) {
      const std::uint32_t v = near_.at[begin + lane()];
      atomicAnd(near_bits_ + v / 32, ~(1u << v % 32));
      __threadfence_block();  // what becomes better from here on stands in the next list
      key = known(v);
      arc = __ldg(p_.first + v);
      degree = static_cast<int>(__ldg(p_.first + v + 1) - arc);
      if (degree > kLongRow) {
        const int i = atomicAdd(&shared_.long_rows, 1);
        if (i < kLongRows) {
          shared_.row_begin[i] = arc;
          shared_.row_end[i] = arc + static_cast<std::uint32_t>(degree);
          shared_.row_key[i] = key;
          degree = 0;
        }
      }
    }
    int end = degree;  // of the vertex's arcs among those of the warp
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int before = __shfl_up_sync(~0u, end, step);
      if (lane() >= step) end += before;
    }
    const int all = __shfl_sync(~0u, end, 31);
    const std::uint32_t base = arc - static_cast<std::uint32_t>(end - degree);
    for (int i = lane(); i - lane() < all; i += 32) {
      int owner = 0;
#pragma unroll
      for (int step = 16; step > 0; step /= 2) {
        if (__shfl_sync(~0u, end, owner + step - 1) <= i) owner += step;
      }
      const T from = __shfl_sync(~0u, key, owner);
      const std::uint32_t at = __shfl_sync(~0u, base, owner) + static_cast<std::uint32_t>(i);
      if (i < all) relax(from, at);
    }
  }

  __device__ void relax(T from, std::uint32_t at) {
    const Arc arc = load(static_cast<const Arc*>(p_.arcs) + at);
    const T through = extended(from, arc.weight);
    if (!S::better(through, known(arc.to)) || !improve(keys_ + arc.to, through)) return;
    __threadfence_block();
    S::better(bound_, through) ? put(arc.to, far_bits_, far_) : put(arc.to, near_bits_, next_);
  }

  __device__ void put(std::uint32_t v, unsigned* bits, const List& list) {
    const unsigned bit = 1u << v % 32;
    if ((atomicOr(bits + v / 32, bit) & bit) != 0) return;
    list.at[atomicAdd(shared_.counts + list.count, 1)] = v;
  }

  /// The best of the far vertices, and those a step worse, become near. False: there is none.
  __device__ bool part_far() {
    const int count = shared_.counts[far_.count];
    T best = S::zero();
    for (int i = thread(); i < count; i += threads()) {
      const T key = known(far_.at[i]);
      if (S::better(bound_, key)) best = S::plus(best, key);  // others were near meanwhile
    }
    best = best_of_block(best);
    if (best == S::zero()) return false;
    const T bound = worse_by_step(best);
    for (int i = thread(); i < count; i += threads()) {
      const std::uint32_t v = far_.at[i];
      const T key = known(v);
      if (S::better(bound, key)) {
        next_.at[atomicAdd(shared_.counts + next_.count, 1)] = v;
        continue;
      }
      atomicAnd(far_bits_ + v / 32, ~(1u << v % 32));
      if (S::better(bound_, key)) put(v, near_bits_, near_);
    }
    bound_ = bound;
    __syncthreads();
    if (thread() == 0) shared_.counts[far_.count] = 0;
    swap(far_, next_);
    __syncthreads();
    return true;
  }

  __device__ T best_of_block(T best) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
      best = S::plus(best, __shfl_xor_sync(~0u, best, step));
    }
    if (lane() == 0) shared_.best[thread() / 32] = best;
    __syncthreads();
    best = S::zero();
    for (int w = 0; w < threads() / 32; ++w) best = S::plus(best, shared_.best[w]);
    return best;
  }

  /// Neither is "no path" to the kernel: what is longer than any path is better than none of them.
  static __device__ T extended(T path, T weight) {
    if constexpr (kIsSum) return static_cast<T>(path + weight);
    return S::times(path, weight);
  }

  __device__ T worse_by_step(T key) const {
    if constexpr (std::is_integral_v<T>) {
      const double worse = kLessIsBetter ? key + p_.step : key - p_.step;
      return static_cast<T>(kLessIsBetter ? fmin(worse, double(S::zero()))
                                          : fmax(worse, double(S::zero())));
    } else {
      return kLessIsBetter ? key + static_cast<T>(p_.step) : key - static_cast<T>(p_.step);
    }
  }

  /// Others may make it better at any time.
  __device__ T known(std::uint32_t v) const { return *const_cast<volatile T*>(keys_ + v); }

  static __device__ Arc load(const Arc* from) {
    Arc arc;
    if constexpr (sizeof(Arc) == 8) {
      const int2 words = __ldg(reinterpret_cast<const int2*>(from));
      memcpy(&arc, &words, sizeof arc);
    } else {
      const int4 words = __ldg(reinterpret_cast<const int4*>(from));
      memcpy(&arc, &words, sizeof arc);
    }
    return arc;
  }

  /// Whether `key` is better than what is there, and now is.
  static __device__ bool improve(T* at, T key) {
    if constexpr (std::is_same_v<T, std::int32_t>) {
      return S::better(key, kLessIsBetter ? atomicMin(at, key) : atomicMax(at, key));
    } else {
      using Word = std::conditional_t<sizeof(T) == 8, unsigned long long,
                                      std::conditional_t<sizeof(T) == 4, unsigned, unsigned short>>;
      Word wanted;
      memcpy(&wanted, &key, sizeof key);
      T there = *const_cast<volatile T*>(at);
      while (S::better(key, there)) {
        Word known;
        memcpy(&known, &there, sizeof known);
        const Word found = atomicCAS(reinterpret_cast<Word*>(at), known, wanted);
        if (found == known) return true;
        memcpy(&there, &found, sizeof there);
      }
      return false;
    }
  }

  const NearFarArguments& p_;
  NearFarShared<T>& shared_;
  T* keys_;
  unsigned* near_bits_;
  unsigned* far_bits_;
  List near_{}, next_{}, far_{};
  T bound_{};
};

template <class S, bool kKeysShared>
__global__ void __launch_bounds__(kNearFarThreads) near_far_kernel(NearFarArguments p) {
  using Search = NearFar<S, kKeysShared>;
  __shared__ NearFarShared<typename S::Value> shared;
  extern __shared__ __align__(16) unsigned memory[];
  // Two sets of bits, a multiple of 16 bytes, then distances.
  auto* const keys =
      reinterpret_cast<typename S::Value*>(memory + (2 * Search::words(p) + 3) / 4 * 4);
  Search(p, shared, memory, keys).run();
}

template <class S, bool kKeysShared>
void launch_near_far(const LaunchSite& site, const NearFarArguments& p, int bytes,
                     std::int64_t searches, std::int64_t arcs) {
  const auto kernel = near_far_kernel<S, kKeysShared>;
  allow_shared_memory(kernel, bytes, "preparing searches");
  const auto fitting = [&](int threads) { return blocks_that_fit(kernel, threads, bytes); };
  // The smallest blocks that keep a multiprocessor as busy, where its memory takes so many; else
  // few searches at a time, whose rows stay in the cache, unless their sets are small.
  constexpr int kLeast = 128, kOfSmallSets = 256, kLargeDegree = 4;
  int threads = kNearFarThreads;
  if (kKeysShared) {
    while (threads > kLeast && fitting(threads / 2) >= 2 * fitting(threads)) threads /= 2;
  } else if (arcs < kLargeDegree * std::int64_t{p.vertices}) {
    threads = kOfSmallSets;
  }
  const int blocks = fitting(threads);
  const std::int64_t all = std::min<std::int64_t>(
      {searches, std::int64_t{p.count}, std::int64_t{site.multiprocessors} * blocks});
  kernel<<<static_cast<unsigned>(all), static_cast<unsigned>(threads),
           static_cast<std::size_t>(bytes), site.stream>>>(p);
  check_launch("searches");
}

template <class S>
void launch_search_rows(const LaunchSite& site, const SearchedRows& rows) {
  if (rows.rows.rows == 0 || rows.rows.cols == 0) return;
  NearFarArguments p{};
  p.rows = rows.rows.data;
  p.stride = rows.rows.stride;
  p.count = static_cast<int>(rows.rows.rows);
  p.vertices = static_cast<int>(rows.rows.cols);
  p.sources = rows.sources;
  p.first = rows.first;
  p.arcs = rows.arcs;
  p.step = rows.step;
  p.next = reinterpret_cast<unsigned*>(rows.scratch);
  p.lists = reinterpret_cast<std::uint32_t*>(rows.scratch + search_bytes(p.vertices, 0));
  clear(site.stream, p.next, sizeof *p.next);
  const int most =
      most_shared_memory() - static_cast<int>(sizeof(NearFarShared<typename S::Value>)) - 1024;
  const int bits = (2 * ((p.vertices + 31) / 32) + 3) / 4 * 16;
  const std::int64_t with_keys =
      bits + std::int64_t{p.vertices} * std::int64_t{sizeof(typename S::Value)};
  if (with_keys <= most) {
    launch_near_far<S, true>(site, p, static_cast<int>(with_keys), rows.searches, rows.arc_count);
  } else {
    launch_near_far<S, false>(site, p, bits, rows.searches, rows.arc_count);
  }
}

}  // namespace

LaunchSearch near_far(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type, [&]<class S>() -> LaunchSearch {
    if constexpr (S::kKind == Semiring::or_and) {
      return nullptr;
    } else {
      return launch_search_rows<S>;
    }
  });
}

}  // namespace apsp::kernels::cuda
