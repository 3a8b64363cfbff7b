// Kernels of a GPU on threads of the host (support/emulated), against Floyd-Warshall with pivots in
// order: batches bit for bit, whole solves where sums are exact. Rows of warps that count.
#include <cuda_runtime_api.h>  // the emulated one

#include "base/random.hpp"
#include "kernels/cuda/batch.cuh"
#include "kernels/cuda/strip_walk.cuh"
#include "kernels/cuda/whole.cuh"
#include "support/test.hpp"

namespace apsp::kernels::cuda {
namespace {

using semiring::MaxMin;
using semiring::MaxPlus;
using semiring::MinMax;
using semiring::MinPlus;
using Short = Relaxation<MinPlus<std::uint16_t>>;

struct Kind {
  std::int64_t n;
  std::int64_t beside = 0;   // values behind every row, and behind every matrix
  std::int64_t heights = 0;  // differences of heights make negative values, and no negative cycle
};

/// Two matrices [n, n + beside], aligned to 16 bytes.
template <class S>
struct Matrices {
  using T = typename S::Value;
  static constexpr std::int64_t kCount = 2;

  explicit Matrices(const Kind& of)
      : n(of.n),
        stride(of.n + of.beside),
        step(n * stride + of.beside),
        memory(static_cast<std::size_t>(kCount * step) + 16 / sizeof(T), T(7)) {
    const auto aside = reinterpret_cast<std::uintptr_t>(memory.data()) % 16;
    first = aside == 0 ? 0 : (16 - aside) / sizeof(T);
    base::SplitMix64 random(static_cast<std::uint64_t>(n));
    for (std::int64_t g = 0; g < kCount; ++g) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          double weight = static_cast<double>(1 + random.below(20));
          if (std::is_floating_point_v<T>) weight += 0.1 * static_cast<double>(random.below(7));
          if (of.heights != 0)
            weight = static_cast<double>(1 + random.below(20)) +
                     static_cast<double>(of.heights * (i % 5 - j % 5));
          const bool acyclic = S::kKind != Semiring::max_plus || i < j;
          const bool edge = acyclic && random.below(100) < 30;
          at(g, i, j) = !edge ? S::zero() : S::kKind == Semiring::or_and ? T(1) : T(weight);
        }
      }
    }
  }
  T* data() { return memory.data() + first; }
  T& at(std::int64_t g, std::int64_t i, std::int64_t j) {
    return data()[g * step + i * stride + j];
  }
  std::vector<T> values() { return {data(), data() + kCount * step}; }

  /// Returns the last pivot that improved each value.
  std::vector<std::int32_t> close_in_order() {
    std::vector<std::int32_t> via(static_cast<std::size_t>(kCount * n * n), kNoVia);
    for (std::int64_t g = 0; g < kCount; ++g) {
      for (std::int64_t i = 0; i < n; ++i) at(g, i, i) = S::plus(at(g, i, i), S::one());
      for (std::int64_t k = 0; k < n; ++k) {
        for (std::int64_t i = 0; i < n; ++i) {
          for (std::int64_t j = 0; j < n; ++j) {
            const T through = S::times(at(g, i, k), at(g, k, j));
            if (!S::better(through, at(g, i, j))) continue;
            at(g, i, j) = through;
            via[static_cast<std::size_t>((g * n + i) * n + j)] = static_cast<std::int32_t>(k);
          }
        }
      }
    }
    return via;
  }

  std::int64_t n, stride, step;
  std::vector<T> memory;
  std::size_t first = 0;
};

template <class S, class R, int kSide, bool kVia, bool kNegated = false>
void expect_batch_in_order(const Kind& kind) {
  using T = typename S::Value;
  using Shape = BatchShape<R, kSide, kVia || sizeof(typename R::Operand) == 8>;
  using Closing = BatchClosing<R, Shape, kVia, T>;
  Matrices<S> there(kind), here(kind);
  std::vector<std::int32_t> via(static_cast<std::size_t>(there.kCount * kind.n * kind.n), 99);
  std::vector<std::uint8_t> left(there.kCount, 9);
  BatchArguments p{};
  p.matrices = there.data();
  p.stride = there.stride;
  p.step = there.step;
  p.n = static_cast<int>(kind.n);
  p.via = kVia ? via.data() : nullptr;
  p.via_stride = kind.n;
  p.via_step = kind.n * kind.n;
  p.left = left.data();
  p.longest = std::is_same_v<T, std::uint16_t> ? 32766 : 1e9;
  p.longest_exact = 0x1p24;
  p.one = 1;
  p.wide = there.stride * sizeof(T) % 16 == 0 && there.step * sizeof(T) % 16 == 0;
  p.negation = kNegated ? Negation::round() : Negation{};
  emulated::Launch(there.kCount * Shape::kBlocksOfMatrix, Shape::kThreads, Shape::kBlocksOfMatrix,
                   sizeof(typename Closing::Buffers), [&](unsigned char* shared) {
                     Closing(p, *reinterpret_cast<typename Closing::Buffers*>(shared)).run();
                   });
  const auto last = here.close_in_order();
  EXPECT_EQ(left, std::vector<std::uint8_t>(there.kCount, 0)) << kSide;
  EXPECT_EQ(there.values(), here.values()) << kSide << ", n " << kind.n;
  if (kVia) {
    EXPECT_EQ(via, last) << kSide << ", n " << kind.n;
  }
}

