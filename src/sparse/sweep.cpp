#include "sparse/sweep.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/control.hpp"
#include "base/rounded_up.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::sparse {
namespace {

using kernels::View;

constexpr std::int64_t kVectorBytes = 64;
constexpr std::size_t kSupernodesAPoll = 8;

struct Reached {
  std::int64_t first, count;
};
template <class S>
Reached reached(View rows) {
  const auto* const values = static_cast<const typename S::Value*>(rows.data);
  const auto empty = [&](std::int64_t row) {
    const auto* const first = values + row * rows.stride;
    return std::all_of(first, first + rows.cols, [](auto value) { return value == S::zero(); });
  };
  std::int64_t begin = 0, end = rows.rows;
  while (begin < end && empty(begin)) ++begin;
  while (begin < end && empty(end - 1)) --end;
  return {begin, end - begin};
}

template <class S>
void find_least(View rows, double* least) {
  const auto* row = static_cast<const typename S::Value*>(rows.data);
  for (std::int64_t i = 0; i < rows.rows; ++i, row += rows.stride) {
    auto lowest = row[0];
    for (std::int64_t lane = 1; lane < rows.cols; ++lane) lowest = std::min(lowest, row[lane]);
    least[i] = static_cast<double>(lowest);
  }
}

}  // namespace

Sweep::Sweep(const Factor& factor, kernels::Sign sign, std::int64_t lanes,
             std::span<const SupernodeId> ways)
    : factor_(factor),
      tree_(factor.tree()),
      operations_(kernels::cpu::row_operations(factor.semiring(), factor.type(), sign)),
      ways_(ways),
      lanes_(lanes),
      stack_(tree_.height() * lanes * size_of(factor.type())),
      no_path_(lanes * size_of(factor.type())),
      row_of_(static_cast<std::size_t>(tree_.supernodes()), -1) {
  semiring::dispatch(factor.semiring(), factor.type(), [&]<class S>() {
    auto* const values = no_path_.as<typename S::Value>();
    std::fill(values, values + lanes, S::zero());
  });
}

std::int64_t Sweep::lanes_of(std::int64_t sources, ValueType type) {
  return base::rounded_up(sources, kVectorBytes / size_of(type));
}

std::int64_t Sweep::bytes(const Tree& tree, ValueType type, std::int64_t lanes, bool neighbours) {
  const std::int64_t row = lanes * size_of(type);
  const std::int64_t paths = neighbours ? 2 * tree.height() + lanes : tree.height() * lanes;
  const std::int64_t path = std::min(paths, tree.vertices());
  const std::int64_t product = std::min(tree.height(), path);
  return (path + product + tree.height()) * row +
         std::int64_t{tree.supernodes()} * static_cast<std::int64_t>(sizeof(std::int32_t));
}

void Sweep::run(std::span<const Vertex> sources, const TakeDistances& take, Position lowest) {
  begin_at(sources);
  sweep_up();
  descend(take, lowest);
}

void Sweep::run_within(std::span<const Vertex> sources, double limit, const TakeDistances& take) {
  begin_at(sources);
  sweep_up();
  descend_within(limit, take);
}

void Sweep::begin_at(std::span<const Vertex> sources) {
  lanes_ = lanes_of(std::ssize(sources), factor_.type());
  entries_.clear();
  for (const Vertex source : sources) entries_.push_back(tree_.order().position_of[source]);
  find_path(entries_);
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    for (std::size_t lane = 0; lane < entries_.size(); ++lane) {
      static_cast<typename S::Value*>(path_row(entries_[lane]))[lane] = S::one();
    }
  });
}

void Sweep::run_from(std::span<const Position> entries, kernels::ConstView rows,
                     const TakeDistances& take) {
  lanes_ = rows.cols;
  find_path(entries);
  const auto* from = static_cast<const std::byte*>(rows.data);
  for (const Position entry : entries) {
    std::memcpy(path_row(entry), from, static_cast<std::size_t>(row_bytes()));
    from += row_bytes();
  }
  sweep_up();
  descend(take, 0);
}

void Sweep::run_below(const TreeShare& share, kernels::ConstView rows, const TakeDistances& take,
                      Position lowest) {
  lanes_ = rows.cols;
  find_path({});
  for (SupernodeId s = tree_.supernodes() - 1; s >= 0 && tree_.first(s + 1) > lowest; --s) {
    base::poll(static_cast<std::size_t>(s), kSupernodesAPoll);
    if (!share.is_top(s)) {
      descend_to(s, take, lowest);
      continue;
    }
    const auto* const known = static_cast<const std::byte*>(rows.data);
    std::memcpy(stack_.data() + tree_.slot(s) * row_bytes(),
                known + at(share.top_row, s) * row_bytes(),
                static_cast<std::size_t>(tree_.width(s) * row_bytes()));
  }
}

