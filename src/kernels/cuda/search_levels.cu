// Breadth-first searches from up to 4,096 sources at once (kernels/searches.hpp), in one launch
// whose blocks wait for each other after every level.
//
// A line has one bit for each of 128 sources; a vertex has up to 32 lines. At every level, a vertex
// asks its predecessors (Beamer 2012), so that no line is written by two threads and vertices
// reached by all sources need no work. A mask of 32 bits per vertex tells which of its lines
// changed on the last level: a thread combines the masks of a vertex's predecessors and lists the
// lines to gather; then each thread of the block takes one line at a time. Adjacent vertices are
// often reached together, so a block takes groups of 32 vertices that are far apart. Rows of many
// arcs are shared by whole blocks, one warp per arc and all its lines.
//
// Levels of sources are stored as binary digits, in lines of bits too, as on the CPU; distances are
// written once at the end.
#include "kernels/cuda/search_levels.hpp"

#include <cstdint>
#include <utility>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/grid.cuh"
#include "kernels/searches.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kLevelThreads = 512;
constexpr int kLevelWarps = kLevelThreads / 32;
constexpr int kManyArcs = 128;  // of a row; longer ones are shared by a whole block
constexpr int kGathered = 4;    // lines or masks that a thread loads at a time
constexpr int kMostLines = 32;

struct LevelArguments {
  void* hops;
  std::int64_t stride;
  int vertices, columns, lines;
  const std::uint32_t* sources;
  const std::uint32_t* first;
  const std::uint32_t* before;
  unsigned* found;      // [3] by level: 1 if a source reached a vertex; zeros on entry
  unsigned* long_rows;  // number of rows with many arcs; zero on entry
  std::uint32_t* rows;  // [vertices] these rows
  unsigned* full;       // [vertices] lines that all their sources have reached; zeros on entry
  // [vertices] lines with bits in `reached`; the first: zeros on entry
  unsigned *active, *next_active;
  uint4* seen;  // [vertices, lines] sources that reached the vertex; zeros on entry
  unsigned most;
  uint4* digits;  // [digits of most, vertices, lines] of levels, lowest first; zeros on entry
  // [vertices, lines] sources of the last level, and of this one; zeros on entry
  uint4 *reached, *next_reached;
};

struct LevelShared {
  int listed[2];
  std::uint32_t vertex[kLevelThreads], begin[kLevelThreads];
  std::uint16_t arcs[kLevelThreads];
  unsigned came[kLevelThreads], full[kLevelThreads];
  /// A thread's number × 32 + a line of its vertex; alternates with gathered lines of a long row.
  union {
    std::uint16_t list[kLevelThreads * kMostLines];
    uint4 gathered[kLevelWarps][32];
  };
};

__device__ uint4 operator|(uint4 a, uint4 b) {
  return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}
