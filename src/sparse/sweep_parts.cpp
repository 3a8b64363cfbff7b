#include "sparse/sweep_parts.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cstring>

#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

using kernels::ListedGroup;
using kernels::ListedItem;

constexpr std::int64_t kArrayBytes = 256;  // alignment of a part's arrays

std::int64_t values_of(const ListedItem& item) {
  return std::int64_t{item.depth} * kernels::listed_width(item.rows);
}

std::span<const ListedItem> items_of(const DownSweepLists& lists, const ItemGroup& group) {
  return std::span(lists.items())
      .subspan(static_cast<std::size_t>(group.first), static_cast<std::size_t>(group.count));
}

template <class T>
void copy_to(std::byte* to, std::span<const T> values) {
  if (!values.empty()) std::memcpy(to, values.data(), values.size_bytes());
}

}  // namespace

SweepParts::Offsets SweepParts::layout(const SweepPart& part, int value_size) {
  const auto behind = [](std::int64_t begin, std::int64_t count, std::int64_t size) {
    return base::rounded_up(begin + count * size, kArrayBytes);
  };
  Offsets at{};
  at.lists = behind(0, part.items, sizeof(ListedItem));
  at.groups = behind(at.lists, part.listed, sizeof(Position));
  at.weights = behind(at.groups, part.waiting, sizeof(ListedGroup));
  at.bytes = behind(at.weights, part.values, value_size);
  return at;
}

SweepParts::SweepParts(const DownSweepLists& lists, const Tree& tree, ValueType type,
                       const FactorPartition& partition)
    : lists_(lists),
      tree_(tree),
      size_(size_of(type)),
      partition_(partition),
      parts_(1),
      list_of_(static_cast<std::size_t>(tree.supernodes())),
      listed_by_(list_of_.size()),
      group_of_(lists.waiting().size()),
      grouped_by_(group_of_.size()) {
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    closes_by_parts_ = closes_by_parts_ || closes_by_parts(tree, s);
  }
  items_.reserve(lists.items().size());
  for (const ItemGroup& group : lists.groups()) {
    for (const ListedItem& item : items_of(lists, group)) {
      add(group, item);
    }
  }
  std::int64_t at = 0;
  for (SweepPart& part : parts_) {
    part.begin = at;
    at += layout(part).bytes;
  }
}

SweepPart SweepParts::with(const ItemGroup& group, const ListedItem& item) const {
  SweepPart part;
  const SweepPart& last = parts_.back();
  const auto s = static_cast<std::size_t>(tree_.supernode_of(item.first_row));
  const auto of = static_cast<std::size_t>(item.group);
  part.items = last.items + 1;
  part.listed = last.listed + (listed_by_[s] == parts_.size() ? 0 : item.depth);
  part.waiting = last.waiting + (group.waits && grouped_by_[of] != parts_.size() ? 1 : 0);
  part.values = DownSweepLists::begin_of(last.values, item.rows) + values_of(item);
  return part;
}

bool SweepParts::fits(const SweepPart& part) const {
  return layout(part).bytes <= (parts_.size() == 1 ? partition_.resident : partition_.part);
}

void SweepParts::add(const ItemGroup& group, const ListedItem& item) {
  if (!fits(with(group, item))) {
    SweepPart next;
    next.first_item = std::ssize(items_);
    parts_.push_back(std::move(next));
    if (const SweepPart alone = with(group, item); !fits(alone)) {
      throw Error(ErrorKind::does_not_fit,
                  fmt::format("rows of a factor take {} bytes, and {} may pass through a device at "
                              "a time",
                              layout(alone).bytes, partition_.part));
    }
  }
  place(group, item);
}

