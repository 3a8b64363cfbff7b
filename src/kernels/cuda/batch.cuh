// Floyd-Warshall of many small matrices in one launch: a block of threads, or a cluster of blocks,
// keeps a matrix in registers from its first pivot to its last.
//
// A thread holds 8 × 8 words (8 × 4 of doubles or with intermediate vertices): one block holds up
// to 192 × 192 values of 4 bytes, and the rows of larger matrices are shared by a cluster's blocks.
// Pivots are taken four at a time:
//
//   publish  the threads that hold them copy four rows, four columns and their corner to shared
//            memory
//   close    each line becomes what it is when its pivot's turn comes: row k takes the pivots
//   before k
//            of the four, and so does column k. One line a thread; the corner is closed by each
//            thread. A cluster's blocks read the rows where they were published.
//   relax    D ← D ⊕ C ⊗ R for the four pivots, in registers
//
// So every sum is that of Floyd-Warshall with pivots in order, bit for bit, and so is the
// intermediate vertex: the last pivot that strictly improved a value. Other blocks of the
// multiprocessor compute while one waits.
//
// A matrix with values or cycles that need more than this is left as it was, and reported.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/cuda/cluster.cuh"
#include "kernels/cuda/packed.hpp"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/relaxation.cuh"

namespace apsp::kernels::cuda {

inline constexpr int kPivots = 4;  // of a step; kGroup
static_assert(kPivots == kGroup);

struct BatchArguments {
  void* matrices;
  std::int64_t stride, step;  // values from row to row and from matrix to matrix
  int n;
  std::int32_t* via;  // null: not tracked
  std::int64_t via_stride, via_step;
  std::uint8_t* left;    // [count] 1: the matrix was left as it was
  bool only_left;        // solves only matrices that an earlier launch left
  double longest;        // no simple path may be longer
  double longest_exact;  // longer paths of values of both signs are rounded
  int one;               // 1, unknown to the compiler
  bool wide, via_wide;   // rows are aligned to 16 bytes
  Negation negation;
};

constexpr int power_of_two_from(int count) {
  int power = 1;
  while (power < count) power *= 2;
  return power;
}

/// How a matrix of `kSide_` is shared out. `kHalf`: 8 × 4 words a thread.
template <class R, int kSide_, bool kHalf>
struct BatchShape {
  static constexpr int kSide = kSide_;
  static constexpr int kWords = kSide / R::kLanes;
  static constexpr bool kNarrow = R::kLanes == 2 && (kHalf || kSide == 32);
  static constexpr int kThreadRows = kNarrow || (kSide == 32 && !kHalf) ? 4 : 8;
  static constexpr int kThreadWords = kNarrow || kHalf ? 4 : 8;
  static constexpr int kMostThreads = 576;
  static constexpr int kAllThreads = kSide / kThreadRows * (kWords / kThreadWords);
  static constexpr int kBlocksOfMatrix =
      power_of_two_from((kAllThreads + kMostThreads - 1) / kMostThreads);
  static constexpr int kThreads = kAllThreads / kBlocksOfMatrix;
  static constexpr int kBlocks = std::max(1, 512 / kThreads);  // a multiprocessor
  static constexpr int kRows = kSide / kBlocksOfMatrix;
  static constexpr int kThreadsDown = kRows / kThreadRows;
  static constexpr int kThreadsAcross = kWords / kThreadWords;
  static constexpr int kWarpAcross = kThreadsAcross % 8 == 0 ? 8 : 4;
  static constexpr int kWarpDown = 32 / kWarpAcross;
  static_assert(kThreadsDown % kWarpDown == 0 && kThreadsAcross % kWarpAcross == 0);
  static_assert(kThreadsDown * kThreadsAcross == kThreads && kBlocksOfMatrix <= 16);
};

/// The findings of a block in its rows.
struct BatchFacts {
  unsigned flags;
  double longest;
};

template <class R, class Sh, bool kVia, class Stored>
struct BatchClosing {
  using S = typename R::S;
  using Value = typename R::Value;
  using Operand = typename R::Operand;
  using Sum = typename R::Sum;
  static constexpr int kLanes = R::kLanes;
  static constexpr int kGroupValues = kGroup * kLanes;
  static constexpr int kRowGroups = Sh::kThreadRows / kGroup;
  static constexpr int kWordGroups = Sh::kThreadWords / kGroup;
  static constexpr int kRowSpan = Sh::kThreadsDown * kGroup;  // from a thread's group to its next
  static constexpr int kWordSpan = Sh::kThreadsAcross * kGroup;
  static constexpr int kWords = Sh::kWords, kRows = Sh::kRows;
  static constexpr bool kShared = Sh::kBlocksOfMatrix > 1;
  static constexpr int kSets = kShared ? 2 : 1;  // others still read the lines of the step before
  static constexpr bool kSum = S::kKind == Semiring::min_plus;
  static constexpr bool kSigned = std::is_same_v<R, Signed>;
  static constexpr bool kTakesNegative =
      kSigned || (std::is_floating_point_v<Value> && !std::is_same_v<R, NonNegative>);
  using Magnitude = std::conditional_t<sizeof(Value) == 8, unsigned long long, unsigned>;

