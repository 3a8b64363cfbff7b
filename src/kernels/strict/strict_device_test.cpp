// The strict device must catch what a GPU would let pass, or crash on.
#include "kernels/strict/strict_device.hpp"

#include <apsp/error.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace apsp::kernels {
namespace {

using testing::HasSubstr;

class StrictDevice : public testing::Test {
 protected:
  Tile allocate(std::int64_t rows, std::int64_t cols) {
    return {device->allocate(rows * cols * 4), rows, cols, cols};
  }
  Tile on_device(std::vector<std::int32_t>& host, std::int64_t rows, std::int64_t cols) {
    const Tile tile = allocate(rows, cols);
    device->copy_in(queue, tile, ConstTile{host.data(), rows, cols, cols}, 4);
    return tile;
  }
  template <class F>
  void expect_misuse(F&& act, const char* words) {
    try {
      act();
      device->synchronize(queue);
      FAIL() << "expected: " << words;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::device);
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  }

  std::unique_ptr<Device> device =
      strict::make_device(Semiring::min_plus, ValueType::i32, 1 << 16);
  QueueId queue = device->make_queue();
  std::vector<std::int32_t> ones = std::vector<std::int32_t>(16, 1);
};

TEST_F(StrictDevice, ComputesWhatItIsAsked) {
  std::vector<std::int32_t> c = {9, 9, 9, 9}, a = {1, 2, 3, 4}, b = {5, 6, 7, 1};
  const Tile dc = on_device(c, 2, 2), da = on_device(a, 2, 2), db = on_device(b, 2, 2);
  device->multiply_add(queue, dc, da, db);
  std::vector<std::int32_t> out(4);
  device->copy_out(queue, {out.data(), 2, 2, 2}, dc, 4);
  EXPECT_EQ(out[0], 0) << "nothing runs before someone waits";
  device->synchronize(queue);
  EXPECT_THAT(out, testing::ElementsAre(6, 3, 8, 5));
}

TEST_F(StrictDevice, MemoryIsPoisonedUntilWritten) {
  const Tile c = on_device(ones, 4, 4), a = allocate(4, 4);
  expect_misuse([&] { device->multiply_add(queue, c, a, c); }, "A [0, 0] was never written");
}

TEST_F(StrictDevice, HostPointersAreNoOperands) {
  const Tile c = on_device(ones, 4, 4);
  expect_misuse([&] { device->multiply_left(queue, ConstTile{ones.data(), 4, 4, 4}, c); },
                "not in device memory");
}

TEST_F(StrictDevice, DevicePointersAreNoHostMemory) {
  const Tile c = on_device(ones, 4, 4);
  expect_misuse([&] { device->copy_out(queue, c, c, 4); }, "copy_out to device memory");
}

TEST_F(StrictDevice, TilesMustEndInsideTheirAllocation) {
  const Tile c = on_device(ones, 4, 4);
  Tile beyond = c;
  beyond.rows = 5;
  beyond.cols = 5;
  beyond.stride = 5;
  expect_misuse([&] { device->close(queue, beyond, Cycles::possible, 0); }, "behind its allocation");
}

TEST_F(StrictDevice, ReleasedMemoryIsGone) {
  const Tile c = on_device(ones, 4, 4);
  EXPECT_THROW(device->release(static_cast<std::byte*>(c.data)), Error) << "a copy is queued";
  device->synchronize(queue);
  device->release(static_cast<std::byte*>(c.data));
  expect_misuse([&] { device->close(queue, c, Cycles::possible, 0); }, "not in device memory");
}

TEST_F(StrictDevice, ShapesMustFit) {
  const Tile c = on_device(ones, 4, 4), narrow = allocate(4, 3);
  expect_misuse([&] { device->multiply_add(queue, c, c, narrow); }, "shapes");
}

TEST_F(StrictDevice, MemoryEnds) {
  try {
    device->allocate(1 << 17);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  }
  EXPECT_EQ(device->memory_free(), 1 << 16);
}

TEST_F(StrictDevice, QueuesWithoutAnEventRace) {
  const Tile c = on_device(ones, 4, 4);
  const QueueId other = device->make_queue();
  device->close(other, c, Cycles::possible, 0);
  device->synchronize(queue);
  EXPECT_THROW(device->synchronize(other), Error);
}

TEST_F(StrictDevice, AnEventOrdersQueues) {
  const Tile c = on_device(ones, 4, 4);
  const QueueId other = device->make_queue();
  device->wait(other, device->record(queue));
  device->close(other, c, Cycles::possible, 0);
  EXPECT_NO_THROW(device->synchronize(other));
  EXPECT_NO_THROW(device->synchronize(queue));
}

TEST_F(StrictDevice, DisjointTilesDoNotRace) {
  const Tile c = on_device(ones, 4, 4);
  device->synchronize(queue);
  const QueueId other = device->make_queue();
  device->close(queue, part(c, 4, 0, 0, 2, 2), Cycles::possible, 0);
  device->close(other, part(c, 4, 2, 2, 2, 2), Cycles::possible, 1);
  EXPECT_NO_THROW(device->synchronize(other));
  EXPECT_NO_THROW(device->synchronize(queue));
}

TEST_F(StrictDevice, ReportsThePivotOfANegativeCycle) {
  std::vector<std::int32_t> d = {0, 1, -2, 0};
  device->close(queue, on_device(d, 2, 2), Cycles::possible, 7);
  device->synchronize(queue);
  const Device::Pivot pivot = device->first_pivot();
  EXPECT_EQ(pivot.tag, 7);
  EXPECT_EQ(pivot.index, 1);
  EXPECT_EQ(device->first_pivot().index, -1) << "asked for once";
}

}  // namespace
}  // namespace apsp::kernels
