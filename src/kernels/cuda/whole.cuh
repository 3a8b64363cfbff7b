// Floyd-Warshall of a whole matrix in one launch, for matrices so small that launches and events
// would take most of a solve: D ← D* by a persistent kernel, in steps of 64 pivots.
//
//   panels: the workers update strips of the row and the column of tiles
//   — the workers wait for each other —
//   rest:   they update all else but the next diagonal tile
//   — the workers wait for each other —
//
// One block, the closer, computes and closes the next diagonal tile during the last part of a step
// (look-ahead), in shared memory and registers (`Diagonal`). A worker is a team of 128 threads.
// Where the solve has the device for itself, a block is as large as its multiprocessor holds and
// has several teams, and the closer 256 threads. Beside other work a block is one team, which finds
// a place soon; other blocks on the closer's multiprocessor are then idle. Blocked Floyd-Warshall
// as in blocked_floyd_warshall.hpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/close.cuh"
#include "kernels/cuda/grid.cuh"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/relaxation.cuh"
#include "kernels/cuda/stages.cuh"
#include "kernels/cuda/thread_group.cuh"

namespace apsp::kernels::cuda {

// A strip of a step's row or column panel, by one block of 128 threads: R ← R ⊕ D ⊗ R for 32
// columns of a row of tiles, or C ← C ⊕ C ⊗ D for 32 rows of a column, with D a closed tile of 64 ×
// 64. The result is stored in the matrix and packed (packed.hpp) for products. Strips of the
// diagonal tile itself are packed as "no path", so that products do not change its row and column.

inline constexpr int kPanelSide = 64;  // side of the diagonal tile: the pivots of a step
inline constexpr int kStrip = 32;      // columns or rows of a strip
inline constexpr int kPanelThreads = 128;

template <class R, class Threads>
struct Panel {
  using S = typename R::S;
  using Value = typename S::Value;
  using Operand = typename R::Operand;
  static constexpr int kGroupSide = 4;                  // values per thread, down and across
  static constexpr int kPad = 16 / int{sizeof(Value)};  // aligns rows to 16 bytes
  static constexpr int kSharedBytes =
      kPanelSide * (kPanelSide + kStrip + 2 * kPad) * int{sizeof(Value)};

  const ProductArguments& p;
  std::int64_t first;  // row and column of the diagonal tile
  Value* shared;

  __device__ bool of_the_tile(std::int64_t line) const {
    return line >= first && line < first + kPanelSide;
  }

  /// `kWide` neighbouring values of the matrix, 16 bytes; "no path" beyond the edge.
  static constexpr int kWide = 16 / int{sizeof(Value)};
  struct alignas(16) Wide {
    Value values[kWide];
  };
  __device__ Wide wide_at(std::int64_t r, std::int64_t c) const {
    Wide wide;
    const Value* const from = static_cast<const Value*>(p.c) + r * p.stride + c;
    if (p.wide_access && r < p.rows && c + kWide <= p.cols) {
      wide = *reinterpret_cast<const Wide*>(from);
#pragma unroll
      for (Value& value : wide.values) value = R::negated(value, p.negation);
    } else {
#pragma unroll
      for (int v = 0; v < kWide; ++v) {
        wide.values[v] = r < p.rows && c + v < p.cols ? R::negated(from[v], p.negation) : S::zero();
      }
    }
    return wide;
  }

  /// Loads rows [row, row + kRows) and columns [col, col + kCols) of the matrix.
  template <int kRows, int kCols>
  struct PanelTile {
    static constexpr int kAcross = kCols / kWide;
    static constexpr int kEach = kRows * kAcross / Threads::kThreads;
    static_assert(kEach * Threads::kThreads * kWide == kRows * kCols);
    Wide wide[kEach];