  enum Flag : unsigned { kBad = 1, kNegative = 2, kPositive = 4, kFraction = 8 };

  struct Buffers {
    alignas(16) Operand rows[kSets][kPivots][kWords];  // right operands
    alignas(16) Operand cols[kPivots][kRows];          // left operands
    alignas(16) Operand corner[kSets][kPivots][kPivots];
    // Indexed by `place`, in pairs of pivots.
    alignas(16) Operand closed_rows[2][2 * kWords];
    alignas(16) Operand closed_cols[2][2 * kRows];
    Magnitude largest[kRows];
    BatchFacts facts;
  };

  const BatchArguments& p;
  Buffers& buffers;
  std::int64_t matrix;
  int rank, row, col;  // of the block in its cluster; the thread's first row and word in the block
  Sum d[Sh::kThreadRows][Sh::kThreadWords];
  int pivot[kVia ? Sh::kThreadRows : 1][kVia ? Sh::kThreadWords * kLanes : 1];

  __device__ BatchClosing(const BatchArguments& arguments, Buffers& shared)
      : p(arguments),
        buffers(shared),
        matrix(blockIdx.x / Sh::kBlocksOfMatrix),
        rank(static_cast<int>(blockIdx.x % Sh::kBlocksOfMatrix)) {
    constexpr int kWarpsAcross = Sh::kThreadsAcross / Sh::kWarpAcross;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    row = (warp / kWarpsAcross * Sh::kWarpDown + lane / Sh::kWarpAcross) * kGroup;
    col = (warp % kWarpsAcross * Sh::kWarpAcross + lane % Sh::kWarpAcross) * kGroup;
  }

  static __device__ constexpr int row_of(int i) { return i / kGroup * kRowSpan + i % kGroup; }

  // --- words

  static __device__ Operand operand(Sum sum) {
    if constexpr (std::is_same_v<Operand, Sum>) {
      return sum;
    } else {
      return __int_as_float(sum);
    }
  }
  static __device__ Sum sum_of(Operand operand) {
    if constexpr (std::is_same_v<Operand, Sum>) {
      return operand;
    } else {
      return __float_as_int(operand);
    }
  }
  /// A value of a word as a left operand.
  static __device__ Operand left_operand(Sum sum, int lane) {
    if constexpr (kLanes == 2) {
      return __byte_perm(sum, 0, lane == 0 ? 0x1010 : 0x3232);
    } else {
      return operand(sum);
    }
  }
  __device__ void relax_one(Sum& sum, Operand a, Operand b) const {
    R::relax(0, p.one, sum, a, b, a, b);
  }
  static __device__ bool better_than_empty(Sum left) {
    Value values[kLanes];
    R::store(left, values);
    return S::better(values[0], S::one());
  }

  /// Where a closed line of kLine words keeps one of its words (packed.hpp).
  template <int kLine>
  static __device__ constexpr int place(int word, int second) {
    if constexpr (sizeof(Operand) == 8) {
      return second * kLine + word;
    } else {
      return word % kGroup / 2 * kLine + word / kGroup * 4 + word % 2 * 2 + second;
    }
  }
  template <int kLine>
  static __device__ void write_pair(Operand* line, int word, Operand first, Operand second) {
    if constexpr (sizeof(Operand) == 8) {
      line[word] = first;
      line[kLine + word] = second;
    } else {
      struct alignas(8) Two {
        Operand first, second;
      };
      *reinterpret_cast<Two*>(line + place<kLine>(word, 0)) = {first, second};
    }
  }
  /// Four neighbouring words from `word` on, which is a multiple of 4.
  template <int kLine>
  static __device__ void read_group(const Operand* line, int word, Operand (*out)[2]) {
    if constexpr (sizeof(Operand) == 8) {
#pragma unroll
      for (int second = 0; second < 2; ++second) {
#pragma unroll
        for (int w = 0; w < kGroup; w += 2) {
          const auto two = *reinterpret_cast<const double2*>(line + second * kLine + word + w);
          out[w][second] = two.x;
          out[w + 1][second] = two.y;
        }
      }
    } else {
      *reinterpret_cast<uint4*>(out) = *reinterpret_cast<const uint4*>(line + word);
      *reinterpret_cast<uint4*>(out + 2) = *reinterpret_cast<const uint4*>(line + kLine + word);
    }
  }
  static __device__ void write_four(Operand* to, const Operand (&four)[kGroup]) {
    constexpr int kWide = 16 / int{sizeof(Operand)};
#pragma unroll
    for (int w = 0; w < kGroup; w += kWide) {
      *reinterpret_cast<uint4*>(to + w) = *reinterpret_cast<const uint4*>(four + w);
    }
  }

