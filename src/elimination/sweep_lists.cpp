#include "elimination/sweep_lists.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/team.hpp"

namespace apsp::elimination {
namespace {

using kernels::ConstView;
using kernels::listed_width;
using kernels::ListedItem;

/// to [depth, listed_width(rows)] ← entries (row + i, k) of A, or (k, row + i) of it.
template <class T>
void pack_as(T* to, ConstView a, std::int32_t row, std::int32_t rows, std::int64_t depth,
             bool transposed) {
  const std::int32_t width = listed_width(rows);
  const auto* const from = static_cast<const T*>(a.data);
  for (std::int64_t k = 0; k < depth; ++k, to += width) {
    for (std::int32_t i = 0; i < rows; ++i) {
      to[i] = transposed ? from[k * a.stride + row + i] : from[(row + i) * a.stride + k];
    }
  }
}

void pack(std::byte* to, int size, ConstView a, std::int32_t row, std::int32_t rows,
          std::int64_t depth, bool transposed) {
  switch (size) {
    case 2:
      return pack_as(reinterpret_cast<std::uint16_t*>(to), a, row, rows, depth, transposed);
    case 4:
      return pack_as(reinterpret_cast<std::uint32_t*>(to), a, row, rows, depth, transposed);
    default:
      return pack_as(reinterpret_cast<std::uint64_t*>(to), a, row, rows, depth, transposed);
  }
}

}  // namespace

/// Calls f(first row, rows) for the items of a supernode.
template <class F>
void SweepLists::for_each_item(const Tree& tree, SupernodeId s, F&& f) {
  const std::int32_t width = tree.width(s);
  const std::int64_t depth = width + tree.upper_count(s);
  for (std::int32_t row = 0; row < width;) {
    const std::int32_t rows = rows_of_item(width - row, depth);
    f(row, rows);
    row += rows;
  }
}

/// Where the weights of s end that begin at `first` or behind it, and where those of its climb
/// begin.
std::int64_t SweepLists::place(const Tree& tree, SupernodeId s, std::int64_t first,
                               std::int64_t* climbing) {
  std::int64_t at = first;
  const std::int64_t depth = tree.width(s) + tree.upper_count(s);
  for_each_item(tree, s, [&](std::int32_t, std::int32_t rows) {
    at = begin_of(at, rows) + depth * listed_width(rows);
  });
  if (climbing != nullptr) *climbing = at;
  if (!climbs_alone(tree, s)) return at;
  for_each_climb(tree, s, [&](std::int64_t, std::int32_t rows, bool) {
    at = begin_of(at, rows) + std::int64_t{listed_width(rows)} * tree.width(s);
  });
  return at;
}

SweepLists::SweepLists(const Factor& factor, int threads)
    : tree_(factor.tree()), weights_(weights_of(factor.tree()) * size_of(factor.type())) {
  std::vector<std::int32_t> levels(static_cast<std::size_t>(tree_.supernodes())), level_of_item;
  for (SupernodeId s = tree_.supernodes() - 1; s >= 0; --s) {
    const SupernodeId above = tree_.parent(s);
    levels[static_cast<std::size_t>(s)] =
        above < 0 ? 0 : levels[static_cast<std::size_t>(above)] + 1;
  }
  climbing_.resize(levels.size());
  std::int64_t at = 0;
  for (SupernodeId s = 0; s < tree_.supernodes(); ++s) {
    closing_.push_back(at);
    at = place(tree_, s, at, &climbing_[static_cast<std::size_t>(s)]);
    append_items(s);
    level_of_item.resize(items_.size(), levels[static_cast<std::size_t>(s)]);
  }
  base::share_items(tree_.supernodes(), threads,
                    [&](std::int64_t s) { pack(static_cast<SupernodeId>(s), factor); });
  sort_by_level(level_of_item);
}

std::int64_t SweepLists::weights_of(const Tree& tree) {
  std::int64_t values = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) values = place(tree, s, values, nullptr);
  return base::rounded_up(values, kernels::kWideRows);
}

std::int64_t SweepLists::items_of(const Tree& tree) {
  std::int64_t items = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    for_each_item(tree, s, [&](std::int32_t, std::int32_t) { ++items; });
  }
  return items;
}

