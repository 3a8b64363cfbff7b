// The strict device must catch what a GPU would let pass, or crash on.
#include "kernels/caller_matrices.hpp"
#include "support/strict_device_fixture.hpp"
#include "support/test.hpp"

namespace apsp::kernels::strict_device_test {
namespace {

TEST_F(StrictDevice, ComputesWhatItIsAsked) {
  std::vector<std::int32_t> c = {9, 9, 9, 9}, a = {1, 2, 3, 4}, b = {5, 6, 7, 1};
  const View dc = on_device(c, 2, 2), da = on_device(a, 2, 2), db = on_device(b, 2, 2);
  device->tiles().multiply_add(queue, {.c = dc, .left = left(da), .right = right(db), .depth = 2});
  std::vector<std::int32_t> out(4);
  device->copy_out(queue, {out.data(), 2, 2, 2}, dc, 4);
  EXPECT_EQ(out[0], 0) << "nothing runs before someone waits";
  device->synchronize(queue);
  EXPECT_THAT(out, ElementsAre(6, 3, 8, 5));
}

TEST_F(StrictDevice, NotesTheLastStrictImprovement) {
  std::vector<std::int32_t> c = {5}, a = {7, 3, 1, 2}, b = {0, 1, 3, 2}, via = {-1};
  const View dc = on_device(c, 1, 1), dv = on_device(via, 1, 1);
  device->tiles().multiply_add(queue, {.c = dc,
                                       .via = dv,
                                       .left = left(on_device(a, 1, 4)),
                                       .right = right(on_device(b, 4, 1)),
                                       .depth = 4,
                                       .first_pivot = 100});
  EXPECT_THAT(read_back(dc), ElementsAre(4));
  EXPECT_THAT(read_back(dv), ElementsAre(101)) << "pivots 102 and 103 are as good, not better";
}

TEST_F(StrictDevice, LeavesKeptLinesAndTheUpperTriangle) {
  const View a = on_device(ones, 12, 1), b = on_device(ones, 1, 12);
  std::byte* const la = left(a);
  std::byte* const rb = right(b);
  const auto changed = [&](Range rows, Range cols, std::int64_t triangle) {
    const View c = on_device(nines, 12, 12);
    device->tiles().multiply_add(queue, {.c = c,
                                         .left = la,
                                         .right = rb,
                                         .depth = 1,
                                         .skipped_rows = rows,
                                         .skipped_cols = cols,
                                         .triangle = triangle});
    const std::vector<std::int32_t> got = read_back(c);
    std::vector<std::int32_t> tiles;  // 1: the tile of 4 × 4 was updated
    for (std::size_t ti = 0; ti < 3; ++ti) {
      for (std::size_t tj = 0; tj < 3; ++tj)
        tiles.push_back(got[(ti * 4 + 1) * 12 + tj * 4 + 1] == 2);
    }
    return tiles;
  };
  EXPECT_THAT(changed({}, {}, 0), Each(1));
  EXPECT_THAT(changed({4, 8}, {}, 0), ElementsAre(1, 1, 1, 0, 0, 0, 1, 1, 1));
  EXPECT_THAT(changed({4, 12}, {0, 4}, 0), ElementsAre(0, 1, 1, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(changed({}, {}, 4), ElementsAre(1, 0, 0, 1, 1, 0, 1, 1, 1));
  EXPECT_THAT(changed({0, 4}, {0, 4}, 4), ElementsAre(0, 0, 0, 0, 1, 0, 0, 1, 1));
  EXPECT_THAT(changed({}, {}, 8), ElementsAre(1, 1, 0, 1, 1, 0, 1, 1, 1));
}

TEST_F(StrictDevice, KeptLinesAreWholeGranulesInsideC) {
  const View c = on_device(nines, 12, 12);
  const Update update{.c = c, .left = left(c), .right = right(c), .depth = 12};
  Update wrong = update;
  wrong.skipped_rows = {2, 4};
  EXPECT_THROW(device->tiles().multiply_add(queue, wrong), Error);
  wrong.skipped_rows = {8, 16};
  EXPECT_THROW(device->tiles().multiply_add(queue, wrong), Error);
  wrong = update;
  wrong.triangle = 6;
  EXPECT_THROW(device->tiles().multiply_add(queue, wrong), Error);
}

/// The side, the depth and the number of lines.
TEST_F(StrictDevice, PackedOperandsServeOnlyWhatTheyWerePackedFor) {
  struct Packed {
    View c;
    std::byte *left, *right;
  };
  const auto refused = [&](const auto& pack) {
    device = made();
    queue = device->make_queue();
    const auto [c, la, rb] = pack(on_device(ones, 4, 4));
    expect_misuse(
        [&, c = c, la = la, rb = rb] {
          device->tiles().multiply_add(queue, {.c = c, .left = la, .right = rb, .depth = 4});
        },
        "packed for something else");
  };
  refused([&](View c) { return Packed{c, left(c), left(c)}; });
  refused([&](View c) { return Packed{c, left(c), right(part(c, 4, 0, 0, 2, 4))}; });
  refused([&](View c) { return Packed{c, left(part(c, 4, 0, 0, 3, 4)), right(c)}; });
}

TEST_F(StrictDevice, PackedOperandsBeginOn256Bytes) {
  const View c = on_device(ones, 4, 4);
  std::byte* const out = device->allocate(1024);
  EXPECT_THROW(device->tiles().pack_left(queue, c, false, out + 64), Error);
  EXPECT_NO_THROW(device->tiles().pack_left(queue, c, false, out + 256));
}

TEST_F(StrictDevice, MemoryIsPoisonedUntilWritten) {
  const View a = allocate(4, 4);
  expect_misuse([&] { left(a); }, "source [0, 0] was never written");
}

TEST_F(StrictDevice, PackedMemoryIsPoisonedToo) {
  const View c = on_device(ones, 4, 4);
  std::byte* const la = left(c);
  std::byte* const rb = device->allocate(device->tiles().right_bytes(4, 4));
  expect_misuse(
      [&] { device->tiles().multiply_add(queue, {.c = c, .left = la, .right = rb, .depth = 4}); },
      "right [0, 0] was never written");
}

TEST_F(StrictDevice, HostPointersAreNoOperands) {
  expect_misuse([&] { close(queue, {ones.data(), 4, 4, 4}); }, "not in device memory");
}

TEST_F(StrictDevice, DevicePointersAreNoHostMemory) {
  const View c = on_device(ones, 4, 4);
  expect_misuse([&] { device->copy_out(queue, c, c, 4); }, "copy_out to device memory");
}

TEST_F(StrictDevice, TilesMustEndInsideTheirAllocation) {
  const View c = on_device(ones, 4, 4);
  View beyond = c;
  beyond.rows = 5;
  beyond.cols = 5;
  beyond.stride = 5;
  expect_misuse([&] { close(queue, beyond); }, "behind its allocation");
}

TEST_F(StrictDevice, ScratchMustBeLargeEnough) {
  const View c = on_device(ones, 4, 4);
  std::byte* const scratch = device->allocate(device->tiles().close_bytes(4) - 1);
  expect_misuse([&] { device->tiles().close(queue, c, {}, Cycles::possible, 0, scratch); },
                "scratch ends 1 bytes behind");
}

TEST_F(StrictDevice, ReleasedMemoryIsGone) {
  const View c = on_device(ones, 4, 4);
  EXPECT_THROW(device->release(static_cast<std::byte*>(c.data)), Error) << "a copy is queued";
  device->synchronize(queue);
  device->release(static_cast<std::byte*>(c.data));
  expect_misuse([&] { close(queue, c); }, "not in device memory");
}

TEST_F(StrictDevice, ShapesMustFit) {
  const View c = on_device(ones, 4, 4), narrow = allocate(4, 3);
  EXPECT_THROW(close(queue, narrow), Error);
  EXPECT_THROW(device->copy_in(queue, narrow, ConstView{ones.data(), 4, 4, 4}, 4), Error);
  EXPECT_THROW(device->tiles().mirror(queue, narrow, 4, 4), Error);
  EXPECT_THROW(device->tiles().transpose(queue, narrow, narrow, 4), Error);
  EXPECT_THROW(device->tiles().multiply_add(queue, {.c = c, .via = narrow}), Error);
}

TEST_F(StrictDevice, MemoryEnds) {
  EXPECT_EQ(error_of([&] { device->allocate(1 << 17); }).kind(), ErrorKind::does_not_fit);
  EXPECT_EQ(device->memory_free(), 1 << 16);
}

TEST_F(StrictDevice, QueuesWithoutAnEventRace) {
  const View c = on_device(ones, 4, 4);
  const QueueId other = device->make_queue();
  close(other, c);
  device->synchronize(queue);
  EXPECT_THROW(device->synchronize(other), Error);
}

TEST_F(StrictDevice, WhoDoesNotWaitForTheCallersWorkFindsNoValues) {
  device->caller_matrices()->borrow(reinterpret_cast<std::byte*>(ones.data()), 64, 0);
  expect_misuse([&] { close(queue, {ones.data(), 4, 4, 4}); }, "never written");
}

TEST_F(StrictDevice, BorrowedMemoryEndsWhereTheCallerSays) {
  const QueueId callers =
      device->caller_matrices()->borrow(reinterpret_cast<std::byte*>(ones.data()), 64, 0);
  device->wait(queue, device->record(callers));
  expect_misuse([&] { close(queue, {ones.data() + 4, 4, 4, 4}); }, "behind its allocation");
}

TEST_F(StrictDevice, MemoryIsBorrowedAgainOnlyWhenNothingIsQueued) {
  auto* const memory = reinterpret_cast<std::byte*>(ones.data());
  const QueueId callers = device->caller_matrices()->borrow(memory, 64, 0);
  device->wait(queue, device->record(callers));
  close(queue, {ones.data(), 4, 4, 4});
  expect_misuse([&] { device->caller_matrices()->borrow(memory, 64, 0); },
                "borrowed again while work is queued");
  device->synchronize(queue);
  EXPECT_NO_THROW(device->caller_matrices()->borrow(memory, 32, 0));
  expect_misuse([&] { device->caller_matrices()->borrow(device->allocate(64), 64, 0); },
                "is the device's own");
}

TEST_F(StrictDevice, SurveysAreOfValuesOfTheirType) {
  const auto taken = [&](View matrix) {
    const Survey survey{.type = ValueType::f64,
                        .matrix = matrix,
                        .largest = reinterpret_cast<double*>(device->allocate(16)),
                        .found = reinterpret_cast<SurveyFound*>(device->allocate(16))};
    device->caller_matrices()->survey(queue, survey);
  };
  expect_misuse([&] { taken(on_device(ones, 2, 2)); }, "values of another type");
  device = made();
  queue = device->make_queue();
  const OperandSurvey operand{.type = ValueType::f64, .matrix = on_device(ones, 2, 2)};
  expect_misuse([&] { device->caller_matrices()->survey_operand(queue, operand); },
                "values of another type");
}

TEST_F(StrictDevice, CopiesRaceForHostMemory) {
  const View c = on_device(ones, 4, 4), d = allocate(4, 4);
  device->synchronize(queue);
  const QueueId other = device->make_queue();
  device->copy_out(queue, {ones.data(), 4, 4, 4}, c, 4);
  device->copy_in(other, part(d, 4, 0, 0, 1, 4), ConstView{ones.data() + 12, 1, 4, 4}, 4);
  device->synchronize(queue);
  EXPECT_THROW(device->synchronize(other), Error);
}

TEST_F(StrictDevice, WindowsOfOneHostMatrixDoNotRace) {
  const View c = on_device(ones, 4, 4), d = allocate(4, 4);
  device->synchronize(queue);
  const QueueId other = device->make_queue();
  device->copy_out(queue, {ones.data() + 3, 4, 4, 8}, c, 4);
  device->copy_in(other, d, ConstView{ones.data() + 7, 4, 4, 8}, 4);
  device->synchronize(queue);
  EXPECT_NO_THROW(device->synchronize(other));
}

/// The allocator gives a caller's memory, once it is freed, to the device.
TEST_F(StrictDevice, AllocatesWhereFreedMemoryWasBorrowed) {
  constexpr std::int64_t kBytes = 4096;
  for (int round = 0; round < 100; ++round) {
    {
      std::vector<std::byte> callers(kBytes + 1);
      device->synchronize(device->caller_matrices()->borrow(callers.data(), kBytes, 0));
    }
    std::byte* const own = device->allocate(kBytes);
    const std::vector<std::byte> zeros(kBytes);
    device->copy_in(queue, {own, 1, kBytes, kBytes}, {zeros.data(), 1, kBytes, kBytes}, 1);
    device->synchronize(queue);
    device->release(own);
  }
}

TEST_F(StrictDevice, AFailureStays) {
  expect_misuse([&] { left(allocate(4, 4)); }, "never written");
  expect_misuse([] {}, "never written");
  EXPECT_THROW(device->await(device->record(queue)), Error);
}

TEST_F(StrictDevice, PinsOnceAndNotUnderCopies) {
  device->pin(ones.data(), 256);
  EXPECT_THROW(device->pin(ones.data() + 32, 256), Error);
  on_device(ones, 4, 4);
  EXPECT_THROW(device->unpin(ones.data()), Error) << "a copy is queued";
  device->synchronize(queue);
  EXPECT_THROW(device->unpin(nines.data()), Error);
  device->unpin(ones.data());
  EXPECT_NO_THROW(device->pin(ones.data(), 256));
}

TEST_F(StrictDevice, ReportsThePivotOfANegativeCycle) {
  std::vector<std::int32_t> d = {0, 1, -2, 0};
  std::byte* const scratch = device->allocate(device->tiles().close_bytes(2));
  device->tiles().close(queue, on_device(d, 2, 2), {}, Cycles::possible, 70, scratch);
  EXPECT_THROW(device->tiles().take_pivot(), Error) << "not synchronised";
  device->synchronize(queue);
  EXPECT_EQ(device->tiles().take_pivot(), 71);
  EXPECT_EQ(device->tiles().take_pivot(), -1) << "asked for once";
}

}  // namespace
}  // namespace apsp::kernels::strict_device_test
