#include <sys/mman.h>

#include "support/test.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::system::early_pages_test {
namespace {

constexpr std::int64_t kBytes = std::int64_t{96} << 20;
constexpr std::int64_t kPage = 4096;

std::int64_t pages_there(AlignedMemory& memory) {
  std::vector<unsigned char> there(static_cast<std::size_t>(kBytes / kPage));
  if (mincore(memory.data(), kBytes, there.data()) != 0) return -1;
  return std::count_if(there.begin(), there.end(), [](unsigned char page) { return page & 1; });
}

bool system_populates() {
  AlignedMemory probe(kPage);
  unsigned char there = 0;  // an emulator may promise pages and not bring them
  return madvise(probe.data(), kPage, 23) == 0 && mincore(probe.data(), kPage, &there) == 0 &&
         (there & 1) != 0;
}

TEST(EarlyPages, AreThereAndHoldWhatTheyHeld) {
  if (!system_populates()) GTEST_SKIP() << "this system takes no pages early";
  AlignedMemory memory(kBytes);
  auto* const values = memory.as<std::int64_t>();
  constexpr std::int64_t kCount = kBytes / 8;
  for (std::int64_t i = 0; i < kCount; i += kCount / 16) values[i] = i + 1;
  EarlyPages pages(memory.data(), kBytes, 2);
  // Written at the same time.
  for (std::int64_t i = 1; i < kCount; i += kCount / 16) values[i] = -i;
  const auto enough = kBytes / kPage * 9 / 10;
  for (int wait = 0; wait < 500 && pages_there(memory) < enough; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_GE(pages_there(memory), enough);
  pages.stop();
  for (std::int64_t i = 0; i < kCount; i += kCount / 16) {
    EXPECT_EQ(values[i], i + 1);
    EXPECT_EQ(values[i + 1], -(i + 1));
    EXPECT_EQ(values[i + 2], 0);
  }
}

TEST(EarlyPages, AreLeftAloneWhereTheyDoNotPay) {
  AlignedMemory memory(kBytes);
  EarlyPages one_thread(memory.data(), kBytes, 1), few(memory.data(), 1 << 20, 8),
      none(nullptr, 0, 8);
  one_thread.stop();
  few.stop();
  EXPECT_EQ(pages_there(memory), 0);
}

TEST(EarlyPages, StopAtOnce) {
  AlignedMemory memory(kBytes);
  EarlyPages pages(memory.data(), kBytes, 2);
  pages.stop();
  pages.stop();
  memory.as<char>()[kBytes - 1] = 3;
}

}  // namespace
}  // namespace apsp::system::early_pages_test
