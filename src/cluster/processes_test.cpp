// What processes of a job do together, and how each waits for messages: asleep where nothing moves,
// and awake where its calls move them.
#include <sys/resource.h>

#include "cluster/communicator.hpp"
#include "cluster/processes.hpp"

#include "support/on_processes.hpp"
#include "support/test.hpp"

namespace apsp::cluster::processes_test {
namespace {

/// Every message and vote takes 2 ms, and 20 looks more.
class SlowCommunicator final : public Communicator {
 public:
  int size(dense::Along) const override { return 2; }
  int rank(dense::Along) const override { return 0; }
  Request send(dense::Along, int, int, const std::byte*, std::int64_t) override { return begin(); }
  Request receive(dense::Along, int, int, std::byte*, std::int64_t) override { return begin(); }
  Request broadcast(dense::Along, int, std::byte*, std::int64_t) override { return begin(); }
  std::int64_t most_bytes() const override { return INT64_MAX; }
  Request least(std::int64_t) override { return begin(); }
  std::int64_t result(Request) override { return 0; }
  bool done(Request) override {
    return std::chrono::steady_clock::now() >= looked_at_from_ && ++looks_ > 20;
  }

 private:
  Request begin() {
    looks_ = 0;
    looked_at_from_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    return 0;
  }
  int looks_ = 0;
  std::chrono::steady_clock::time_point looked_at_from_;
};

/// How often this thread slept in `work`: giving a core away while ready to run does not count.
template <class F>
long sleeps_in(F&& work) {
  rusage before{}, after{};
  getrusage(RUSAGE_THREAD, &before);
  work();
  getrusage(RUSAGE_THREAD, &after);
  return after.ru_nvcsw - before.ru_nvcsw;
}

TEST(Processes, StayAwakeWhileLongMessagesMove) {
  // MPI moves the pieces of a message inside calls: a library without single copies moved 0.44 GB/s
  // instead of 4.9 where this thread slept 100 µs between two.
  SlowCommunicator communicator;
  Processes processes(communicator);
  std::vector<std::byte> bytes(std::size_t{1} << 20);
  EXPECT_LT(sleeps_in([&] {
              processes.send(1, 0, bytes);
              processes.finish();
            }),
            5);
  EXPECT_LT(sleeps_in([&] {
              processes.receive(1, 0, bytes);
              processes.finish();
            }),
            5);
}

TEST(Processes, SleepWhileTheyWaitForOthersForLong) {
  SlowCommunicator communicator;
  Processes processes(communicator);
  std::vector<std::byte> few(8), many(std::size_t{1} << 20);
  EXPECT_GE(sleeps_in([&] { processes.least(1); }), 5);
  processes.receive(1, 0, many);
  processes.finish();
  EXPECT_GE(sleeps_in([&] {
              processes.receive(1, 0, few);
              processes.finish();
            }),
            5);
}

TEST(Processes, AllEndWithWhatTheFirstThatFailedSays) {
  on_processes(2, [&](Processes& processes) {
    const Error error = error_of([&] {
      processes.run_local([&] {
        if (!processes.first()) throw Error(ErrorKind::input_output, "the disk is full");
      });
    });
    EXPECT_EQ(error.kind(), ErrorKind::input_output);
    EXPECT_NE(std::string(error.what()).find("the disk is full"), std::string::npos);
    EXPECT_TRUE(processes.in_step());
  });
}

TEST(Processes, AllAreToldTheCycleThatOneFound) {
  on_processes(3, [&](Processes& processes) {
    const Error error = error_of([&] {
      processes.run_local([&] {
        if (processes.rank() == 1) throw Error::negative_cycle({{4, 2, 7}, -0.5}, "a cycle");
      });
    });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    EXPECT_EQ(error.cycle().vertices, (std::vector<std::uint32_t>{4, 2, 7}));
    EXPECT_EQ(error.cycle().weight, -0.5);
  });
}

/// Every vote fails, and what is sent or received fails once it is asked for.
class BrokenCommunicator final : public Communicator {
 public:
  int size(dense::Along) const override { return 2; }
  int rank(dense::Along) const override { return 0; }
  Request send(dense::Along, int, int, const std::byte*, std::int64_t) override { return 0; }
  Request receive(dense::Along, int, int, std::byte*, std::int64_t) override { return 0; }
  Request broadcast(dense::Along, int, std::byte*, std::int64_t) override { return 0; }
  std::int64_t most_bytes() const override { return INT64_MAX; }
  Request least(std::int64_t) override { throw Error(ErrorKind::device, "no vote"); }
  std::int64_t result(Request) override { return 0; }
  bool done(Request) override { throw Error(ErrorKind::device, "no message"); }
};

/// The others wait for what failed here: the program must end them.
TEST(Processes, AreNotInStepOnceAMessageHasFailed) {
  BrokenCommunicator communicator;
  Processes voting(communicator), sending(communicator);
  EXPECT_STREQ(error_of([&] { voting.run_local([] {}); }).what(), "no vote");
  EXPECT_FALSE(voting.in_step());
  EXPECT_STREQ(error_of([&] { sending.share_text("words"); }).what(), "no message");
  EXPECT_FALSE(sending.in_step());
}

TEST(Processes, ShareGatherAndCompare) {
  for (const int count : {1, 2, 5}) {
    const auto member = [&](Processes& processes) {
      const int me = processes.rank();
      const std::string words = "twenty-one characters";
      EXPECT_EQ(processes.share_text(processes.first() ? words : "other"), words);
      EXPECT_EQ(processes.share_text(""), "");
      const auto all = processes.gather(base::ByteVector(static_cast<std::size_t>(10 * me)));
      ASSERT_EQ(std::ssize(all), me == 0 ? count : 0);
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].size(), 10 * i);
      EXPECT_EQ(processes.least(10 - me), 11 - count);
      processes.require_same("words", words);
      if (count == 1) return;
      const Error error =
          error_of([&] { processes.require_same("words", me == count - 1 ? "others" : "words"); });
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find("process " + std::to_string(count - 1)),
                std::string::npos);
    };
    on_processes(count, member, 7);
  }
}

