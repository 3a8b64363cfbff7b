#include "support/strict/strict_device.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/transpose.hpp"
#include "semiring/dispatch.hpp"
#include "support/strict/strict_listed.hpp"
#include "support/strict/strict_memory.hpp"
#include "support/strict/strict_misuse.hpp"
#include "support/strict/strict_operations.hpp"
#include "support/strict/strict_paths.hpp"
#include "support/strict/strict_queues.hpp"
#include "support/strict/strict_search.hpp"
#include "support/strict/strict_sizes.hpp"
#include "support/strict/strict_survey.hpp"

namespace apsp::kernels::strict {
namespace {

/// An empty tile has no address to check: it may begin where the matrix ends and another begins.
bool empty(ConstView tile) { return tile.rows == 0 || tile.cols == 0; }

class StrictDevice;

/// Devices that have met, and their queues; whoever waits runs the work of all of them.
struct Peers {
  std::recursive_mutex mutex;
  Queues queues;
  std::vector<StrictDevice*> devices;
  int numbers = 1;  // that were ever given to one
};

class StrictDevice final : public Sized<ComputeDevice> {
 public:
  StrictDevice(const Operations& operations, std::int64_t memory)
      : Sized(operations), memory_(memory), peers_(std::make_shared<Peers>()) {
    peers_->devices.push_back(this);
  }
  ~StrictDevice() override {
    const std::lock_guard lock(peers_->mutex);
    peers_->queues.drop(number_);
    std::erase(peers_->devices, this);
  }

  std::string_view name() const override { return "strict"; }

  std::byte* allocate(std::int64_t bytes) override {
    const std::lock_guard lock(peers_->mutex);
    return memory_.allocate(bytes);
  }
  void release(std::byte* memory) override {
    const std::lock_guard lock(peers_->mutex);
    require(idle(), "memory released while queued work may use it");
    memory_.release(memory);
  }
  std::int64_t memory_free() const override { return memory_.free_bytes(); }

  QueueId borrow(std::byte* memory, std::int64_t bytes, std::uintptr_t native) override;
  void survey(QueueId queue, const Survey& survey) override {
    require(operations_.columns_per_value == 1, "survey: values are bits");
    give(queue, [=, this] {
      strict::survey(memory_, accessor(queue, "survey"), operations_.value_size, survey);
    });
  }

  void survey_operand(QueueId queue, const OperandSurvey& survey) override {
    require(operations_.columns_per_value == 1, "survey_operand: values are bits");
    give(queue, [=, this] {
      strict::survey_operand(memory_, accessor(queue, "survey_operand"), operations_.value_size,
                             survey);
    });
  }

  void pin(void* host, std::int64_t bytes) override;
  void unpin(void* host) override;

  QueueId make_queue(Priority) override {
    const std::lock_guard lock(peers_->mutex);
    return peers_->queues.make_queue(number_);
  }
  EventId record(QueueId queue) override {
    const std::lock_guard lock(peers_->mutex);
    return peers_->queues.record(queue);
  }
  void wait(QueueId queue, EventId event) override {
    const std::lock_guard lock(peers_->mutex);
    peers_->queues.wait(queue, number_, event);
  }
  void await(EventId event) override {
    const std::lock_guard lock(peers_->mutex);
    peers_->queues.await(number_, event);
  }
  void synchronize(QueueId queue) override {
    const std::lock_guard lock(peers_->mutex);
    peers_->queues.synchronize(queue);
    // What this thread knows to be over, that of a peer does not.
    if (peers_->devices.size() == 1 && idle()) memory_.forget_accesses();
  }

  void meet(ComputeDevice& peer) override;
  void wait_for_peer(QueueId queue, ComputeDevice& peer, EventId event) override {
    const std::lock_guard lock(peers_->mutex);
    peers_->queues.wait(queue, met(peer).number_, event);
  }
  void copy_from_peer(QueueId queue, std::byte* memory, ComputeDevice& peer, const std::byte* from,
                      std::int64_t bytes) override;