  // --- memory

  /// Calls f(i, j, row of the matrix, first column) for each group of words that has values inside.
  template <class F>
  __device__ void for_each_group(F&& f) const {
#pragma unroll
    for (int i = 0; i < Sh::kThreadRows; ++i) {
      const int r = rank * kRows + row + row_of(i);
#pragma unroll
      for (int g = 0; g < kWordGroups; ++g) {
        const int c = (col + g * kWordSpan) * kLanes;
        if (r < p.n && c < p.n) f(i, g * kGroup, r, c);
      }
    }
  }
  __device__ Stored* at(int r, int c) const {
    return static_cast<Stored*>(p.matrices) + matrix * p.step + r * p.stride + c;
  }

  /// Values beyond the edge are `S::zero()`.
  __device__ void read(const Stored* from, int inside, Value (&values)[kGroupValues]) const {
    constexpr int kWide = sizeof(Stored) * kGroupValues / 16;
    if constexpr (kWide > 0) {
      if (p.wide && inside >= kGroupValues) {
#pragma unroll
        for (int part = 0; part < kWide; ++part) {
          reinterpret_cast<uint4*>(values)[part] = reinterpret_cast<const uint4*>(from)[part];
        }
#pragma unroll
        for (Value& value : values) value = R::negated(value, p.negation);
        return;
      }
    }
#pragma unroll
    for (int v = 0; v < kGroupValues; ++v) {
      values[v] = S::zero();
      if (v >= inside) continue;
      if constexpr (std::is_same_v<Stored, Value>) {
        values[v] = R::negated(from[v], p.negation);
      } else {
        values[v] = R::negated(static_cast<Value>(from[v] != 0), p.negation);  // reachability
      }
    }
  }

  __device__ void write(Stored* to, int inside, const Sum* sums) const {
    alignas(16) Value values[kGroupValues];
#pragma unroll
    for (int w = 0; w < kGroup; ++w) {
      R::store(R::restored(R::settle(sums[w]), p.negation), values + w * kLanes);
    }
    constexpr int kWide = sizeof(Stored) * kGroupValues / 16;
    if constexpr (kWide > 0) {
      if (p.wide && inside >= kGroupValues) {
#pragma unroll
        for (int part = 0; part < kWide; ++part) {
          reinterpret_cast<uint4*>(to)[part] = reinterpret_cast<const uint4*>(values)[part];
        }
        return;
      }
    }
#pragma unroll
    for (int v = 0; v < kGroupValues; ++v) {
      if (v >= inside) continue;
      if constexpr (std::is_same_v<Stored, Value>) {
        to[v] = values[v];
      } else {
        to[v] = static_cast<Stored>(values[v] != 0);
      }
    }
  }

  // --- what the values are

  static __device__ Magnitude magnitude_of(Value value) {
    if constexpr (std::is_same_v<Value, double>) {
      return static_cast<Magnitude>(__double_as_longlong(fabs(value)));
    } else if constexpr (std::is_same_v<Value, float>) {
      return __float_as_uint(fabsf(value));
    } else if constexpr (std::is_signed_v<Value>) {
      const auto bits = static_cast<unsigned>(value);
      return value < 0 ? 0u - bits : bits;
    } else {
      return value;
    }
  }
  static __device__ double length_of(Magnitude magnitude) {
    if constexpr (std::is_same_v<Value, double>) {
      return __longlong_as_double(static_cast<long long>(magnitude));
    } else if constexpr (std::is_same_v<Value, float>) {
      return static_cast<double>(__uint_as_float(magnitude));
    } else {
      return static_cast<double>(magnitude);
    }
  }
  static __device__ unsigned flags_of(Value value) {
    unsigned flags = value != value || S::better(S::zero(), value) ? kBad : 0u;
    if constexpr (kSum && (std::is_floating_point_v<Value> || std::is_signed_v<Value>)) {
      if (value == S::zero()) return flags;
      flags |= (value < Value(0) ? kNegative : 0u) | (value > Value(0) ? kPositive : 0u);
      if constexpr (kTakesNegative && std::is_floating_point_v<Value>) {
        if (value != trunc(value)) flags |= kFraction;
      }
    }
    return flags;
  }

