#include "sparse/device_sweep.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/rounded_up.hpp"

namespace apsp::sparse {
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
  return DownSweepLists::weights_of(tree) * size_of(type) +
         DownSweepLists::items_of(tree) * std::int64_t{sizeof(ListedItem)} +
         DownSweepLists::waiting_of(tree) * std::int64_t{sizeof(kernels::ListedGroup)} +
         tree.upper_begin(tree.supernodes()) * std::int64_t{sizeof(Position)};
}

}  // namespace

/// c ← the products of the group's items over the rows of x.
kernels::ListedProduct DeviceSweep::product_of(const ItemGroup& group, View c, View x,
                                               const ListArrays& at) {
  return {.c = c,
          .x = x,
          .weights = at.weights,
          .lists = reinterpret_cast<const std::int32_t*>(at.lists),
          .items = reinterpret_cast<const ListedItem*>(at.items) + group.first,
          .count = group.count,
          .widest = group.widest,
          .large = group.large};
}

DeviceSweep::ListOffsets::ListOffsets(const UpwardSize& size, std::int64_t vertices,
                                      std::int64_t lanes, int value_size, bool reduced) {
  std::int64_t at = 0;
  const auto next = [&](std::int64_t count, std::int64_t of) {
    const std::int64_t begin = at;
    at = base::rounded_up(at + count * of, kPartBytes);
    return begin;
  };
  items = next(size.items, sizeof(ListedItem));
  lists = next(size.above + size.entries + 2 * size.rows, sizeof(std::int32_t));
  weights = next(size.weights, value_size);
  columns = next(size.rows, sizeof(std::int32_t));
  labels = next(lanes, sizeof(std::uint32_t));
  begun = next(vertices, 1);
  potentials = next(reduced ? vertices : 0, sizeof(std::int32_t));
  of_columns = next(reduced ? lanes : 0, sizeof(std::int32_t));
  bytes = at;
}

DeviceSweep::DeviceSweep(const Factor& factor, kernels::ComputeDevice& device,
                         std::span<const Vertex> sources, std::int64_t lanes, int threads,
                         const FactorPartition& partition, BlockPotentials* potentials)
    : factor_(factor),
      tree_(factor.tree()),
      device_(device),
      lanes_(lanes),
      type_(kernels::listed_type(gathered_.listed_form(), factor.type())),
      size_(size_of(type_)),
      down_(factor, threads, partition.streams(),
            potentials == nullptr ? gathered_.listed_form() : kernels::ListedForm::values),
      up_(factor, down_, partition.part / size_),
      largest_(UpSweepLists::largest(tree_, sources, lanes, partition.streams())),
      parts_(largest_, tree_.vertices(), lanes, size_, potentials != nullptr),
      distances_(device, tree_.vertices() * lanes * size_),
      potentials_(potentials),
      upward_queue_(device.make_queue(kernels::Priority::high)),
      queue_(device.make_queue()),
      copies_(device.make_queue()) {
  if (partition.streams()) {
    streamed_.emplace(down_, tree_, type_, partition);
    claim_parts(threads);
  } else {
    claim_factor();
  }
  for (BlockBuffers& slot : slots_) {
    slot.host = system::AlignedMemory(parts_.bytes);
    slot.lists = dense::DeviceBuffer(device, parts_.bytes);
    slot.upward = dense::DeviceBuffer(device, largest_.rows * lanes * size_);
    slot.pinned.emplace(device, kernels::View{slot.host.data(), 1, parts_.bytes, parts_.bytes}, 1);
    if (potentials != nullptr) {
      slot.reduced_weights = {device, DownSweepLists::weights_of(tree_) * size_};
    }
  }
  // Copies begin once all memory is claimed: what a claim throws finds none queued.
  if (streamed_) {
    copy_in(queue_, first_part_.data(), streamed_->memory().data(), streamed_->resident_bytes());
  } else {
    copy_factor();
  }
}

DeviceSweep::~DeviceSweep() {
  dense::drain(device_, copies_);
  dense::drain(device_, upward_queue_);
  dense::drain(device_, queue_);
}

