#include "sparse/device_up_sweep.hpp"

#include <algorithm>
#include <numeric>

#include "base/control.hpp"
#include "base/rounded_up.hpp"
#include "base/value_types.hpp"

namespace apsp::sparse {
namespace {

constexpr std::int32_t kNone = -1;

/// Sets `seen[s] = mark` for the supernodes of the sources and their ancestors, and calls f(s) once
/// for each.
template <class F>
void for_each_above(const Tree& tree, std::span<const Vertex> sources,
                    std::vector<std::int32_t>& seen, std::int32_t mark, F&& f) {
  for (const Vertex source : sources) {
    mark_above(tree, tree.order().position_of[source], seen, mark, f);
  }
}

}  // namespace

UpSweepLists::UpSweepLists(const Factor& factor, const DownSweepLists& down,
                           std::int64_t part_values)
    : factor_(factor),
      tree_(factor.tree()),
      down_(down),
      part_values_(part_values),
      first_row_(static_cast<std::size_t>(tree_.supernodes()), kNone),
      level_(static_cast<std::size_t>(tree_.supernodes())),
      above_begin_(static_cast<std::size_t>(tree_.supernodes())),
      reached_begin_(above_begin_.size()),
      reached_count_(above_begin_.size()),
      begun_(static_cast<std::size_t>(tree_.vertices())),
      carried_(down.streams() ? above_begin_.size() : 0) {}

UpwardSize UpSweepLists::largest(const Tree& tree, std::span<const Vertex> sources,
                                 std::int64_t lanes, bool streams) {
  UpwardSize most;
  std::vector<std::int32_t> seen(static_cast<std::size_t>(tree.supernodes()), kNone);
  // Supernodes near the roots are above every block and have long lists.
  std::vector<std::int32_t> wide_items(seen.size(), kNone);
  const auto wide_items_of = [&](SupernodeId s) {
    std::int32_t& items = at(wide_items, s);
    if (items != kNone) return items;
    items = 0;
    for_each_upward(tree, s, [&](std::int64_t, std::int32_t, bool) { ++items; });
    return items;
  };
  std::int32_t block = 0;
  for (std::size_t first = 0; first < sources.size(); first += static_cast<std::size_t>(lanes)) {
    base::check_cancelled();
    UpwardSize size;
    const auto some =
        sources.subspan(first, std::min(static_cast<std::size_t>(lanes), sources.size() - first));
    for_each_above(tree, some, seen, block++, [&](SupernodeId s) {
      const std::int64_t width = tree.width(s);
      size.rows += width;
      size.items += 2 * width;
      if (streams) size.weights += DownSweepLists::carried_of(tree, s);
      if (streams && closes_by_parts(tree, s)) size.passing += width * width;
      if (wide_upward(tree, s)) {
        size.above += tree.structure_size(s);
        size.items += wide_items_of(s);
      } else {
        size.entries += width * tree.structure_size(s);
      }
    });
    size.weights += streams ? base::rounded_up(size.entries, kernels::kWideRows) : size.entries;
    for (const auto part : {&UpwardSize::rows, &UpwardSize::entries, &UpwardSize::weights,
                            &UpwardSize::above, &UpwardSize::items, &UpwardSize::passing}) {
      most.*part = std::max(most.*part, size.*part);
    }
  }
  return most;
}

double UpSweepLists::relaxations(const Tree& tree, std::span<const Vertex> sources,
                                 std::int64_t lanes) {
  constexpr std::size_t kLookedAt = 2048;
  const auto step = static_cast<std::size_t>(lanes);
  const std::size_t blocks = (sources.size() + step - 1) / step;
  const std::size_t apart = std::max<std::size_t>(1, blocks / kLookedAt);
  double all = 0, from = 0;
  std::vector<std::int32_t> seen(static_cast<std::size_t>(tree.supernodes()), kNone);
  std::vector<std::int32_t> reached(static_cast<std::size_t>(tree.vertices()), kNone);
  std::vector<SupernodeId> path;
  std::int32_t block = 0;
  for (std::size_t first = 0; first < sources.size(); first += apart * step) {
    const auto some = sources.subspan(first, std::min(step, sources.size() - first));
    base::check_cancelled();
    from += static_cast<double>(some.size());
    for (const Vertex source : some) {
      at(reached, tree.order().position_of[source]) = block;
    }
    path.clear();
    for_each_above(tree, some, seen, block, [&](SupernodeId s) {
      path.push_back(s);
      for (const Position p : tree.upper(s)) at(reached, p) = block;
    });
    for (const SupernodeId s : path) {
      const auto begin = reached.begin() + tree.first(s);
      const auto rows = std::count(begin, begin + tree.width(s), block);
      const std::int64_t others = tree.width(s) + tree.structure_size(s);
      all += static_cast<double>(rows) * static_cast<double>(others) *
             static_cast<double>(some.size());
    }
    ++block;
  }
  return from > 0 ? all * static_cast<double>(sources.size()) / from : 0;
}

void UpSweepLists::find(std::span<const Vertex> sources, std::span<const std::int32_t> potentials) {
  potentials_ = potentials;
  find_rows(sources);
  count_entries();
  fill_entries();
  make_items();
}

std::int32_t UpSweepLists::row_of(Position p) const {
  const SupernodeId s = tree_.supernode_of(p);
  return at(first_row_, s) + p - tree_.first(s);
}

void UpSweepLists::find_rows(std::span<const Vertex> sources) {
  for (const SupernodeId s : upward_supernodes_) {
    at(first_row_, s) = kNone;
    std::fill_n(begun_.begin() + tree_.first(s), tree_.width(s), std::uint8_t{0});
  }
  upward_supernodes_.clear();
  for_each_above(tree_, sources, first_row_, 0,
                 [&](SupernodeId s) { upward_supernodes_.push_back(s); });
  std::sort(upward_supernodes_.begin(), upward_supernodes_.end());
  std::int32_t rows = 0;
  for (const SupernodeId s : upward_supernodes_) {
    at(first_row_, s) = rows;
    at(level_, s) = 0;
    rows += tree_.width(s);
    std::fill_n(begun_.begin() + tree_.first(s), tree_.width(s), std::uint8_t{1});
  }
  columns_.assign(static_cast<std::size_t>(rows), kNone);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Position p = tree_.order().position_of[sources[i]];
    at(columns_, row_of(p)) = static_cast<std::int32_t>(i);
  }
}

