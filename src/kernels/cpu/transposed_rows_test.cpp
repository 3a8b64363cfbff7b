#include "kernels/cpu/row_operations.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::kernels::cpu {
namespace {

class TransposedRowKernels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_instruction_set(GetParam()); }
  void TearDown() override { force_instruction_set(std::nullopt); }
};

/// Rows of the result are `gap` values longer than whole lines, and values after them must not
/// change.
template <class T>
void expect_transposed(std::int64_t rows, std::int64_t count, std::int64_t gap) {
  constexpr std::int64_t kLine = 64 / sizeof(T);
  const std::int64_t stride = (count + kLine - 1) / kLine * kLine + kLine;
  system::AlignedMemory from(rows * stride * std::int64_t{sizeof(T)} + 64);
  base::SplitMix64 random(5);
  for (std::int64_t i = 0; i < rows * stride; ++i) from.as<T>()[i] = static_cast<T>(random.next());
  const std::int64_t apart = (rows + kLine - 1) / kLine * kLine + gap;
  system::AlignedMemory to(count * apart * std::int64_t{sizeof(T)} + 64);
  std::vector<void*> lines;
  for (std::int64_t i = 0; i < count; ++i) lines.push_back(to.as<T>() + i * apart);
  transpose_rows(sizeof(T))({from.data(), rows, count, stride}, lines.data(), count);
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < apart; ++j) {
      const T expected = j < rows ? from.as<T>()[j * stride + i] : T{0};
      ASSERT_EQ(to.as<T>()[i * apart + j], expected) << sizeof(T) << " bytes, " << rows << " rows, "
                                                     << count << " columns: " << i << ", " << j;
    }
  }
}

TEST_P(TransposedRowKernels, HoldColumnsOfEveryShape) {
  for (const std::int64_t rows : {0, 1, 7, 63, 64, 65, 200}) {
    for (const std::int64_t count : {0, 1, 2, 31, 32, 33, 64, 131}) {
      for (const std::int64_t gap : {0, 1, 64}) {
        expect_transposed<std::uint8_t>(rows, count, gap);
        expect_transposed<std::uint16_t>(rows, count, gap);
        expect_transposed<std::uint32_t>(rows, count, gap);
        expect_transposed<std::uint64_t>(rows, count, gap);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, TransposedRowKernels,
                         testing::ValuesIn(instruction_sets()),
                         [](const testing::TestParamInfo<std::string>& each) {
                           return each.param;
                         });

}  // namespace
}  // namespace apsp::kernels::cpu
