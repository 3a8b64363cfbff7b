#include "elimination/device_sweep.hpp"

#include <algorithm>
#include <cstring>

#include "base/rounded_up.hpp"

namespace apsp::elimination {
namespace {

using kernels::ConstView;
using kernels::ListedItem;
using kernels::View;

constexpr std::int64_t kPartBytes = 256;  // parts begin at multiples of it

ConstView bytes_of(const void* data, std::int64_t bytes) { return {data, 1, bytes, bytes}; }
View bytes_of(std::byte* data, std::int64_t bytes) { return {data, 1, bytes, bytes}; }

template <class T>
std::int64_t bytes_in(const std::vector<T>& values) {
  return std::ssize(values) * static_cast<std::int64_t>(sizeof(T));
}

std::int64_t factor_bytes(const Tree& tree, ValueType type) {
  return SweepLists::weights_of(tree) * size_of(type) +
         SweepLists::items_of(tree) * std::int64_t{sizeof(ListedItem)} +
         SweepLists::waiting_of(tree) * std::int64_t{sizeof(kernels::ListedGroup)} +
         SweepLists::runs_of(tree) * std::int64_t{sizeof(kernels::ListedRun)} +
         tree.upper_begin(tree.supernodes()) * std::int64_t{sizeof(Position)};
}

/// Of items that wait for each other.
std::int64_t progress_bytes(std::int64_t groups, std::int64_t row) {
  return groups == 0 ? 0
                     : kernels::listed_progress(groups, row) * std::int64_t{sizeof(std::int32_t)};
}

}  // namespace

DeviceSweep::Parts::Parts(const ClimbSize& size, std::int64_t vertices, std::int64_t lanes,
                          int value_size) {
  std::int64_t at = 0;
  const auto next = [&](std::int64_t count, std::int64_t of) {
    const std::int64_t begin = at;
    at = base::rounded_up(at + count * of, kPartBytes);
    return begin;
  };
  items = next(size.items, sizeof(ListedItem));
  lists = next(size.above + size.entries + 2 * size.rows, sizeof(std::int32_t));
  weights = next(size.entries, value_size);
  columns = next(size.rows, sizeof(std::int32_t));
  labels = next(lanes, sizeof(std::uint32_t));
  begun = next(vertices, 1);
  bytes = at;
}

DeviceSweep::DeviceSweep(const Factor& factor, kernels::ComputeDevice& device,
                         std::span<const Vertex> sources, std::int64_t lanes, int threads)
    : factor_(factor),
      tree_(factor.tree()),
      device_(device),
      lanes_(lanes),
      size_(size_of(factor.type())),
      down_(factor, threads),
      up_(factor, down_),
      largest_(ClimbLists::largest(tree_, sources, lanes)),
      parts_(largest_, tree_.vertices(), lanes, size_),
      weights_(device, down_.weights().bytes()),
      items_(device, bytes_in(down_.items())),
      upper_(device, tree_.upper_begin(tree_.supernodes()) * std::int64_t{sizeof(Position)}),
      waiting_(device, bytes_in(down_.waiting())),
      runs_(device, bytes_in(down_.runs())),
      progress_(device, progress_bytes(std::ssize(down_.waiting()), lanes * size_)),
      distances_(device, tree_.vertices() * lanes * size_),
      climbs_(device.make_queue(kernels::Priority::high)),
      queue_(device.make_queue()) {
  for (Slot& slot : slots_) {
    slot.host = base::AlignedMemory(parts_.bytes);
    slot.lists = places::DeviceBuffer(device, parts_.bytes);
    slot.climbing = places::DeviceBuffer(device, largest_.rows * lanes * size_);
    slot.pinned.emplace(device, kernels::View{slot.host.data(), 1, parts_.bytes, parts_.bytes}, 1);
  }
  copy_factor();
}

DeviceSweep::~DeviceSweep() {
  places::drain(device_, climbs_);
  places::drain(device_, queue_);
}

std::int64_t DeviceSweep::lanes_of(std::int64_t sources, ValueType type) {
  return base::rounded_up(sources, kernels::kListedLine / size_of(type));
}

std::int64_t DeviceSweep::device_bytes(const Tree& tree, ValueType type, std::int64_t lanes,
                                       const ClimbSize& largest) {
  const std::int64_t row = lanes * size_of(type);
  return factor_bytes(tree, type) + (tree.vertices() + 2 * largest.rows) * row +
         2 * Parts(largest, tree.vertices(), lanes, size_of(type)).bytes +
         progress_bytes(SweepLists::waiting_of(tree), row);
}

std::int64_t DeviceSweep::host_bytes(const Tree& tree, ValueType type, std::int64_t lanes,
                                     const ClimbSize& largest) {
  constexpr std::int64_t kSupernode = 24, kVertex = 1;  // of lists, as they are made
  const Parts parts(largest, tree.vertices(), lanes, size_of(type));
  return 2 * factor_bytes(tree, type) + 4 * parts.bytes + tree.supernodes() * kSupernode +
         tree.vertices() * kVertex;
}

void DeviceSweep::copy_factor() {
  const auto copy = [&](const places::DeviceBuffer& to, const void* from, std::int64_t bytes) {
    device_.copy_in(queue_, bytes_of(to.data(), bytes), bytes_of(from, bytes), 1);
  };
  copy(weights_, down_.weights().data(), down_.weights().bytes());
  copy(items_, down_.items().data(), bytes_in(down_.items()));
  const std::int64_t waiting = bytes_in(down_.waiting());
  if (waiting > 0) copy(waiting_, down_.waiting().data(), waiting);
  if (!down_.runs().empty()) copy(runs_, down_.runs().data(), bytes_in(down_.runs()));
  const std::int64_t upper = tree_.upper_begin(tree_.supernodes());
  if (upper > 0) copy(upper_, tree_.upper(0).data(), upper * std::int64_t{sizeof(Position)});
  device_.wait(climbs_, device_.record(queue_));
}

void DeviceSweep::begin(std::span<const Vertex> sources) {
  Slot& slot = slots_[blocks_++ % slots_.size()];
  columns_ = std::ssize(sources);
  if (slot.free >= 0) device_.await(slot.free);
  up_.find(sources);
  fill(slot, sources);
  device_.begin_rows(climbs_, climbing_rows(slot),
                     reinterpret_cast<const std::int32_t*>(slot.lists.data() + parts_.columns));
  bool climbs = true;
  for (const SweepLaunch& launch : launches()) {
    if (climbs && launch.part != SweepLaunch::Part::up) {
      device_.wait(queue_, device_.record(climbs_));
      climbs = false;
    }
    device_.multiply_listed(climbs ? climbs_ : queue_, launch.product);
  }
}

void DeviceSweep::fill(Slot& slot, std::span<const Vertex> sources) {
  const auto put = [&](std::int64_t part, const void* from, std::int64_t bytes) {
    if (bytes == 0) return;
    std::memcpy(slot.host.data() + part, from, static_cast<std::size_t>(bytes));
    device_.copy_in(climbs_, bytes_of(slot.lists.data() + part, bytes),
                    bytes_of(slot.host.data() + part, bytes), 1);
  };
  if (slot.free >= 0) device_.wait(climbs_, slot.free);
  put(parts_.items, up_.items().data(), bytes_in(up_.items()));
  put(parts_.lists, up_.lists().data(), bytes_in(up_.lists()));
  put(parts_.weights, up_.weights(), up_.entries() * size_);
  put(parts_.columns, up_.columns().data(), bytes_in(up_.columns()));
  put(parts_.labels, sources.data(), std::ssize(sources) * std::int64_t{sizeof(Vertex)});
  put(parts_.begun, up_.begun().data(), bytes_in(up_.begun()));
}

View DeviceSweep::climbing_rows(const Slot& slot) const {
  return {slot.climbing.data(), up_.rows(), lanes_, lanes_};
}

View DeviceSweep::matrix() const { return {distances_.data(), tree_.vertices(), lanes_, lanes_}; }

ConstView DeviceSweep::distances() const {
  return {distances_.data(), tree_.vertices(), columns_, lanes_};
}

const std::uint32_t* DeviceSweep::column_labels() const {
  return reinterpret_cast<const std::uint32_t*>(last_slot().lists.data() + parts_.labels);
}

std::vector<SweepLaunch> DeviceSweep::launches() const {
  using Part = SweepLaunch::Part;
  const Slot& slot = last_slot();
  const std::byte* const lists = slot.lists.data();
  const View rows = climbing_rows(slot);
  std::vector<SweepLaunch> all;
  /// The way up and the closing have items and lists of the block, the way down those of the
  /// factor.
  const auto add = [&](Part part, const ItemGroup& group, const std::byte* weights) {
    const bool down = part == Part::down;
    const std::byte* const items = down ? items_.data() : lists + parts_.items;
    const std::byte* const list = down ? upper_.data() : lists + parts_.lists;
    const std::span<const ListedItem> on_host = down ? down_.items() : up_.items();
    all.push_back(
        {.part = part,
         .product = {.c = part == Part::up ? rows : matrix(),
                     .x = down ? matrix() : rows,
                     .weights = weights,
                     .lists = reinterpret_cast<const std::int32_t*>(list),
                     .items = reinterpret_cast<const ListedItem*>(items) + group.first,
                     .count = group.count,
                     .widest = group.widest,
                     .large = group.large,
                     .adds = part == Part::up,
                     .begun = down ? reinterpret_cast<const std::uint8_t*>(lists + parts_.begun)
                                   : nullptr},
         .items = on_host.subspan(static_cast<std::size_t>(group.first),
                                  static_cast<std::size_t>(group.count))});
  };
  for (const auto& [group, alone] : up_.climbing()) {
    add(Part::up, group, alone ? weights_.data() : lists + parts_.weights);
  }
  for (const ItemGroup& group : up_.closing()) add(Part::closing, group, weights_.data());
  for (const ItemGroup& group : down_.groups()) {
    add(Part::down, group, weights_.data());
    kernels::ListedProduct& product = all.back().product;
    if (group.runs) {
      product.runs = reinterpret_cast<const kernels::ListedRun*>(runs_.data());
      product.run_count = std::ssize(down_.runs());
    }
    if (!group.waits) continue;
    product.groups = reinterpret_cast<const kernels::ListedGroup*>(waiting_.data());
    product.group_count = std::ssize(down_.waiting());
    product.progress = reinterpret_cast<std::int32_t*>(progress_.data());
  }
  return all;
}

void DeviceSweep::end() { slots_[(blocks_ - 1) % slots_.size()].free = device_.record(queue_); }

void DeviceSweep::finish() {
  device_.synchronize(climbs_);
  device_.synchronize(queue_);
}

}  // namespace apsp::elimination