  /// Loads the block's rows, improves the diagonal to the empty path, and looks at the values.
  __device__ void load() {
    for (int r = static_cast<int>(threadIdx.x); r < kRows; r += Sh::kThreads) {
      buffers.largest[r] = 0;
    }
    if (threadIdx.x == 0) buffers.facts = {0, 0};
    __syncthreads();
    unsigned flags = 0;
    const Sum none = no_path_sum<R>();
    Magnitude largest[Sh::kThreadRows];
#pragma unroll
    for (int i = 0; i < Sh::kThreadRows; ++i) {
      largest[i] = 0;
#pragma unroll
      for (Sum& sum : d[i]) sum = none;
      if constexpr (kVia) {
#pragma unroll
        for (int& each : pivot[i]) each = kNoVia;
      }
    }
    for_each_group([&](int i, int j, int r, int c) {
      alignas(16) Value values[kGroupValues];
      read(at(r, c), p.n - c, values);
#pragma unroll
      for (int v = 0; v < kGroupValues; ++v) {
        flags |= flags_of(values[v]);
        if constexpr (kSum) {
          if (values[v] != S::zero()) largest[i] = max(largest[i], magnitude_of(values[v]));
        }
        if (r == c + v) values[v] = S::plus(values[v], S::one());
      }
#pragma unroll
      for (int w = 0; w < kGroup; ++w) d[i][j + w] = R::load(values + w * kLanes);
    });
    if (flags != 0) atomicOr(&buffers.facts.flags, flags);
    if constexpr (kSum) {
#pragma unroll
      for (int i = 0; i < Sh::kThreadRows; ++i) {
#pragma unroll
        for (int apart = 1; apart < Sh::kWarpAcross; apart *= 2) {
          largest[i] = max(largest[i], __shfl_xor_sync(0xffffffffu, largest[i], apart));
        }
        if (threadIdx.x % Sh::kWarpAcross == 0) {
          atomicMax(&buffers.largest[row + row_of(i)], largest[i]);
        }
      }
    }
    __syncthreads();
    if constexpr (kSum) {
      if (threadIdx.x < 32) {
        double longest = 0;
        for (int r = static_cast<int>(threadIdx.x); r < kRows; r += 32) {
          longest += length_of(buffers.largest[r]);
        }
#pragma unroll
        for (int apart = 16; apart > 0; apart /= 2) {
          longest += __shfl_xor_sync(0xffffffffu, longest, apart);
        }
        if (threadIdx.x == 0) buffers.facts.longest = longest;
      }
      __syncthreads();
    }
  }

  /// Returns whether this kernel solves such values; the same for all threads of all blocks.
  __device__ bool takes_values() const {
    BatchFacts all{0, 0};
    if constexpr (kShared) {
      await_cluster();
      for (int block = 0; block < Sh::kBlocksOfMatrix; ++block) {
        const BatchFacts facts = *in_block(&buffers.facts, block);
        all.flags |= facts.flags;
        all.longest += facts.longest;
      }
    } else {
      all = buffers.facts;
    }
    if ((all.flags & kBad) != 0) return false;
    if constexpr (!kSum) return true;
    if (!(all.longest <= p.longest)) return false;
    if constexpr (!kTakesNegative) return (all.flags & kNegative) == 0;
    constexpr unsigned kBoth = kNegative | kPositive;
    if constexpr (kSigned) return all.longest < static_cast<double>(1 << 28);
    if ((all.flags & kBoth) != kBoth) return true;
    return (all.flags & kFraction) == 0 && all.longest <= p.longest_exact;
  }

  // --- four pivots

