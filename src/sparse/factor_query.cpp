#include "sparse/factor_query.hpp"

#include <algorithm>
#include <cmath>

#include "semiring/dispatch.hpp"

namespace apsp::sparse {
namespace {

/// Sets all slots from the root to the vertex at `end` to no path, and the vertex itself to the
/// empty path.
template <class S>
void begin_at(const Tree& tree, Position end, typename S::Value* values) {
  const SupernodeId s = tree.supernode_of(end);
  std::fill(values, values + tree.slot(s) + tree.width(s), S::zero());
  values[tree.slot(s) + end - tree.first(s)] = S::one();
}

template <class S>
constexpr bool kGreaterIsBetter = S::better(typename S::Value{1}, typename S::Value{0});

template <class T>
const T* matrix_row(kernels::ConstView view, std::int64_t j) {
  return static_cast<const T*>(view.data) + j * view.stride;
}

/// Returns whether a ⊗ b is never better than a.
bool absorbs(Semiring semiring, kernels::Sign sign) {
  if (semiring == Semiring::max_plus) return false;
  return semiring != Semiring::min_plus || sign == kernels::Sign::non_negative;
}

}  // namespace

FactorQuery::FactorQuery(const Factor& factor, kernels::Sign sign, DownwardCopies* copies)
    : factor_(factor),
      tree_(factor.tree()),
      vectors_(kernels::cpu::vector_operations(factor.semiring(), factor.type(), sign)),
      absorbs_(absorbs(factor.semiring(), sign)),
      from_(tree_.height() * size_of(factor.type()) + kernels::cpu::kDownwardSlack),
      to_(tree_.height() * size_of(factor.type())),
      kept_(tree_.height() * size_of(factor.type())),
      product_(tree_.height() * size_of(factor.type())),
      rows_(static_cast<std::size_t>(tree_.height())),
      sorted_(static_cast<std::size_t>(tree_.height())),
      walk_(tree_),
      copies_(copies) {
  upward_supernodes_.reserve(static_cast<std::size_t>(tree_.height()));
}

std::int64_t FactorQuery::bytes(const Tree& tree, ValueType type) {
  return tree.height() * (std::int64_t{4} * size_of(type) +
                          std::int64_t{2 * sizeof(Position) + 2 * sizeof(SupernodeId)});
}

/// `rows_` ← the rows that are better than `limit`, the best first, ties by number. Sorts by
/// buckets of equal range: a comparison sort of a wide supernode takes as long as its products.
template <class T, bool kGreaterIsBetter>
void FactorQuery::sort_rows(const T* own, std::int64_t width, T limit) {
  const auto better = [](T a, T b) { return kGreaterIsBetter ? a > b : a < b; };
  rows_.clear();
  T best = limit, worst = limit;
  for (Position j = 0; j < static_cast<Position>(width); ++j) {
    if (!better(own[j], limit)) continue;
    rows_.push_back(j);
    if (better(own[j], best)) best = own[j];
    if (rows_.size() == 1 || better(worst, own[j])) worst = own[j];
  }
  const auto sort = [own, better](auto first, auto last) {
    std::sort(first, last, [own, better](Position a, Position b) {
      return own[a] == own[b] ? a < b : better(own[a], own[b]);
    });
  };
  constexpr std::size_t kFew = 16, kPerPart = 4, kMostParts = 256;
  const double range = std::abs(static_cast<double>(worst) - static_cast<double>(best));
  if (rows_.size() <= kFew || !(range > 1e-300) || !std::isfinite(range)) {
    return sort(rows_.begin(), rows_.end());
  }
  const std::size_t parts = std::min(kMostParts, rows_.size() / kPerPart);
  const double scale = static_cast<double>(parts - 1) / range;
  const auto part_of = [&](Position j) {
    return static_cast<std::size_t>(
        std::abs(static_cast<double>(own[j]) - static_cast<double>(best)) * scale);
  };
  std::uint32_t begin[kMostParts + 1] = {};
  for (const Position j : rows_) ++begin[part_of(j) + 1];
  for (std::size_t part = 0; part < parts; ++part) begin[part + 1] += begin[part];
  sorted_.resize(rows_.size());
  for (const Position j : rows_) sorted_[begin[part_of(j)]++] = j;
  for (std::size_t part = 0, first = 0; part < parts; first = begin[part++]) {
    sort(sorted_.begin() + static_cast<std::ptrdiff_t>(first), sorted_.begin() + begin[part]);
  }
  std::swap(rows_, sorted_);
}

template <class S>
typename S::Value FactorQuery::met(const typename S::Value* x, const typename S::Value* y,
                                   std::int64_t n) const {
  typename S::Value value{};
  vectors_.meet(x, y, n, &value);
  return value;
}

template <class S>
void FactorQuery::pass_on(SupernodeId s, kernels::ConstView arcs, typename S::Value limit,
                          typename S::Value* values) {
  using T = typename S::Value;
  const T* const own = values + tree_.slot(s);
  T* const product = product_.as<T>();
  std::fill(product, product + arcs.cols, S::zero());
  for (std::int64_t j = 0; j < arcs.rows; ++j) {
    if (S::better(own[j], limit))
      vectors_.relax(own + j, matrix_row<T>(arcs, j), product, arcs.cols);
  }
  const auto slots = tree_.upper_slots(s);
  for (std::size_t k = 0; k < slots.size(); ++k) {
    values[slots[k]] = S::plus(values[slots[k]], product[k]);
  }
}

/// `from_` ← the distances between p and all slots up to its root, through earlier vertices. Each
/// supernode is closed before its row structure is relaxed, as in a `Sweep`.
template <class S>
void FactorQuery::sweep_up_from(Position p, End end) {
  using T = typename S::Value;
  T* const values = from_.as<T>();
  T* const closed = product_.as<T>();
  begin_at<S>(tree_, p, values);
  for (SupernodeId s = tree_.supernode_of(p); s >= 0; s = tree_.parent(s)) {
    T* const own = values + tree_.slot(s);
    if (tree_.width(s) > 1) {
      const kernels::ConstView inner = factor_.closed(s);
      std::fill(closed, closed + inner.cols, S::zero());
      for (std::int64_t j = 0; j < inner.rows; ++j) {
        if (end == End::target) {
          closed[j] = met<S>(matrix_row<T>(inner, j), own, inner.cols);
        } else if (own[j] != S::zero()) {
          vectors_.relax(own + j, matrix_row<T>(inner, j), closed, inner.cols);
        }
      }
      std::copy(closed, closed + inner.cols, own);
    }
    pass_on<S>(s, factor_.upward(s, end), S::zero(), values);
  }
}

/// Returns the best of `best` and of the paths whose latest vertex is in s. The source's side is
/// closed, the best rows first. A row is skipped if an earlier one leads to its vertex at no
/// greater distance, or if it cannot improve `best`.
template <class S>
typename S::Value FactorQuery::meet_in(SupernodeId s, typename S::Value best) {
  using T = typename S::Value;
  const kernels::ConstView inner = factor_.closed(s);
  const T* const from = from_.as<T>() + tree_.slot(s);
  const T* const to = to_.as<T>() + tree_.slot(s);
  T* const closed = product_.as<T>();
  const T nearest = *std::min_element(to, to + inner.cols, &S::better);
  std::fill(closed, closed + inner.cols, S::zero());
  sort_rows<T, kGreaterIsBetter<S>>(from, inner.rows, absorbs_ ? best : S::zero());
  for (const Position j : rows_) {
    if (!S::better(from[j], closed[j])) continue;
    if (absorbs_ && !S::better(S::times(from[j], nearest), best)) continue;
    vectors_.relax(from + j, matrix_row<T>(inner, j), closed, inner.cols);
    best = S::plus(best, met<S>(closed, to, inner.cols));
  }
  return best;
}

/// `kept_` ← the distances between p and all slots up to its root, through earlier vertices.
template <class S>
void FactorQuery::keep(Position p, End end) {
  using T = typename S::Value;
  T* const from = from_.as<T>();
  T* const kept = kept_.as<T>();
  begin_at<S>(tree_, p, from);
  upward_supernodes_.clear();
  for (SupernodeId s = tree_.supernode_of(p); s >= 0; s = tree_.parent(s)) {
    upward_supernodes_.push_back(s);
    const kernels::ConstView inner = factor_.closed(s);
    const T* const own = from + tree_.slot(s);
    T* const closed = kept + tree_.slot(s);
    if (end == End::target && !factor_.symmetric()) {
      for (std::int64_t j = 0; j < inner.rows; ++j) {
        closed[j] = met<S>(matrix_row<T>(inner, j), own, inner.cols);
      }
    } else {
      std::fill(closed, closed + inner.cols, S::zero());
      sort_rows<T, kGreaterIsBetter<S>>(own, inner.rows, S::zero());
      for (const Position j : rows_) {
        if (!S::better(own[j], closed[j])) continue;
        vectors_.relax(own + j, matrix_row<T>(inner, j), closed, inner.cols);
      }
    }
    pass_on<S>(s, factor_.upward(s, end), S::zero(), from);
  }
  kept_source_ = end == End::source ? p : -1;
}

template <class S>
void FactorQuery::sweep_to_ancestor(Position p, SupernodeId above, End end) {
  auto* const values = (end == End::source ? from_ : to_).as<typename S::Value>();
  begin_at<S>(tree_, p, values);
  for (SupernodeId s = tree_.supernode_of(p); s != above; s = tree_.parent(s)) {
    pass_on<S>(s, factor_.upward(s, end), S::zero(), values);
  }
}

/// Continues from the lowest common ancestor, supernode by supernode. Values that cannot improve
/// the best path are not relaxed if arcs do not improve paths.
template <class S>
typename S::Value FactorQuery::pair(Position source, Position target) {
  using T = typename S::Value;
  SupernodeId s = common_ancestor(tree_, tree_.supernode_of(source), tree_.supernode_of(target));
  if (s < 0) return S::zero();
  if (source == last_source_ && source != kept_source_) keep<S>(source, End::source);
  last_source_ = source;
  const bool kept = source == kept_source_;
  if (!kept) {
    kept_source_ = -1;
    sweep_to_ancestor<S>(source, s, End::source);
  }
  sweep_to_ancestor<S>(target, s, End::target);
  T best = S::zero();
  for (; s >= 0; s = tree_.parent(s)) {
    T* const to = to_.as<T>();
    const Position slot = tree_.slot(s);
    best = kept ? S::plus(best, met<S>(kept_.as<T>() + slot, to + slot, tree_.width(s)))
                : meet_in<S>(s, best);
    const T limit = absorbs_ ? best : S::zero();
    if (!kept) pass_on<S>(s, factor_.up(s), limit, from_.as<T>());
    pass_on<S>(s, factor_.down(s), limit, to);
  }
  return best;
}

void FactorQuery::distance(Vertex s, Vertex t, void* value) {
  const auto& position_of = tree_.order().position_of;
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    *static_cast<typename S::Value*>(value) = pair<S>(position_of[s], position_of[t]);
  });
}