TEST(Placement, FillsTheGridOnce) {
  for (const Placement& placement :
       {Placement{1, 1}, {3, 4}, {4, 6, 2, 3}, {4, 4, 4, 1}, {6, 6, 3, 2}}) {
    std::set<std::pair<int, int>> taken;
    for (int process = 0; process < placement.rows * placement.cols; ++process) {
      const int row = placement.row(process), col = placement.col(process);
      EXPECT_TRUE(row >= 0 && row < placement.rows && col >= 0 && col < placement.cols);
      taken.emplace(row, col);
    }
    EXPECT_EQ(static_cast<int>(taken.size()), placement.rows * placement.cols);
    EXPECT_EQ(placement.row(0), 0);
    EXPECT_EQ(placement.col(0), 0);
  }
}

TEST(Placement, IsRowByRowUnlessThereAreBlocks) {
  const Placement plain{2, 3};
  EXPECT_EQ(plain.row(4), 1);
  EXPECT_EQ(plain.col(4), 1);
}

TEST(Placement, NeighboursFillABlock) {
  const Placement blocks{4, 4, 2, 2};
  for (int process = 4; process < 8; ++process) {  // the second block, right of the first
    EXPECT_LT(blocks.row(process), 2);
    EXPECT_GE(blocks.col(process), 2);
  }
}

TEST(Placement, BlocksAreNearlySquare) {
  const auto blocks = placed_in_blocks(8, 12, 6);
  ASSERT_TRUE(blocks);
  EXPECT_EQ(blocks->block_rows * blocks->block_cols, 6);
  EXPECT_EQ(blocks->block_rows + blocks->block_cols, 5);
  EXPECT_FALSE(placed_in_blocks(2, 2, 3));
  EXPECT_FALSE(placed_in_blocks(5, 7, 4));
  EXPECT_TRUE(placed_in_blocks(5, 7, 1));
}

}  // namespace
}  // namespace apsp::cluster::processes_test