    static __device__ int place(int e) { return Threads::thread() + e * Threads::kThreads; }
    __device__ PanelTile(const Panel& panel, std::int64_t row, std::int64_t col) {
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        wide[e] = panel.wide_at(row + place(e) / kAcross, col + place(e) % kAcross * kWide);
      }
    }
    __device__ void write(Value* to) const {
      constexpr int kPitch = kCols + kPad;
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        const int r = place(e) / kAcross, c = place(e) % kAcross * kWide;
        *reinterpret_cast<Wide*>(to + r * kPitch + c) = wide[e];
      }
    }
    __device__ void write_transposed(Value* to) const {
      constexpr int kPitch = kRows + kPad;
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        const int r = place(e) / kAcross, c = place(e) % kAcross * kWide;
#pragma unroll
        for (int v = 0; v < kWide; ++v) to[(c + v) * kPitch + r] = wide[e].values[v];
      }
    }
  };

  using Result = Value[kGroupSide][kGroupSide];

  /// c ← c ⊕ A ⊗ B, where A[k] and B[k] are rows of the given pitches.
  __device__ static void relax(Result& c, const Value* a, int a_pitch, const Value* b,
                               int b_pitch) {
#pragma unroll 4
    for (int k = 0; k < kPanelSide; k += 2) {
      Value left[2][kGroupSide], right[2][kGroupSide];
#pragma unroll
      for (int two = 0; two < 2; ++two) {
#pragma unroll
        for (int v = 0; v < kGroupSide; ++v) {
          left[two][v] = a[(k + two) * a_pitch + v];
          right[two][v] = b[(k + two) * b_pitch + v];
        }
      }
#pragma unroll
      for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
        for (int j = 0; j < kGroupSide; ++j) {
          c[i][j] = R::plus(c[i][j], R::times(left[0][i], right[0][j]),
                            R::times(left[1][i], right[1][j]));
        }
      }
    }
  }

  __device__ void store(Result& c, std::int64_t row, std::int64_t col) const {
#pragma unroll
    for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
      for (int j = 0; j < kGroupSide; ++j) {
        c[i][j] = R::settle(c[i][j]);
        if (row + i >= p.rows || col + j >= p.cols) continue;
        static_cast<Value*>(p.c)[(row + i) * p.stride + col + j] = R::restored(c[i][j], p.negation);
      }
    }
  }

  __device__ Operand* place(const void* panel, std::int64_t word, int pivot, int second) const {
    auto* const operands = static_cast<Operand*>(const_cast<void*>(panel));
    return operands + word / kSliver * p.sliver_words + pivot / 2 * 2 * kSliver +
           place_in_pair<Operand>(static_cast<int>(word % kSliver), second);
  }
  __device__ void pack_left(const Result& c, std::int64_t row, int pivot) const {
#pragma unroll
    for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
      for (int j = 0; j < kGroupSide; ++j) {
        *place(p.left, row + i, pivot + j, (pivot + j) % 2) = R::left(c[i][j]);
      }
    }
  }
  __device__ void pack_right(const Result& c, int pivot, std::int64_t col) const {
#pragma unroll
    for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
      for (int j = 0; j < kGroupSide; j += R::kLanes) {
        *place(p.right, (col + j) / R::kLanes, pivot + i, 1 - (pivot + i) % 2) = R::right(&c[i][j]);
      }
    }
  }

  static __device__ void fill_no_path(Result& c) {
#pragma unroll
    for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
      for (int j = 0; j < kGroupSide; ++j) c[i][j] = S::zero();
    }
  }

  /// Updates columns [line, line + 32) of the row of tiles, or rows of the column of tiles. A and B
  /// are the strip and the closed tile, or the reverse; A is transposed.
  template <bool kRow>
  __device__ void update(std::int64_t line) const {
    constexpr int kRows = kRow ? kPanelSide : kStrip, kCols = kRow ? kStrip : kPanelSide;
    constexpr int kLeftPitch = kRows + kPad, kRightPitch = kCols + kPad;
    constexpr int kAcross = kCols / kGroupSide;
    const int m = Threads::thread() / kAcross * kGroupSide;
    const int n = Threads::thread() % kAcross * kGroupSide;
    const std::int64_t row = kRow ? first : line, col = kRow ? line : first;
    Result c;
    fill_no_path(c);
    if (!of_the_tile(line)) {
      Value* const a = shared;
      Value* const b = shared + kPanelSide * kLeftPitch;
      const PanelTile<kRows, kPanelSide> left(*this, row, first);
      const PanelTile<kPanelSide, kCols> right(*this, first, col);
      left.write_transposed(a);
      right.write(b);
      Threads::sync();
#pragma unroll
      for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
        for (int j = 0; j < kGroupSide; ++j) {
          c[i][j] = kRow ? b[(m + i) * kRightPitch + n + j] : a[(n + j) * kLeftPitch + m + i];
        }
      }
      relax(c, a + m, kLeftPitch, b + n, kRightPitch);
      store(c, row + m, col + n);
      Threads::sync();
    }
    if constexpr (kRow) {
      pack_right(c, m, col + n);
    } else {
      pack_left(c, row + m, n);
    }
  }
};