void Sweep::find_path(std::span<const Position> entries) {
  for (const SupernodeId s : upward_supernodes_) at(row_of_, s) = -1;
  upward_supernodes_.clear();
  for (const Position entry : entries) {
    mark_above(tree_, entry, row_of_, 0, [&](SupernodeId s) { upward_supernodes_.push_back(s); });
  }
  std::sort(upward_supernodes_.begin(), upward_supernodes_.end());
  std::int32_t rows = 0, widest = 0;
  for (const SupernodeId s : upward_supernodes_) {
    at(row_of_, s) = rows;
    rows += tree_.width(s);
    widest = std::max(widest, tree_.width(s));
  }
  path_.require(rows * row_bytes());
  product_.require(widest * row_bytes());
  clear({path_.data(), rows, lanes_, lanes_});
}

void Sweep::clear(View rows) const {
  const std::int64_t row = row_bytes();
  auto* to = static_cast<std::byte*>(rows.data);
  for (std::int64_t i = 0; i < rows.rows; ++i, to += row) {
    std::memcpy(to, no_path_.data(), static_cast<std::size_t>(row));
  }
}

void* Sweep::path_row(Position p) {
  const SupernodeId s = tree_.supernode_of(p);
  return path_.data() + (at(row_of_, s) + p - tree_.first(s)) * row_bytes();
}

kernels::View Sweep::rows_above(SupernodeId s) {
  return {path_.data() + at(row_of_, s) * row_bytes(), tree_.width(s), lanes_, lanes_};
}

void Sweep::sweep_up() {
  const View all{path_.data(), path_.bytes() / row_bytes(), lanes_, lanes_};
  for (const SupernodeId s : upward_supernodes_) {
    base::check_cancelled();
    const View rows = rows_above(s);
    if (tree_.width(s) > 1) close_rows(s, rows);
    rows_.clear();
    for (const Position p : tree_.upper(s)) {
      const SupernodeId holder = tree_.supernode_of(p);
      rows_.push_back(at(row_of_, holder) + p - tree_.first(holder));
    }
    if (!rows_.empty()) operations_.multiply_scattered(all, rows_.data(), factor_.up(s), rows);
  }
}

void Sweep::close_rows(SupernodeId s, View rows) {
  const View product{product_.data(), rows.rows, lanes_, lanes_};
  rows_.resize(static_cast<std::size_t>(rows.rows));
  std::iota(rows_.begin(), rows_.end(), 0);
  clear(product);
  const Reached run = semiring::dispatch(factor_.semiring(), factor_.type(),
                                         [&]<class S>() { return reached<S>(rows); });
  const int size = size_of(factor_.type());
  operations_.multiply_scattered(
      product, rows_.data(),
      kernels::part(factor_.closed(s), size, run.first, 0, run.count, rows.rows),
      kernels::part(rows, size, run.first, 0, run.count, lanes_));
  std::memcpy(rows.data, product.data, static_cast<std::size_t>(rows.rows * row_bytes()));
}

void Sweep::descend(const TakeDistances& take, Position lowest) {
  for (const SupernodeId s : ways_) descend_to(s, take, lowest);
  if (!ways_.empty()) return;
  for (SupernodeId s = tree_.supernodes() - 1; s >= 0 && tree_.first(s + 1) > lowest; --s) {
    base::poll(static_cast<std::size_t>(s), kSupernodesAPoll);
    descend_to(s, take, lowest);
  }
}

/// Paths enter a subtree without sources only through its root's row structure. If all of that is
/// beyond the limit, the subtree is skipped.
void Sweep::descend_within(double limit, const TakeDistances& take) {
  if (subtree_begin_.empty()) subtree_begin_ = subtree_begins(tree_);
  least_.resize(static_cast<std::size_t>(tree_.height()));
  const std::int64_t row = lanes_ * size_of(factor_.type());
  for (SupernodeId s = tree_.supernodes() - 1; s >= 0; --s) {
    base::poll(static_cast<std::size_t>(s), kSupernodesAPoll);
    const auto upper = tree_.upper_slots(s);
    const bool holds_source = at(row_of_, s) >= 0;
    if (!holds_source && std::none_of(upper.begin(), upper.end(),
                                      [&](Position slot) { return at(least_, slot) <= limit; })) {
      s = at(subtree_begin_, s);
      continue;
    }
    descend_to(s, take, 0);
    const Position slot = tree_.slot(s);
    const View rows{stack_.data() + slot * row, tree_.width(s), lanes_, lanes_};
    semiring::dispatch(factor_.semiring(), factor_.type(),
                       [&]<class S>() { find_least<S>(rows, least_.data() + slot); });
  }
}

void Sweep::descend_to(SupernodeId s, const TakeDistances& take, Position lowest) {
  if (tree_.width(s) == 0) return;  // a subtree of another process
  const std::int64_t row = row_bytes();
  const View stack{stack_.data(), tree_.height(), lanes_, lanes_};
  const View rows{stack_.data() + tree_.slot(s) * row, tree_.width(s), lanes_, lanes_};
  if (at(row_of_, s) >= 0) {
    std::memcpy(rows.data, rows_above(s).data, static_cast<std::size_t>(rows.rows * row));
  } else {
    clear(rows);
  }
  operations_.multiply_gathered(rows, factor_.down(s), stack, tree_.upper_slots(s).data());
  const Position skipped = std::max<Position>(0, lowest - tree_.first(s));
  take(tree_.first(s) + skipped,
       kernels::part(rows, size_of(factor_.type()), skipped, 0, rows.rows - skipped, lanes_));
}

}  // namespace apsp::sparse