template <class S, class R, bool kNegated = false>
void expect_small_batches(std::int64_t heights = 0) {
  expect_batch_in_order<S, R, 32, false, kNegated>({5, 3, heights});
  expect_batch_in_order<S, R, 32, true, kNegated>({32, 0, heights});
  expect_batch_in_order<S, R, 64, false, kNegated>({64, 0, heights});
  expect_batch_in_order<S, R, 64, true, kNegated>({39, 1, heights});
}

TEST(EmulatedBatch, TakesPivotsInOrder) {
  expect_small_batches<MinPlus<float>, NonNegative>();
  expect_small_batches<MinPlus<float>, Relaxation<MinPlus<float>>>();
  expect_small_batches<MinPlus<double>, Relaxation<MinPlus<double>>>();
  expect_small_batches<MinPlus<std::int32_t>, Relaxation<MinPlus<std::int32_t>>>();
  expect_small_batches<MinPlus<std::int32_t>, Signed>(30);
  expect_small_batches<MinPlus<std::uint16_t>, Short>();
  expect_small_batches<MaxPlus<float>, Relaxation<MinPlus<float>>, true>();
  expect_small_batches<MaxMin<float>, Relaxation<MinMax<float>>, true>();
  expect_small_batches<MinMax<std::int32_t>, Relaxation<MinMax<std::int32_t>>>(30);
  expect_small_batches<MaxMin<std::uint16_t>, Relaxation<MinMax<std::uint16_t>>, true>();
}

TEST(EmulatedBatch, OfOneBlockOrSeveral) {
  expect_batch_in_order<MinPlus<float>, NonNegative, 128, false>({70});
  expect_batch_in_order<MinPlus<float>, NonNegative, 192, false>({130});
  expect_batch_in_order<MinPlus<float>, NonNegative, 256, false>({132, 1});
  expect_batch_in_order<MinPlus<double>, Relaxation<MinPlus<double>>, 256, false>({66});
  expect_batch_in_order<MinPlus<std::uint16_t>, Short, 512, false>({136});
}

template <class T>
std::uint8_t left_after(void (*spoil)(Matrices<MinPlus<T>>&)) {
  using R = std::conditional_t<std::is_same_v<T, float>, NonNegative, Relaxation<MinPlus<T>>>;
  using Shape = BatchShape<R, 32, sizeof(T) == 8>;
  using Closing = BatchClosing<R, Shape, false, T>;
  Matrices<MinPlus<T>> there({20}), before({20});
  spoil(there);
  spoil(before);
  std::vector<std::uint8_t> left(2, 9);
  BatchArguments p{};
  p.matrices = there.data();
  p.stride = p.n = 20;
  p.step = 400;
  p.left = left.data();
  p.longest = sizeof(T) == 2 ? 32766 : 1e30;
  p.longest_exact = 0x1p53;
  p.one = 1;
  emulated::Launch(2, Shape::kThreads, 1, sizeof(typename Closing::Buffers),
                   [&](unsigned char* shared) {
                     Closing(p, *reinterpret_cast<typename Closing::Buffers*>(shared)).run();
                   });
  EXPECT_EQ(left[1], 0);
  if (left[0] == 1) {
    EXPECT_EQ(std::memcmp(there.data(), before.data(), 400 * sizeof(T)), 0);
  }
  return left[0];
}

TEST(EmulatedBatch, LeavesWhatItDoesNotSolve) {
  EXPECT_EQ(left_after<float>([](auto&) {}), 0);
  EXPECT_EQ(left_after<float>([](auto& m) { m.at(0, 3, 4) = -1; }), 1);
  EXPECT_EQ(left_after<float>([](auto& m) { m.at(0, 3, 4) = std::nanf(""); }), 1);
  EXPECT_EQ(left_after<double>([](auto& m) { m.at(0, 3, 4) = -1; }), 1);  // and fractions
  EXPECT_EQ(left_after<std::uint16_t>([](auto& m) { m.at(0, 3, 4) = 40000; }), 1);
  EXPECT_EQ(left_after<std::uint16_t>([](auto& m) {
              for (std::int64_t i = 0; i < 20; ++i) m.at(0, i, 7) = 3000;
            }),
            1);
  EXPECT_EQ(left_after<double>([](auto& m) {  // a negative cycle of whole numbers
              for (std::int64_t i = 0; i < 20; ++i) {
                for (std::int64_t j = 0; j < 20; ++j) m.at(0, i, j) = i == 2 && j == 5 ? -3 : 2;
              }
            }),
            1);
}

