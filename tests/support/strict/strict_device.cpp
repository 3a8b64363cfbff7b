#include "support/strict/strict_device.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "kernels/caller_matrices.hpp"
#include "semiring/dispatch.hpp"
#include "support/strict/strict_kernels.hpp"

namespace apsp::kernels::strict {
namespace {

/// An empty tile has no address to check: it may begin where the matrix ends and another begins.
bool empty(ConstView tile) { return tile.rows == 0 || tile.cols == 0; }

void copy(View to, ConstView from, int value_size) {
  for (std::int64_t r = 0; r < to.rows && to.cols > 0; ++r) {
    std::memcpy(static_cast<std::byte*>(to.data) + r * to.stride * value_size,
                static_cast<const std::byte*>(from.data) + r * from.stride * value_size,
                static_cast<std::size_t>(to.cols * value_size));
  }
}

}  // namespace

class StrictDevice final : public ComputeDevice, private PeerCopies, private CallerMatrices {
 public:
  StrictDevice(const Operations& operations, std::int64_t memory) : core_(operations, memory) {
    core_.peers->devices.push_back(this);
  }
  ~StrictDevice() override {
    const std::lock_guard lock(core_.peers->mutex);
    core_.peers->queues.drop(core_.number);
    std::erase(core_.peers->devices, this);
  }

  TileKernels& tiles() override { return *tiles_; }
  PeerCopies* peers() override { return this; }
  CallerMatrices* caller_matrices() override { return this; }
  GatheredRowKernels* gathered_rows() override {
    return core_.operations.multiply_listed != nullptr ? &rows_ : nullptr;
  }
  SearchKernels* searches() override {
    return core_.operations.search_row != nullptr ? &rows_ : nullptr;
  }
  ShortestPathKernels* shortest_paths() override {
    return core_.operations.length != nullptr ? &rows_ : nullptr;
  }
  CountKernels* counts() override { return core_.operations.length != nullptr ? &rows_ : nullptr; }

  std::byte* allocate(std::int64_t bytes) override {
    const std::lock_guard lock(core_.peers->mutex);
    return core_.memory.allocate(bytes);
  }
  void release(std::byte* memory) override {
    const std::lock_guard lock(core_.peers->mutex);
    require(core_.idle(), "memory released while queued work may use it");
    core_.memory.release(memory);
  }
  std::int64_t memory_free() const override { return core_.memory.free_bytes(); }
  void pin(void* host, std::int64_t bytes) override;
  void unpin(void* host) override;

  QueueId make_queue(Priority) override {
    const std::lock_guard lock(core_.peers->mutex);
    return core_.peers->queues.make_queue(core_.number);
  }
  EventId record(QueueId queue) override {
    const std::lock_guard lock(core_.peers->mutex);
    return core_.peers->queues.record(queue);
  }
  void wait(QueueId queue, EventId event) override {
    const std::lock_guard lock(core_.peers->mutex);
    core_.peers->queues.wait(queue, core_.number, event);
  }
  void await(EventId event) override {
    const std::lock_guard lock(core_.peers->mutex);
    core_.peers->queues.await(core_.number, event);
  }
  void synchronize(QueueId queue) override {
    const std::lock_guard lock(core_.peers->mutex);
    core_.peers->queues.synchronize(queue);
    // Whatever this thread knows to be over, the thread of a peer does not know.
    if (core_.peers->devices.size() == 1 && core_.idle()) core_.memory.forget_accesses();
  }
  void copy_in(QueueId queue, View device, ConstView host, int value_size) override;
  void copy_out(QueueId queue, View host, ConstView device, int value_size) override;
  std::int64_t copied_out() const { return copied_out_; }

 private:
  void meet(ComputeDevice& peer) override;
  void wait_for(QueueId queue, ComputeDevice& peer, EventId event) override {
    const std::lock_guard lock(core_.peers->mutex);
    core_.peers->queues.wait(queue, met(peer).core_.number, event);
  }
  void copy_from(QueueId queue, std::byte* memory, ComputeDevice& peer, const std::byte* from,
                 std::int64_t bytes) override;

  QueueId borrow(std::byte* memory, std::int64_t bytes, std::uintptr_t native) override;
  void survey(QueueId queue, const Survey& survey) override {
    core_.give(queue, "survey", strict::survey, survey);
  }
  void survey_operand(QueueId queue, const OperandSurvey& survey) override {
    core_.give(queue, "survey_operand", strict::survey_operand, survey);
  }
  std::int64_t batch_side(bool tracks_via) const override { return tracks_via ? 16 : 40; }
  void close_batch(QueueId queue, const CallerBatch& batch) override {
    core_.give(queue, "close_batch", strict::close_batch, batch);
  }

  StrictDevice& met(ComputeDevice& peer) const {
    const auto& all = core_.peers->devices;
    const auto found = std::find(all.begin(), all.end(), &peer);
    require(found != all.end() && *found != this, "a peer that was not met");
    return **found;
  }