/// The next diagonal tile, by the closer: with X and Y the tiles to the right of and
/// below the diagonal tile k, panels of step k, and Z the tile k + 1,
///
///   Z ← (Z ⊕ Y ⊗ X)*
///
/// X and Y are in shared memory, and Z in registers (close.cuh).
template <class R, class Threads>
struct Diagonal {
  using S = typename R::S;
  using Value = typename S::Value;
  using Close = Closing<R, false, kPanelSide, Threads>;
  using Group = typename Close::Group;
  static constexpr int kPitch = kPanelSide + Panel<R, Threads>::kPad;
  static constexpr int kTileValues = kPanelSide * kPitch;
  static constexpr int kSharedBytes = 2 * kTileValues * int{sizeof(Value)};

  const ProductArguments& p;
  Value *beside, *below;

  __device__ Diagonal(const ProductArguments& arguments, Value* shared)
      : p(arguments), beside(shared), below(shared + kTileValues) {}

  __device__ void relax(Close& c) const {
#pragma unroll 2
    for (int k = 0; k < kPanelSide; k += kFour) {
      Group to_pivots[kFour];
#pragma unroll
      for (int i = 0; i < kFour; ++i) {
        to_pivots[i] = *reinterpret_cast<const Group*>(below + (c.row + i) * kPitch + k);
      }
#pragma unroll
      for (int two = 0; two < kFour; two += 2) {
        Group from_pivots[2][Close::kHalves];
#pragma unroll
        for (int pivot = 0; pivot < 2; ++pivot) {
#pragma unroll
          for (int half = 0; half < Close::kHalves; ++half) {
            from_pivots[pivot][half] = *reinterpret_cast<const Group*>(
                beside + (k + two + pivot) * kPitch + c.col_of(half));
          }
        }
        Close::for_each_value([&](int i, int half, int v) {
          Value& value = c.d[i][half].value[v];
          value = R::plus(value, R::times(to_pivots[i].values[two], from_pivots[0][half].values[v]),
                          R::times(to_pivots[i].values[two + 1], from_pivots[1][half].values[v]));
        });
      }
    }
  }

  __device__ void update(Close& c, int k) const {
    const std::int64_t at = std::int64_t{k} * kPanelSide, next = at + kPanelSide;
    const Panel<R, Threads> matrix{p, at, nullptr};
    using PanelTile = typename Panel<R, Threads>::template PanelTile<kPanelSide, kPanelSide>;
    const PanelTile x(matrix, at, next), y(matrix, next, at);
    c.load();
    x.write(beside);
    y.write(below);
    Threads::sync();
    relax(c);
    Close::for_each_value(
        [&](int i, int half, int v) { c.d[i][half].value[v] = R::settle(c.d[i][half].value[v]); });
  }
};

inline constexpr int kMostTogether = 8;
inline constexpr int kNear = 2 * kPanelSide / kStrip;  // strips of a tile, of both panels

/// Counters for communication between blocks; 0 on entry.
struct WholeCounts {
  unsigned closer_at;
  unsigned neighbours;
  unsigned neighbour[kMostTogether];
  unsigned closed;
  unsigned worked;  // parts of steps that workers have finished
  unsigned near;    // strips of panels to the right of and below the next diagonal tile
};