__device__ uint4 without(uint4 a, uint4 b) {
  return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
}
__device__ bool any(uint4 a) { return (a.x | a.y | a.z | a.w) != 0; }
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
    all_lines_ = first_bits(p.lines);
  }

  __device__ void run() {
    begin();
    for (level_ = 1; level_ <= p_.most; ++level_) {
      if (blockIdx.x == 0 && threadIdx.x == 0) p_.found[(level_ + 1) % 3] = 0;
      found_ = false;
      for (unsigned i = blockIdx.x; i < *p_.long_rows; i += gridDim.x) take_all(p_.rows[i]);
      look_at_all();
      if (found_) p_.found[level_ % 3] = 1;
      wait_for_all();
      if (*const_cast<volatile unsigned*>(p_.found + level_ % 3) == 0) break;
      std::swap(active_, next_active_);
      std::swap(reached_, next_reached_);
    }
    write_hops();
  }

 private:
  static __device__ void wait_for_all() { cooperative_groups::this_grid().sync(); }
  static __device__ int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ int first_warp() const { return static_cast<int>(blockIdx.x) * kLevelWarps + warp(); }
  static __device__ int warps() { return static_cast<int>(gridDim.x) * kLevelWarps; }
  __device__ std::int64_t line_of(std::uint32_t v, int line) const {
    return std::int64_t{v} * p_.lines + line;
  }
  __device__ uint4 sources_of(int line) const {
    const int here = p_.columns - line * 128;
    return make_uint4(first_bits(here), first_bits(here - 32), first_bits(here - 64),
                      first_bits(here - 96));
  }

  __device__ bool is_long(std::uint32_t v) const {
    return __ldg(p_.first + v + 1) - __ldg(p_.first + v) > kManyArcs;
  }

  /// Finds the long rows and marks the sources.
  __device__ void begin() {
    if (threadIdx.x == 0) shared_.listed[0] = 0;
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int threads = static_cast<int>(gridDim.x * blockDim.x);
    for (int v = thread; v < p_.vertices; v += threads) {
      const auto vertex = static_cast<std::uint32_t>(v);
      if (is_long(vertex)) p_.rows[atomicAdd(p_.long_rows, 1)] = vertex;
    }
    for (int j = thread; j < p_.columns; j += threads) {
      const std::uint32_t v = p_.sources[j];
      const std::int64_t word = line_of(v, j / 128) * 4 + j % 128 / 32;
      atomicOr(reinterpret_cast<unsigned*>(p_.seen) + word, 1u << j % 32);
      atomicOr(reinterpret_cast<unsigned*>(p_.reached) + word, 1u << j % 32);
      atomicOr(p_.active + v, 1u << j / 128);
    }
    wait_for_all();
  }

  /// Each warp takes 32 vertices at a time; those of a block are far apart.
  __device__ void look_at_all() {
    const int parts = (p_.vertices + 31) / 32;
    const int blocks = static_cast<int>(gridDim.x), thread = static_cast<int>(threadIdx.x);
    const int mine = warp() * blocks + static_cast<int>(blockIdx.x);
    for (int first = 0; first < parts; first += blocks * kLevelWarps, turn_ = 1 - turn_) {
      const int v = (first + mine) * 32 + lane_;
      const bool has = v < p_.vertices && !is_long(static_cast<std::uint32_t>(v));
      list(v, has, shared_.listed[turn_]);
      if (thread == 0) shared_.listed[1 - turn_] = 0;
      __syncthreads();
      const int listed = shared_.listed[turn_];
      for (int i = thread; i < listed; i += kLevelThreads) take(shared_.list[i]);
      __syncthreads();
      if (!has) continue;
      next_active_[v] = shared_.came[thread];
      if (shared_.full[thread] != 0) p_.full[v] |= shared_.full[thread];
    }
  }

  /// Lists the lines of a vertex that have something to gather, one thread per vertex.
  __device__ void list(int v, bool has, int& listed) {
    const int thread = static_cast<int>(threadIdx.x);
    unsigned wanted = 0;
    if (has) {
      const unsigned open = all_lines_ & ~p_.full[v];
      const std::uint32_t begin = __ldg(p_.first + v);
      const int arcs = static_cast<int>(__ldg(p_.first + v + 1) - begin);
      if (open != 0) wanted = what_comes(begin, arcs, open);
      shared_.vertex[thread] = static_cast<std::uint32_t>(v);
      shared_.begin[thread] = begin;
      shared_.arcs[thread] = static_cast<std::uint16_t>(arcs);
      shared_.came[thread] = shared_.full[thread] = 0;
    }
    const int count = __popc(wanted);
    int end = count;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int before = __shfl_up_sync(~0u, end, step);
      if (lane_ >= step) end += before;
    }
    int at = 0;
    if (lane_ == 31 && end != 0) at = atomicAdd(&listed, end);
    at = __shfl_sync(~0u, at, 31) + end - count;
    for (; wanted != 0; wanted &= wanted - 1) {
      const int line = __ffs(static_cast<int>(wanted)) - 1;
      shared_.list[at++] = static_cast<std::uint16_t>(thread * kMostLines + line);
    }
  }

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

  __device__ void take(int item) {
    const int thread = item / kMostLines, line = item % kMostLines;
    const std::uint32_t begin = shared_.begin[thread];
    const int arcs = shared_.arcs[thread];
    const std::int64_t at = line_of(shared_.vertex[thread], line);
    const uint4 all = sources_of(line), seen = p_.seen[at];
    uint4 came = make_uint4(0, 0, 0, 0);
    for (int a = 0; a < arcs && any(without(all, seen | came)); a += kGathered) {
      std::uint32_t from[kGathered];
      bool comes[kGathered];
#pragma unroll
      for (int k = 0; k < kGathered; ++k) {
        from[k] = a + k < arcs ? __ldg(p_.before + begin + a + k) : 0;
      }
#pragma unroll
      for (int k = 0; k < kGathered; ++k) {
        comes[k] = a + k < arcs && (active_[from[k]] >> line & 1u) != 0;
      }
#pragma unroll
      for (int k = 0; k < kGathered; ++k) {
        if (comes[k]) came = came | reached_[line_of(from[k], line)];
      }
    }
    const Entered entered = enter(at, came, seen, all);
    if (entered.any) atomicOr(shared_.came + thread, 1u << line);
    if (entered.all) atomicOr(shared_.full + thread, 1u << line);
  }

  /// Returns the union over predecessors of the requested lines, one per lane, until nothing is
  /// missing. The warp takes 32 arcs of [begin, end) at a time, `step` apart.
  __device__ uint4 gather(std::uint32_t begin, std::uint32_t end, std::uint32_t step,
                          unsigned wanted, uint4 missing) const {
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
          came[k] = takes ? reached_[line_of(v, lane_)] : make_uint4(0, 0, 0, 0);
          some &= some - 1;
        }