void SweepParts::place(const ItemGroup& group, ListedItem item) {
  SweepPart& part = parts_.back();
  const auto s = static_cast<std::size_t>(tree_.supernode_of(item.first_row));
  if (listed_by_[s] != parts_.size()) {
    listed_by_[s] = parts_.size();
    list_of_[s] = part.listed;
    part.listed += item.depth;
  }
  item.list = list_of_[s];
  item.weights = DownSweepLists::begin_of(part.values, item.rows);
  part.values = item.weights + values_of(item);
  if (group.waits) {
    const auto of = static_cast<std::size_t>(item.group);
    const ListedGroup& whole = lists_.waiting()[of];
    if (grouped_by_[of] != parts_.size()) {
      const auto above = static_cast<std::size_t>(std::max(whole.above, 0));
      const bool is_here = whole.above >= 0 && grouped_by_[above] == parts_.size();
      grouped_by_[of] = parts_.size();
      group_of_[of] = static_cast<std::int32_t>(part.waiting++);
      waiting_.push_back({0, is_here ? group_of_[above] : -1, whole.near});
    }
    item.group = group_of_[of];
    ++waiting_[waiting_.size() - static_cast<std::size_t>(part.waiting - item.group)].items;
  }
  const std::int64_t number = part.items++;
  const auto of_lists = static_cast<std::size_t>(&group - lists_.groups().data());
  if (part.launches.empty() || launched_ != of_lists) {
    part.launches.push_back({.first = number, .large = group.large, .waits = group.waits});
  }
  launched_ = of_lists;
  ItemGroup& launch = part.launches.back();
  ++launch.count;
  launch.widest = std::max(launch.widest, item.rows);
  items_.push_back(item);
}

void SweepParts::pack(const Factor& factor, int threads) {
  memory_ = system::AlignedMemory(bytes());
  auto waiting = std::span<const ListedGroup>(waiting_);
  for (const SweepPart& part : parts_) {
    const Offsets begin = layout(part);
    std::byte* const to = memory_.data() + part.begin;
    const auto items = std::span<const ListedItem>(items_).subspan(
        static_cast<std::size_t>(part.first_item), static_cast<std::size_t>(part.items));
    copy_to(to, items);
    copy_to(to + begin.groups, waiting.first(static_cast<std::size_t>(part.waiting)));
    waiting = waiting.subspan(static_cast<std::size_t>(part.waiting));
    std::int64_t listed = 0;  // items of a supernode list the same rows
    for (const ListedItem& item : items) {
      if (item.list != listed) continue;
      const auto upper = tree_.upper(tree_.supernode_of(item.first_row));
      copy_to(to + begin.lists + listed * std::int64_t{sizeof(Position)}, upper);
      listed += std::ssize(upper);
    }
    system::parallel_for(part.items, threads, [&](std::int64_t i) {
      const ListedItem& item = at(items, i);
      lists_.pack_down(to + begin.weights + item.weights * size_, factor, item);
    });
  }
}

std::int64_t SweepParts::bytes() const { return parts_.back().begin + layout(parts_.back()).bytes; }

std::int64_t SweepParts::resident_bytes() const { return layout(parts_.front()).bytes; }

std::int64_t SweepParts::largest_bytes() const {
  std::int64_t most = 0;
  for (const SweepPart& part : std::span(parts_).subspan(1)) {
    most = std::max(most, layout(part).bytes);
  }
  return most;
}

std::int64_t SweepParts::buffer_bytes() const {
  return closes_by_parts_ ? std::max(partition_.part, largest_bytes()) : largest_bytes();
}

std::int64_t SweepParts::most_waiting() const {
  std::int64_t most = 0;
  for (const SweepPart& part : parts_) most = std::max(most, part.waiting);
  return most;
}

std::int64_t SweepParts::least_part(const DownSweepLists& lists, const Tree& tree, ValueType type) {
  std::int64_t most = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (!closes_by_parts(tree, s)) continue;
    const std::int64_t rows = (tree.width(s) + std::int64_t{1}) * kernels::kWideRows;
    most = std::max(most, base::rounded_up(rows * size_of(type), kArrayBytes));
  }
  for (const ItemGroup& group : lists.groups()) {
    for (const ListedItem& item : items_of(lists, group)) {
      SweepPart alone;
      alone.items = 1;
      alone.waiting = group.waits ? 1 : 0;
      alone.listed = item.depth;
      alone.values = values_of(item);
      most = std::max(most, layout(alone, size_of(type)).bytes);
    }
  }
  return most;
}

}  // namespace apsp::sparse