  Core core_;
  std::map<const std::byte*, std::int64_t> pinned_;  // first byte → bytes
  std::int64_t copied_out_ = 0;                      // bytes
  std::unique_ptr<TileKernels> tiles_ = make_tiles(core_);
  Rows rows_{core_};
};

/// The caller's own work, which writes the values, comes first on its queue. A reader that does not
/// wait for it finds no values.
QueueId StrictDevice::borrow(std::byte* memory, std::int64_t bytes, std::uintptr_t) {
  bool idle = false;
  {
    const std::lock_guard lock(core_.peers->mutex);
    idle = core_.peers->queues.idle() || core_.only_borrowed;
    core_.memory.borrow(memory, bytes, idle);
  }
  const QueueId queue = make_queue(Priority::low);
  core_.give(queue, "the caller's work", [=](const Access& at) {
    at.write(View{memory, 1, bytes, bytes}, 1, "matrix");
  });
  core_.only_borrowed = idle;
  return queue;
}

void StrictDevice::pin(void* host, std::int64_t bytes) {
  const auto* first = static_cast<const std::byte*>(host);
  require(bytes >= 0 && !core_.memory.owns(host), "pin of what is not host memory");
  for (const auto& [other, size] : pinned_) {
    require(first + bytes <= other || other + size <= first, "host memory pinned twice");
  }
  pinned_.emplace(first, bytes);
}

void StrictDevice::unpin(void* host) {
  const std::lock_guard lock(core_.peers->mutex);
  require(core_.peers->queues.idle(), "unpin while copies may be under way");
  require(pinned_.erase(static_cast<const std::byte*>(host)) == 1, "unpin of what is not pinned");
}

void StrictDevice::copy_in(QueueId queue, View device, ConstView host, int value_size) {
  require(empty(host) || !core_.memory.owns(host.data), "copy_in from device memory");
  require(device.rows == host.rows && device.cols == host.cols, "copy_in: shapes");
  core_.give(queue, "copy_in", [=, this](const Access& at) {
    core_.memory.touch_host(at.who, host, value_size, false);
    at.write(device, value_size, "target");
    copy(device, host, value_size);
  });
}

void StrictDevice::copy_out(QueueId queue, View host, ConstView device, int value_size) {
  require(empty(host) || !core_.memory.owns(host.data), "copy_out to device memory");
  require(device.rows == host.rows && device.cols == host.cols, "copy_out: shapes");
  core_.give(queue, "copy_out", [=, this](const Access& at) {
    at.read(device, value_size, "source");
    core_.memory.touch_host(at.who, host, value_size, true);
    copy(host, device, value_size);
    copied_out_ += device.rows * device.cols * value_size;
  });
}

void StrictDevice::meet(ComputeDevice& peer) {
  auto* const other = dynamic_cast<StrictDevice*>(&peer);
  require(other != nullptr && other != this, "a peer that is no other strict device");
  if (other->core_.peers == core_.peers) return;
  const std::shared_ptr<Peers> theirs = other->core_.peers;
  const std::scoped_lock lock(core_.peers->mutex, theirs->mutex);
  require(core_.peers->queues.none() && theirs->queues.none(),
          "devices meet after queues were made");
  for (StrictDevice* const device : theirs->devices) {
    core_.peers->devices.push_back(device);
    device->core_.number = core_.peers->numbers++;
    device->core_.peers = core_.peers;
    core_.memory.share_host(device->core_.memory);
  }
  theirs->devices.clear();
}

void StrictDevice::copy_from(QueueId queue, std::byte* memory, ComputeDevice& peer,
                             const std::byte* from, std::int64_t bytes) {
  const std::lock_guard lock(core_.peers->mutex);
  StrictDevice& source = met(peer);
  ++source.core_.reading;
  core_.give(queue, "copy_from", [=, &source](const Access& at) {
    --source.core_.reading;
    const ConstView theirs{from, 1, bytes, bytes};
    const View ours{memory, 1, bytes, bytes};
    source.core_.memory.read(at.who, theirs, 1, "source");
    at.write(ours, 1, "target");
    copy(ours, theirs, 1);
  });
}

namespace {

Operations operations_of(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type, []<class S>() { return Kernels<S>::operations(); });
}

}  // namespace

std::unique_ptr<ComputeDevice> make_device(Semiring semiring, ValueType type, std::int64_t memory) {
  return std::make_unique<StrictDevice>(operations_of(semiring, type), memory);
}

std::int64_t copied_out(const ComputeDevice& device) {
  return dynamic_cast<const StrictDevice&>(device).copied_out();
}

std::unique_ptr<DeviceSizes> sizes(Semiring semiring, ValueType type) {
  return std::make_unique<Sized<DeviceSizes>>(operations_of(semiring, type));
}

std::unique_ptr<DeviceSizes> bit_sizes() {
  return std::make_unique<Sized<DeviceSizes>>(Kernels<BitWords>::operations());
}

std::unique_ptr<ComputeDevice> make_bit_device(std::int64_t memory) {
  return std::make_unique<StrictDevice>(Kernels<BitWords>::operations(), memory);
}

}  // namespace apsp::kernels::strict
