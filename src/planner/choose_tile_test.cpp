// The choice of tiles against measurements of machines with many cores: shares of all register
// loops at once, by tile. The processors are not here; their figures are.
#include "dense/host_memory.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/plan.hpp"
#include "support/test.hpp"

namespace apsp::planner::choose_tile_test {
namespace {

struct Measured {
  int threads;
  std::int64_t n;
  ValueType type;
  std::map<std::int64_t, double> shares;  // by tile
};

constexpr std::int64_t kLevel1Bytes = 48 << 10;  // a core of that processor

/// Intel Xeon (Sapphire Rapids), 64 cores, AVX-512, one socket; best of several solves, 2026-11-21,
/// bench/cores/run.
const Measured kXeon[] = {
    {16, 1024, ValueType::f32, {{48, .634}, {96, .697}, {144, .525}, {192, .392}}},
    {16, 4096, ValueType::f32, {{48, .844}, {96, .987}, {144, 1.019}, {192, 1.097}}},
    {64, 2048, ValueType::f32, {{96, .568}, {192, .357}}},
    {64, 4096, ValueType::f32, {{96, .741}, {192, .771}}},
    {64,
     8192,
     ValueType::f32,
     {{48, .609}, {96, .767}, {144, .800}, {192, .837}, {288, .815}, {384, .804}}},
    {64, 8192, ValueType::u16, {{48, .380}, {96, .828}, {192, .865}, {288, .865}, {384, .883}}},
    {64, 16384, ValueType::f32, {{192, .811}, {384, .823}}},
    {64, 16384, ValueType::u16, {{192, .762}, {384, .772}}},
};

/// Two cores of an Intel Xeon with AVX-512, shared with others, 2026-11-21; shares of 1 thread's
/// and of 2 threads' loops, which ran seconds before.
const Measured kTwoCores[] = {
    {1, 512, ValueType::f32, {{48, .799}, {96, .800}, {144, .751}, {192, .761}}},
    {1, 768, ValueType::f32, {{48, .861}, {96, .850}, {144, .868}, {192, .866}}},
    {2, 384, ValueType::f32, {{48, 1.127}, {96, 1.129}, {144, .911}, {192, .665}}},
    {2, 384, ValueType::u16, {{48, .356}, {96, .478}, {144, .406}, {192, .448}}},
    {2, 1024, ValueType::f32, {{48, 1.106}, {96, 1.447}, {144, 1.445}, {192, 1.489}}},
    {2, 1024, ValueType::u16, {{48, .661}, {96, 1.169}, {144, 1.029}, {192, 1.180}}},
    {2, 1024, ValueType::f64, {{48, 1.305}, {96, 1.399}, {144, 1.380}, {192, 1.404}}},
    {2, 2048, ValueType::f32, {{48, 1.492}, {96, 1.508}, {144, 1.539}, {192, 1.546}}},
};

void expect_near_best(const Measured& m, double part) {
  const auto operations =
      kernels::cpu::operations(Semiring::min_plus, m.type, kernels::Sign::non_negative);
  const std::int64_t tile = choose_tile(m.n, m.threads, operations, kLevel1Bytes);
  const auto chosen = m.shares.find(tile);
  ASSERT_NE(chosen, m.shares.end()) << tile << " was not measured for n = " << m.n;
  double best = 0;
  for (const auto& [side, share] : m.shares) best = std::max(best, share);
  EXPECT_GE(chosen->second, part * best) << "n = " << m.n << ", " << m.threads << " threads";
}

TEST(ChooseTile, IsNearTheBestThatWasMeasured) {
  for (const Measured& m : kXeon) expect_near_best(m, 0.97);
  for (const Measured& m : kTwoCores) expect_near_best(m, 0.97);
}

TEST(ChooseTile, NeverGrowsWithThreadsNorFallsWithTheMatrix) {
  const auto operations =
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative);
  for (int threads = 1; threads <= 256; threads *= 2) {
    std::int64_t smaller = 0;
    for (std::int64_t n = 64; n <= 8192; n *= 2) {
      const std::int64_t tile = choose_tile(n, threads, operations, kLevel1Bytes);
      EXPECT_EQ(tile % 48, 0);
      EXPECT_GE(tile, smaller);
      EXPECT_GE(tile, choose_tile(n, 2 * threads, operations, kLevel1Bytes));
      smaller = tile;
    }
  }
}

TEST(ChooseTile, PanelsStayBelowATwentiethOfALargeMatrixOfWords) {
  for (const ValueType type : {ValueType::u16, ValueType::f32, ValueType::f64}) {
    const auto operations =
        kernels::cpu::operations(Semiring::min_plus, type, kernels::Sign::non_negative);
    const std::int64_t word = std::max(4, operations.value_size);
    for (std::int64_t n = 8193; n < 80'000; n += 1009) {
      const std::int64_t tile = choose_tile(n, 64, operations, kLevel1Bytes);
      const auto panels = [&](std::int64_t side) {
        return dense::HostMemory::panel_bytes({{nullptr, n, n, n}, operations.value_size, side},
                                              operations);
      };
      EXPECT_TRUE(panels(tile) <= n * n * word / 20 || tile == 96) << n << " " << name(type);
      const std::int64_t larger = type == ValueType::u16 ? 192 : tile + 48;
      EXPECT_TRUE(panels(larger) > n * n * word / 20 || tile == 192) << n << " " << name(type);
    }
    EXPECT_EQ(choose_tile(16384, 64, operations, kLevel1Bytes), 192) << name(type);
  }
}

TEST(ChooseTile, GrowsFromTheSizesThatWereMeasured) {
  const auto tile = [](std::int64_t n, int threads, ValueType type) {
    return choose_tile(
        n, threads, kernels::cpu::operations(Semiring::min_plus, type, kernels::Sign::non_negative),
        kLevel1Bytes);
  };
  EXPECT_EQ(tile(383, 1, ValueType::u16), 48);
  EXPECT_EQ(tile(384, 1, ValueType::u16), 96);
  EXPECT_EQ(tile(511, 1, ValueType::f32), 48);
  EXPECT_EQ(tile(512, 1, ValueType::f32), 96);
  EXPECT_EQ(tile(1023, 1, ValueType::f32), 96);
  EXPECT_EQ(tile(1024, 1, ValueType::f32), 192);
  // Seven tiles a thread.
  EXPECT_EQ(tile(1344, 7, ValueType::f32), 192);
  EXPECT_EQ(tile(1343, 7, ValueType::f32), 96);
}

TEST(ChooseTile, StripsOfAPanelFitTheFirstLevelCache) {
  const auto operations =
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative);
  EXPECT_EQ(choose_tile(4096, 2, operations, 32 << 10), 96);
  EXPECT_EQ(choose_tile(4096, 2, operations, 48 << 10), 192);
}

}  // namespace
}  // namespace apsp::planner::choose_tile_test
