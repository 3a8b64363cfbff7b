// Breadth-first searches from up to 4,096 sources at once (kernels/searched_levels.hpp), all levels
// in one launch, behind each of which all blocks wait for each other.
//
// A line is 128 sources, a bit each; a vertex has up to 32 lines, a lane of a warp each. On every
// level a vertex asks the vertices before it (Beamer 2012): no line is written by two warps, and
// where all sources have been, nobody asks. Which of a vertex's lines somebody reached on the last
// level is a mask of 32 bits, so that a lane looks at the masks of a vertex alone; those that have
// something to gather are listed, and the warps of the block take one at a time. Vertices that
// stand together are often reached together, so a block looks at 32 here and 32 there. Rows of many
// arcs are taken by whole blocks. Distances are written as they are found, 32 sources side by side.
#include "kernels/cuda/search_levels.hpp"

#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/cuda_error.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kLevelThreads = 512;  // of a block
constexpr int kLevelWarps = kLevelThreads / 32;
constexpr int kManyArcs = 128;  // of a row: more are shared by a whole block
constexpr int kGathered = 4;    // lines, or masks, that a lane waits for at a time

struct LevelArguments {
  void* hops;
  std::int64_t stride;
  int vertices, columns, lines;
  const std::uint32_t* sources;
  const std::uint32_t* first;
  const std::uint32_t* before;
  unsigned* found;      // [3] by level: 1 if anybody was reached; zeros on entry
  unsigned* long_rows;  // how many rows have many arcs; zero on entry
  std::uint32_t* rows;  // [vertices] which
  unsigned* full;       // [vertices] lines all of whose sources have been there; zeros on entry
  unsigned *active, *next_active;  // [vertices] lines with bits below; the first: zeros on entry
  uint4* seen;                     // [vertices, lines] who has been there; zeros on entry
  uint4 *reached, *next_reached;   // the same: who came on the last level, and now; likewise
};

/// A vertex that has something to gather.
struct ListedVertex {
  std::uint32_t vertex, begin, end;  // its arcs
  unsigned wanted;                   // lines
};

struct LevelShared {
  int listed[2];  // by turns
  ListedVertex list[kLevelThreads];
  uint4 gathered[kLevelWarps][32];
};

__device__ uint4 operator|(uint4 a, uint4 b) {
  return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}
/// a without b.
__device__ uint4 without(uint4 a, uint4 b) {
  return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
}
__device__ bool any(uint4 a) { return (a.x | a.y | a.z | a.w) != 0; }
/// The first `count` bits of a word.
__device__ unsigned first_bits(int count) {
  return count >= 32 ? ~0u : count <= 0 ? 0u : (1u << count) - 1;
}

template <class T>
class Levels {
  using S = semiring::MinPlus<T>;

 public:
  __device__ Levels(const LevelArguments& p, LevelShared& shared)
      : p_(p),
        shared_(shared),
        lane_(static_cast<int>(threadIdx.x) % 32),
        active_(p.active),
        next_active_(p.next_active),
        reached_(p.reached),
        next_reached_(p.next_reached) {
    const int here = p.columns - lane_ * 128;
    all_ = make_uint4(first_bits(here), first_bits(here - 32), first_bits(here - 64),
                      first_bits(here - 96));
    all_lines_ = first_bits(p.lines);
  }

  __device__ void run() {
    begin();
    for (unsigned level = 1;; ++level) {
      level_ = level;
      if (blockIdx.x == 0 && threadIdx.x == 0) p_.found[(level + 1) % 3] = 0;
      for (unsigned i = blockIdx.x; i < *p_.long_rows; i += gridDim.x) take_together(p_.rows[i]);
      look_at_all();
      wait_for_all();
      if (*const_cast<volatile unsigned*>(p_.found + level % 3) == 0) return;
      swap(active_, next_active_);
      swap(reached_, next_reached_);
    }
  }

 private:
  template <class P>
  static __device__ void swap(P*& a, P*& b) {
    P* const c = a;
    a = b;
    b = c;
  }
  static __device__ void wait_for_all() { cooperative_groups::this_grid().sync(); }
  static __device__ int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ int first_warp() const { return static_cast<int>(blockIdx.x) * kLevelWarps + warp(); }
  static __device__ int warps() { return static_cast<int>(gridDim.x) * kLevelWarps; }
  __device__ std::int64_t line_of(std::uint32_t v) const {
    return std::int64_t{v} * p_.lines + lane_;
  }
  __device__ T* hops_of(std::uint32_t v) const {
    return static_cast<T*>(p_.hops) + std::int64_t{v} * p_.stride;
  }

  __device__ bool is_long(std::uint32_t v) const {
    return __ldg(p_.first + v + 1) - __ldg(p_.first + v) > kManyArcs;
  }