struct WholeArguments {
  ProductArguments product;  // the matrix, its sizes, and memory for packed panels of one step
  Cycles cycles;
  std::int64_t first_pivot;
  unsigned long long* found_pivot;
  WholeCounts* counts;
};

/// kTeams: of a block.
template <class R, class Sh, int kTeams>
struct Whole {
  using P = Product<R, Sh>;
  using Value = typename P::Value;
  using Operand = typename P::Operand;
  using Sum = typename P::Sum;
  static constexpr int kThreads = kTeams * kPanelThreads;
  using Team = ThreadGroup<kPanelThreads, kThreads>;
  using Closers = ThreadGroup<kTeams == 1 ? kPanelThreads : 2 * kPanelThreads, kThreads>;
  using Operands = StepOperands<Operand, Sh, Team>;
  using Strip = Panel<R, Team>;
  using Close = Closing<R, false, kPanelSide, Closers>;
  static_assert(Sh::kThreads == kPanelThreads && Sh::kRows == kPanelSide);
  static constexpr bool kOneTile = Sh::kCols * R::kLanes == kPanelSide;
  static constexpr int kTeamBytes =
      (std::max(Operands::kBytes, Strip::kSharedBytes) + 127) / 128 * 128;
  static constexpr int kDiagonalBytes = Diagonal<R, Closers>::kSharedBytes;
  static constexpr int kSharedBytes =
      std::max(kTeams * kTeamBytes, kDiagonalBytes + int{sizeof(typename Close::Buffers)});

  const WholeArguments& w;
  const ProductArguments& p;
  WholeCounts& counts;
  unsigned char* shared;
  Operands operands;
  int tiles;
  int rank = -1, workers = 0;

  __device__ Whole(const WholeArguments& arguments, unsigned char* dynamic)
      : w(arguments),
        p(arguments.product),
        counts(*arguments.counts),
        shared(dynamic + Team::number() * kTeamBytes),
        operands(reinterpret_cast<Operand*>(shared)),
        tiles(static_cast<int>((p.rows + kPanelSide - 1) / kPanelSide)) {}

  __device__ static bool is_closer() { return blockIdx.x == 0; }

  /// Numbers the workers so that the first ones are on different multiprocessors. The closer's
  /// neighbours work if there are no other multiprocessors.
  __device__ void take_rank() {
    if constexpr (kTeams > 1) {  // a block has its multiprocessor to itself
      const auto others = static_cast<int>(gridDim.x) - 1;
      workers = kTeams * others;
      rank = Team::number() * others + static_cast<int>(blockIdx.x) - 1;
    } else {
      take_rank_among_neighbours();
    }
  }

  __device__ void take_rank_among_neighbours() {
    const auto all = cooperative_groups::this_grid();
    if (is_closer() && threadIdx.x == 0) counts.closer_at = multiprocessor();
    all.sync();
    const bool beside = !is_closer() && multiprocessor() == counts.closer_at;
    if (beside && threadIdx.x == 0) {
      counts.neighbour[atomicAdd(&counts.neighbours, 1u)] = blockIdx.x;
    }
    all.sync();
    const auto others = static_cast<int>(gridDim.x) - 1;
    const auto neighbours = static_cast<int>(counts.neighbours);
    const int left_out = neighbours < others ? neighbours : 0;
    workers = others - left_out;
    rank = static_cast<int>(blockIdx.x) - 1;
    if (left_out == 0) return;
    if (beside) rank = -1;
    for (int i = 0; i < left_out && rank >= 0; ++i)
      rank -= counts.neighbour[i] < blockIdx.x ? 1 : 0;
  }

  /// Waits until all workers have finished `parts` parts; a step has two.
  __device__ void await_all(int parts) const {
    await_count<Team>(&counts.worked, static_cast<unsigned>(parts * workers));
  }