std::int64_t DeviceSweep::lanes_of(std::int64_t sources, ValueType type) {
  return base::rounded_up(sources, kernels::kListedLine / size_of(type));
}

std::int64_t DeviceSweep::lanes_within(std::int64_t allowed, std::int64_t most, ValueType type,
                                       const std::function<std::int64_t(std::int64_t)>& bytes) {
  constexpr std::int64_t kPrecise = 32;  // the part of the lanes to which the result is exact
  const std::int64_t line = lanes_of(1, type);
  std::int64_t low = line, high = lanes_of(most, type);
  std::int64_t of_low = bytes(low), of_high = bytes(high);
  if (of_high <= allowed) return high;
  if (of_low > allowed) return 0;
  // Bytes are nearly linear: steps follow straight lines, and every other step halves.
  for (bool halves = false; high - low > std::max(line, low / kPrecise); halves = !halves) {
    const double share =
        halves ? 0.5
               : static_cast<double>(allowed - of_low) / static_cast<double>(of_high - of_low);
    const auto to = low + static_cast<std::int64_t>(share * static_cast<double>(high - low));
    const std::int64_t lanes = std::clamp(to / line * line, low + line, high - line);
    const std::int64_t taken = bytes(lanes);
    (taken <= allowed ? low : high) = lanes;
    (taken <= allowed ? of_low : of_high) = taken;
  }
  return low;
}

std::int64_t DeviceSweep::device_bytes(const Tree& tree, ValueType type, std::int64_t lanes,
                                       const UpwardSize& largest, const SweepParts* parts) {
  const std::int64_t row = lanes * size_of(type);
  const std::int64_t block = (tree.vertices() + 2 * largest.rows) * row +
                             2 * ListOffsets(largest, tree.vertices(), lanes, size_of(type)).bytes;
  if (parts == nullptr) {
    return block + factor_bytes(tree, type) +
           waiting_bytes(DownSweepLists::waiting_of(tree), lanes, type);
  }
  return block + parts->resident_bytes() + 2 * parts->buffer_bytes() +
         waiting_bytes(parts->most_waiting(), lanes, type);
}

std::int64_t DeviceSweep::reducing_bytes(const Tree& tree, std::int64_t lanes) {
  std::int64_t items = 2 * DownSweepLists::items_of(tree);
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (!wide_upward(tree, s)) continue;
    for_each_upward(tree, s, [&](std::int64_t, std::int32_t, bool) { ++items; });
  }
  items += DownSweepLists::weights_of(tree) / kernels::kMostReducedWeights * 2;  // as divided
  const std::int64_t lists = 3 * tree.vertices() + 2 * lanes;  // potentials twice, and positions
  // The weights in i32, and twice in u16 instead of once.
  return DownSweepLists::weights_of(tree) * (size_of(ValueType::i32) + size_of(ValueType::u16)) +
         items * std::int64_t{sizeof(ListedItem)} + lists * std::int64_t{sizeof(std::int32_t)} +
         4 * kPartBytes;
}

std::int64_t DeviceSweep::reducing_host_bytes(const Tree& tree, std::int64_t lanes) {
  return reducing_bytes(tree, lanes) + BlockPotentials::bytes(tree);
}

std::int64_t DeviceSweep::waiting_bytes(std::int64_t groups, std::int64_t lanes, ValueType type) {
  if (groups == 0) return 0;
  return kernels::listed_progress(groups, lanes * size_of(type)) *
         std::int64_t{sizeof(std::int32_t)};
}

std::int64_t DeviceSweep::host_bytes(const Tree& tree, ValueType type, std::int64_t lanes,
                                     const UpwardSize& largest, const SweepParts* parts) {
  constexpr std::int64_t kSupernode = 24, kVertex = 1;  // bytes of lists while they are made
  const ListOffsets block(largest, tree.vertices(), lanes, size_of(type));
  const std::int64_t lists = parts == nullptr
                                 ? factor_bytes(tree, type)
                                 : parts->bytes() + (DownSweepLists::weights_of(tree, true) -
                                                     DownSweepLists::weights_of(tree)) *
                                                        size_of(type);
  return factor_bytes(tree, type) + lists + 4 * block.bytes + tree.supernodes() * kSupernode +
         tree.vertices() * kVertex;
}

