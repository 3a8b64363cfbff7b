// Near-far searches (kernels/searches.hpp), one source per block; a finished block takes the next
// source.
//
// Distances of a search are in shared memory if they fit, because an arc costs a random access to
// one distance, which is most of the time. A bit marks near vertices that are in a list. These bits
// are in shared memory too if they fit (up to 1.8 million vertices on an H100). Far vertices need
// no bit: the first far path to a vertex lists it until it is near.
//
// A warp takes some near vertices at a time and walks their arcs as one row, so that short rows
// fill the warp; rows too long for a warp are processed by the whole block.
#include "kernels/cuda/near_far.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/searching.cuh"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kNearFarThreads = 1024;  // of a block, at most
constexpr int kLongRow = 256;          // arcs; longer rows are shared by the whole block
constexpr int kLongRows = 128;         // long rows per round

struct NearFarArguments {
  void* rows;
  std::int64_t stride, columns;
  int count;
  std::uint32_t vertices;
  const std::uint32_t* sources;
  const std::uint32_t* listed;  // vertices of the columns, or null
  const std::uint32_t* first;
  const void* arcs;
  const double* potentials;
  double sign;
  double step;
  bool arcs_pass;  // arcs bypass the second-level cache, which keeps distances
  unsigned* next;  // index of the next source
  std::byte* scratch;
  std::int64_t scratch_of_each;  // bytes per block
};

/// The data of a search in shared memory; other data is in scratch memory.
enum class Shared { keys_and_set, set, none };

template <class S>
struct Found {
  using Value = typename S::Value;
  static constexpr bool kReduced = false;
};
template <class T>
struct Found<ReducedSum<T>> {
  using Value = T;
  static constexpr bool kReduced = true;
};

template <class T>
struct NearFarShared {
  int source;
  unsigned taken, long_rows;
  unsigned counts[3];
  T best[kNearFarThreads / 32];
  std::uint32_t row_begin[kLongRows], row_end[kLongRows];
  T row_key[kLongRows];
};

template <class S, Shared kShared>
class NearFar {
 public:
  using T = typename S::Value;
  using Distance = typename Found<S>::Value;
  using Arc = SearchArc<T>;
  static constexpr bool kIsSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  static constexpr bool kLessIsBetter = S::better(T(1), T(2));

  /// `memory`: shared memory for the bits, then the keys.
  __device__ NearFar(const NearFarArguments& p, NearFarShared<T>& shared, unsigned* memory)
      : p_(p), shared_(shared) {
    std::byte* const mine = p.scratch + blockIdx.x * p.scratch_of_each;
    keys_ = kShared == Shared::keys_and_set ? reinterpret_cast<T*>(memory + set_words(p))
                                            : reinterpret_cast<T*>(mine);
    lists_ = reinterpret_cast<std::uint32_t*>(
        mine + search_key_bytes(p.vertices, static_cast<int>(sizeof(T))));
    near_bits_ = kShared == Shared::none ? lists_ + 3 * std::int64_t{p.vertices} : memory;
  }

  static __host__ __device__ unsigned words(const NearFarArguments& p) {
    return (p.vertices + 31) / 32;
  }
  /// Words of a set in shared memory, a multiple of 16 bytes.
  static __host__ __device__ unsigned set_words(const NearFarArguments& p) {
    return (words(p) + 3) / 4 * 4;
  }

  __device__ void run() {
    for (;;) {
      if (threadIdx.x == 0) shared_.source = static_cast<int>(atomicAdd(p_.next, 1));
      __syncthreads();
      const int index = shared_.source;
      if (index >= p_.count) return;
      near_ = {lists_, 0};
      next_ = {lists_ + p_.vertices, 1};
      far_ = {lists_ + 2 * std::int64_t{p_.vertices}, 2};
      search(p_.sources[index]);
      write(static_cast<Distance*>(p_.rows) + index * p_.stride, p_.sources[index]);
      __syncthreads();
    }
  }

 private:
  struct List {
    std::uint32_t* at;
    int count;
  };

  static __device__ unsigned lane() { return threadIdx.x % 32; }

