#include "kernels/cpu/processor.hpp"

#include "kernels/cpu/cpu_kernels.hpp"
#include "support/test.hpp"

namespace apsp::kernels::cpu::processor_test {
namespace {

TEST(Processor, HasWhatThisBuildNeeds) {
  EXPECT_EQ(kNeededSets & ~present_sets(), 0U);
  require_sets(kNeededSets, present_sets(), 7);
  require_sets(0, 0, 7);
}

TEST(Processor, IsRefusedIfItLacksASet) {
  EXPECT_EXIT(require_sets(0b1011, 0b0010, 7), testing::ExitedWithCode(7),
              "this one lacks sse3 sse4.2\n");
}

TEST(Processor, RunsASetThatIsCompiled) {
  const std::vector<std::string> compiled = compiled_instruction_sets();
  for (const std::string& name : instruction_sets()) {
    EXPECT_NE(std::find(compiled.begin(), compiled.end(), name), compiled.end()) << name;
  }
  EXPECT_FALSE(instruction_sets().empty());
}

}  // namespace
}  // namespace apsp::kernels::cpu::processor_test