#pragma unroll
        for (int k = 0; k < kGathered; ++k) all = all | came[k];
      }
      wanted &= ~__ballot_sync(~0u, !any(without(missing, all)));
    }
    return all;
  }

  struct Entered {
    // A source is new; all sources of the line have reached the vertex.
    bool any = false, all = false;
  };
  __device__ Entered enter(std::int64_t at, uint4 came, uint4 seen, uint4 all) {
    const uint4 fresh = without(came, seen);
    if (!any(fresh)) return {};
    found_ = true;
    p_.seen[at] = seen | fresh;
    next_reached_[at] = fresh;
    const std::int64_t plane = std::int64_t{p_.vertices} * p_.lines;
    for (unsigned digits = level_; digits != 0; digits &= digits - 1) {
      uint4* const digit = p_.digits + (__ffs(static_cast<int>(digits)) - 1) * plane + at;
      *digit = *digit | fresh;
    }
    return {true, !any(without(all, seen | fresh))};
  }

  /// Processes a row of many arcs by all warps of the block.
  __device__ void take_all(std::uint32_t v) {
    const unsigned open = all_lines_ & ~p_.full[v];
    const bool has = lane_ < p_.lines;
    const uint4 all = sources_of(lane_);
    const uint4 seen = has ? p_.seen[line_of(v, lane_)] : make_uint4(0, 0, 0, 0);
    const std::uint32_t begin = __ldg(p_.first + v), end = __ldg(p_.first + v + 1);
    shared_.gathered[warp()][lane_] = gather(begin + static_cast<std::uint32_t>(warp()) * 32, end,
                                             kLevelThreads, open, without(all, seen));
    __syncthreads();
    if (warp() == 0) {
      uint4 came = shared_.gathered[0][lane_];
      for (int w = 1; w < kLevelWarps; ++w) came = came | shared_.gathered[w][lane_];
      Entered entered;
      if (has) entered = enter(line_of(v, lane_), came, seen, all);
      const unsigned lines = __ballot_sync(~0u, entered.any);
      const unsigned full = __ballot_sync(~0u, entered.all);
      if (lane_ == 0) {
        next_active_[v] = lines;
        if (full != 0) p_.full[v] |= full;
      }
    }
    __syncthreads();
  }

  __device__ void write_hops() const {
    const std::int64_t plane = std::int64_t{p_.vertices} * p_.lines;
    const int digits = 32 - __clz(static_cast<int>(level_ - 1));
    for (std::int64_t at = first_warp(); at < plane; at += warps()) {
      const uint4 seen = p_.seen[at];
      unsigned hops[4] = {};
#pragma unroll 4
      for (int d = 0; d < digits; ++d) {
        const uint4 digit = p_.digits[d * plane + at];
        hops[0] |= (digit.x >> lane_ & 1u) << d;
        hops[1] |= (digit.y >> lane_ & 1u) << d;
        hops[2] |= (digit.z >> lane_ & 1u) << d;
        hops[3] |= (digit.w >> lane_ & 1u) << d;
      }
      const unsigned been[4] = {seen.x, seen.y, seen.z, seen.w};
      const std::int64_t v = at / p_.lines;
      const int column = static_cast<int>(at % p_.lines) * 128 + lane_;
      T* const row = static_cast<T*>(p_.hops) + v * p_.stride + column;
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (column + 32 * k >= p_.columns) continue;
        row[32 * k] = (been[k] >> lane_ & 1u) != 0 ? static_cast<T>(hops[k]) : S::zero();
      }
    }
  }

  const LevelArguments& p_;
  LevelShared& shared_;
  int lane_;
  unsigned *active_, *next_active_;
  uint4 *reached_, *next_reached_;
  unsigned level_ = 0;
  int turn_ = 0;
  bool found_ = false;
  unsigned all_lines_;
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
  p.most = static_cast<unsigned>(levels.most);
  p.found = reinterpret_cast<unsigned*>(levels.scratch);
  p.long_rows = p.found + 3;
  p.full = p.found + 64;
  p.active = p.full + n;
  p.next_active = p.full + 2 * n;
  p.rows = p.full + 3 * n;
  const std::int64_t plane = n * p.lines;
  p.next_reached = reinterpret_cast<uint4*>(levels.scratch + level_bytes(n, 0, levels.most));
  p.seen = p.next_reached + plane;
  p.reached = p.seen + plane;
  p.digits = p.reached + plane;
  const std::int64_t zeros = (2 + level_digits(levels.most)) * plane * std::int64_t{sizeof(uint4)};
  clear(site.stream, levels.scratch, level_bytes(n, 0, levels.most));
  clear(site.stream, p.seen, zeros);
  const auto kernel = levels_kernel<T>;
  // Blocks wait for each other, so all must be resident at once.
  const int blocks = blocks_that_fit(kernel, kLevelThreads, 0) * site.multiprocessors;
  void* arguments[] = {&p};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                    dim3(static_cast<unsigned>(blocks)), dim3(kLevelThreads),
                                    arguments, 0, site.stream),
        "launching searches");
}

}  // namespace

void launch_search_levels(const LaunchSite& site, ValueType type, const SearchedLevels& levels) {
  semiring::dispatch(Semiring::min_plus, type, [&]<class S>() {
    if constexpr (S::kKind == Semiring::min_plus) launch_levels<typename S::Value>(site, levels);
  });
}

}  // namespace apsp::kernels::cuda
