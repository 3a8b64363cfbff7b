// The host's threads as a device: what it leaves out, in what order it works, and how it fails.
// Everything else is tested by the conformance suite, which it is a back end of.
#include <new>

#include "dense/device_buffer.hpp"
#include "dense/peer_transport.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host/host_device.hpp"
#include "kernels/row_kernels.hpp"
#include "support/strict_peers.hpp"
#include "support/takes_signals.hpp"
#include "support/test.hpp"

namespace apsp::kernels::host::host_device_test {
namespace {

constexpr std::int64_t kTile = 4;

std::unique_ptr<ComputeDevice> device_of(int threads) {
  return make_device(cpu::operations(Semiring::min_plus, ValueType::i32, Sign::non_negative),
                     std::nullopt, kTile, threads);
}

/// Which values of a matrix of 100s an update by 1 + 1 has changed, [side, side].
std::vector<bool> changed_by(Update update, std::int64_t side, int threads) {
  const auto device = device_of(threads);
  const QueueId queue = device->make_queue();
  std::vector<std::int32_t> c(static_cast<std::size_t>(side * side), 100);
  std::vector<std::int32_t> ones(static_cast<std::size_t>(side), 1);
  std::byte* const left = device->allocate(device->tiles().left_bytes(side, 1));
  std::byte* const right = device->allocate(device->tiles().right_bytes(side, 1));
  device->tiles().pack_left(queue, ConstView{ones.data(), side, 1, 1}, false, left);
  device->tiles().pack_right(queue, ConstView{ones.data(), 1, side, side}, false, right);
  update.c = {c.data(), side, side, side};
  update.left = left;
  update.right = right;
  update.depth = 1;
  device->tiles().multiply_add(queue, update);
  device->synchronize(queue);
  std::vector<bool> changed;
  for (const std::int32_t value : c) {
    EXPECT_TRUE(value == 100 || value == 2);
    changed.push_back(value == 2);
  }
  return changed;
}

TEST(HostDevice, LeavesOutSkippedRowsAndColumns) {
  constexpr std::int64_t kSide = 4 * kTile + 3;
  for (const int threads : {1, 3}) {
    const std::vector<bool> changed = changed_by(
        {.c = {}, .skipped_rows = {kTile, 3 * kTile}, .skipped_cols = {4 * kTile, kSide}}, kSide,
        threads);
    for (std::int64_t i = 0; i < kSide; ++i) {
      for (std::int64_t j = 0; j < kSide; ++j) {
        const bool kept = (i >= kTile && i < 3 * kTile) || j >= 4 * kTile;
        ASSERT_EQ(changed[static_cast<std::size_t>(i * kSide + j)], !kept) << i << ", " << j;
      }
    }
  }
}

TEST(HostDevice, LeavesOutWhatLiesAboveTheTriangle) {
  constexpr std::int64_t kSide = 3 * kTile + 1;
  const std::vector<bool> changed = changed_by({.c = {}, .triangle = kTile}, kSide, 1);
  for (std::int64_t i = 0; i < kSide; ++i) {
    for (std::int64_t j = 0; j < kSide; ++j) {
      ASSERT_EQ(changed[static_cast<std::size_t>(i * kSide + j)], i / kTile >= j / kTile);
    }
  }
}

TEST(HostDevice, APanelIsItsTilesOperandsOneAfterAnother) {
  const auto device = device_of(1);
  for (const std::int64_t rest : {0, 1, 3}) {
    EXPECT_EQ(device->tiles().left_bytes(3 * kTile + rest, 5),
              3 * device->tiles().left_bytes(kTile, 5) + device->tiles().left_bytes(rest, 5));
    EXPECT_EQ(device->tiles().right_bytes(3 * kTile + rest, 5),
              3 * device->tiles().right_bytes(kTile, 5) + device->tiles().right_bytes(rest, 5));
  }
  EXPECT_EQ(device->tiles().left_bytes(kTile, 5) % 256, 0);
}

TEST(HostDevice, HasNeitherRowsNorSearchesNorPeers) {
  const auto device = device_of(1);
  EXPECT_EQ(device->gathered_rows(), nullptr);
  EXPECT_EQ(device->searches(), nullptr);
  EXPECT_EQ(error_of([&] { required(device->peers()); }).kind(), ErrorKind::device);
}

TEST(HostDevice, DrainsQueuesWhoseWorkThrewAnything) {
  TileOperations operations =
      cpu::operations(Semiring::min_plus, ValueType::i32, Sign::non_negative);
  operations.close = [](View, Cycles) -> std::int64_t { throw std::bad_alloc(); };
  const auto device = make_device(operations, std::nullopt, kTile, 1);
  const QueueId queue = device->make_queue();
  std::int32_t value = 0;
  device->tiles().close(queue, {&value, 1, 1, 1}, {}, Cycles::possible, 0, nullptr);
  dense::drain(*device, queue);
  EXPECT_THROW(device->synchronize(queue), std::bad_alloc);
}

TEST(HostQueues, TheirThreadsTakeNoSignals) {
  HostQueues queues(3);
  const QueueId queue = queues.make_queue(Priority::low);
  std::atomic<int> elsewhere{0}, taken{0};
  queues.give(queue, 1, [&, here = std::this_thread::get_id()](std::int64_t) {
    if (std::this_thread::get_id() == here) return;
    ++elsewhere;
    if (takes_signals()) ++taken;
  });
  const EventId end = queues.record(queue);
  while (!queues.reached(end)) std::this_thread::yield();  // this thread does none of it
  EXPECT_EQ(elsewhere, 1);
  EXPECT_EQ(taken, 0);
}

TEST(HostQueues, NothingRunsBeforeAnEventThatItsQueueWaitsFor) {
  for (const int threads : {1, 4}) {
    for (int times = 0; times < 50; ++times) {
      HostQueues queues(threads);
      const QueueId first = queues.make_queue(Priority::low);
      const QueueId second = queues.make_queue(Priority::high);
      std::atomic<int> done{0}, seen{-1};
      queues.give(first, 20, [&](std::int64_t) { ++done; });
      queues.wait(second, queues.record(first));
      queues.give(second, 1, [&](std::int64_t) { seen = done.load(); });
      queues.await(queues.record(second));
      EXPECT_EQ(seen, 20);
    }
  }
}

TEST(HostQueues, AQueueOfHighPriorityGoesFirst) {
  HostQueues queues(1);
  const QueueId low = queues.make_queue(Priority::low), high = queues.make_queue(Priority::high);
  std::vector<int> order;
  queues.give(low, 2, [&](std::int64_t) { order.push_back(0); });
  queues.give(high, 2, [&](std::int64_t) { order.push_back(1); });
  queues.await(queues.record(low));
  EXPECT_EQ(order, (std::vector<int>{1, 1, 0, 0}));
}

TEST(HostQueues, WorkRunsOnePieceAndSaysWhenThereIsNone) {
  HostQueues queues(1);
  const QueueId queue = queues.make_queue(Priority::low);
  int pieces = 0;
  EXPECT_FALSE(queues.work());
  queues.give(queue, 2, [&](std::int64_t) { ++pieces; });
  const EventId end = queues.record(queue);
  EXPECT_TRUE(queues.work());
  EXPECT_EQ(pieces, 1);
  EXPECT_FALSE(queues.reached(end));
  EXPECT_TRUE(queues.work());
  EXPECT_TRUE(queues.reached(end));
  EXPECT_FALSE(queues.work());
}

TEST(HostQueues, WhatAPieceThrowsComesFromAwait) {
  for (const int threads : {1, 3}) {
    HostQueues queues(threads);
    const QueueId queue = queues.make_queue(Priority::low);
    int after = 0;
    queues.give(queue, 3, [](std::int64_t piece) {
      if (piece == 1) throw std::runtime_error("a piece");
    });
    queues.give(queue, 1, [&](std::int64_t) { ++after; });
    const EventId end = queues.record(queue);
    EXPECT_THROW(queues.await(end), std::runtime_error);
    EXPECT_EQ(after, 0);
  }
}

}  // namespace
}  // namespace apsp::kernels::host::host_device_test