  /// One of two groups of registers, which cannot be addressed.
  static __device__ Sum one_of(bool second, Sum first_sum, Sum second_sum) {
    return second ? second_sum : first_sum;
  }
  /// Word `w` of the thread's row `i`, in its group `row_group` of rows or `word_group` of words.
  __device__ Sum of_row_group(int row_group, int i, int w) const {
    if constexpr (kRowGroups == 1) {
      return d[i][w];
    } else {
      return one_of(row_group != 0, d[i][w], d[i + kGroup][w]);
    }
  }
  __device__ Sum of_word_group(int word_group, int i, int w) const {
    if constexpr (kWordGroups == 1) {
      return d[i][w];
    } else {
      return one_of(word_group != 0, d[i][w], d[i][w + kGroup]);
    }
  }
  /// Column `v` of the four pivots in the thread's row `i`, as a left operand. `half`: of the
  /// group, where words hold two values.
  __device__ Operand of_column(int word_group, bool half, int i, int v) const {
    if constexpr (kLanes == 1) {
      return operand(of_word_group(word_group, i, v));
    } else {
      const Sum word = one_of(half, of_word_group(word_group, i, v / kLanes),
                              of_word_group(word_group, i, v / kLanes + kGroup / kLanes));
      return left_operand(word, v % kLanes);
    }
  }

  __device__ void publish(int k, int set) {
    const int of_block = k - rank * kRows;
    const bool own_rows = of_block >= 0 && of_block < kRows && of_block % kRowSpan == row;
    const int word = k / kLanes;
    if (own_rows) {
      const int group = of_block / kRowSpan;
#pragma unroll
      for (int v = 0; v < kPivots; ++v) {
#pragma unroll
        for (int g = 0; g < kWordGroups; ++g) {
          alignas(16) Operand four[kGroup];
#pragma unroll
          for (int w = 0; w < kGroup; ++w) {
            four[w] = operand(of_row_group(group, v, g * kGroup + w));
          }
          write_four(&buffers.rows[set][v][col + g * kWordSpan], four);
        }
      }
    }
    if (word % kWordSpan / kGroup * kGroup != col) return;
    const int group = word / kWordSpan;
    const bool half = word % kGroup != 0;
#pragma unroll
    for (int v = 0; v < kPivots; ++v) {
#pragma unroll
      for (int i = 0; i < kRowGroups; ++i) {
        alignas(16) Operand four[kGroup];
#pragma unroll
        for (int r = 0; r < kGroup; ++r) four[r] = of_column(group, half, i * kGroup + r, v);
        write_four(&buffers.cols[v][row + i * kRowSpan], four);
        if (!own_rows || of_block / kRowSpan != i) continue;
#pragma unroll
        for (int r = 0; r < kGroup; ++r) buffers.corner[set][r][v] = four[r];
      }
    }
  }

  /// Returns whether no pivot is on a cycle better than the empty path: the same for all threads.
  __device__ bool close_lines(int k, int set) const {
    const Buffers* const owner = kShared ? in_block(&buffers, k / kRows) : &buffers;
    alignas(16) Operand corner[kPivots][kPivots];
    constexpr int kWide = sizeof(corner) / 16;
#pragma unroll
    for (int part = 0; part < kWide; ++part) {
      reinterpret_cast<uint4*>(corner)[part] =
          reinterpret_cast<const uint4*>(owner->corner[set])[part];
    }
    bool none = true;
#pragma unroll
    for (int q = 0; q < kPivots; ++q) {
      none = none && !better_than_empty(sum_of(corner[q][q]));
#pragma unroll
      for (int i = q + 1; i < kPivots; ++i) {
#pragma unroll
        for (int j = q + 1; j < kPivots; ++j) {
          Sum sum = sum_of(corner[i][j]);
          relax_one(sum, corner[i][q], corner[q][j]);
          corner[i][j] = operand(sum);
        }
      }
    }
    for (int line = static_cast<int>(threadIdx.x); line < kWords + kRows; line += Sh::kThreads) {
      const bool is_row = line < kWords;
      const int at = is_row ? line : line - kWords;
      Operand four[kPivots];
#pragma unroll
      for (int v = 0; v < kPivots; ++v) {
        four[v] = is_row ? owner->rows[set][v][at] : buffers.cols[v][at];
      }
#pragma unroll
      for (int v = 1; v < kPivots; ++v) {
        Sum sum = sum_of(four[v]);
#pragma unroll
        for (int q = 0; q < v; ++q) {
          const Operand step = is_row ? corner[v][q] : corner[q][v];
          relax_one(sum, step, four[q]);
        }
        four[v] = operand(sum);
      }
#pragma unroll
      for (int pair = 0; pair < 2; ++pair) {
        if (is_row) {
          write_pair<kWords>(buffers.closed_rows[pair], at, four[2 * pair + 1], four[2 * pair]);
        } else {
          write_pair<kRows>(buffers.closed_cols[pair], at, four[2 * pair], four[2 * pair + 1]);
        }
      }
    }
    return none;
  }