void UpSweepLists::count_entries() {
  begin_.assign(columns_.size() + 1, 0);
  above_ = 0;
  for (const SupernodeId s : upward_supernodes_) {
    if (wide_upward(tree_, s)) {
      at(above_begin_, s) = static_cast<std::int32_t>(above_);
      above_ += tree_.structure_size(s);
    } else {
      for (const Position p : tree_.upper(s)) {
        begin_[static_cast<std::size_t>(row_of(p)) + 1] += tree_.width(s);
      }
    }
    const SupernodeId above = tree_.parent(s);
    if (above < 0) continue;
    std::int32_t& level = at(level_, above);
    level = std::max(level, at(level_, s) + 1);
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  entries_ = begin_.back();
}

void UpSweepLists::fill_entries() {
  lists_.resize(static_cast<std::size_t>(list_of_rows()) + columns_.size());
  place_weights();
  weights_.require(entries_ * kernels::listed_size(down_.form(), size_of(factor_.type())));
  filled_.assign(begin_.begin(), begin_.end() - 1);
  for (const SupernodeId s : upward_supernodes_) {
    if (wide_upward(tree_, s)) {
      std::int32_t* row = lists_.data() + at(above_begin_, s);
      for (const Position p : tree_.upper(s)) *row++ = row_of(p);
      continue;
    }
    fill_weights(s);
  }
  std::iota(lists_.begin() + list_of_rows(), lists_.end(), 0);
  find_reached();
}

/// Joins the carried weights of consecutive supernodes.
void UpSweepLists::place_weights() {
  if (!down_.streams()) return;
  carried_runs_.clear();
  std::int64_t next = base::rounded_up(entries_, kernels::kWideRows);
  for (const SupernodeId s : upward_supernodes_) {
    const std::int64_t begin = down_.carried_begin(s),
                       values = DownSweepLists::carried_of(tree_, s);
    at(carried_, s) = next;
    const bool follows =
        !carried_runs_.empty() && carried_runs_.back().begin + carried_runs_.back().values == begin;
    if (!follows) carried_runs_.push_back({begin, next, 0});
    carried_runs_.back().values += values;
    next += values;
  }
}

std::int64_t UpSweepLists::shift_of(SupernodeId s) const {
  if (!down_.streams()) return 0;
  return at(carried_, s) - down_.carried_begin(s);
}

/// Marks the rows of sources and the rows that supernodes below lead to.
void UpSweepLists::find_reached() {
  reached_.resize(columns_.size());
  std::transform(columns_.begin(), columns_.end(), reached_.begin(),
                 [](std::int32_t column) { return column == kNone ? 0 : 1; });
  for (const SupernodeId s : upward_supernodes_) {
    for (const Position p : tree_.upper(s)) at(reached_, row_of(p)) = 1;
  }
  const auto before = std::ssize(lists_);
  for (const SupernodeId s : upward_supernodes_) {
    const auto begin = std::ssize(lists_);
    const std::int32_t first = at(first_row_, s);
    for (std::int32_t row = first; row < first + tree_.width(s); ++row) {
      if (at(reached_, row) != 0) lists_.push_back(row);
    }
    at(reached_begin_, s) = static_cast<std::int32_t>(begin - before);
    at(reached_count_, s) = static_cast<std::int32_t>(std::ssize(lists_) - begin);
  }
}

UpwardRows UpSweepLists::rows_of(SupernodeId s) const {
  const std::int64_t all = list_of_rows();
  return {.all = all + at(first_row_, s),
          .reached = all + rows() + at(reached_begin_, s),
          .reached_count = at(reached_count_, s),
          .first = at(first_row_, s)};
}

void UpSweepLists::fill_weights(SupernodeId s) {
  const kernels::ConstView up = factor_.up(s);
  const auto upper = tree_.upper(s);
  const std::int32_t first = at(first_row_, s);
  const auto fill = [&]<class T>(T, auto kept) {
    const auto* const from = static_cast<const T*>(up.data);
    auto* const to = weights_.as<decltype(kept(T{}, Position{}, Position{}))>();
    for (std::size_t k = 0; k < upper.size(); ++k) {
      std::int64_t& next = at(filled_, row_of(upper[k]));
      for (std::int64_t j = 0; j < up.rows; ++j, ++next) {
        at(lists_, above_ + next) = first + static_cast<std::int32_t>(j);
        to[next] = kept(from[j * up.stride + static_cast<std::int64_t>(k)],
                        tree_.first(s) + static_cast<Position>(j), upper[k]);
      }
    }
  };
  if (!potentials_.empty()) {
    fill(std::int32_t{}, [&](std::int32_t entry, Position from, Position to) {
      return kernels::reduced_listed(entry, potentials_[static_cast<std::size_t>(from)],
                                     potentials_[static_cast<std::size_t>(to)]);
    });
    return;
  }
  with_listed_entries(factor_, down_.form(), [&]<class T>(auto keep) {
    fill(T{}, [&](T entry, Position, Position) { return keep(entry); });
  });
}

void UpSweepLists::make_items() {
  items_.clear();
  upward_groups_.clear();
  std::vector<SupernodeId> by_level = upward_supernodes_;
  const auto level_of = [&](SupernodeId s) { return at(level_, s); };
  std::stable_sort(by_level.begin(), by_level.end(),
                   [&](SupernodeId a, SupernodeId b) { return level_of(a) < level_of(b); });
  for (std::size_t first = 0; first < by_level.size();) {
    std::size_t end = first;
    while (end < by_level.size() && level_of(by_level[end]) == level_of(by_level[first])) ++end;
    const auto level = std::span<const SupernodeId>(by_level).subspan(first, end - first);
    gather_items(level);
    scatter_items(level);
    first = end;
  }
  const std::size_t closing = items_.size();
  const auto by_parts = [&](SupernodeId s) { return down_.streams() && closes_by_parts(tree_, s); };
  for (const SupernodeId s : upward_supernodes_) {
    if (!by_parts(s)) down_.append_closing(s, rows_of(s), shift_of(s), items_);
  }
  closing_.clear();
  make_groups(items_, closing, closing_);
  closing_parts_.clear();
  for (const SupernodeId s : upward_supernodes_) {
    if (by_parts(s)) close_by_parts(s);
  }
}

/// Closes as many rows in each part as their weights fit.
void UpSweepLists::close_by_parts(SupernodeId s) {
  const std::size_t first = items_.size();
  down_.append_closing(s, rows_of(s), 0, items_);
  const std::vector<kernels::ListedItem> all(items_.begin() + static_cast<std::ptrdiff_t>(first),
                                             items_.end());
  items_.resize(first);
  for (std::size_t i = 0; i < all.size();) {
    ClosingPart part{.begin = all[i].weights / kernels::kWideRows * kernels::kWideRows};
    const std::size_t begin = items_.size();
    const auto end_of = [&](const kernels::ListedItem& item) {
      return item.weights + std::int64_t{tree_.width(s)} * kernels::listed_width(item.rows);
    };
    do {
      part.values = end_of(all[i]) - part.begin;
      items_.push_back(all[i++]);
      items_.back().weights -= part.begin;
    } while (i < all.size() && end_of(all[i]) - part.begin <= part_values_);
    make_groups(items_, begin, part.groups);
    closing_parts_.push_back(std::move(part));
  }
}

/// Leaves rows that nothing is added to unchanged.
void UpSweepLists::gather_items(std::span<const SupernodeId> level) {
  ItemGroup group{std::ssize(items_), 0, 1};
  for (const SupernodeId s : level) {
    for (std::int32_t j = 0; j < tree_.width(s); ++j) {
      const std::int32_t row = at(first_row_, s) + j;
      const std::int64_t begin = at(begin_, row);
      const std::int64_t depth = begin_[static_cast<std::size_t>(row) + 1] - begin;
      if (depth == 0) continue;
      items_.push_back({.weights = begin,
                        .list = above_ + begin,
                        .depth = static_cast<std::int32_t>(depth),
                        .first_row = row});
    }
  }
  group.count = std::ssize(items_) - group.first;
  if (group.count > 0) upward_groups_.push_back({group, false});
}

/// Makes rounds of supernodes, no two of which write the same row.
void UpSweepLists::scatter_items(std::span<const SupernodeId> level) {
  next_round_.assign(columns_.size(), 0);
  std::vector<std::vector<SupernodeId>> rounds;
  for (const SupernodeId s : level) {
    if (!wide_upward(tree_, s)) continue;
    std::int32_t round = 0;
    for (const Position p : tree_.upper(s)) {
      round = std::max(round, at(next_round_, row_of(p)));
    }
    for (const Position p : tree_.upper(s)) {
      at(next_round_, row_of(p)) = round + 1;
    }
    if (std::ssize(rounds) <= round) rounds.resize(static_cast<std::size_t>(round) + 1);
    at(rounds, round).push_back(s);
  }
  for (const std::vector<SupernodeId>& round : rounds) {
    const std::size_t first = items_.size();
    for (const SupernodeId s : round) {
      down_.append_upward(
          s, rows_of(s), shift_of(s), at(above_begin_, s), [&](Position p) { return row_of(p); },
          items_);
    }
    groups_.clear();
    make_groups(items_, first, groups_);
    for (const ItemGroup& group : groups_) upward_groups_.push_back({group, true});
  }
}

}  // namespace apsp::sparse