namespace apsp::dense::host_device_test {
namespace {

constexpr std::int64_t kGranule = 4, kTile = 16;

/// What the second of so many devices sees.
struct Shared {
  explicit Shared(int count) : peers(count), members(count) {}
  StrictPeers peers;
  int members;
  PeerExchange exchange{met(peers.devices), 1};
  PeerTransport transport{exchange, 1};
  SharedPanels panels{*peers.devices[1], {members, 1, &transport}, kGranule, kTile};
};

TEST(SharedPanels, TheDistributionGoesThereAndBack) {
  const Shared three(3);
  std::vector<int> owners(9), mine(9);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    owners[i] = three.panels.owner(static_cast<std::int64_t>(i));
    mine[i] = three.panels.mine(static_cast<std::int64_t>(i)) ? 1 : 0;
  }
  EXPECT_THAT(owners, ElementsAre(0, 1, 2, 2, 1, 0, 0, 1, 2));
  EXPECT_THAT(mine, ElementsAre(0, 1, 0, 0, 1, 0, 0, 1, 0));
}

TEST(SharedPanels, PiecesAreEvenAndBeginOnWholeTiles) {
  for (const int devices : {2, 3, 4}) {
    const Shared shared(devices);
    for (const std::int64_t lines : {1, 4, 63, 160, 1000}) {
      for (const std::int64_t most : {4, 12, 48, 2000}) {
        std::map<int, std::int64_t> each;
        std::int64_t end = 32;
        for (const auto& [range, owner] : shared.panels.pieces({32, 32 + lines}, most)) {
          EXPECT_EQ(range.begin, end);
          EXPECT_EQ(range.begin % (most < kTile ? kGranule : lines >= 64 ? kTile : kGranule), 0);
          EXPECT_LE(length(range), most);
          end = range.end;
          each[owner] += length(range);
        }
        EXPECT_EQ(end, 32 + lines);
        for (const auto& [owner, sum] : each) {
          EXPECT_LE(sum, lines / devices + 2 * kTile + 2 * std::min<std::int64_t>(most, kTile))
              << devices << " devices, " << lines << " lines, at most " << most;
        }
      }
    }
    EXPECT_TRUE(shared.panels.pieces({8, 8}, 4).empty());
  }
}

TEST(SharedPanels, OneDeviceTakesPiecesAsLongAsTheyMayBe) {
  const StrictPeers one(1);
  const SharedPanels panels(*one.devices[0], {}, kGranule, kTile);
  EXPECT_TRUE(panels.alone());
  std::vector<std::int64_t> lengths;
  for (const auto& [range, owner] : panels.pieces({0, 100}, 48)) {
    EXPECT_EQ(owner, 0);
    lengths.push_back(length(range));
  }
  EXPECT_THAT(lengths, ElementsAre(48, 48, 4));
}

}  // namespace
}  // namespace apsp::dense::host_device_test