void DeviceSweep::copy_in(kernels::QueueId queue, std::byte* to, const void* from,
                          std::int64_t bytes) {
  if (bytes > 0) device_.copy_in(queue, bytes_of(to, bytes), bytes_of(from, bytes), 1);
}

void DeviceSweep::claim_factor() {
  weights_ = {device_, down_.weights().bytes()};
  items_ = {device_, bytes_in(down_.items())};
  const std::int64_t positions = potentials_ == nullptr ? 0 : tree_.vertices();
  upper_ = {device_,
            (tree_.upper_begin(tree_.supernodes()) + positions) * std::int64_t{sizeof(Position)}};
  if (potentials_ != nullptr) claim_reducing();
  waiting_ = {device_, bytes_in(down_.waiting())};
  progress_ = {device_, waiting_bytes(std::ssize(down_.waiting()), lanes_, type_)};
}

void DeviceSweep::claim_reducing() {
  weight_items_ = down_.weight_items(tree_.upper_begin(tree_.supernodes()));
  positions_.resize(static_cast<std::size_t>(tree_.vertices()));
  std::iota(positions_.begin(), positions_.end(), 0);
  weight_items_there_ = {device_, bytes_in(weight_items_)};
}

void DeviceSweep::claim_parts(int threads) {
  progress_ = {device_, waiting_bytes(streamed_->most_waiting(), lanes_, type_)};
  first_part_ = {device_, streamed_->resident_bytes()};
  for (PartSlot& slot : part_slots_) slot.memory = {device_, streamed_->buffer_bytes()};
  streamed_->pack(factor_, threads);
  const std::int64_t bytes = streamed_->bytes();
  // Copies only read it.
  auto* const memory = const_cast<std::byte*>(streamed_->memory().data());
  pinned_parts_.emplace(device_, View{memory, 1, bytes, bytes}, 1);
  auto* const weights = const_cast<std::byte*>(down_.weights().data());
  const std::int64_t of_weights = down_.weights().bytes();
  pinned_weights_.emplace(device_, View{weights, 1, of_weights, of_weights}, 1);
}

void DeviceSweep::copy_factor() {
  copy_in(queue_, weights_.data(), down_.weights().data(), down_.weights().bytes());
  copy_in(queue_, items_.data(), down_.items().data(), bytes_in(down_.items()));
  copy_in(queue_, waiting_.data(), down_.waiting().data(), bytes_in(down_.waiting()));
  const std::int64_t upper = tree_.upper_begin(tree_.supernodes());
  if (upper > 0) {
    copy_in(queue_, upper_.data(), tree_.upper(0).data(), upper * std::int64_t{sizeof(Position)});
  }
  if (potentials_ != nullptr) {
    copy_in(queue_, upper_.data() + upper * std::int64_t{sizeof(Position)}, positions_.data(),
            bytes_in(positions_));
    copy_in(queue_, weight_items_there_.data(), weight_items_.data(), bytes_in(weight_items_));
  }
  device_.wait(upward_queue_, device_.record(queue_));
}

void DeviceSweep::begin(std::span<const Vertex> sources) {
  BlockBuffers& slot = slots_[blocks_++ % slots_.size()];
  columns_ = std::ssize(sources);
  if (slot.free >= 0) device_.await(slot.free);
  auto* const potentials = reinterpret_cast<std::int32_t*>(slot.host.data() + parts_.potentials);
  if (potentials_ == nullptr) {
    up_.find(sources);
  } else {
    const std::span all(potentials, static_cast<std::size_t>(tree_.vertices()));
    potentials_->fill(sources, all);
    up_.find(sources, all);
  }
  fill(slot, sources);
  gathered_.begin_rows(upward_queue_, upward_rows(slot),
                       reinterpret_cast<const std::int32_t*>(slot.lists.data() + parts_.columns));
  const std::vector<SweepLaunch> all = launches();
  const auto sweeps_up = [](const SweepLaunch& launch) {
    return launch.part == SweepLaunch::SweepPhase::up;
  };
  const auto top = std::find_if_not(all.begin(), all.end(), sweeps_up);
  for (const SweepLaunch& launch : std::span(all.begin(), top)) {
    gathered_.multiply_listed(upward_queue_, launch.product);
  }
  device_.wait(queue_, device_.record(upward_queue_));
  for (const SweepLaunch& launch : std::span(top, all.end())) {
    gathered_.multiply_listed(queue_, launch.product);
  }
  if (streamed_) sweep_parts();
}