/// The items of the way down. An item's weights are those of its closing, then those of its way
/// down: both begin at whole widths.
void SweepLists::append_items(SupernodeId s) {
  const std::int64_t width = tree_.width(s), upper = tree_.upper_count(s);
  std::int64_t at = closing_[static_cast<std::size_t>(s)];
  for_each_item(tree_, s, [&](std::int32_t row, std::int32_t rows) {
    at = begin_of(at, rows);
    items_.push_back({.weights = at + width * listed_width(rows),
                      .list = tree_.upper_begin(s),
                      .depth = static_cast<std::int32_t>(upper),
                      .first_row = tree_.first(s) + row,
                      .rows = rows});
    at += (width + upper) * listed_width(rows);
  });
}

void SweepLists::pack(SupernodeId s, const Factor& factor) {
  const int value_size = size_of(factor.type());
  const ConstView closed = factor.closed(s), down = factor.down(s);
  std::int64_t at = closing_[static_cast<std::size_t>(s)];
  for_each_item(tree_, s, [&](std::int32_t row, std::int32_t rows) {
    at = begin_of(at, rows);
    std::byte* const to = weights_.data() + at * value_size;
    const std::int64_t closing = closed.cols * listed_width(rows);
    elimination::pack(to, value_size, closed, row, rows, closed.cols, true);
    elimination::pack(to + closing * value_size, value_size, down, row, rows, down.cols, false);
    at += closing + down.cols * listed_width(rows);
  });
  if (climbs_alone(tree_, s)) pack_climbing(s, factor.up(s), value_size);
}

void SweepLists::pack_climbing(SupernodeId s, ConstView up, int value_size) {
  std::int64_t at = climbing_[static_cast<std::size_t>(s)];
  for_each_climb(tree_, s, [&](std::int64_t k, std::int32_t rows, bool) {
    at = begin_of(at, rows);
    elimination::pack(weights_.data() + at * value_size, value_size, up,
                      static_cast<std::int32_t>(k), rows, up.rows, true);
    at += std::int64_t{listed_width(rows)} * up.rows;
  });
}

void SweepLists::append_closing(SupernodeId s, const ClimbedRows& from,
                                std::vector<ListedItem>& items) const {
  std::int64_t weights = closing_[static_cast<std::size_t>(s)];
  const std::int64_t width = tree_.width(s), depth = width + tree_.upper_count(s);
  for_each_item(tree_, s, [&](std::int32_t row, std::int32_t rows) {
    weights = begin_of(weights, rows);
    items.push_back({.weights = weights,
                     .list = from.all,
                     .depth = static_cast<std::int32_t>(width),
                     .first_row = tree_.first(s) + row,
                     .rows = rows});
    leave_out_unreached(from, items.back());
    weights += depth * listed_width(rows);
  });
}

/// Items of one row are a group of their own where they are many: kernels take them faster.
void append_groups(const std::vector<ListedItem>& items, std::size_t first,
                   std::vector<ItemGroup>& groups) {
  constexpr std::int64_t kMany = 1024;
  const std::size_t begin = groups.size();
  for (std::size_t i = first; i < items.size(); ++i) {
    const bool goes_on = groups.size() > begin && [&] {
      const int kind = kind_of(items[i]), before = kind_of(items[i - 1]);
      return kind == before || (std::max(kind, before) == 1 && groups.back().count < kMany);
    }();
    if (!goes_on) groups.push_back({static_cast<std::int64_t>(i), 0, 1});
    ++groups.back().count;
    groups.back().widest = std::max(groups.back().widest, items[i].rows);
  }
}

void SweepLists::sort_by_level(const std::vector<std::int32_t>& level_of_item) {
  std::vector<std::size_t> order(items_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (level_of_item[a] != level_of_item[b]) return level_of_item[a] < level_of_item[b];
    return kind_of(items_[a]) < kind_of(items_[b]);
  });
  std::vector<ListedItem> sorted;
  sorted.reserve(items_.size());
  for (std::size_t i = 0; i < order.size();) {
    const std::size_t first = i;
    while (i < order.size() && level_of_item[order[i]] == level_of_item[order[first]]) {
      sorted.push_back(items_[order[i++]]);
    }
    append_groups(sorted, first, groups_);
  }
  items_ = std::move(sorted);
}

}  // namespace apsp::elimination
