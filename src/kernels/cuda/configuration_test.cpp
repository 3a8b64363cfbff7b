#include "kernels/cuda/configuration.hpp"

#include "support/test.hpp"

namespace apsp::kernels::cuda::configuration_test {
namespace {

constexpr Configuration kLarge = {64, 128, 8, 8, 4, 4};
constexpr Configuration kSmall = {64, 64, 4, 4, 4, 4};
constexpr std::array<Candidate, 2> kCandidates = {{{kLarge, 17.3}, {kSmall, 11}}};
constexpr int kMultiprocessors = 132;

Update update_of(std::int64_t rows, std::int64_t cols) {
  Update update;
  update.c = {nullptr, rows, cols, cols};
  return update;
}

std::size_t chosen(const Update& update, int lanes = 1) {
  return choose(kCandidates, lanes, kMultiprocessors, update);
}

TEST(Configuration, IsPrintable) {
  EXPECT_EQ(kLarge.threads(), 128);
  EXPECT_EQ(describe(kLarge),
            "64 × 128 words a block, 8 × 8 a thread, 128 threads, 4 stages, 4 blocks a "
            "multiprocessor");
}

TEST(Configuration, LargeProductsTakeLargeBlocksAndSmallOnesMoreOfThem) {
  EXPECT_EQ(chosen(update_of(16384, 16384)), 0u);
  EXPECT_EQ(chosen(update_of(128, 1024)), 1u) << "16 large blocks would leave most of it idle";
  EXPECT_EQ(chosen(update_of(128, 128)), 1u);
}

TEST(Configuration, WhatIsKeptMustBeWholeBlocks) {
  Update update = update_of(16384, 16384);
  update.skipped_cols = {128, 256};
  EXPECT_TRUE(suits(kLarge, 1, update));
  EXPECT_EQ(chosen(update), 0u);
  update.skipped_cols = {64, 192};
  EXPECT_FALSE(suits(kLarge, 1, update));
  EXPECT_TRUE(suits(kSmall, 1, update));
  EXPECT_EQ(chosen(update), 1u);
  update.skipped_cols = {128, 256};
  EXPECT_FALSE(suits(kLarge, 2, update)) << "pairs: a block is 256 values wide";
  update.skipped_cols = {};
  update.triangle = 64;
  EXPECT_FALSE(suits(kLarge, 1, update));
}

TEST(Configuration, TheRaggedEndOfTheMatrixIsAWholeBlock) {
  Update update = update_of(1000, 1000);
  update.skipped_rows = {960, 1000};
  update.skipped_cols = {896, 1000};
  EXPECT_TRUE(suits(kLarge, 1, update));
  update.skipped_cols = {896, 990};
  EXPECT_FALSE(suits(kLarge, 1, update));
}

TEST(Configuration, BlocksAreCountedWithoutThoseThatAreKept) {
  const auto counted = [](std::int64_t values, Range kept) {
    const Blocks blocks = blocks_of(values, 64, kept);
    return std::array{blocks.count, blocks.skipped_begin, blocks.skipped_count};
  };
  using Counts = std::array<std::int64_t, 3>;
  EXPECT_EQ(counted(0, {}), (Counts{0, 0, 0}));
  EXPECT_EQ(counted(100, {}), (Counts{2, 2, 0}));
  EXPECT_EQ(counted(256, {64, 192}), (Counts{2, 1, 2}));
  EXPECT_EQ(counted(100, {64, 100}), (Counts{1, 1, 1}));
  EXPECT_EQ(counted(100, {0, 1000}), (Counts{0, 0, 2}));
}

}  // namespace
}  // namespace apsp::kernels::cuda::configuration_test