  /// No paths but the empty ones.
  __device__ void begin() {
    if (threadIdx.x == 0) shared_.listed[0] = 0;
    for (int v = first_warp(); v < p_.vertices; v += warps()) {
      const auto vertex = static_cast<std::uint32_t>(v);
      T* const row = hops_of(vertex);
      for (int j = lane_; j < p_.columns; j += 32) row[j] = S::zero();
      if (lane_ == 0 && is_long(vertex)) p_.rows[atomicAdd(p_.long_rows, 1)] = vertex;
    }
    wait_for_all();
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    for (int j = thread; j < p_.columns; j += static_cast<int>(gridDim.x * blockDim.x)) {
      const std::uint32_t v = p_.sources[j];
      const std::int64_t word = (std::int64_t{v} * p_.lines + j / 128) * 4 + j % 128 / 32;
      atomicOr(reinterpret_cast<unsigned*>(p_.seen) + word, 1u << j % 32);
      atomicOr(reinterpret_cast<unsigned*>(p_.reached) + word, 1u << j % 32);
      atomicOr(p_.active + v, 1u << j / 128);
      hops_of(v)[j] = S::one();
    }
    wait_for_all();
  }

  /// 32 vertices a warp at a time, those of a block far from each other.
  __device__ void look_at_all() {
    const int parts = (p_.vertices + 31) / 32;
    const int blocks = static_cast<int>(gridDim.x);
    const int mine = warp() * blocks + static_cast<int>(blockIdx.x);
    for (int first = 0; first < parts; first += blocks * kLevelWarps, turn_ = 1 - turn_) {
      list((first + mine) * 32 + lane_, shared_.listed[turn_]);
      if (threadIdx.x == 0) shared_.listed[1 - turn_] = 0;
      __syncthreads();
      const int listed = shared_.listed[turn_];
      for (int i = warp(); i < listed; i += kLevelWarps) take(shared_.list[i]);
      __syncthreads();
    }
  }

  /// A vertex a lane: puts it on the list if it has something to gather.
  __device__ void list(int v, int& listed) {
    ListedVertex item{static_cast<std::uint32_t>(v), 0, 0, 0};
    if (v < p_.vertices) {
      const unsigned open = all_lines_ & ~p_.full[v];
      item.begin = __ldg(p_.first + v);
      item.end = __ldg(p_.first + v + 1);
      if (item.end - item.begin <= kManyArcs) {
        if (open != 0)
          item.wanted = what_comes(item.begin, static_cast<int>(item.end - item.begin), open);
        if (item.wanted == 0) next_active_[v] = 0;
      }
    }
    const unsigned some = __ballot_sync(~0u, item.wanted != 0);
    int at = 0;
    if (lane_ == 0 && some != 0) at = atomicAdd(&listed, __popc(some));
    at = __shfl_sync(~0u, at, 0) + __popc(some & first_bits(lane_));
    if (item.wanted != 0) shared_.list[at] = item;
  }

  /// Lines that something may come to, of those that are open.
  __device__ unsigned what_comes(std::uint32_t begin, int arcs, unsigned open) const {
    unsigned lines = 0;
    for (int a = 0; a < arcs && (lines & open) != open; a += kGathered) {
#pragma unroll
      for (int k = 0; k < kGathered; ++k) {
        if (a + k < arcs) lines |= active_[__ldg(p_.before + begin + a + k)];
      }
    }
    return lines & open;
  }

  __device__ void take(const ListedVertex& item) {
    const uint4 seen = seen_of(item.vertex);
    const uint4 came = gather(item.begin, item.end, 32, item.wanted, seen);
    const unsigned lines = enter(item.vertex, came, seen);
    if (lane_ == 0) next_active_[item.vertex] = lines;
  }

  __device__ uint4 seen_of(std::uint32_t v) const {
    return lane_ < p_.lines ? p_.seen[line_of(v)] : make_uint4(0, 0, 0, 0);
  }

  /// The union of what came to the vertices before, of the lines that are wanted: of arcs
  /// [begin, end), 32 side by side, `step` apart.
  __device__ uint4 gather(std::uint32_t begin, std::uint32_t end, std::uint32_t step,
                          unsigned wanted, uint4 seen) const {
    uint4 all = make_uint4(0, 0, 0, 0);
    for (std::uint32_t a = begin; a < end && wanted != 0; a += step) {
      const std::uint32_t at = a + static_cast<std::uint32_t>(lane_);
      std::uint32_t from = 0;
      unsigned lines = 0;
      if (at < end) {
        from = __ldg(p_.before + at);
        lines = active_[from] & wanted;
      }
      for (unsigned some = __ballot_sync(~0u, lines != 0); some != 0;) {
        uint4 came[kGathered];
#pragma unroll
        for (int k = 0; k < kGathered; ++k) {
          const int i = some != 0 ? __ffs(static_cast<int>(some)) - 1 : 0;
          const unsigned of_i = __shfl_sync(~0u, lines, i);
          const std::uint32_t v = __shfl_sync(~0u, from, i);
          const bool takes = some != 0 && (of_i >> lane_ & 1u) != 0;
          came[k] = takes ? reached_[line_of(v)] : make_uint4(0, 0, 0, 0);
          some &= some - 1;
        }
#pragma unroll
        for (int k = 0; k < kGathered; ++k) all = all | came[k];
      }
      wanted &= ~__ballot_sync(~0u, !any(without(all_, seen | all)));
    }
    return all;
  }