  __device__ void search(std::uint32_t source) {
    for (unsigned v = threadIdx.x; v < p_.vertices; v += blockDim.x) keys_[v] = S::zero();
    for (unsigned w = threadIdx.x; w < words(p_); w += blockDim.x) near_bits_[w] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
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
      for (unsigned count = shared_.counts[near_.count]; count > 0;) {
        relax_near(count);
        if (threadIdx.x == 0) shared_.taken = shared_.long_rows = shared_.counts[near_.count] = 0;
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

  __device__ void write(Distance* row, std::uint32_t source) const {
    for (std::int64_t j = threadIdx.x; j < p_.columns; j += blockDim.x) {
      const std::uint32_t v =
          p_.listed == nullptr ? static_cast<std::uint32_t>(j) : __ldg(p_.listed + j);
      row[j] = distance(keys_[v], source, v);
    }
  }

  __device__ Distance distance(T key, std::uint32_t source, std::uint32_t to) const {
    if constexpr (!Found<S>::kReduced) {
      return key;
    } else {
      return S::distance(key, __ldg(p_.potentials + source), __ldg(p_.potentials + to), p_.sign);
    }
  }

  __device__ void relax_near(unsigned count) {
    const unsigned warps = blockDim.x / 32, chunk = min(32u, (count + warps - 1) / warps);
    for (;;) {
      unsigned begin = 0;
      if (lane() == 0) begin = atomicAdd(&shared_.taken, chunk);
      begin = __shfl_sync(~0u, begin, 0);
      if (begin >= count) break;
      relax_some(begin, min(chunk, count - begin));
    }
    __syncthreads();
    const unsigned rows = min(shared_.long_rows, unsigned{kLongRows});
    for (unsigned i = 0; i < rows; ++i) {
      const std::uint32_t end = shared_.row_end[i];
      const T key = shared_.row_key[i];
      for (std::uint32_t a = shared_.row_begin[i] + threadIdx.x; a < end; a += blockDim.x) {
        relax(key, a);
      }
    }
    __syncthreads();
  }

  /// A warp walks the arcs of up to 32 near vertices.
  __device__ void relax_some(unsigned begin, unsigned count) {
    T key = S::zero();
    std::uint32_t arc = 0, degree = 0;
    if (lane() < count) {
      const std::uint32_t v = near_.at[begin + lane()];
      atomicAnd(near_bits_ + v / 32, ~(1u << v % 32));
      __threadfence_block();  // later improvements are added to the next list
      key = known(v);
      arc = __ldg(p_.first + v);
      degree = __ldg(p_.first + v + 1) - arc;
      if (degree > kLongRow) {
        const unsigned i = atomicAdd(&shared_.long_rows, 1u);
        if (i < kLongRows) {
          shared_.row_begin[i] = arc;
          shared_.row_end[i] = arc + degree;
          shared_.row_key[i] = key;
          degree = 0;
        }
      }
    }
    std::uint32_t end = degree;
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
      const std::uint32_t before = __shfl_up_sync(~0u, end, step);
      if (lane() >= step) end += before;
    }
    const std::uint32_t all = __shfl_sync(~0u, end, 31);
    const std::uint32_t base = arc - (end - degree);
    for (std::uint32_t i = lane(); i - lane() < all; i += 32) {
      int owner = 0;
#pragma unroll
      for (int step = 16; step > 0; step /= 2) {
        if (__shfl_sync(~0u, end, owner + step - 1) <= i) owner += step;
      }
      const T from = __shfl_sync(~0u, key, owner);
      const std::uint32_t at = __shfl_sync(~0u, base, owner) + i;
      if (i < all) relax(from, at);
    }
  }

  __device__ void relax(T from, std::uint32_t at) {
    const Arc arc = load_arc(static_cast<const Arc*>(p_.arcs) + at, p_.arcs_pass);
    const T through = extended(from, arc.weight);
    if (!S::better(through, known(arc.to))) return;
    const T before = improve(keys_ + arc.to, through);
    if (!S::better(through, before)) return;
    __threadfence_block();
    if (!S::better(bound_, through)) {
      put_near(arc.to, next_);
    } else if (before == S::zero()) {  // otherwise it is listed as far already
      add(arc.to, far_);
    }
  }

  __device__ void put_near(std::uint32_t v, const List& list) {
    const unsigned bit = 1u << v % 32;
    if ((atomicOr(near_bits_ + v / 32, bit) & bit) == 0) add(v, list);
  }
  __device__ void add(std::uint32_t v, const List& list) {
    list.at[atomicAdd(shared_.counts + list.count, 1u)] = v;
  }

  /// Makes the best far vertices, up to a step worse, near. Returns false if there are none.
  __device__ bool part_far() {
    const unsigned count = shared_.counts[far_.count];
    T best = S::zero();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
      const T key = known(far_.at[i]);
      if (S::better(bound_, key)) best = S::plus(best, key);  // others became near meanwhile
    }
    best = best_of_block(best);
    if (best == S::zero()) return false;
    const T bound = worse_by_step(best);
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
      const std::uint32_t v = far_.at[i];
      const T key = known(v);
      if (S::better(bound, key)) {
        add(v, next_);
      } else if (S::better(bound_, key)) {
        put_near(v, near_);
      }
    }
    bound_ = bound;
    __syncthreads();
    if (threadIdx.x == 0) shared_.counts[far_.count] = 0;
    swap(far_, next_);
    __syncthreads();
    return true;
  }

  __device__ T best_of_block(T best) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
      best = S::plus(best, __shfl_xor_sync(~0u, best, step));
    }
    if (lane() == 0) shared_.best[threadIdx.x / 32] = best;
    __syncthreads();
    best = S::zero();
    for (unsigned w = 0; w < blockDim.x / 32; ++w) best = S::plus(best, shared_.best[w]);
    return best;
  }

  /// Neither operand is "no path": a path that is too long is still better than none.
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

  /// Other threads may improve it at any time.
  __device__ T known(std::uint32_t v) const { return *const_cast<volatile T*>(keys_ + v); }

  /// Stores `key` if it is better. Returns the old key; `key` was stored if that is worse.
  static __device__ T improve(T* at, T key) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
      return kLessIsBetter ? atomicMin(at, key) : atomicMax(at, key);
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
        if (found == known) break;
        memcpy(&there, &found, sizeof there);
      }
      return there;
    }
  }

  const NearFarArguments& p_;
  NearFarShared<T>& shared_;
  T* keys_;
  std::uint32_t* lists_;  // [3, vertices]
  unsigned* near_bits_;
  List near_{}, next_{}, far_{};
  T bound_{};
};

