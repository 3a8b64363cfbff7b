// Strict devices that have met must catch what GPUs would let pass between them.
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"

namespace apsp::kernels::strict_peers_test {
namespace {

/// Two devices that have met; the second reads the first one's memory.
class StrictPeers : public testing::Test {
 protected:
  StrictPeers() {
    device->peers()->meet(*peer);
    peer->peers()->meet(*device);
    queue = device->make_queue();
    other = peer->make_queue();
    memory = device->allocate(kBytes);
    copied = peer->allocate(kBytes);
    device->copy_in(queue, view(memory), ConstView{ones.data(), 1, kBytes, kBytes}, 1);
  }
  View view(std::byte* bytes) const { return {bytes, 1, kBytes, kBytes}; }
  void copy() { peer->peers()->copy_from(other, copied, *device, memory, kBytes); }
  void expect_misuse(ComputeDevice& waits, QueueId on, const char* words) {
    const Error error = error_of([&] { waits.synchronize(on); });
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_THAT(error.what(), HasSubstr(words));
  }

  static constexpr std::int64_t kBytes = 64;
  std::unique_ptr<ComputeDevice> device = strict::make_device(Semiring::min_plus, ValueType::i32,
                                                              1 << 16),
                                 peer = strict::make_device(Semiring::min_plus, ValueType::i32,
                                                            1 << 16);
  QueueId queue = 0, other = 0;
  std::byte *memory = nullptr, *copied = nullptr;
  std::vector<std::byte> ones = std::vector<std::byte>(kBytes, std::byte{1});
};

TEST_F(StrictPeers, CopyBehindAnEvent) {
  peer->peers()->wait_for(other, *device, device->record(queue));
  copy();
  std::vector<std::byte> out(kBytes);
  peer->copy_out(other, {out.data(), 1, kBytes, kBytes}, view(copied), 1);
  peer->synchronize(other);
  EXPECT_EQ(out, ones);
}

TEST_F(StrictPeers, WhatNoEventOrdersIsARace) {
  device->synchronize(queue);  // the peer's thread knows nothing of that
  copy();
  expect_misuse(*peer, other, "race");
}

TEST_F(StrictPeers, CopiesToAndFromTheHostsMemoryMayRaceToo) {
  std::vector<std::byte> host(kBytes);
  const View all{host.data(), 1, kBytes, kBytes};
  device->copy_out(queue, all, view(memory), 1);
  device->synchronize(queue);
  peer->copy_in(other, view(copied), all, 1);
  expect_misuse(*peer, other, "race: copy_out on queue 0 and copy_in on queue 1");
}

TEST_F(StrictPeers, MemoryThatAPeerStillReadsIsNotWritten) {
  peer->peers()->wait_for(other, *device, device->record(queue));
  copy();
  peer->synchronize(other);
  device->copy_in(queue, view(memory), ConstView{ones.data(), 1, kBytes, kBytes}, 1);
  expect_misuse(*device, queue, "race");
}

TEST_F(StrictPeers, NorIsItReleased) {
  device->synchronize(queue);
  peer->peers()->wait_for(other, *device, device->record(queue));
  copy();
  EXPECT_THAT(error_of([&] { device->release(memory); }).what(), HasSubstr("may use it"));
  peer->synchronize(other);
  device->release(memory);
}

TEST_F(StrictPeers, CopiesBetweenTheSameHostMemoryAreARaceToo) {
  device->copy_out(queue, {ones.data(), 1, kBytes, kBytes}, view(memory), 1);
  const EventId out = device->record(queue);
  peer->peers()->wait_for(other, *device, out);
  peer->copy_in(other, view(copied), ConstView{ones.data(), 1, kBytes, kBytes}, 1);
  peer->synchronize(other);
  device->copy_out(queue, {ones.data(), 1, kBytes, kBytes}, view(memory), 1);
  expect_misuse(*device, queue, "race");
}

TEST_F(StrictPeers, EventsBelongToTheirDevice) {
  const EventId event = device->record(queue);
  EXPECT_THAT(error_of([&] { peer->wait(other, event); }).what(), HasSubstr("another device"));
  EXPECT_THAT(error_of([&] { peer->await(event); }).what(), HasSubstr("another device"));
}

TEST_F(StrictPeers, WhoHasNotMetIsNoPeer) {
  const auto stranger = strict::make_device(Semiring::min_plus, ValueType::i32, 1 << 16);
  EXPECT_THAT(
      error_of([&] { peer->peers()->copy_from(other, copied, *stranger, memory, 1); }).what(),
      HasSubstr("was not met"));
  EXPECT_THAT(error_of([&] { peer->peers()->meet(*stranger); }).what(),
              HasSubstr("after queues were made"));
}

}  // namespace
}  // namespace apsp::kernels::strict_peers_test