  __device__ void update_panels(int k) const {
    const Strip panel{p, std::int64_t{k} * kPanelSide, reinterpret_cast<Value*>(shared)};
    const int rows = static_cast<int>(p.left_slivers * (kSliver / kStrip));
    const int cols = static_cast<int>(p.right_slivers * (kSliver * R::kLanes / kStrip));
    for (int strip = rank; strip < rows + cols; strip += workers) {
      const bool row = strip < cols;
      const int line = row ? strip : strip - cols;
      if (row) {
        panel.template update<true>(std::int64_t{line} * kStrip);
      } else {
        panel.template update<false>(std::int64_t{line} * kStrip);
      }
      if (line * kStrip / kPanelSide == k + 1) raise_count<Team>(&counts.near);
    }
  }

  __device__ void update_block(BlockOfC block, int k) {
    const std::int64_t first = std::int64_t{k} * kPanelSide;
    operands.begin(p, block);
    const P mine(Team::thread());
    Sum sum[Sh::kThreadRows][Sh::kThreadCols];
    mine.load_block(p, block, sum);
#pragma unroll 1  // the code of a step is long and should stay in the instruction cache
    for (int s = 0; s < Operands::kSteps; ++s) mine.relax_stage(operands.next(s), p.one, sum);
    mine.for_each_group(p, block, [&](Value* c, std::int64_t inside, int i, int j) {
      const std::int64_t col = p.cols - inside;
      const bool closers = !kOneTile && block.row == k && col >= first && col < first + kPanelSide;
      if (!closers) P::give_back(p, c, inside, &sum[i][j]);
    });
    operands.end();
  }

  __device__ void update_rest(int k) {
    const int cols = p.col_blocks - (kOneTile ? 1 : 0);
    for (int i = rank; i < (tiles - 1) * cols; i += workers) {
      int row = i / cols, col = i % cols;
      if (row >= k) ++row;
      if (kOneTile && col >= k) ++col;
      if (kOneTile && row == k + 1 && col == k + 1) continue;
      update_block({row, col}, k + 1);
    }
  }

  __device__ void work() {
    operands.prepare();
    for (int k = 0; k < tiles; ++k) {
      await_count<Team>(&counts.closed, static_cast<unsigned>(k + 1));
      update_panels(k);
      raise_count<Team>(&counts.worked);
      await_all(2 * k + 1);
      update_rest(k);
      if (k + 1 == tiles) return;
      raise_count<Team>(&counts.worked);
      await_all(2 * k + 2);
    }
  }

  __device__ CloseArguments tile(int k) const {
    const std::int64_t at = std::int64_t{k} * kPanelSide;
    CloseArguments c{};
    c.d = static_cast<Value*>(p.c) + at * (p.stride + 1);
    c.stride = p.stride;
    c.side = static_cast<int>(min(p.rows - at, std::int64_t{kPanelSide}));
    c.cycles = w.cycles;
    c.first_pivot = w.first_pivot + at;
    c.found_pivot = w.found_pivot;
    c.negation = p.negation;
    return c;
  }

  __device__ void close_all() const {
    if (Closers::number() > 0) return;
    unsigned char* const of_block = shared - Team::number() * kTeamBytes;
    auto& buffers = *reinterpret_cast<typename Close::Buffers*>(of_block + kDiagonalBytes);
    const Diagonal<R, Closers> diagonal(p, reinterpret_cast<Value*>(of_block));
    CloseArguments now = tile(0);
    Close c(now, buffers);
    c.load();
    for (int k = 0;; ++k) {
      c.close();
      c.store();
      raise_count<Closers>(&counts.closed);
      if (k + 1 == tiles) return;
      await_count<Closers>(&counts.near, static_cast<unsigned>((k + 1) * kNear));
      now = tile(k + 1);
      diagonal.update(c, k);
    }
  }

  __device__ void run() {
    take_rank();
    if (is_closer()) {
      close_all();
    } else if (rank >= 0) {
      work();
    }
  }
};

template <class R, class Sh, int kTeams>
__global__ void __launch_bounds__(kTeams* kPanelThreads, kTeams == 1 ? Sh::kBlocks : 1)
    whole_kernel(const __grid_constant__ WholeArguments w) {
  extern __shared__ __align__(128) unsigned char shared[];
  Whole<R, Sh, kTeams>(w, shared).run();
}

}  // namespace apsp::kernels::cuda
