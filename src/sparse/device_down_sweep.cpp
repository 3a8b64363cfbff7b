#include "sparse/device_down_sweep.hpp"

#include <span>

#include "base/control.hpp"
#include "base/value_types.hpp"
#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

using kernels::ConstView;
using kernels::listed_width;
using kernels::ListedItem;

/// to [depth, listed_width(rows)] ← entries (row + i, k) of A, a part of the factor, or (k, row +
/// i).
void pack(std::byte* packed, const Factor& factor, kernels::ListedForm form, ConstView a,
          std::int32_t row, std::int32_t rows, std::int64_t depth, bool transposed) {
  const std::int32_t width = listed_width(rows);
  with_listed_entries(factor, form, [&]<class T>(auto keep) {
    auto* to = reinterpret_cast<decltype(keep(T{}))*>(packed);
    const auto* const from = static_cast<const T*>(a.data);
    for (std::int64_t k = 0; k < depth; ++k, to += width) {
      for (std::int32_t i = 0; i < rows; ++i) {
        to[i] = keep(transposed ? from[k * a.stride + row + i] : from[(row + i) * a.stride + k]);
      }
    }
  });
}

int size_of_kept(const Factor& factor, kernels::ListedForm form) {
  return kernels::listed_size(form, size_of(factor.type()));
}

/// Returns which supernodes wait for their parents: wide ones and those above them; none if these
/// are not most of the work, as in road networks.
std::vector<std::uint8_t> find_waiting(const Tree& tree) {
  constexpr double kMost = 0.7;
  std::vector<std::uint8_t> waiting(static_cast<std::size_t>(tree.supernodes()));
  double all = 0, wide = 0;  // relaxations
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    std::uint8_t& here = at(waiting, s);
    const std::int64_t depth = tree.width(s) + tree.structure_size(s);
    const double relaxations = static_cast<double>(tree.width(s)) * static_cast<double>(depth);
    all += relaxations;
    if (rows_of_item(tree.width(s), depth) > kernels::kListedRows) {
      here = 1;
      wide += relaxations;
    }
    if (here != 0 && tree.parent(s) >= 0) at(waiting, tree.parent(s)) = 1;
  }
  if (wide < kMost * all) waiting.assign(waiting.size(), 0);
  return waiting;
}

/// Returns the distance of each supernode from its root, or from the nearest ancestor that waits.
std::vector<std::int32_t> levels_of(const Tree& tree, const std::vector<std::uint8_t>& waiting) {
  std::vector<std::int32_t> levels(waiting.size());
  for (SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    const auto at = static_cast<std::size_t>(s), above = static_cast<std::size_t>(tree.parent(s));
    const bool begins = tree.parent(s) < 0 || waiting[at] != waiting[above];
    levels[at] = begins ? 0 : levels[above] + 1;
  }
  return levels;
}

/// The cost of an item on a device, in steps of a quarter of a block.
std::int64_t cost_of(const ListedItem& item) {
  const std::int64_t quarters = listed_width(item.rows) / (kernels::kWideRows / 4);
  return std::max<std::int64_t>(1, quarters) * item.depth;
}

/// Returns whether a block of threads computes the item: a wide one, or a narrow one that lists so
/// many rows that a warp would take long.
bool is_large(const ListedItem& item) {
  constexpr std::int32_t kDeep = 256;
  return item.rows > kernels::kListedRows || item.depth >= kDeep;
}

template <class F>
void for_each_item(const Tree& tree, SupernodeId s, F&& f) {
  const std::int32_t width = tree.width(s);
  const std::int64_t depth = width + tree.structure_size(s);
  for (std::int32_t row = 0; row < width;) {
    const std::int32_t rows = rows_of_item(width - row, depth);
    f(row, rows);
    row += rows;
  }
}

/// The end of the weights of s, which begin at `first` or later, and the first of its upward sweep.
std::int64_t place(const Tree& tree, SupernodeId s, bool streams, std::int64_t first,
                   std::int64_t* upward) {
  std::int64_t at = first;
  const std::int64_t depth = tree.width(s) + (streams ? 0 : tree.structure_size(s));
  for_each_item(tree, s, [&](std::int32_t, std::int32_t rows) {
    at = DownSweepLists::begin_of(at, rows) + depth * listed_width(rows);
  });
  if (streams) at = base::rounded_up(at, kernels::kWideRows);
  if (upward != nullptr) *upward = at;
  if (!wide_upward(tree, s)) return at;
  for_each_upward(tree, s, [&](std::int64_t, std::int32_t rows, bool) {
    at = DownSweepLists::begin_of(at, rows) + std::int64_t{listed_width(rows)} * tree.width(s);
  });
  return at;
}

}  // namespace

std::int64_t DownSweepLists::waiting_of(const Tree& tree) {
  const std::vector<std::uint8_t> waiting = find_waiting(tree);
  return std::count(waiting.begin(), waiting.end(), 1);
}

