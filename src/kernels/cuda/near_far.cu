// Launches near-far searches (near_far.cuh), with keys and sets in shared memory if they fit.
#include "kernels/cuda/near_far.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/near_far.cuh"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

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

template <class S>
void launch_search_rows(const LaunchSite& site, const SearchedRows& rows) {
  using T = typename S::Value;
  if constexpr (kReducible<S>) {
    if (rows.potentials != nullptr) {
      return launch_searches<ReducedSum<T>>(site, rows, S::kKind == Semiring::max_plus ? -1 : 1);
    }
  }
  launch_searches<S>(site, rows, 1);
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