  __device__ void improve(int i, int j, Operand a, Operand b, int number) {
    Sum through = no_path_sum<R>();
    relax_one(through, a, b);
    bool better[kLanes];
    take_better<R>(d[i][j], through, better);
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane) {
      if (better[lane]) pivot[i][j * kLanes + lane] = number;
    }
  }

  __device__ void relax(int k) {
#pragma unroll
    for (int pair = 0; pair < 2; ++pair) {
      alignas(16) Operand a[Sh::kThreadRows][2];
      alignas(16) Operand b[Sh::kThreadWords][2];
#pragma unroll
      for (int i = 0; i < kRowGroups; ++i) {
        read_group<kRows>(buffers.closed_cols[pair], row + i * kRowSpan, a + i * kGroup);
      }
#pragma unroll
      for (int g = 0; g < kWordGroups; ++g) {
        read_group<kWords>(buffers.closed_rows[pair], col + g * kWordSpan, b + g * kGroup);
      }
#pragma unroll
      for (int i = 0; i < Sh::kThreadRows; ++i) {
#pragma unroll
        for (int j = 0; j < Sh::kThreadWords; ++j) {
          if constexpr (kVia) {
            improve(i, j, a[i][0], b[j][1], k + 2 * pair);
            improve(i, j, a[i][1], b[j][0], k + 2 * pair + 1);
          } else {
            R::relax(i * Sh::kThreadWords + j, p.one, d[i][j], a[i][0], b[j][1], a[i][1], b[j][0]);
          }
        }
      }
    }
  }

  /// Returns false, with D unspecified, if there is a cycle better than the empty path.
  __device__ bool close() {
    bool none = true;
#pragma unroll 1
    for (int k = 0; k < p.n && none; k += kPivots) {
      const int set = k / kPivots % kSets;
      publish(k, set);
      if constexpr (kShared) {
        await_cluster();
      } else {
        __syncthreads();
      }
      none = close_lines(k, set);
      __syncthreads();
      relax(k);
    }
    return none;
  }

  __device__ void store() const {
    for_each_group([&](int i, int j, int r, int c) {
      write(at(r, c), p.n - c, &d[i][j]);
      if constexpr (kVia) {
        std::int32_t* const via = p.via + matrix * p.via_step + r * p.via_stride + c;
        alignas(16) std::int32_t numbers[kGroupValues];
#pragma unroll
        for (int w = 0; w < kGroup; ++w) {
          Value values[kLanes];
          R::store(R::settle(d[i][j + w]), values);
#pragma unroll
          for (int lane = 0; lane < kLanes; ++lane) {
            const int v = w * kLanes + lane;
            numbers[v] = values[lane] == S::zero() ? kNoVia : pivot[i][j * kLanes + v];
          }
        }
        const bool all = c + kGroupValues <= p.n;
#pragma unroll
        for (int part = 0; part < kGroupValues; part += 4) {
          if (p.via_wide && all) {
            *reinterpret_cast<int4*>(via + part) = *reinterpret_cast<const int4*>(numbers + part);
            continue;
          }
#pragma unroll
          for (int v = part; v < part + 4; ++v) {
            if (c + v < p.n) via[v] = numbers[v];
          }
        }
      }
    });
  }

  __device__ void run() {
    if (p.only_left && p.left[matrix] == 0) return;
    load();
    bool solved = takes_values();
    if constexpr (kShared) await_cluster();  // all have read the facts, or `left`
    if (solved) solved = close();
    if constexpr (kShared) await_cluster();  // nobody's shared memory is read any more
    if (solved) store();
    if (threadIdx.x == 0 && rank == 0) p.left[matrix] = solved ? 0 : 1;
  }
};

template <class R, class Sh, bool kVia, class Stored>
__global__ void __launch_bounds__(Sh::kThreads, Sh::kBlocks)
    batch_kernel(const __grid_constant__ BatchArguments p) {
  using Closing = BatchClosing<R, Sh, kVia, Stored>;
  extern __shared__ __align__(128) unsigned char shared[];
  Closing(p, *reinterpret_cast<typename Closing::Buffers*>(shared)).run();
}

}  // namespace apsp::kernels::cuda