DownSweepLists::DownSweepLists(const Tree& tree, bool streams) : tree_(tree), streams_(streams) {
  upward_.resize(static_cast<std::size_t>(tree_.supernodes()));
  std::int64_t next = 0;
  for (SupernodeId s = 0; s < tree_.supernodes(); ++s) {
    base::poll(static_cast<std::size_t>(s));
    if (streams) next = base::rounded_up(next, kernels::kWideRows);
    closing_.push_back(next);
    next = place(tree_, s, streams, next, &at(upward_, s));
    append_items(s);
  }
  sort_by_level();
}

DownSweepLists::DownSweepLists(const Factor& factor, int threads, bool streams,
                               kernels::ListedForm form)
    : DownSweepLists(factor.tree(), streams) {
  form_ = form;
  weights_ = system::AlignedMemory(weights_of(tree_, streams) * size_of_kept(factor, form));
  system::parallel_for(std::ssize(items_), threads,
                       [&](std::int64_t i) { pack(at(items_, i), factor); });
  system::parallel_for(tree_.supernodes(), threads, [&](std::int64_t s) {
    if (wide_upward(tree_, static_cast<SupernodeId>(s))) {
      pack_upward(static_cast<SupernodeId>(s), factor);
    }
  });
}

std::int64_t DownSweepLists::weights_of(const Tree& tree, bool streams) {
  std::int64_t values = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (streams) values = base::rounded_up(values, kernels::kWideRows);
    values = place(tree, s, streams, values, nullptr);
  }
  return base::rounded_up(values, kernels::kWideRows);
}

std::int64_t DownSweepLists::carried_of(const Tree& tree, SupernodeId s) {
  std::int64_t upward = 0;
  const std::int64_t end = place(tree, s, true, 0, &upward);
  return base::rounded_up(closes_by_parts(tree, s) ? end - upward : end, kernels::kWideRows);
}

std::int64_t DownSweepLists::items_of(const Tree& tree) {
  std::int64_t items = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    for_each_item(tree, s, [&](std::int32_t, std::int32_t) { ++items; });
  }
  return items;
}

/// Appends the items of the downward sweep. The weights of an item are those of its closing, then
/// those of the downward sweep, unless the factor streams. Both begin at multiples of the width.
void DownSweepLists::append_items(SupernodeId s) {
  const std::int64_t width = tree_.width(s), upper = tree_.structure_size(s);
  std::int64_t next = at(closing_, s);
  for_each_item(tree_, s, [&](std::int32_t row, std::int32_t rows) {
    next = begin_of(next, rows);
    items_.push_back({.weights = next + width * listed_width(rows),
                      .list = tree_.upper_begin(s),
                      .depth = static_cast<std::int32_t>(upper),
                      .first_row = tree_.first(s) + row,
                      .rows = rows});
    next += (width + down_depth(s)) * listed_width(rows);
  });
}

void DownSweepLists::pack_down(std::byte* to, const Factor& factor, const ListedItem& item) const {
  const SupernodeId s = factor.tree().supernode_of(item.first_row);
  const ConstView down = factor.down(s);
  sparse::pack(to, factor, form_, down, item.first_row - factor.tree().first(s), item.rows,
               down.cols, false);
}

/// Packs the weights of an item's closing, then those of the downward sweep.
void DownSweepLists::pack(const ListedItem& item, const Factor& factor) {
  const int value_size = size_of_kept(factor, form_);
  const SupernodeId s = tree_.supernode_of(item.first_row);
  const ConstView closed = factor.closed(s);
  const std::int32_t row = item.first_row - tree_.first(s);
  std::byte* const to = weights_.data() + item.weights * value_size;
  const std::int64_t closing = closed.cols * listed_width(item.rows);
  sparse::pack(to - closing * value_size, factor, form_, closed, row, item.rows, closed.cols, true);
  if (!streams_) pack_down(to, factor, item);
}

void DownSweepLists::pack_upward(SupernodeId s, const Factor& factor) {
  const int value_size = size_of_kept(factor, form_);
  const ConstView up = factor.up(s);
  std::int64_t next = at(upward_, s);
  for_each_upward(tree_, s, [&](std::int64_t k, std::int32_t rows, bool) {
    next = begin_of(next, rows);
    sparse::pack(weights_.data() + next * value_size, factor, form_, up,
                 static_cast<std::int32_t>(k), rows, up.rows, true);
    next += std::int64_t{listed_width(rows)} * up.rows;
  });
}

namespace {

/// Divides items of many weights: a device gives each item to one warp.
std::vector<ListedItem> divided(const std::vector<ListedItem>& items) {
  std::vector<ListedItem> result;
  result.reserve(items.size());
  for (const ListedItem& item : items) {
    const std::int32_t width = listed_width(item.rows), most = kernels::kMostReducedWeights / width;
    for (std::int32_t first = 0; first < item.depth; first += most) {
      result.push_back(item);
      result.back().weights += std::int64_t{first} * width;
      result.back().list += first;
      result.back().depth = std::min(most, item.depth - first);
    }
  }
  return result;
}

}  // namespace

