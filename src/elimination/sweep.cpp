#include "elimination/sweep.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/rounded_up.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::elimination {
namespace {

using kernels::View;

constexpr std::int64_t kVectorBytes = 64;

/// Values of so many rows, all "no path".
template <class S>
void clear(void* values, std::int64_t count) {
  auto* const first = static_cast<typename S::Value*>(values);
  std::fill(first, first + count, S::zero());
}

/// The rows from the first to the last in which any source has a path.
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

}  // namespace

Sweep::Sweep(const Factor& factor, kernels::Sign sign, std::int64_t lanes)
    : factor_(factor),
      tree_(factor.tree()),
      operations_(kernels::cpu::row_operations(factor.semiring(), factor.type(), sign)),
      lanes_(lanes),
      stack_(tree_.height() * lanes * size_of(factor.type())),
      row_of_(static_cast<std::size_t>(tree_.supernodes()), -1) {}

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
  lanes_ = lanes_of(std::ssize(sources), factor_.type());
  find_path(sources);
  climb();
  descend(take, lowest);
  for (const SupernodeId s : climbed_) row_of_[static_cast<std::size_t>(s)] = -1;
}

void Sweep::find_path(std::span<const Vertex> sources) {
  climbed_.clear();
  for (const Vertex source : sources) {
    SupernodeId s = tree_.supernode_of(tree_.order().position_of[source]);
    for (; s >= 0 && row_of_[static_cast<std::size_t>(s)] < 0; s = tree_.parent(s)) {
      row_of_[static_cast<std::size_t>(s)] = 0;
      climbed_.push_back(s);
    }
  }
  std::sort(climbed_.begin(), climbed_.end());
  std::int32_t rows = 0, widest = 0;
  for (const SupernodeId s : climbed_) {
    row_of_[static_cast<std::size_t>(s)] = rows;
    rows += tree_.width(s);
    widest = std::max(widest, tree_.width(s));
  }
  const std::int64_t row = lanes_ * size_of(factor_.type());
  path_.require(rows * row);
  product_.require(widest * row);
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    clear<S>(path_.data(), rows * lanes_);
    auto* const values = path_.as<typename S::Value>();
    for (std::size_t lane = 0; lane < sources.size(); ++lane) {
      const Position p = tree_.order().position_of[sources[lane]];
      const SupernodeId s = tree_.supernode_of(p);
      const std::int64_t in_path = row_of_[static_cast<std::size_t>(s)] + p - tree_.first(s);
      values[in_path * lanes_ + static_cast<std::int64_t>(lane)] = S::one();
    }
  });
}

kernels::View Sweep::rows_above(SupernodeId s) {
  const std::int64_t first = row_of_[static_cast<std::size_t>(s)];
  return {path_.data() + first * lanes_ * size_of(factor_.type()), tree_.width(s), lanes_, lanes_};
}

void Sweep::climb() {
  const View all{path_.data(), path_.bytes() / (lanes_ * size_of(factor_.type())), lanes_, lanes_};
  for (const SupernodeId s : climbed_) {
    const View rows = rows_above(s);
    if (tree_.width(s) > 1) close_rows(s, rows);
    rows_.clear();
    for (const Position p : tree_.upper(s)) {
      const SupernodeId holder = tree_.supernode_of(p);
      rows_.push_back(row_of_[static_cast<std::size_t>(holder)] + p - tree_.first(holder));
    }
    if (!rows_.empty()) operations_.multiply_scattered(all, rows_.data(), factor_.up(s), rows);
  }
}

void Sweep::close_rows(SupernodeId s, View rows) {
  const View product{product_.data(), rows.rows, lanes_, lanes_};
  rows_.resize(static_cast<std::size_t>(rows.rows));
  std::iota(rows_.begin(), rows_.end(), 0);
  const Reached run = semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    clear<S>(product.data, rows.rows * lanes_);
    return reached<S>(rows);
  });
  const int size = size_of(factor_.type());
  operations_.multiply_scattered(
      product, rows_.data(),
      kernels::part(factor_.closed(s), size, run.first, 0, run.count, rows.rows),
      kernels::part(rows, size, run.first, 0, run.count, lanes_));
  std::memcpy(rows.data, product.data,
              static_cast<std::size_t>(rows.rows * lanes_ * size_of(factor_.type())));
}

void Sweep::descend(const TakeDistances& take, Position lowest) {
  const std::int64_t row = lanes_ * size_of(factor_.type());
  const View stack{stack_.data(), tree_.height(), lanes_, lanes_};
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    for (SupernodeId s = tree_.supernodes() - 1; s >= 0 && tree_.first(s + 1) > lowest; --s) {
      const View rows{stack_.data() + tree_.slot(s) * row, tree_.width(s), lanes_, lanes_};
      if (row_of_[static_cast<std::size_t>(s)] >= 0) {
        std::memcpy(rows.data, rows_above(s).data, static_cast<std::size_t>(rows.rows * row));
      } else {
        clear<S>(rows.data, rows.rows * lanes_);
      }
      operations_.multiply_gathered(rows, factor_.down(s), stack, tree_.upper_slots(s).data());
      const Position skipped = std::max<Position>(0, lowest - tree_.first(s));
      take(tree_.first(s) + skipped,
           kernels::part(rows, size_of(factor_.type()), skipped, 0, rows.rows - skipped, lanes_));
    }
  });
}

}  // namespace apsp::elimination
