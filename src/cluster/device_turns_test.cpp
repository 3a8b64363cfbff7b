#include "cluster/device_turns.hpp"

#include <unistd.h>

#include "cluster/relay_transport.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"
#include "support/thread_communicator.hpp"

namespace apsp::cluster::device_turns_test {
namespace {

std::string name_of(const char* test) {
  return "/apsp-test-" + std::string(test) + "-" + std::to_string(::getpid());
}

TEST(DeviceTurns, ComeInTheOrderInWhichTheyWereAsked) {
  DeviceTurns first(name_of("order")), second(name_of("order"));
  first.forget_name();
  first.ask();
  second.ask();
  EXPECT_TRUE(first.is_mine());
  EXPECT_FALSE(second.is_mine());
  first.pass();
  EXPECT_TRUE(second.is_mine());
  first.ask();
  EXPECT_FALSE(first.is_mine());
  second.pass();
  EXPECT_TRUE(first.is_mine());
}

TEST(DeviceTurns, AreNeverThoseOfTwo) {
  constexpr int kThreads = 3, kTurns = 200;
  const std::string name = name_of("two");
  DeviceTurns keeps_memory(name);
  std::atomic<int> working{0}, turns{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      DeviceTurns mine(name);
      for (int turn = 0; turn < kTurns; ++turn) {
        mine.ask();
        while (!mine.is_mine()) std::this_thread::yield();
        EXPECT_EQ(working.fetch_add(1), 0);
        ++turns;
        working.fetch_sub(1);
        mine.pass();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  keeps_memory.forget_name();
  EXPECT_EQ(turns, kThreads * kTurns);
}

TEST(DeviceTurns, AForgottenNameIsNewMemory) {
  DeviceTurns before(name_of("name"));
  before.ask();
  before.pass();
  before.forget_name();
  DeviceTurns after(name_of("name"));
  after.forget_name();
  after.ask();
  EXPECT_TRUE(after.is_mine()) << "its first request is not the first";
}

TEST(DeviceTurns, ANameThatIsNoneIsRefused) {
  try {
    DeviceTurns turns("no/name");
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input_output);
  }
}

TEST(DeviceTurns, AreOfProcessesThatShareAGpu) {
  const std::vector<std::string> gpus{"A", "B", "A", "", "C", "C", "A", ""};
  std::vector<std::unique_ptr<DeviceTurns>> turns(gpus.size());
  std::vector<std::string> failures;
  ThreadPost post(2, 4);
  std::mutex mutex;
  run_grid(
      post,
      [&](int row, int col) {
        ThreadCommunicator communicator(post, row, col);
        Processes processes(communicator);
        const auto mine = static_cast<std::size_t>(processes.rank());
        turns[mine] = turns_on_gpu(processes, gpus[mine]);
      },
      [&](const std::string& what) {
        const std::lock_guard lock(mutex);
        failures.push_back(what);
      });
  EXPECT_THAT(failures, IsEmpty());
  for (const std::size_t alone : {1, 3, 7}) EXPECT_EQ(turns[alone], nullptr) << alone;
  for (const std::size_t one : {0, 2, 4, 5, 6}) ASSERT_NE(turns[one], nullptr) << one;
  turns[0]->ask();
  turns[2]->ask();
  turns[4]->ask();
  EXPECT_TRUE(turns[0]->is_mine());
  EXPECT_FALSE(turns[2]->is_mine()) << "of the same GPU";
  EXPECT_TRUE(turns[4]->is_mine()) << "of another GPU";
}

/// A turn that another holds is waited for; mine ends with the event, while the transport waits.
TEST(DeviceTurns, ATransportWaitsForItsTurnAndPassesIt) {
  DeviceTurns mine(name_of("transport")), other(name_of("transport"));
  mine.forget_name();
  ThreadPost post(1, 1);
  ThreadCommunicator communicator(post, 0, 0);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::f32, 0);
  const kernels::QueueId queue = device->make_queue();
  RelayTransport transport(*device, communicator, {.turns = &mine});
  other.ask();
  std::atomic<bool> taken{false};
  std::thread waits([&] {
    transport.take_turn();
    taken = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(taken);
  other.pass();
  waits.join();
  EXPECT_TRUE(mine.is_mine());
  other.ask();
  EXPECT_FALSE(other.is_mine());
  const kernels::EventId done = device->record(queue);
  transport.end_turn(done);
  transport.await(done);
  transport.least(0);
  EXPECT_TRUE(other.is_mine());
}

}  // namespace
}  // namespace apsp::cluster::device_turns_test