std::vector<ListedItem> DownSweepLists::weight_items(std::int64_t positions) const {
  std::vector<ListedItem> items = items_;
  for (SupernodeId s = 0; s < tree_.supernodes(); ++s) {
    const std::int64_t own = positions + tree_.first(s);
    const UpwardRows rows{own, own, tree_.width(s), tree_.first(s)};
    append_closing(s, rows, 0, items);
    if (!wide_upward(tree_, s)) continue;
    append_upward(
        s, rows, 0, static_cast<std::int32_t>(tree_.upper_begin(s)), [](Position p) { return p; },
        items);
  }
  return divided(items);
}

void DownSweepLists::append_closing(SupernodeId s, const UpwardRows& from, std::int64_t shift,
                                    std::vector<ListedItem>& items) const {
  std::int64_t weights = at(closing_, s) + shift;
  const std::int64_t width = tree_.width(s), depth = width + down_depth(s);
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

/// Large items come first, the largest at the head. Many items of one row are a group of their own,
/// which kernels compute faster.
void make_groups(std::vector<ListedItem>& items, std::size_t first,
                 std::vector<ItemGroup>& groups) {
  constexpr std::int64_t kMany = 1024;
  const auto kind = [](const ListedItem& item) {
    return is_large(item) ? 0 : item.rows > 1 ? 2 : 1;
  };
  std::stable_sort(items.begin() + static_cast<std::ptrdiff_t>(first), items.end(),
                   [&](const auto& a, const auto& b) {
                     if (kind(a) != kind(b)) return kind(a) < kind(b);
                     return kind(a) == 0 && cost_of(a) > cost_of(b);
                   });
  for (std::size_t i = first; i < items.size(); ++i) {
    const int now = kind(items[i]);
    const bool goes_on = i > first && [&] {
      const int before = kind(items[i - 1]);
      return now == before || (now == 2 && before == 1 && groups.back().count < kMany);
    }();
    if (!goes_on) groups.push_back({.first = static_cast<std::int64_t>(i), .large = now == 0});
    ++groups.back().count;
    groups.back().widest = std::max(groups.back().widest, items[i].rows);
  }
}

/// Sorts items that wait by levels from the roots down, the largest of a level first; then the
/// others, level by level.
void DownSweepLists::sort_by_level() {
  const std::vector<std::uint8_t> waiting = find_waiting(tree_);
  const std::vector<std::int32_t> levels = levels_of(tree_, waiting);
  const auto waits = [&](const ListedItem& item) {
    return at(waiting, tree_.supernode_of(item.first_row)) != 0;
  };
  const auto level_of = [&](const ListedItem& item) {
    return at(levels, tree_.supernode_of(item.first_row));
  };
  std::stable_sort(items_.begin(), items_.end(), [&](const ListedItem& a, const ListedItem& b) {
    if (waits(a) != waits(b)) return waits(a);
    if (level_of(a) != level_of(b)) return level_of(a) < level_of(b);
    return waits(a) && cost_of(a) > cost_of(b);
  });
  const auto end = std::find_if_not(items_.begin(), items_.end(), waits);
  if (end != items_.begin()) add_waiting(static_cast<std::size_t>(end - items_.begin()));
  std::vector<ListedItem> level;
  for (auto i = static_cast<std::size_t>(end - items_.begin()); i < items_.size();) {
    const std::size_t first = i;
    level.clear();
    while (i < items_.size() && level_of(items_[i]) == level_of(items_[first])) {
      level.push_back(items_[i++]);
    }
    const std::size_t before = groups_.size();
    make_groups(level, 0, groups_);
    for (std::size_t g = before; g < groups_.size(); ++g) {
      groups_[g].first += static_cast<std::int64_t>(first);
    }
    std::copy(level.begin(), level.end(), items_.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

void DownSweepLists::add_waiting(std::size_t items) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(tree_.supernodes()), -1);
  groups_.push_back(
      {.first = 0, .count = static_cast<std::int64_t>(items), .large = true, .waits = true});
  for (ListedItem& item : std::span(items_).first(items)) {
    const SupernodeId s = tree_.supernode_of(item.first_row), above = tree_.parent(s);
    std::int32_t& group = at(number, s);
    if (group < 0) {
      group = static_cast<std::int32_t>(waiting_.size());
      const auto upper = tree_.upper(s);
      const auto near = above < 0
                            ? 0
                            : std::lower_bound(upper.begin(), upper.end(), tree_.first(above + 1)) -
                                  upper.begin();
      waiting_.push_back(
          {.above = above < 0 ? -1 : at(number, above), .near = static_cast<std::int32_t>(near)});
    }
    item.group = group;
    ++at(waiting_, group).items;
    groups_.back().widest = std::max(groups_.back().widest, item.rows);
  }
}

}  // namespace apsp::sparse
