#include "elimination/factor_rows.hpp"

#include <algorithm>
#include <type_traits>

#include "elimination/sweep.hpp"
#include "kernels/cpu/row_operations.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::elimination {
namespace {

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
  const auto* const matrix = static_cast<const typename S::Value*>(a.data);
  for (std::int64_t j = 0; j < a.rows; ++j) {
    if (x[j] == S::zero()) continue;
    const auto* const row = matrix + j * a.stride;
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

/// So many rows cost less one by one than in a sweep, whose vectors would be nearly empty.
constexpr std::size_t kFewRows = 2;

class SweepWorker final : public store::RowSource::Worker {
 public:
  SweepWorker(const Factor& factor, const TargetWays& targets, kernels::Sign sign)
      : factor_(factor),
        targets_(targets),
        query_(factor),
        sweep_(factor, sign, FactorRows::block_rows(factor.type()), targets.ways()),
        turn_(kernels::cpu::transpose_rows(size_of(factor.type()))) {}

  void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
    const bool few = sources.size() <= kFewRows && targets_.ways().empty();
    if (!few) return fill(sources, room_of(rows, stride, sources), nullptr);
    auto* row = static_cast<std::byte*>(rows);
    for (const Vertex source : sources) {
      query_.row(source, row);
      row += stride * size_of(factor_.type());
    }
  }

  void compute_both(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                    store::ColumnSink::Writer& part) override {
    fill(sources, room_of(rows, stride, sources), &part);
  }

  void compute_into(std::span<const Vertex> sources, const store::RowView& room,
                    store::ColumnSink::Writer* part) override {
    fill(sources, room, part);
  }

  void compute_columns(std::span<const Vertex> sources, store::ColumnSink::Writer& part,
                       bool pairs_once) override {
    part.begin(sources);
    sweep_.run(
        sources, [&](Position first, kernels::ConstView values) { give(part, first, values); },
        pairs_once ? factor_.tree().order().position_of[sources.front()] : 0);
    part.end();
  }

  void compute_within(std::span<const Vertex> sources, double limit,
                      store::ColumnSink::Writer& part) override {
    part.begin(sources);
    sweep_.run_within(sources, limit, [&](Position first, kernels::ConstView values) {
      give(part, first, values);
    });
    part.end();
  }

 private:
  void give(store::ColumnSink::Writer& part, Position first, kernels::ConstView values) const {
    for_each_run(first, values, [&](Position p, std::span<const std::uint32_t> columns, auto* run) {
      part.take({factor_.tree().order().vertex_at.data() + p, columns.size()}, run, values.stride);
    });
  }

  /// act(first, columns, values) for runs of targets.
  template <class F>
  void for_each_run(Position first, kernels::ConstView values, F&& act) const {
    targets_.for_each_run(
        first, values.rows, [&](Position p, std::span<const std::uint32_t> columns) {
          const std::int64_t skipped = (p - first) * values.stride * size_of(factor_.type());
          act(p, columns, static_cast<const std::byte*>(values.data) + skipped);
        });
  }

  store::RowView room_of(void* rows, std::int64_t stride, std::span<const Vertex> sources) const {
    store::RowView room{.group = targets_.columns()};
    auto* row = static_cast<std::byte*>(rows);
    for (std::size_t i = 0; i < sources.size(); ++i, row += stride * size_of(factor_.type())) {
      room.rows.push_back(row);
    }
    return room;
  }

  /// Distances are laid down vertex by vertex, in the order of columns: each a run of bytes
  /// anywhere, where values of one row would be single ones. Then they are transposed. `part`:
  /// null, or takes the distances as well.
  void fill(std::span<const Vertex> sources, const store::RowView& room,
            store::ColumnSink::Writer* part) {
    const std::int64_t count = targets_.columns(), size = size_of(factor_.type());
    const std::int64_t lanes = Sweep::lanes_of(std::ssize(sources), factor_.type());
    by_vertex_.require(count * lanes * size);
    if (part != nullptr) part->begin(sources);
    sweep_.run(sources, [&](Position first, kernels::ConstView values) {
      if (part != nullptr) give(*part, first, values);
      for_each_run(first, values, [&](Position, std::span<const std::uint32_t> columns, auto* run) {
        kernels::cpu::spread_rows(run, columns, lanes * size, by_vertex_.data());
      });
    });
    if (part != nullptr) part->end();
    std::vector<void*> to(room.rows.begin(), room.rows.end());
    for (std::int64_t col = 0; col < count; col += room.group) {
      turn_(
          {by_vertex_.data() + col * lanes * size, std::min(room.group, count - col), lanes, lanes},
          to.data(), std::ssize(to));
      for (void*& row : to) row = static_cast<std::byte*>(row) + room.apart;
    }
  }

  const Factor& factor_;
  const TargetWays& targets_;
  FactorQuery query_;
  Sweep sweep_;
  kernels::cpu::TransposeRows turn_;
  base::AlignedMemory by_vertex_;  // [columns, lanes]; none until rows are asked for
};

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

/// `to_` holds the path of the tree down to where the sweep is, by slot: it stays in the
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

std::int64_t FactorRows::worker_bytes(const Tree& tree, ValueType type, std::int64_t sources,
                                      std::int64_t targets) {
  const std::int64_t lanes = Sweep::lanes_of(std::min(sources, block_rows(type)), type);
  return Sweep::bytes(tree, type, block_rows(type), false) + FactorQuery::bytes(tree, type) +
         targets * lanes * size_of(type);
}

std::int64_t FactorRows::columns_worker_bytes(const Tree& tree, ValueType type) {
  return Sweep::bytes(tree, type, block_rows(type), true) + FactorQuery::bytes(tree, type);
}

std::unique_ptr<store::RowSource::Worker> FactorRows::worker() const {
  return std::make_unique<SweepWorker>(*factor_, targets_, sign_);
}

}  // namespace apsp::elimination
