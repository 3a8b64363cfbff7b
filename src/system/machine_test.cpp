#include "system/machine.hpp"

#include "support/test.hpp"

#include "system/aligned_memory.hpp"
#include "system/memory_limit.hpp"

namespace apsp::system::machine_test {
namespace {

TEST(AlignedMemory, IsZeroedAndMovable) {
  AlignedMemory memory(1 << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0u);
  EXPECT_EQ(memory.as<int>()[1000], 0);
  AlignedMemory other = std::move(memory);
  EXPECT_EQ(other.bytes(), 1 << 20);
  EXPECT_EQ(AlignedMemory(0).data(), nullptr);
}

TEST(AlignedMemory, RefusesWhatTheSystemCannotGive) {
  EXPECT_EQ(error_of([&] { AlignedMemory(std::int64_t{1} << 60); }).kind(),
            ErrorKind::does_not_fit);
}

TEST(Machine, HasMemoryAndCores) {
  EXPECT_GT(total_memory(), 0);
  EXPECT_GT(available_memory(), 0);
  EXPECT_LE(available_memory(), total_memory());
  EXPECT_GE(thread_count(0), 1);
  EXPECT_EQ(thread_count(3), 3);
}

TEST(MemoryLimit, BoundsWhatIsAvailableAndWhatMayBePlanned) {
  constexpr std::int64_t kMiB = 1 << 20;
  if (kept_memory() == 0) GTEST_SKIP() << "the system does not say";
  const std::int64_t limit = kept_memory() + 200 * kMiB;
  limit_memory(limit);
  EXPECT_LE(available_memory(), 210 * kMiB);
  EXPECT_NO_THROW(require_memory(100 * kMiB, "this", "less"));
  const Error error = error_of([] { require_memory(400 * kMiB, "this", "take less"); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  EXPECT_TRUE(std::string(error.what()).ends_with("take less"));
  only_plan(false);
  plan_memory(50 * kMiB, "this", "less");
  plan_memory(20 * kMiB, "this", "less");
  EXPECT_GE(planned_memory().planned, 50 * kMiB) << "the most of both";
  EXPECT_LE(planned_memory().planned, limit);
  EXPECT_EQ(planned_memory().allowed, limit);
  only_plan(true);
  EXPECT_THROW(plan_memory(900 * kMiB, "this", "less"), OnlyPlanned);
  EXPECT_NO_THROW(require_memory(900 * kMiB, "this", "less")) << "nothing is done";
  only_plan(false);
  limit_memory(0);
  EXPECT_EQ(memory_limit(), 0);
  EXPECT_EQ(planned_memory().planned, 0);
}

}  // namespace
}  // namespace apsp::system::machine_test