template <class F>
void DeviceSweep::pass(const std::byte* from, std::int64_t bytes, F&& launch) {
  PartSlot& slot = part_slots_[passed_++ % part_slots_.size()];
  if (slot.free >= 0) device_.wait(copies_, slot.free);
  copy_in(copies_, slot.memory.data(), from, bytes);
  device_.wait(queue_, device_.record(copies_));
  launch(slot.memory.data());
  slot.free = device_.record(queue_);
}

/// Closes the rows of wide supernodes, then sweeps down.
void DeviceSweep::sweep_parts() {
  for (const ClosingPart& part : up_.closing_parts()) {
    pass(down_.weights().data() + part.begin * size_, part.values * size_,
         [&](const std::byte* memory) {
           for (const ItemGroup& group : part.groups) {
             gathered_.multiply_listed(queue_, closing(group, memory));
           }
         });
  }
  launch_part(streamed_->parts().front(), first_part_.data());
  for (const SweepPart& part : std::span(streamed_->parts()).subspan(1)) {
    pass(streamed_->data(part), streamed_->layout(part).bytes,
         [&](const std::byte* memory) { launch_part(part, memory); });
  }
}

kernels::ListedProduct DeviceSweep::closing(const ItemGroup& group,
                                            const std::byte* weights) const {
  const BlockBuffers& slot = last_slot();
  const std::byte* const own = slot.lists.data();
  return product_of(group, matrix(), upward_rows(slot),
                    {own + parts_.items, own + parts_.lists, weights});
}

kernels::ListedProduct DeviceSweep::downward(const ItemGroup& group, const ListArrays& at,
                                             const std::byte* waiting, std::int64_t count) const {
  kernels::ListedProduct product = product_of(group, matrix(), matrix(), at);
  product.begun = reinterpret_cast<const std::uint8_t*>(last_slot().lists.data() + parts_.begun);
  if (!group.waits) return product;
  product.groups = reinterpret_cast<const kernels::ListedGroup*>(waiting);
  product.group_count = count;
  product.progress = reinterpret_cast<std::int32_t*>(progress_.data());
  return product;
}

void DeviceSweep::launch_part(const SweepPart& part, const std::byte* memory) {
  const SweepParts::Offsets at = streamed_->layout(part);
  for (const ItemGroup& group : part.launches) {
    gathered_.multiply_listed(queue_,
                              downward(group, {memory, memory + at.lists, memory + at.weights},
                                       memory + at.groups, part.waiting));
  }
}

void DeviceSweep::fill(BlockBuffers& slot, std::span<const Vertex> sources) {
  const auto put = [&](std::int64_t part, const void* from, std::int64_t bytes) {
    if (bytes == 0) return;
    std::memcpy(slot.host.data() + part, from, static_cast<std::size_t>(bytes));
    device_.copy_in(upward_queue_, bytes_of(slot.lists.data() + part, bytes),
                    bytes_of(slot.host.data() + part, bytes), 1);
  };
  if (slot.free >= 0) device_.wait(upward_queue_, slot.free);
  put(parts_.items, up_.items().data(), bytes_in(up_.items()));
  put(parts_.lists, up_.lists().data(), bytes_in(up_.lists()));
  put(parts_.weights, up_.weights(), up_.entries() * size_);
  for (const CarriedWeights& run : up_.carried()) {
    copy_in(upward_queue_, slot.lists.data() + parts_.weights + run.place * size_,
            down_.weights().data() + run.begin * size_, run.values * size_);
  }
  put(parts_.columns, up_.columns().data(), bytes_in(up_.columns()));
  put(parts_.labels, sources.data(), std::ssize(sources) * std::int64_t{sizeof(Vertex)});
  put(parts_.begun, up_.begun().data(), bytes_in(up_.begun()));
  if (potentials_ != nullptr) reduce(slot, sources);
}

