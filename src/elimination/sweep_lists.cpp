#include "elimination/sweep_lists.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/rounded_up.hpp"

namespace apsp::elimination {
namespace {

using kernels::ConstView;
using kernels::kListedRows;
using kernels::listed_width;
using kernels::ListedItem;

/// Calls f(first row, rows) for the items of a supernode.
template <class F>
void for_each_item(std::int32_t width, F&& f) {
  for (std::int32_t row = 0; row < width; row += kListedRows) {
    f(row, std::min(kListedRows, width - row));
  }
}

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

SweepLists::SweepLists(const Factor& factor)
    : tree_(factor.tree()), weights_(weights_of(factor.tree()) * size_of(factor.type())) {
  std::vector<std::int32_t> levels(static_cast<std::size_t>(tree_.supernodes())), level_of_item;
  for (SupernodeId s = tree_.supernodes() - 1; s >= 0; --s) {
    const SupernodeId above = tree_.parent(s);
    levels[static_cast<std::size_t>(s)] =
        above < 0 ? 0 : levels[static_cast<std::size_t>(above)] + 1;
  }
  for (SupernodeId s = 0; s < tree_.supernodes(); ++s) {
    closing_.push_back(packed_);
    pack(s, factor.closed(s), factor.down(s), size_of(factor.type()));
    pack_climbing(s, factor.up(s), size_of(factor.type()));
    level_of_item.resize(items_.size(), levels[static_cast<std::size_t>(s)]);
  }
  sort_by_level(level_of_item);
}

std::int64_t SweepLists::weights_of(const Tree& tree) {
  std::int64_t values = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const std::int64_t depth = tree.width(s) + tree.upper_count(s);
    for_each_item(tree.width(s), [&](std::int32_t, std::int32_t rows) {
      values = base::rounded_up(values, kListedRows) + depth * listed_width(rows);
    });
    values = base::rounded_up(values, kListedRows);
    if (!climbs_alone(tree, s)) continue;
    for_each_run(tree, s, [&](std::int64_t, std::int32_t) {
      values += kListedRows * std::int64_t{tree.width(s)};
    });
  }
  return base::rounded_up(values, kListedRows);
}

std::int64_t SweepLists::items_of(const Tree& tree) {
  std::int64_t items = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    items += (tree.width(s) + kListedRows - 1) / kListedRows;
  }
  return items;
}

/// The weights of an item's closing, then those of its way down: both begin at whole widths.
void SweepLists::pack(SupernodeId s, ConstView closed, ConstView down, int value_size) {
  const std::int64_t upper = tree_.upper_count(s);
  for_each_item(tree_.width(s), [&](std::int32_t row, std::int32_t rows) {
    packed_ = base::rounded_up(packed_, kListedRows);
    if (row == 0) closing_.back() = packed_;
    std::byte* const to = weights_.data() + packed_ * value_size;
    const std::int64_t closing = closed.cols * listed_width(rows);
    elimination::pack(to, value_size, closed, row, rows, closed.cols, true);
    elimination::pack(to + closing * value_size, value_size, down, row, rows, upper, false);
    items_.push_back({.weights = packed_ + closing,
                      .list = tree_.upper_begin(s),
                      .depth = static_cast<std::int32_t>(upper),
                      .first_row = tree_.first(s) + row,
                      .rows = rows});
    packed_ += closing + upper * listed_width(rows);
  });
}

/// Runs of the upper vertices one after another, whole items apart.
void SweepLists::pack_climbing(SupernodeId s, ConstView up, int value_size) {
  packed_ = base::rounded_up(packed_, kListedRows);
  climbing_.push_back(packed_);
  if (!climbs_alone(tree_, s)) return;
  for_each_run(tree_, s, [&](std::int64_t k, std::int32_t rows) {
    elimination::pack(weights_.data() + packed_ * value_size, value_size, up,
                      static_cast<std::int32_t>(k), rows, up.rows, true);
    packed_ += kListedRows * up.rows;
  });
}

void SweepLists::append_closing(SupernodeId s, std::int64_t list,
                                std::vector<ListedItem>& items) const {
  std::int64_t weights = closing_[static_cast<std::size_t>(s)];
  const std::int64_t width = tree_.width(s), depth = width + tree_.upper_count(s);
  for_each_item(tree_.width(s), [&](std::int32_t row, std::int32_t rows) {
    weights = base::rounded_up(weights, kListedRows);
    items.push_back({.weights = weights,
                     .list = list,
                     .depth = static_cast<std::int32_t>(width),
                     .first_row = tree_.first(s) + row,
                     .rows = rows});
    weights += depth * listed_width(rows);
  });
}

/// Items of one row are a group of their own where they are many: kernels take them faster.
void SweepLists::sort_by_level(const std::vector<std::int32_t>& level_of_item) {
  constexpr std::int64_t kMany = 1024;
  std::vector<std::size_t> order(items_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (level_of_item[a] != level_of_item[b]) return level_of_item[a] < level_of_item[b];
    return (items_[a].rows > 1) < (items_[b].rows > 1);
  });
  std::vector<ListedItem> sorted;
  sorted.reserve(items_.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ListedItem& item = items_[order[i]];
    const bool level_begins = i == 0 || level_of_item[order[i]] != level_of_item[order[i - 1]];
    const bool wide_begin = !level_begins && item.rows > 1 && groups_.back().widest == 1;
    if (level_begins || (wide_begin && groups_.back().count >= kMany)) {
      groups_.push_back({static_cast<std::int64_t>(i), 0, 1});
    }
    ++groups_.back().count;
    groups_.back().widest = std::max(groups_.back().widest, item.rows);
    sorted.push_back(item);
  }
  items_ = std::move(sorted);
}

}  // namespace apsp::elimination