  void copy_in(QueueId queue, View device, ConstView host, int value_size) override;
  void copy_out(QueueId queue, View host, ConstView device, int value_size) override;
  std::int64_t copied_out() const { return copied_out_; }
  void mirror(QueueId queue, View matrix, int value_size, std::int64_t tile) override;
  void transpose(QueueId queue, View to, ConstView from, int value_size) override;

  void pack_left(QueueId queue, ConstView a, bool transposed, std::byte* out) override {
    pack(queue, Side::left, a, !transposed, out);
  }
  void pack_right(QueueId queue, ConstView b, bool transposed, std::byte* out) override {
    pack(queue, Side::right, b, transposed, out);
  }
  void multiply_add(QueueId queue, const Update& update) override;

  void close(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
             std::byte* scratch) override;
  std::int64_t take_pivot() override {
    const std::lock_guard lock(peers_->mutex);
    require(idle(), "take_pivot while work is queued");
    return std::exchange(pivot_, -1);
  }

  void keep_listed(ListedForm form) override {
    if (form == listed_form()) return;
    require(form == ListedForm::whole && operations_.keep_whole != nullptr,
            "keep_listed: values are not shortest distances of f64");
    operations_.keep_whole(operations_);
  }
  ListedForm listed_form() const override { return operations_.listed_form; }
  void multiply_listed(QueueId queue, const ListedProduct& product) override {
    strict::check(operations_, product);
    give(queue, [=, this] {
      strict::multiply_listed(memory_, accessor(queue, "multiply_listed"), operations_, product);
    });
  }
  void begin_rows(QueueId queue, View rows, const std::int32_t* columns) override {
    give(queue, [=, this] {
      strict::begin_rows(memory_, accessor(queue, "begin_rows"), operations_, rows, columns);
    });
  }
  void count_rows(QueueId queue, const RowCount& count) override {
    strict::check(operations_, count);
    give(queue, [=, this] {
      strict::count_rows(memory_, accessor(queue, "count_rows"), operations_, count);
    });
  }
  void count_distances(QueueId queue, const DistanceCount& count) override {
    strict::check(operations_, count);
    give(queue, [=, this] {
      strict::count_distances(memory_, accessor(queue, "count_distances"), operations_, count);
    });
  }
  void transpose_rows(QueueId queue, const TransposedRows& transposed) override {
    give(queue, [=, this] {
      strict::transpose_rows(memory_, accessor(queue, "transpose_rows"), operations_, transposed);
    });
  }
  void search_rows(QueueId queue, const SearchedRows& rows) override {
    strict::check(operations_, rows);
    give(queue, [=, this] {
      strict::search_rows(memory_, accessor(queue, "search_rows"), operations_, rows);
    });
  }
  void search_levels(QueueId queue, const SearchedLevels& levels) override {
    strict::check(operations_, levels);
    give(queue, [=, this] {
      strict::search_levels(memory_, accessor(queue, "search_levels"), operations_, levels);
    });
  }
  void search_predecessors(QueueId queue, const SearchedPredecessors& rows) override {
    strict::check(operations_, rows);
    give(queue, [=, this] {
      strict::search_predecessors(memory_, accessor(queue, "search_predecessors"), operations_,
                                  rows);
    });
  }
  void search_near(QueueId queue, const NearSearches& searches) override {
    strict::check(searches);
    give(queue,
         [=, this] { strict::search_near(memory_, accessor(queue, "search_near"), searches); });
  }
  void gather_distances(QueueId queue, const GatheredDistances& gathered) override {
    give(queue, [=, this] {
      strict::gather_distances(memory_, accessor(queue, "gather_distances"), operations_, gathered);
    });
  }
  void share_paths(QueueId queue, const PathShares& shares) override {
    give(queue, [=, this] {
      strict::share_paths(memory_, accessor(queue, "share_paths"), operations_, shares);
    });
  }