/// Blocks per multiprocessor. If distances may stay in the second-level cache, few searches at a
/// time keep them there and get the registers.
template <Shared kShared>
inline constexpr int kBlocksAtLeast = kShared == Shared::set ? 1 : 2;

template <class S, Shared kShared>
__global__ void __launch_bounds__(kNearFarThreads, kBlocksAtLeast<kShared>)
    near_far_kernel(NearFarArguments p) {
  __shared__ NearFarShared<typename S::Value> shared;
  extern __shared__ __align__(16) unsigned memory[];
  NearFar<S, kShared>(p, shared, memory).run();
}

template <class S, Shared kShared>
void launch_near_far(const LaunchSite& site, const NearFarArguments& p, std::int64_t memory,
                     const SearchedRows& rows) {
  const auto kernel = near_far_kernel<S, kShared>;
  const int bytes = static_cast<int>(memory);
  allow_shared_memory(kernel, bytes, "preparing searches");
  const auto fitting = [&](int threads) { return blocks_that_fit(kernel, threads, bytes); };
  // Keys in shared memory: the smallest blocks with full occupancy. Otherwise few searches at
  // a time, whose rows stay in the cache, unless their sets are small.
  constexpr int kLeast = 128, kOfSmallSets = 256, kLargeDegree = 4;
  int threads = kNearFarThreads;
  if (kShared == Shared::keys_and_set) {
    while (threads > kLeast && fitting(threads / 2) >= 2 * fitting(threads)) threads /= 2;
  } else if (rows.arc_count < kLargeDegree * rows.vertices) {
    threads = kOfSmallSets;
  }
  kernel<<<searching_blocks(site, rows.searches, p.count, fitting(threads)),
           static_cast<unsigned>(threads), static_cast<std::size_t>(bytes), site.stream>>>(p);
  check_launch("searches");
}

template <class S>
void launch_searches(const LaunchSite& site, const SearchedRows& rows, double sign) {
  using T = typename S::Value;
  constexpr int kKey = static_cast<int>(sizeof(T));
  if (rows.rows.rows == 0 || rows.rows.cols == 0) return;
  NearFarArguments p{};
  p.rows = rows.rows.data;
  p.stride = rows.rows.stride;
  p.columns = rows.rows.cols;
  p.count = static_cast<int>(rows.rows.rows);
  p.vertices = static_cast<std::uint32_t>(rows.vertices);
  p.sources = rows.sources;
  p.listed = rows.columns;
  p.first = rows.first;
  p.arcs = rows.arcs;
  p.potentials = rows.potentials;
  p.sign = sign;
  p.step = rows.step;
  p.arcs_pass = rows.arc_count * std::int64_t{sizeof(SearchArc<T>)} > rows.arcs_kept;
  p.next = reinterpret_cast<unsigned*>(rows.scratch);
  p.scratch = rows.scratch + search_bytes(rows.vertices, 0, kKey);
  p.scratch_of_each = search_bytes_of_each(rows.vertices, kKey);
  clear(site.stream, p.next, sizeof *p.next);
  const std::int64_t most = std::min<std::int64_t>(
      rows.shared_memory, most_shared_memory() - std::int64_t{sizeof(NearFarShared<T>)} - 1024);
  const std::int64_t set =
      std::int64_t{NearFar<S, Shared::set>::set_words(p)} * std::int64_t{sizeof(unsigned)};
  const std::int64_t with_keys = set + rows.vertices * kKey;
  if (with_keys <= most) {
    launch_near_far<S, Shared::keys_and_set>(site, p, with_keys, rows);
  } else if (set <= most) {
    launch_near_far<S, Shared::set>(site, p, set, rows);
  } else {
    launch_near_far<S, Shared::none>(site, p, 0, rows);
  }
}

}  // namespace

void launch_near_far(const LaunchSite& site, Semiring semiring, ValueType type,
                     const SearchedRows& rows) {
  semiring::dispatch(semiring, type, [&]<class S>() {
    if constexpr (kReducible<S>) {
      if (rows.potentials != nullptr) {
        const double sign = S::kKind == Semiring::max_plus ? -1 : 1;
        return launch_searches<ReducedSum<typename S::Value>>(site, rows, sign);
      }
    }
    if constexpr (S::kKind != Semiring::or_and) launch_searches<S>(site, rows, 1);
  });
}

}  // namespace apsp::kernels::cuda