/// `value` ← the distance between the kept end and p. `to_` holds the distances of the walk's path.
template <class S>
void FactorQuery::descend_to(Position p, End end, typename S::Value* value) {
  using T = typename S::Value;
  T* const stack = to_.as<T>();
  const SupernodeId last = tree_.supernode_of(p);
  walk_.to(last, [&](SupernodeId s) {
    const Position slot = tree_.slot(s);
    const std::int64_t width = tree_.width(s);
    if (at(kept_at_, slot) == s) {
      std::copy_n(kept_.as<T>() + slot, width, stack + slot);
    } else {
      std::fill_n(stack + slot, width, S::zero());
    }
    const auto upper = tree_.upper_slots(s);
    vectors_.meet_gathered(factor_.upward(s, opposite(end)).data, width, stack, upper.data(),
                           std::ssize(upper), stack + slot);
  });
  *value = stack[tree_.slot(last) + p - tree_.first(last)];
}

void FactorQuery::distances(Vertex v, End end, std::span<const Position> others, void* values) {
  const Position p = tree_.order().position_of[v];
  walk_.clear();
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    keep<S>(p, end);
    kept_at_.assign(static_cast<std::size_t>(tree_.height()), -1);
    for (const SupernodeId s : upward_supernodes_) at(kept_at_, tree_.slot(s)) = s;
    auto* value = static_cast<typename S::Value*>(values);
    for (const Position other : others) descend_to<S>(other, end, value++);
  });
}

