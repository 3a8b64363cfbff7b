#include "cli/solve_request.hpp"

#include "support/test.hpp"

namespace apsp::cli::solve_request_test {
namespace {

cluster::JobOptions tuned(const std::vector<std::string>& words) {
  Arguments arguments("solve", "", {});
  cluster::JobOptions job;
  declare_tuning(arguments, job);
  arguments.parse(words);
  return job;
}

TEST(Tune, TakesKeysInAnyOrderAndPartsOfAVariantAfterIt) {
  const cluster::JobOptions job = tuned({"--tuning", "schedule=baseline,grid=2x3", "--tuning",
                                         "variant=async,ranks=2x1,cuda-aware=yes"});
  EXPECT_EQ(job.grid_rows, 2);
  EXPECT_EQ(job.grid_columns, 3);
  EXPECT_EQ(job.block_rows, 2);
  EXPECT_TRUE(job.cuda_aware);
  EXPECT_EQ(job.variant.schedule, dense::Schedule::baseline);
  EXPECT_EQ(tuned({"--tuning", "broadcast=nccl"}).variant.broadcasts.panels,
            dense::Broadcast::direct);
}

TEST(Tune, RefusesOtherKeysAndValues) {
  for (const char* const wrong :
       {"gird=2x2", "grid", "grid=", "grid=2", "grid=0x2", "variant=fastest", "schedule=late",
        "broadcast=pigeon", "broadcast-diagonal=nccl", "ranks=2", "cuda-aware=maybe"}) {
    EXPECT_ERROR(usage, tuned({"--tuning", wrong})) << wrong;
  }
}

}  // namespace
}  // namespace apsp::cli::solve_request_test
