// Searches that end at a distance (kernels/searches.hpp), one row per block; a finished block
// takes the next row.
//
// A list has the vertices that improved in the last round, with their distances; outdated entries
// are skipped. Some neighbouring threads walk the arcs of a vertex.
#include "kernels/cuda/near_searches.hpp"

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/searching.cuh"

namespace apsp::kernels::cuda {
namespace {

constexpr int kNearThreads = 64;  // of a block: few vertices are near at a time

struct NearArguments {
  NearSearches of;
  int width;  // threads per vertex, a power of two
  unsigned* next;
};

struct NearShared {
  int row, touched, listed, full;
  std::int64_t begin;
};

template <class K>
class NearSearch {
 public:
  using Arc = SearchArc<K>;
  /// Bits of keys ≥ 0 order as the keys.
  using Bits = std::conditional_t<sizeof(K) == 8, unsigned long long, unsigned>;

  __device__ NearSearch(const NearArguments& arguments, NearShared& shared)
      : p_(arguments.of), width_(arguments.width), next_(arguments.next), shared_(shared) {
    constexpr bool kWhole = std::is_integral_v<K>;
    std::byte* memory = p_.scratch + near_bytes(p_.vertices, p_.listed, 0, kWhole) +
                        blockIdx.x * near_bytes_of_each(p_.vertices, p_.listed, kWhole);
    distances_ = reinterpret_cast<Bits*>(memory);
    lists_ = reinterpret_cast<Arc*>(memory + search_key_bytes(p_.vertices, sizeof(K)));
    touched_ = reinterpret_cast<std::uint32_t*>(lists_ + 2 * p_.listed);
    if constexpr (kWhole) {
      limit_ = static_cast<K>(p_.limit);
    } else {
      limit_ = p_.limit;
    }
  }

  __device__ void run() {
    if (p_.fresh) clear_all();
    for (;;) {
      if (thread() == 0) {
        shared_.row = static_cast<int>(atomicAdd(next_, 1u));
        shared_.touched = shared_.listed = 1;
        shared_.full = 0;
      }
      __syncthreads();
      const int row = shared_.row;
      if (row >= p_.rows) return;
      search(p_.sources[row]);
      if (shared_.full != 0) {
        if (thread() == 0) p_.found[row] = kTooManyInRow;
        clear_all();
      } else {
        give(row);
      }
      __syncthreads();
    }
  }

 private:
  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static constexpr Bits kNone = ~Bits{0};

  static __device__ Bits bits(K key) {
    if constexpr (std::is_integral_v<K>) {
      return key;
    } else {
      return static_cast<Bits>(__double_as_longlong(key));
    }
  }
  static __device__ K key(Bits bits) {
    if constexpr (std::is_integral_v<K>) {
      return bits;
    } else {
      return __longlong_as_double(static_cast<long long>(bits));
    }
  }

  __device__ void clear_all() {
    for (std::int64_t v = thread(); v < p_.vertices; v += kNearThreads) distances_[v] = kNone;
    __syncthreads();
  }

  __device__ void search(std::uint32_t source) {
    Arc *from = lists_, *to = lists_ + p_.listed;
    if (thread() == 0) {
      distances_[source] = bits(K{0});
      touched_[0] = source;
      from[0] = {source, K{0}};
    }
    for (int count = 1; count > 0;) {
      __syncthreads();  // all have read `count`
      if (thread() == 0) shared_.listed = 0;
      __syncthreads();
      for (int i = thread() / width_; i < count; i += kNearThreads / width_) walk(from[i], to);
      __syncthreads();
      if (shared_.full != 0) return;
      count = shared_.listed;
      Arc* const searched = from;
      from = to;
      to = searched;
    }
  }

  __device__ void walk(const Arc& entry, Arc* to) {
    if (key(*static_cast<volatile Bits*>(distances_ + entry.to)) < entry.weight) return;
    const std::uint32_t last = __ldg(p_.first + entry.to + 1);
    for (std::uint32_t a = __ldg(p_.first + entry.to) + thread() % width_; a < last; a += width_) {
      const Arc arc = load_arc(reinterpret_cast<const Arc*>(p_.arcs) + a);
      const K through = entry.weight + arc.weight;
      if (through > limit_) continue;
      const Bits before = atomicMin(distances_ + arc.to, bits(through));
      if (before <= bits(through)) continue;
      if (before == kNone) list(touched_, &shared_.touched, arc.to);
      list(to, &shared_.listed, Arc{arc.to, through});
    }
  }

  template <class Entry>
  __device__ void list(Entry* entries, int* count, const Entry& entry) {
    const int place = atomicAdd(count, 1);
    if (place < p_.listed) {
      entries[place] = entry;
    } else {
      shared_.full = 1;
    }
  }

  /// Writes the row to the result, if it fits, and resets its distances.
  __device__ void give(int row) {
    const int count = shared_.touched;
    if (thread() == 0) {
      const std::uint64_t begin = atomicAdd(reinterpret_cast<unsigned long long*>(p_.pairs),
                                            static_cast<unsigned long long>(count));
      const bool fits = begin + count <= static_cast<std::uint64_t>(p_.most_pairs);
      shared_.begin = fits ? static_cast<std::int64_t>(begin) : -1;
      p_.begin[row] = shared_.begin;
      p_.found[row] = fits ? count : static_cast<int>(kNoRoomForRow);
    }
    __syncthreads();
    const std::int64_t begin = shared_.begin;
    auto* const distances = reinterpret_cast<Bits*>(p_.distances);
    for (int i = thread(); i < count; i += kNearThreads) {
      const std::uint32_t v = touched_[i];
      if (begin >= 0) {
        const std::int64_t at = begin + (count <= kSortedPairs ? rank_of(v, count) : i);
        p_.targets[at] = v;
        distances[at] = distances_[v];
      }
      distances_[v] = kNone;
    }
  }

  /// Returns the number of smaller vertices that were reached.
  __device__ int rank_of(std::uint32_t v, int count) const {
    int smaller = 0;
    for (int i = 0; i < count; ++i) smaller += touched_[i] < v ? 1 : 0;
    return smaller;
  }

  const NearSearches& p_;
  int width_;
  unsigned* next_;
  NearShared& shared_;
  Bits* distances_;
  Arc* lists_;
  std::uint32_t* touched_;
  K limit_;
};

template <class K>
__global__ void __launch_bounds__(kNearThreads) near_kernel(NearArguments p) {
  __shared__ NearShared shared;
  NearSearch<K>(p, shared).run();
}

template <class K>
void launch(const LaunchSite& site, const NearArguments& arguments) {
  const auto kernel = near_kernel<K>;
  const int fitting = blocks_that_fit(kernel, kNearThreads, 0);
  const NearSearches& of = arguments.of;
  kernel<<<searching_blocks(site, of.searches, of.fresh ? of.searches : of.rows, fitting),
           kNearThreads, 0, site.stream>>>(arguments);
  check_launch("searching what is near");
}

}  // namespace

void launch_near_searches(const LaunchSite& site, const NearSearches& searches) {
  if (searches.rows == 0) return;
  NearArguments p{searches, walking_threads(searches.arc_count, searches.vertices, 1, 2),
                  reinterpret_cast<unsigned*>(searches.scratch)};
  clear(site.stream, p.next, sizeof *p.next);
  if (searches.whole) {
    launch<std::uint32_t>(site, p);
  } else {
    launch<double>(site, p);
  }
}

}  // namespace apsp::kernels::cuda
