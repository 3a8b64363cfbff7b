#include "elimination/factor_query.hpp"

#include <algorithm>
#include <type_traits>

#include "semiring/dispatch.hpp"

namespace apsp::elimination {
namespace {

template <class S>
const typename S::Value* row_at(kernels::ConstView view, std::int64_t row) {
  return static_cast<const typename S::Value*>(view.data) + row * view.stride;
}

/// best ⊕ (a ⊗ b). Requires: `best` is no worse than "no path". A sum with "no path" then loses
/// against it without a look; only sums of signed integers are looked at, as a negative value added
/// to "no path" would seem to be a path.
template <class S>
typename S::Value relaxed(typename S::Value best, typename S::Value a, typename S::Value b) {
  using T = typename S::Value;
  constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  if constexpr (kSum && !std::is_integral_v<T>) return S::plus(best, a + b);
  if constexpr (S::kKind == Semiring::min_plus && std::is_unsigned_v<T>) {
    return static_cast<T>(std::min<std::uint32_t>(best, std::uint32_t{a} + b));
  }
  return S::plus(best, S::times(a, b));
}

/// product ← x ⊗ A. x [A.rows], product [A.cols].
template <class S>
void multiply(const typename S::Value* x, kernels::ConstView a, typename S::Value* product) {
  std::fill(product, product + a.cols, S::zero());
  for (std::int64_t j = 0; j < a.rows; ++j) {
    if (x[j] == S::zero()) continue;
    const typename S::Value* const row = row_at<S>(a, j);
    for (std::int64_t k = 0; k < a.cols; ++k) {
      product[k] = relaxed<S>(product[k], x[j], row[k]);
    }
  }
}

/// values[slots[k]] ← values[slots[k]] ⊕ product[k]
template <class S>
void scatter(const typename S::Value* product, std::span<const Position> slots,
             typename S::Value* values) {
  for (std::size_t k = 0; k < slots.size(); ++k) {
    values[slots[k]] = S::plus(values[slots[k]], product[k]);
  }
}

/// "No path" in all slots from the root to the vertex at `end`, and the empty path there.
template <class S>
void begin_at(const Tree& tree, Position end, typename S::Value* values) {
  const SupernodeId s = tree.supernode_of(end);
  std::fill(values, values + tree.slot(s) + tree.width(s), S::zero());
  values[tree.slot(s) + end - tree.first(s)] = S::one();
}

}  // namespace

FactorQuery::FactorQuery(const Factor& factor)
    : factor_(factor),
      tree_(factor.tree()),
      from_(tree_.height() * size_of(factor.type())),
      to_(tree_.height() * size_of(factor.type())),
      product_(tree_.height() * size_of(factor.type())) {
  upward_supernodes_.reserve(static_cast<std::size_t>(tree_.height()));
}

std::int64_t FactorQuery::bytes(const Tree& tree, ValueType type) {
  return tree.height() * (std::int64_t{3} * size_of(type) + std::int64_t{sizeof(SupernodeId)});
}

/// The distances from the source to all slots up to its root, as they are over earlier vertices.
template <class S>
void FactorQuery::sweep_up_from(Position source) {
  using T = typename S::Value;
  T* const values = from_.as<T>();
  T* const product = product_.as<T>();
  begin_at<S>(tree_, source, values);
  for (SupernodeId s = tree_.supernode_of(source); s >= 0; s = tree_.parent(s)) {
    T* const own = values + tree_.slot(s);
    if (tree_.width(s) > 1) {
      multiply<S>(own, factor_.closed(s), product);
      std::copy(product, product + tree_.width(s), own);
    }
    multiply<S>(own, factor_.up(s), product);
    scatter<S>(product, tree_.upper_slots(s), values);
  }
}

/// The same to the target, but over vertices of earlier supernodes: `down` leads through its own
/// supernode already, and where the two meet the source's side has closed it.
template <class S>
void FactorQuery::sweep_up_to(Position target) {
  using T = typename S::Value;
  T* const values = to_.as<T>();
  begin_at<S>(tree_, target, values);
  for (SupernodeId s = tree_.supernode_of(target); s >= 0; s = tree_.parent(s)) {
    multiply<S>(values + tree_.slot(s), factor_.down(s), product_.as<T>());
    scatter<S>(product_.as<T>(), tree_.upper_slots(s), values);
  }
}

template <class S>
typename S::Value FactorQuery::meet(Position source, Position target) const {
  using T = typename S::Value;
  SupernodeId a = tree_.supernode_of(source), b = tree_.supernode_of(target);
  // A parent comes later than its children: only the earlier of two can have the later one above.
  while (a != b && a >= 0 && b >= 0) {
    SupernodeId& earlier = a < b ? a : b;
    earlier = tree_.parent(earlier);
  }
  if (a != b) return S::zero();
  // The slots from the root to the lowest common ancestor.
  const std::int64_t common = tree_.slot(a) + tree_.width(a);
  T best = S::zero();
  for (std::int64_t slot = 0; slot < common; ++slot) {
    best = relaxed<S>(best, from_.as<T>()[slot], to_.as<T>()[slot]);
  }
  return best;
}

void FactorQuery::distance(Vertex s, Vertex t, void* value) {
  const auto& position_of = tree_.order().position_of;
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    sweep_up_from<S>(position_of[s]);
    sweep_up_to<S>(position_of[t]);
    *static_cast<typename S::Value*>(value) = meet<S>(position_of[s], position_of[t]);
  });
}

/// The path of the tree down to where the sweep is stands in `to_`, by slot: it stays in the
/// first-level cache, where n distances would not. Each goes to its vertex as it is found.
template <class S>
void FactorQuery::descend(Position source, typename S::Value* row) {
  using T = typename S::Value;
  upward_supernodes_.clear();
  for (SupernodeId s = tree_.supernode_of(source); s >= 0; s = tree_.parent(s)) {
    upward_supernodes_.push_back(s);
  }
  T* const stack = to_.as<T>();
  T* const above = product_.as<T>();
  const Vertex* const vertex_at = tree_.order().vertex_at.data();
  for (SupernodeId s = tree_.supernodes() - 1; s >= 0; --s) {
    const bool is_upward = !upward_supernodes_.empty() && upward_supernodes_.back() == s;
    if (is_upward) upward_supernodes_.pop_back();
    const auto upper = tree_.upper_slots(s);
    for (std::size_t k = 0; k < upper.size(); ++k) above[k] = stack[upper[k]];
    const kernels::ConstView down = factor_.down(s);
    const T* arcs = static_cast<const T*>(down.data);
    const Position slot = tree_.slot(s);
    const Vertex* const vertices = vertex_at + tree_.first(s);
    for (std::int64_t j = 0; j < down.rows; ++j, arcs += down.stride) {
      T best = is_upward ? from_.as<T>()[slot + j] : S::zero();
      for (std::int64_t k = 0; k < down.cols; ++k) {
        best = relaxed<S>(best, arcs[k], above[k]);
      }
      stack[slot + j] = best;
      row[vertices[j]] = best;
    }
  }
}

void FactorQuery::row(Vertex s, void* row) {
  const auto& position_of = tree_.order().position_of;
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    sweep_up_from<S>(position_of[s]);
    descend<S>(position_of[s], static_cast<typename S::Value*>(row));
  });
}

}  // namespace apsp::elimination