/// Its potentials are in the host's part of the slot.
void DeviceSweep::reduce(BlockBuffers& slot, std::span<const Vertex> sources) {
  const auto* const all =
      reinterpret_cast<const std::int32_t*>(slot.host.data() + parts_.potentials);
  auto* const of_columns = reinterpret_cast<std::int32_t*>(slot.host.data() + parts_.of_columns);
  std::transform(sources.begin(), sources.end(), of_columns,
                 [&](Vertex s) { return all[tree_.order().position_of[s]]; });
  copy_in(upward_queue_, slot.lists.data() + parts_.potentials, all,
          tree_.vertices() * std::int64_t{sizeof(std::int32_t)});
  copy_in(upward_queue_, slot.lists.data() + parts_.of_columns, of_columns,
          std::ssize(sources) * std::int64_t{sizeof(std::int32_t)});
  gathered_.reduce_weights(
      upward_queue_,
      {.weights = weights_.data(),
       .reduced = slot.reduced_weights.data(),
       .lists = reinterpret_cast<const std::int32_t*>(upper_.data()),
       .items = reinterpret_cast<const ListedItem*>(weight_items_there_.data()),
       .potentials = reinterpret_cast<const std::int32_t*>(slot.lists.data() + parts_.potentials),
       .count = std::ssize(weight_items_)});
}

View DeviceSweep::upward_rows(const BlockBuffers& slot) const {
  return {slot.upward.data(), up_.rows(), lanes_, lanes_};
}

ConstView DeviceSweep::distances() const {
  return {distances_.data(), tree_.vertices(), columns_, lanes_};
}

kernels::RowPotentials DeviceSweep::potentials() const {
  if (potentials_ == nullptr) return {};
  const std::byte* const own = last_slot().lists.data();
  return {reinterpret_cast<const std::int32_t*>(own + parts_.potentials),
          reinterpret_cast<const std::int32_t*>(own + parts_.of_columns)};
}

const std::uint32_t* DeviceSweep::column_labels() const {
  return reinterpret_cast<const std::uint32_t*>(last_slot().lists.data() + parts_.labels);
}

std::vector<SweepLaunch> DeviceSweep::launches() const {
  using SweepPhase = SweepLaunch::SweepPhase;
  const std::byte* const own = last_slot().lists.data();
  const View rows = upward_rows(last_slot());
  std::vector<SweepLaunch> all;
  const auto add = [&](SweepPhase part, const ItemGroup& group, std::span<const ListedItem> on_host,
                       const kernels::ListedProduct& product) {
    all.push_back({.part = part,
                   .product = product,
                   .items = on_host.subspan(static_cast<std::size_t>(group.first),
                                            static_cast<std::size_t>(group.count))});
  };
  // The way up and the closing have items and lists of the block, the way down those of the factor.
  const std::byte* const own_weights = own + parts_.weights;
  for (const auto& [group, alone] : up_.upward_groups()) {
    const std::byte* const weights = alone && !streamed_ ? this->weights() : own_weights;
    kernels::ListedProduct product =
        product_of(group, rows, rows, {own + parts_.items, own + parts_.lists, weights});
    product.adds = true;
    add(SweepPhase::up, group, up_.items(), product);
  }
  for (const ItemGroup& group : up_.closing()) {
    add(SweepPhase::closing, group, up_.items(),
        closing(group, streamed_ ? own_weights : weights()));
  }
  if (streamed_) return all;
  for (const ItemGroup& group : down_.groups()) {
    add(SweepPhase::down, group, down_.items(),
        downward(group, {items_.data(), upper_.data(), weights()}, waiting_.data(),
                 std::ssize(down_.waiting())));
  }
  return all;
}

void DeviceSweep::finish() {
  device_.synchronize(copies_);
  device_.synchronize(upward_queue_);
  device_.synchronize(queue_);
}

}  // namespace apsp::sparse