/// `blocks`: one closes the diagonal tiles, the others work.
template <class T, class R, int kTeams>
void expect_whole_solve(std::int64_t n, unsigned blocks) {
  using Shape = BlockShape<Configuration{64, 64, 8, 4, 4, 3}>;
  using W = Whole<R, Shape, kTeams>;
  Matrices<MinPlus<T>> there({n, 64 - n % 64}), here({n, 64 - n % 64});
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {  // whole numbers: exact in any order
      there.at(0, i, j) = here.at(0, i, j) =
          i == j ? T(0) : static_cast<T>(std::floor(static_cast<double>(here.at(0, i, j))));
    }
  }
  std::vector<std::byte> left(static_cast<std::size_t>(left_bytes<R>(n, kPanelSide)) + 256);
  std::vector<std::byte> right(static_cast<std::size_t>(right_bytes<R>(n, kPanelSide)) + 256);
  const auto aligned = [](std::vector<std::byte>& memory) {
    return memory.data() + (256 - reinterpret_cast<std::uintptr_t>(memory.data()) % 256) % 256;
  };
  Update update;
  update.c = {there.data(), n, n, there.stride};
  update.left = aligned(left);
  update.right = aligned(right);
  update.depth = kPanelSide;
  unsigned long long found = ~0ull;
  WholeCounts counts{};
  const WholeArguments w{arguments_of<R, Shape>(update, Negation{}), Cycles::possible, 0, &found,
                         &counts};
  emulated::Launch(blocks, W::kThreads, blocks, W::kSharedBytes,
                   [&](unsigned char* shared) { W(w, shared).run(); });
  here.close_in_order();
  EXPECT_EQ(found, ~0ull);
  EXPECT_EQ(std::memcmp(there.data(), here.data(),
                        static_cast<std::size_t>((n - 1) * there.stride + n) * sizeof(T)),
            0)
      << n << " by teams of " << kTeams;
}

TEST(EmulatedWhole, SolvesByTeamsOfABlockAndByBlocks) {
  expect_whole_solve<float, NonNegative, 3>(130, 3);
  expect_whole_solve<float, NonNegative, 1>(130, 7);
  expect_whole_solve<std::uint16_t, Short, 3>(200, 2);
  expect_whole_solve<std::int32_t, Relaxation<MinPlus<std::int32_t>>, 3>(64, 2);
}

/// Every strip of every row is one warp's, and warps of a block are never far apart.
template <int kWarps>
void expect_walks(int strips, int rows, int most, int blocks) {
  gridDim.x = static_cast<unsigned>(blocks);
  std::vector<int> visits(static_cast<std::size_t>(strips * rows));
  for (int block = 0; block < blocks; ++block) {
    int steps = 0;
    for (int k = 0; k == 0 || k < steps; ++k) {
      int least = rows, greatest = 0;
      for (int warp = 0; warp < kWarps; ++warp) {
        blockIdx.x = static_cast<unsigned>(block);
        threadIdx.x = static_cast<unsigned>(32 * warp);
        const StripWalk<kWarps> walk(strips, rows, most);
        ASSERT_LE(walk.tile, most);
        steps = walk.tiles;
        const int first = walk.row + k * (walk.tile + walk.others);
        for (int row = first; row < std::min(walk.end, first + walk.tile); ++row) {
          ++visits[static_cast<std::size_t>(walk.strip * rows + row)];
          least = std::min(least, row);
          greatest = std::max(greatest, row);
        }
      }
      ASSERT_LE(greatest - least, std::int64_t{kWarps} * most);
    }
  }
  EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), std::ssize(visits))
      << strips << " strips, " << rows << " rows, at most " << most << " of a tile";
}

TEST(StripWalk, SharesOutAllRowsAndKeepsABlockTogether) {
  for (int strips = 1; strips <= 20; ++strips) {
    for (const int rows : {0, 1, 7, 300, 5001}) {
      for (const int most : {1, 16, 1024, INT_MAX}) {
        const int blocks = std::max(5, (strips + 3) / 4);
        expect_walks<4>(strips, rows, most, blocks);
        expect_walks<16>(strips, rows, most, blocks);
      }
    }
  }
}

}  // namespace
}  // namespace apsp::kernels::cuda