  /// Who comes to a vertex for the first time. Returns the lines of those.
  __device__ unsigned enter(std::uint32_t v, uint4 came, uint4 seen) {
    const uint4 fresh = without(came, seen);
    const unsigned lines = __ballot_sync(~0u, any(fresh));
    if (lines == 0) return 0;
    seen = seen | fresh;
    if (any(fresh)) {
      p_.seen[line_of(v)] = seen;
      next_reached_[line_of(v)] = fresh;
    }
    const unsigned full = __ballot_sync(~0u, !any(without(all_, seen)));
    if (lane_ == 0) {
      p_.full[v] = full;
      p_.found[level_ % 3] = 1;
    }
    T* const row = hops_of(v);
    for (unsigned some = lines; some != 0; some &= some - 1) {
      const int i = __ffs(static_cast<int>(some)) - 1;
      T* const part = row + i * 128 + lane_;
      const T hops = static_cast<T>(level_);
      if ((__shfl_sync(~0u, fresh.x, i) >> lane_ & 1u) != 0) part[0] = hops;
      if ((__shfl_sync(~0u, fresh.y, i) >> lane_ & 1u) != 0) part[32] = hops;
      if ((__shfl_sync(~0u, fresh.z, i) >> lane_ & 1u) != 0) part[64] = hops;
      if ((__shfl_sync(~0u, fresh.w, i) >> lane_ & 1u) != 0) part[96] = hops;
    }
    return lines;
  }

  /// A row of many arcs, by all warps of the block.
  __device__ void take_together(std::uint32_t v) {
    const unsigned open = all_lines_ & ~p_.full[v];
    const uint4 seen = seen_of(v);
    const std::uint32_t begin = __ldg(p_.first + v), end = __ldg(p_.first + v + 1);
    shared_.gathered[warp()][lane_] =
        gather(begin + static_cast<std::uint32_t>(warp()) * 32, end, kLevelThreads, open, seen);
    __syncthreads();
    if (warp() == 0) {
      uint4 came = shared_.gathered[0][lane_];
      for (int w = 1; w < kLevelWarps; ++w) came = came | shared_.gathered[w][lane_];
      const unsigned lines = enter(v, came, seen);
      if (lane_ == 0) next_active_[v] = lines;
    }
    __syncthreads();
  }

  const LevelArguments& p_;
  LevelShared& shared_;
  int lane_;
  unsigned *active_, *next_active_;
  uint4 *reached_, *next_reached_;
  unsigned level_ = 0;
  int turn_ = 0;
  uint4 all_;           // the sources of this lane's line
  unsigned all_lines_;  // lines that have sources
};

template <class T>
__global__ void __launch_bounds__(kLevelThreads, 2) levels_kernel(LevelArguments p) {
  __shared__ LevelShared shared;
  Levels<T>(p, shared).run();
}

template <class T>
void launch_levels(const LaunchSite& site, const SearchedLevels& levels) {
  const std::int64_t n = levels.hops.rows, columns = levels.hops.cols;
  if (n == 0 || columns == 0) return;
  LevelArguments p{};
  p.hops = levels.hops.data;
  p.stride = levels.hops.stride;
  p.vertices = static_cast<int>(n);
  p.columns = static_cast<int>(columns);
  p.lines = static_cast<int>(level_lines(columns));
  p.sources = levels.sources;
  p.first = levels.first;
  p.before = levels.before;
  std::byte* const lines =
      levels.scratch + level_bytes(n, columns) - 3 * n * p.lines * std::int64_t{sizeof(uint4)};
  p.found = reinterpret_cast<unsigned*>(levels.scratch);
  p.long_rows = p.found + 3;
  p.full = p.found + 64;
  p.active = p.full + n;
  p.next_active = p.full + 2 * n;
  p.rows = p.full + 3 * n;
  p.seen = reinterpret_cast<uint4*>(lines);
  p.reached = p.seen + n * p.lines;
  p.next_reached = p.seen + 2 * n * p.lines;
  const auto cleared = reinterpret_cast<std::byte*>(p.next_reached) - levels.scratch;
  check(cudaMemsetAsync(levels.scratch, 0, static_cast<std::size_t>(cleared), site.stream),
        "clearing");
  const auto kernel = levels_kernel<T>;
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kLevelThreads, 0),
        "preparing searches");
  // Blocks wait for each other, so all must be on the device at once.
  blocks *= site.multiprocessors;
  void* arguments[] = {&p};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                    dim3(static_cast<unsigned>(blocks)), dim3(kLevelThreads),
                                    arguments, 0, site.stream),
        "launching searches");
}

struct LevelsByType {
  template <class S>
  LaunchLevels operator()() const {
    if constexpr (S::kKind == Semiring::min_plus) {
      return launch_levels<typename S::Value>;
    } else {
      return nullptr;
    }
  }
};

}  // namespace

LaunchLevels search_levels(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type, LevelsByType{});
}

}  // namespace apsp::kernels::cuda