/// `to_` holds the path of the tree down to the sweep, by slot. It fits the first-level cache,
/// which n distances would not. Each distance is written to its vertex when it is final.
template <class T>
void FactorQuery::descend(End end, T* row, T none) {
  const Vertex* const vertex_at = tree_.order().vertex_at.data();
  T* const stack = to_.as<T>();
  const T* arcs =
      static_cast<const T*>(factor_.upward(0, opposite(end)).data) + tree_.upper_entries();
  auto upward = upward_supernodes_.rbegin();
  for (SupernodeId s = tree_.supernodes() - 1; s >= 0; --s) {
    const auto upper = tree_.upper_slots(s);
    const std::int64_t width = tree_.width(s);
    arcs -= width * std::ssize(upper);
    T* const own = stack + tree_.slot(s);
    if (upward != upward_supernodes_.rend() && *upward == s) {
      ++upward;
      std::copy_n(from_.as<T>() + tree_.slot(s), width, own);
    } else {
      std::fill_n(own, width, none);
    }
    vectors_.meet_gathered(arcs, width, stack, upper.data(), std::ssize(upper), own);
    const Vertex* const vertices = vertex_at + tree_.first(s);
    for (std::int64_t j = 0; j < width; ++j) row[vertices[j]] = own[j];
  }
}

void FactorQuery::row(Vertex v, End end, void* row, int threads) {
  const Position p = tree_.order().position_of[v];
  last_source_ = kept_source_ = -1;
  upward_supernodes_.clear();
  for (SupernodeId up = tree_.supernode_of(p); up >= 0; up = tree_.parent(up)) {
    upward_supernodes_.push_back(up);
  }
  const DownwardFactor* const copy = copies_ == nullptr ? nullptr : copies_->next_row(end, threads);
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    using T = typename S::Value;
    sweep_up_from<S>(p, end);
    if (copy == nullptr) return descend<T>(end, static_cast<T*>(row), S::zero());
    copy->descend(vectors_, upward_supernodes_, from_.data(), threads, room_, row);
  });
}

}  // namespace apsp::sparse
