#include "dense/host_memory.hpp"

#include "base/random.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "support/recorded_progress.hpp"
#include "support/test.hpp"

namespace apsp::dense::host_memory_test {
namespace {

TEST(HostMemory, ProgressCountsTheRelaxationsOfTheShape) {
  constexpr std::int64_t kN = 300, kRelaxations = kN * kN * kN;
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const int threads : {1, 2, 5}) {
      std::vector<float> ones(kN * kN, 1);
      for (std::int64_t v = 0; v < kN; ++v) ones[static_cast<std::size_t>(v * (kN + 1))] = 0;
      RecordedProgress progress;
      const Control control{&progress, nullptr};
      HostMemory(
          {{ones.data(), kN, kN, kN}, 4, 48}, shape,
          kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative),
          kernels::Cycles::excluded, threads, control)
          .run();
      EXPECT_TRUE(progress.ascending);
      EXPECT_EQ(progress.total, shape == Shape::full ? kRelaxations : kRelaxations / 2);
      EXPECT_GE(progress.done, progress.total);
      // Tiles on the diagonal are whole.
      EXPECT_LE(progress.done, shape == Shape::full ? progress.total : 1.2 * progress.total);
    }
  }
}

/// Distances, and where they are wanted intermediate vertices, of a random symmetric matrix.
struct Solved {
  std::vector<float> edges, values;
  std::vector<std::int32_t> via;
};
Solved solve_symmetric(std::int64_t n, Shape shape, int threads, bool tracks_via) {
  base::SplitMix64 random(7);
  Solved solved;
  solved.values.resize(static_cast<std::size_t>(n * n));
  if (tracks_via) solved.via.assign(solved.values.size(), kernels::kNoVia);
  const auto at = [n](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i * n + j);
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      solved.values[at(i, j)] = solved.values[at(j, i)] =
          1 + static_cast<float>(random.below(1'000'000));
    }
  }
  solved.edges = solved.values;
  const TiledMatrix matrix{{solved.values.data(), n, n, n}, 4, 48};
  std::optional<Witness> witness;
  if (tracks_via) {
    witness = Witness{{{solved.via.data(), n, n, n}, kernels::kViaSize, 48},
                      kernels::cpu::witness_operations(Semiring::min_plus, ValueType::f32,
                                                       kernels::Sign::non_negative)};
  }
  HostMemory(
      matrix, shape,
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative),
      kernels::Cycles::excluded, threads, {}, witness)
      .run();
  return solved;
}

/// The second tile meets the cycle at its first pivot.
TEST(HostMemory, ACycleAtATilesFirstPivotIsTold) {
  constexpr std::int64_t kSide = 48, kMany = 2 * kSide;
  for (const int threads : {1, 3}) {
    std::vector<float> values(kMany * kMany, std::numeric_limits<float>::infinity());
    for (std::int64_t v = 0; v < kMany; ++v) values[static_cast<std::size_t>(v * (kMany + 1))] = 0;
    values[kSide] = -2;         // from 0
    values[kSide * kMany] = 1;  // and back
    HostMemory place(
        {{values.data(), kMany, kMany, kMany}, 4, kSide}, Shape::full,
        kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::any),
        kernels::Cycles::possible, threads, {});
    const Error error = error_of([&] { place.run(); });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    EXPECT_EQ(error.cycle().vertices.front(), kSide);
  }
}

TEST(HostMemory, TakesTwoSetsOfPanelsAndADiagonalTile) {
  const auto operations =
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative);
  const OperandBytes of_tile = operand_bytes(operations, 48);
  for (const std::int64_t tiles : {1, 2, 7}) {
    const std::int64_t n = 48 * tiles;
    EXPECT_EQ(HostMemory::panel_bytes({{nullptr, n, n, n}, 4, 48}, operations),
              (2 * tiles + 1) * (of_tile.left + of_tile.right));
  }
}

TEST(HostMemory, HalfOfASymmetricMatrixIsSolvedAndMirrored) {
  for (const std::int64_t n : {1, 47, 48, 49, 97, 200, 400}) {
    for (const int threads : {1, 3}) {
      const Solved full = solve_symmetric(n, Shape::full, threads, false);
      EXPECT_EQ(solve_symmetric(n, Shape::symmetric, threads, false).values, full.values) << n;
      const Solved half = solve_symmetric(n, Shape::symmetric, threads, true);
      EXPECT_EQ(half.values, full.values) << n;
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          const auto of = [&](std::int64_t a, std::int64_t b) {
            return static_cast<std::size_t>(a * n + b);
          };
          const std::int32_t k = half.via[of(i, j)];
          ASSERT_EQ(k, half.via[of(j, i)]) << n << ' ' << i << ' ' << j;
          ASSERT_EQ(k < 0, half.values[of(i, j)] == half.edges[of(i, j)]);
          if (k < 0) continue;
          ASSERT_EQ(half.values[of(i, j)], half.values[of(i, k)] + half.values[of(k, j)]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace apsp::dense::host_memory_test