 private:
  void give(QueueId queue, std::function<void()> work) {
    const std::lock_guard lock(peers_->mutex);
    peers_->queues.give(queue, std::move(work));
    only_borrowed_ = false;
  }
  /// Nothing is queued here, nor by a peer that reads from here.
  bool idle() const { return peers_->queues.idle(number_) && reading_ == 0; }
  Accessor accessor(QueueId queue, const char* operation) const {
    return {queue, peers_->queues.clock(queue), operation};
  }
  StrictDevice& met(ComputeDevice& peer) const {
    const auto found = std::find(peers_->devices.begin(), peers_->devices.end(), &peer);
    require(found != peers_->devices.end() && *found != this, "a peer that was not met");
    return **found;
  }
  void update_in_place(const Accessor& who, ConstView tile, int value_size, const char* operand) {
    memory_.read(who, tile, value_size, operand);
    memory_.write(who, tile, value_size, operand);
  }
  void pack(QueueId queue, Side side, ConstView a, bool lines_are_rows, std::byte* out);
  void check(const Update& u) const;
  void check_packed(const Accessor& who, Side side, const std::byte* operand, std::int64_t depth,
                    Range lines);
  void multiply_rectangle(const Accessor& who, const Update& u, Range rows, Range cols);

  Memory memory_;
  std::shared_ptr<Peers> peers_;
  int number_ = 0;                                   // among the peers
  int reading_ = 0;                                  // copies that peers have queued from here
  std::map<const std::byte*, std::int64_t> pinned_;  // first byte → bytes
  std::int64_t copied_out_ = 0;                      // bytes
  std::int64_t pivot_ = -1;
  bool only_borrowed_ = false;  // what is queued are callers' works of memory that was borrowed
};

void copy(View to, ConstView from, int value_size) {
  for (std::int64_t r = 0; r < to.rows && to.cols > 0; ++r) {
    std::memcpy(static_cast<std::byte*>(to.data) + r * to.stride * value_size,
                static_cast<const std::byte*>(from.data) + r * from.stride * value_size,
                static_cast<std::size_t>(to.cols * value_size));
  }
}

/// The caller's own work, which writes the values, comes first on its queue: who does not wait for
/// it finds none.
QueueId StrictDevice::borrow(std::byte* memory, std::int64_t bytes, std::uintptr_t) {
  bool idle = false;
  {
    const std::lock_guard lock(peers_->mutex);
    idle = peers_->queues.idle() || only_borrowed_;
    memory_.borrow(memory, bytes, idle);
  }
  const QueueId queue = make_queue(Priority::low);
  give(queue, [=, this] {
    memory_.write(accessor(queue, "the caller's work"), View{memory, 1, bytes, bytes}, 1, "matrix");
  });
  only_borrowed_ = idle;
  return queue;
}

void StrictDevice::pin(void* host, std::int64_t bytes) {
  const auto* first = static_cast<const std::byte*>(host);
  require(bytes >= 0 && !memory_.owns(host), "pin of what is not host memory");
  for (const auto& [other, size] : pinned_) {
    require(first + bytes <= other || other + size <= first, "host memory pinned twice");
  }
  pinned_.emplace(first, bytes);
}

void StrictDevice::unpin(void* host) {
  const std::lock_guard lock(peers_->mutex);
  require(peers_->queues.idle(), "unpin while copies may be under way");
  require(pinned_.erase(static_cast<const std::byte*>(host)) == 1, "unpin of what is not pinned");
}

void StrictDevice::copy_in(QueueId queue, View device, ConstView host, int value_size) {
  require(empty(host) || !memory_.owns(host.data), "copy_in from device memory");
  require(device.rows == host.rows && device.cols == host.cols, "copy_in: shapes");
  give(queue, [=, this] {
    const Accessor who = accessor(queue, "copy_in");
    memory_.touch_host(who, host, value_size, false);
    memory_.write(who, device, value_size, "target");
    copy(device, host, value_size);
  });
}

void StrictDevice::copy_out(QueueId queue, View host, ConstView device, int value_size) {
  require(empty(host) || !memory_.owns(host.data), "copy_out to device memory");
  require(device.rows == host.rows && device.cols == host.cols, "copy_out: shapes");
  give(queue, [=, this] {
    const Accessor who = accessor(queue, "copy_out");
    memory_.read(who, device, value_size, "source");
    memory_.touch_host(who, host, value_size, true);
    copy(host, device, value_size);
    copied_out_ += device.rows * device.cols * value_size;
  });
}

void StrictDevice::meet(ComputeDevice& peer) {
  auto* const other = dynamic_cast<StrictDevice*>(&peer);
  require(other != nullptr && other != this, "a peer that is no other strict device");
  if (other->peers_ == peers_) return;
  const std::shared_ptr<Peers> theirs = other->peers_;
  const std::scoped_lock lock(peers_->mutex, theirs->mutex);
  require(peers_->queues.none() && theirs->queues.none(), "devices meet after queues were made");
  for (StrictDevice* const device : theirs->devices) {
    peers_->devices.push_back(device);
    device->number_ = peers_->numbers++;
    device->peers_ = peers_;
    memory_.share_host(device->memory_);
  }
  theirs->devices.clear();
}

void StrictDevice::copy_from_peer(QueueId queue, std::byte* memory, ComputeDevice& peer,
                                  const std::byte* from, std::int64_t bytes) {
  const std::lock_guard lock(peers_->mutex);
  StrictDevice& source = met(peer);
  ++source.reading_;
  give(queue, [=, this, &source] {
    --source.reading_;
    const Accessor who = accessor(queue, "copy_from_peer");
    const ConstView theirs{from, 1, bytes, bytes};
    const View ours{memory, 1, bytes, bytes};
    source.memory_.read(who, theirs, 1, "source");
    memory_.write(who, ours, 1, "target");
    copy(ours, theirs, 1);
  });
}

void StrictDevice::mirror(QueueId queue, View matrix, int value_size, std::int64_t tile) {
  require(matrix.rows == matrix.cols, "mirror: the matrix is not square");
  require(tile > 0 && tile % kSliver == 0, "mirror: the tile is no multiple of the granule");
  give(queue, [=, this] {
    const Accessor who = accessor(queue, "mirror");
    for (std::int64_t i = 0; i < matrix.rows; i += tile) {
      const std::int64_t rows = std::min(tile, matrix.rows - i);
      for (std::int64_t j = 0; j < i; j += tile) {
        const View below = part(matrix, value_size, i, j, rows, tile);
        const View above = part(matrix, value_size, j, i, tile, rows);
        memory_.read(who, below, value_size, "matrix");
        memory_.write(who, above, value_size, "matrix");
        kernels::transpose(above, below, value_size);
      }
    }
  });
}

void StrictDevice::transpose(QueueId queue, View to, ConstView from, int value_size) {
  require(to.rows == from.cols && to.cols == from.rows, "transpose: shapes");
  give(queue, [=, this] {
    const Accessor who = accessor(queue, "transpose");
    memory_.read(who, from, value_size, "source");
    memory_.write(who, to, value_size, "target");
    kernels::transpose(to, from, value_size);
  });
}

void StrictDevice::pack(QueueId queue, Side side, ConstView a, bool lines_are_rows,
                        std::byte* out) {
  require(operations_.columns_per_value == 1 || lines_are_rows == (side == Side::left),
          "pack: bits are not transposed");
  require(!memory_.owns(out) || memory_.offset(out) % kPackAlignment == 0,
          "pack: the operand does not begin on 256 bytes");
  give(queue, [=, this] {
    const Accessor who = accessor(queue, "pack");
    const std::int64_t lines = lines_are_rows ? a.rows : a.cols;
    const std::int64_t pivots = lines_are_rows ? a.cols * operations_.columns_per_value : a.rows;
    const std::int64_t depth = operations_.packed_depth(pivots);
    const std::int64_t bytes = packed_bytes(lines, depth, operations_.value_size);
    memory_.read(who, a, operations_.value_size, "source");
    memory_.write(who, View{out, 1, bytes, bytes}, 1, "operand");
    operations_.pack(side, a, lines_are_rows, out);
  });
}

void StrictDevice::check(const Update& u) const {
  const auto whole = [](std::int64_t line, std::int64_t extent) {
    return line % kSliver == 0 || line == extent;
  };
  const auto kept = [&](Range range, std::int64_t extent) {
    require(range.begin >= 0 && range.begin <= range.end && range.end <= extent,
            "multiply_add: kept lines outside C");
    require(whole(range.begin, extent) && whole(range.end, extent),
            "multiply_add: kept lines are no whole granules");
  };
  kept(u.skipped_rows, u.c.rows);
  kept(u.skipped_cols, u.c.cols);
  require(u.triangle >= 0 && u.triangle % kSliver == 0,
          "multiply_add: the triangle's tile is no multiple of the granule");
  require(u.via.data == nullptr || (u.via.rows == u.c.rows && u.via.cols == u.c.cols),
          "multiply_add: the shape of via");
}

void StrictDevice::check_packed(const Accessor& who, Side side, const std::byte* operand,
                                std::int64_t pivots, Range lines) {
  const std::int64_t depth = operations_.packed_depth(pivots);
  const char* const operand_name = side == Side::left ? "left" : "right";
  const std::int64_t bytes = sliver_bytes(depth, operations_.value_size);
  for (std::int64_t line = lines.begin; line < lines.end; line += kSliver) {
    const std::byte* const sliver = operand + line / kSliver * bytes;
    memory_.read(who, ConstView{sliver, 1, bytes, bytes}, 1, operand_name);
    SliverHead head;
    std::memcpy(&head, sliver, sizeof head);
    const bool fits = head.side == side && head.depth == depth &&
                      head.lines >= std::min(kSliver, lines.end - line);
    if (fits) continue;
    misuse(fmt::format("multiply_add: the {} operand at line {} was packed for something else",
                       operand_name, line));
  }
}

void StrictDevice::multiply_rectangle(const Accessor& who, const Update& u, Range rows,
                                      Range cols) {
  if (rows.begin >= rows.end || cols.begin >= cols.end) return;
  const auto part_of = [&](View tile, int value_size) {
    return part(tile, value_size, rows.begin, cols.begin, rows.end - rows.begin,
                cols.end - cols.begin);
  };
  check_packed(who, Side::left, u.left, u.depth, rows);
  check_packed(who, Side::right, u.right, u.depth, cols);
  update_in_place(who, part_of(u.c, operations_.value_size), operations_.value_size, "C");
  if (u.via.data != nullptr) update_in_place(who, part_of(u.via, kViaSize), kViaSize, "via");
  if (pivot_ < 0) operations_.multiply_add(u, rows, cols);
}

void StrictDevice::multiply_add(QueueId queue, const Update& update) {
  check(update);
  give(queue, [=, this] {
    const Accessor who = accessor(queue, "multiply_add");
    const Update& u = update;
    const std::int64_t step = u.triangle > 0 ? u.triangle : std::max<std::int64_t>(u.c.rows, 1);
    for (std::int64_t first = 0; first < u.c.rows; first += step) {
      const std::int64_t end = std::min(first + step, u.c.rows);
      const std::int64_t cols = u.triangle > 0 ? std::min(first + step, u.c.cols) : u.c.cols;
      for (const Range rows : {Range{first, std::min(end, u.skipped_rows.begin)},
                               Range{std::max(first, u.skipped_rows.end), end}}) {
        multiply_rectangle(who, u, rows, {0, std::min(cols, u.skipped_cols.begin)});
        multiply_rectangle(who, u, rows, {u.skipped_cols.end, cols});
      }
    }
  });
}

void StrictDevice::close(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
                         std::byte* scratch) {
  require(
      d.cols == rounded_up(d.rows, operations_.columns_per_value) / operations_.columns_per_value,
      "close: the tile is not square");
  require(via.data == nullptr || (via.rows == d.rows && via.cols == d.cols),
          "close: the shape of via");
  give(queue, [=, this] {
    const Accessor who = accessor(queue, "close");
    const std::int64_t bytes = close_bytes(d.rows);
    memory_.write(who, View{scratch, 1, bytes, bytes}, 1, "scratch");
    update_in_place(who, d, operations_.value_size, "D");
    if (via.data != nullptr) update_in_place(who, via, kViaSize, "via");
    if (pivot_ >= 0) return;
    const std::int64_t index = operations_.close(d, via, cycles, first_pivot);
    if (index >= 0) pivot_ = first_pivot + index;
  });
}

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
