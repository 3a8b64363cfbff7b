#include "engine/matrix_update.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "base/team.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::engine {
namespace {

using kernels::Range;
using kernels::View;

/// More work than this share of a solve's is left to a solve.
constexpr double kMostWork = 0.75;

template <class T>
struct TypedArc {
  Vertex from = 0, to = 0;
  T before{}, now{};
};

/// One end of an arc is in Q: `place` there; `other` is the other end.
template <class T>
struct CoveredArc {
  std::int64_t place = 0;
  Vertex other = 0;
  T weight{};
};

/// Vertices so that every arc ends at one of them: those of most arcs first, each for the arcs that
/// have no such end yet.
template <class T>
std::vector<Vertex> cover_of(const std::vector<TypedArc<T>>& arcs) {
  std::map<Vertex, std::int64_t> ends;
  for (const auto& arc : arcs) {
    ++ends[arc.from];
    if (arc.to != arc.from) ++ends[arc.to];
  }
  std::map<Vertex, bool> taken;
  for (const auto& arc : arcs) {
    if (taken.contains(arc.from) || taken.contains(arc.to)) continue;
    taken[ends[arc.from] >= ends[arc.to] ? arc.from : arc.to] = true;
  }
  std::vector<Vertex> cover;
  cover.reserve(taken.size());
  for (const auto& [vertex, is] : taken) cover.push_back(vertex);
  return cover;
}

template <class S>
class MatrixUpdate {
 public:
  using T = typename S::Value;

  MatrixUpdate(View matrix, const MatrixChange& change, MatrixOperations& operations,
               RowShares& shares)
      : matrix_(matrix), change_(change), operations_(operations), shares_(shares) {
    for (const ArcChange& arc : change.arcs) {
      if (arc.from == arc.to) continue;  // no loop is better than the empty path
      const TypedArc<T> typed{arc.from, arc.to, value_of(arc.before), value_of(arc.now)};
      if (S::better(typed.now, typed.before)) better_.push_back(typed);
      if (S::better(typed.before, typed.now)) worse_.push_back(typed);
    }
  }

  MatrixUpdated run() {
    MatrixUpdated updated;
    const std::vector<std::int64_t> touched = shares_.joined(touched_rows());
    const std::vector<Vertex> cover = cover_of(better_);
    updated.touched = std::ssize(touched);
    updated.through = std::ssize(cover);
    updated.done =
        work(static_cast<double>(touched.size()), static_cast<double>(cover.size())) <= kMostWork &&
        (change_.memory == 0 || bytes(updated.touched, updated.through) <= change_.memory);
    if (!updated.done) return updated;
    if (!touched.empty()) solve_rows(touched);
    if (!cover.empty()) improve(cover);
    return updated;
  }

 private:
  static T value_of(double weight) {
    if constexpr (S::kKind == Semiring::or_and) return weight != 0 ? S::one() : S::zero();
    if (std::isinf(weight)) return S::zero();
    return static_cast<T>(weight);
  }

  std::int64_t n() const { return matrix_.cols; }
  std::int64_t first() const { return shares_.first(); }
  /// Of this process: the i-th that it holds.
  T* own_row(std::int64_t i) const { return static_cast<T*>(matrix_.data) + i * matrix_.stride; }
  bool holds(Vertex v) const { return v >= first() && v < first() + matrix_.rows; }
  /// Of a vertex whose row is here, or was fetched.
  const T* row(Vertex v) const {
    if (holds(v)) return own_row(v - first());
    const auto place = std::lower_bound(fetched_.begin(), fetched_.end(), v) - fetched_.begin();
    return fetched_memory_.template as<T>() + place * n();
  }
  int threads() const { return change_.threads; }

  /// Of a solve's relaxations.
  double work(double rows, double through) const {
    const auto all = static_cast<double>(std::max<std::int64_t>(n(), 1));
    const double r = rows / all, q = through / all;
    return r + r * r + r * r * r + q + q * q + q * q * q;
  }

  /// Besides the matrix, where more than one process has rows of it.
  std::int64_t bytes(std::int64_t touched, std::int64_t through) const {
    const auto ends = static_cast<std::int64_t>(ends_of_better_arcs().size());
    const std::int64_t rows = touched * (2 * n() + touched);
    const std::int64_t products = through * (2 * n() + matrix_.rows + through) + ends * n();
    return std::max(rows, products) * std::int64_t{sizeof(T)};
  }

  std::vector<Vertex> ends_of_better_arcs() const {
    std::vector<Vertex> ends;
    ends.reserve(2 * better_.size());
    for (const TypedArc<T>& arc : better_) ends.insert(ends.end(), {arc.from, arc.to});
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }

  /// Rows of these vertices, rising, can be read from now on.
  void fetch(std::vector<Vertex> vertices) {
    if (!shares_.shared()) return;
    fetched_ = std::move(vertices);
    fetched_memory_ = base::AlignedMemory(std::ssize(fetched_) * n() * std::int64_t{sizeof(T)});
    T* values = fetched_memory_.as<T>();
    for (const Vertex v : fetched_) {
      if (holds(v)) std::copy_n(own_row(v - first()), n(), values);
      values += n();
    }
    shares_.complete(fetched_, fetched_memory_.data(), n() * std::int64_t{sizeof(T)});
  }

  /// Whether a best path from i may end with the arc.
  bool uses(const T* from_i, const TypedArc<T>& arc) const {
    const T distance = from_i[arc.to];
    if (distance == S::zero()) return false;
    const T by_arc = S::times(from_i[arc.from], arc.before);
    if (!S::better(distance, by_arc)) return true;
    if (change_.roundoff == 0 || by_arc == S::zero()) return false;
    // A path of at most n arcs was rounded as often, in another order.
    const auto x = static_cast<double>(distance), y = static_cast<double>(by_arc);
    const double most =
        4 * change_.roundoff * static_cast<double>(std::min<std::int64_t>(n(), 4096));
    return std::abs(x - y) <= most * std::max(std::abs(x), std::abs(y));
  }

  /// Of this process.
  std::vector<std::int64_t> touched_rows() const {
    const std::int64_t rows = matrix_.rows;
    std::vector<char> is_touched(static_cast<std::size_t>(rows), 0);
    base::share_items(worse_.empty() ? 0 : rows, threads(), [&](std::int64_t i) {
      is_touched[static_cast<std::size_t>(i)] =
          std::any_of(worse_.begin(), worse_.end(),
                      [&](const TypedArc<T>& arc) { return uses(own_row(i), arc); });
    });
    std::vector<std::int64_t> touched;
    for (std::int64_t i = 0; i < rows; ++i) {
      if (is_touched[static_cast<std::size_t>(i)] != 0) touched.push_back(first() + i);
    }
    return touched;
  }

  void add_up(const View& all) {
    const auto values = static_cast<std::size_t>(all.rows * all.cols);
    shares_.add_up(std::as_writable_bytes(std::span(static_cast<T*>(all.data), values)), sizeof(T),
                   [](std::span<std::byte> into, std::span<const std::byte> other) {
                     T* const mine = reinterpret_cast<T*>(into.data());
                     const T* const theirs = reinterpret_cast<const T*>(other.data());
                     for (std::size_t i = 0; i < into.size() / sizeof(T); ++i) {
                       mine[i] = S::plus(mine[i], theirs[i]);
                     }
                   });
  }

  /// The rows of sources that worse arcs touch, from all others and the new arcs.
  void solve_rows(const std::vector<std::int64_t>& touched) {
    const std::int64_t count = std::ssize(touched);
    base::AlignedMemory arcs_memory(count * n() * std::int64_t{sizeof(T)});
    base::AlignedMemory found_memory(count * n() * std::int64_t{sizeof(T)});
    base::AlignedMemory within_memory(count * count * std::int64_t{sizeof(T)});
    T* const arcs = arcs_memory.as<T>();
    T* const found = found_memory.as<T>();
    T* const within = within_memory.as<T>();
    base::share_items(count, threads(), [&](std::int64_t r) {
      base::check_cancelled(change_.control);
      T* const mine = arcs + r * n();
      const std::int64_t i = touched[static_cast<std::size_t>(r)];
      change_.fill_row(i, mine);
      for (const TypedArc<T>& arc : better_) {
        if (arc.from == i) mine[arc.to] = arc.before;  // those come later
      }
      std::copy_n(mine, n(), found + r * n());
      for (std::int64_t s = 0; s < count; ++s) {
        T& arc = mine[touched[static_cast<std::size_t>(s)]];
        within[r * count + s] = arc;
        arc = S::zero();  // what stays in R is in `within`
      }
    });
    const View all{found, count, n(), n()};
    operations_.multiply_add({all, {arcs + first(), count, matrix_.rows, n()}, matrix_}, {});
    add_up(all);
    const View square{within, count, count, count};
    operations_.close(square);
    // `arcs` are of no use any more: the rows themselves, of which this process wants its own.
    const auto place = [&](std::int64_t line) {
      return std::lower_bound(touched.begin(), touched.end(), line) - touched.begin();
    };
    const std::int64_t begin = place(first()), own = place(first() + matrix_.rows) - begin;
    std::copy_n(found + begin * n(), own * n(), arcs);
    operations_.multiply_add(
        {{arcs, own, n(), n()}, {within + begin * count, own, count, count}, all}, {});
    base::share_items(own, threads(), [&](std::int64_t r) {
      const std::int64_t i = touched[static_cast<std::size_t>(begin + r)];
      T* const row = own_row(i - first());
      std::copy_n(arcs + r * n(), n(), row);
      row[i] = S::plus(row[i], S::one());
    });
  }

  /// Better arcs by the ends that cover them: those that leave Q, and those that only enter it.
  struct Covered {
    std::vector<CoveredArc<T>> leaving, entering;
  };

  Covered covered_by(const std::vector<Vertex>& cover) const {
    Covered covered;
    const auto place = [&](Vertex v) -> std::int64_t {
      const auto found = std::lower_bound(cover.begin(), cover.end(), v);
      return found != cover.end() && *found == v ? found - cover.begin() : -1;
    };
    for (const TypedArc<T>& arc : better_) {
      if (const std::int64_t from = place(arc.from); from >= 0) {
        covered.leaving.push_back({from, arc.to, arc.now});
      }
      if (const std::int64_t to = place(arc.to); to >= 0) {
        covered.entering.push_back({to, arc.from, arc.now});
      }
    }
    const auto by_place = [](const auto& a, const auto& b) { return a.place < b.place; };
    std::sort(covered.leaving.begin(), covered.leaving.end(), by_place);
    std::sort(covered.entering.begin(), covered.entering.end(), by_place);
    return covered;
  }

  void improve(const std::vector<Vertex>& cover) {
    const std::int64_t count = std::ssize(cover), rows = matrix_.rows;
    fetch(ends_of_better_arcs());
    const Covered covered = covered_by(cover);
    base::AlignedMemory out_memory(count * n() * std::int64_t{sizeof(T)});
    base::AlignedMemory in_memory(count * rows * std::int64_t{sizeof(T)});
    base::AlignedMemory closed_memory(count * n() * std::int64_t{sizeof(T)});
    base::AlignedMemory step_memory(count * count * std::int64_t{sizeof(T)});
    const View out{out_memory.data(), count, n(), n()}, in{in_memory.data(), rows, count, count};
    const View closed{closed_memory.data(), count, n(), n()};
    const View step{step_memory.data(), count, count, count};
    fill_out(cover, covered.leaving, out);
    fill_in(cover, covered.entering, in);
    fill_step(cover, covered.entering, out, step);
    operations_.close(step);
    std::copy_n(out_memory.as<T>(), count * n(), closed_memory.as<T>());
    operations_.multiply_add({closed, step, out}, {});
    const std::vector<char> lines = improved_rows(), columns = improved_columns();
    operations_.multiply_add({matrix_, in, closed}, [&](Range tile_rows, Range tile_columns) {
      return any_of(lines, tile_rows) && any_of(columns, tile_columns);
    });
    base::share_items(rows, threads(), [&](std::int64_t i) {
      T& cell = own_row(i)[first() + i];
      cell = S::plus(cell, S::one());
    });
  }

  /// out(q, j) = d(q, j) ⊕ w(q, v) ⊗ d(v, j).
  void fill_out(const std::vector<Vertex>& cover, std::span<const CoveredArc<T>> leaving,
                View out) const {
    base::share_items(std::ssize(cover), threads(), 1, [&](std::int64_t q) {
      T* const mine = static_cast<T*>(out.data) + q * n();
      std::copy_n(row(cover[static_cast<std::size_t>(q)]), n(), mine);
      for (const CoveredArc<T>& arc : of_place(leaving, q)) {
        const T* const behind = row(arc.other);
        for (std::int64_t j = 0; j < n(); ++j) {
          mine[j] = S::plus(mine[j], S::times(arc.weight, behind[j]));
        }
      }
    });
  }

  /// in(i, q) = d(i, q) ⊕ d(i, u) ⊗ w(u, q).
  void fill_in(const std::vector<Vertex>& cover, std::span<const CoveredArc<T>> entering,
               View in) const {
    base::share_items(in.rows, threads(), [&](std::int64_t i) {
      T* const mine = static_cast<T*>(in.data) + i * in.stride;
      const T* const from_i = own_row(i);
      for (std::size_t q = 0; q < cover.size(); ++q) mine[q] = from_i[cover[q]];
      for (const CoveredArc<T>& arc : entering) {
        mine[arc.place] = S::plus(mine[arc.place], S::times(from_i[arc.other], arc.weight));
      }
    });
  }

  /// E(q, q') = out(q, q') ⊕ out(q, u) ⊗ w(u, q').
  void fill_step(const std::vector<Vertex>& cover, std::span<const CoveredArc<T>> entering,
                 View out, View step) const {
    base::share_items(std::ssize(cover), threads(), [&](std::int64_t q) {
      T* const mine = static_cast<T*>(step.data) + q * step.stride;
      const T* const from_q = static_cast<const T*>(out.data) + q * n();
      for (std::size_t to = 0; to < cover.size(); ++to) mine[to] = from_q[cover[to]];
      for (const CoveredArc<T>& arc : entering) {
        mine[arc.place] = S::plus(mine[arc.place], S::times(from_q[arc.other], arc.weight));
      }
      mine[q] = S::plus(mine[q], S::one());
    });
  }

  static std::span<const CoveredArc<T>> of_place(std::span<const CoveredArc<T>> arcs,
                                                 std::int64_t place) {
    const auto before = [](const CoveredArc<T>& arc, std::int64_t at) { return arc.place < at; };
    const auto first = std::lower_bound(arcs.begin(), arcs.end(), place, before);
    const auto last = std::lower_bound(first, arcs.end(), place + 1, before);
    return {first, last};
  }

  static bool any_of(const std::vector<char>& improved, Range lines) {
    const auto first = improved.begin();
    return std::any_of(first + lines.begin, first + lines.end, [](char does) { return does != 0; });
  }

  /// [rows]: whether a value of the row may improve.
  std::vector<char> improved_rows() const {
    std::vector<char> improved(static_cast<std::size_t>(matrix_.rows), 0);
    base::share_items(matrix_.rows, threads(), [&](std::int64_t i) {
      const T* const from_i = own_row(i);
      improved[static_cast<std::size_t>(i)] =
          std::any_of(better_.begin(), better_.end(), [&](const auto& arc) {
            return S::better(S::times(from_i[arc.from], arc.now), from_i[arc.to]);
          });
    });
    return improved;
  }

  /// [n]: whether one of the column may, of any process.
  std::vector<char> improved_columns() const {
    constexpr std::int64_t kColumns = 1024;  // at a time
    std::vector<char> improved(static_cast<std::size_t>(n()), 0);
    base::share_items((n() + kColumns - 1) / kColumns, threads(), 1, [&](std::int64_t part) {
      const std::int64_t end = std::min(n(), (part + 1) * kColumns);
      for (const auto& arc : better_) {
        const T* const from_head = row(arc.to);
        const T* const from_tail = row(arc.from);
        for (std::int64_t j = part * kColumns; j < end; ++j) {
          if (S::better(S::times(arc.now, from_head[j]), from_tail[j])) {
            improved[static_cast<std::size_t>(j)] = 1;
          }
        }
      }
    });
    return improved;
  }

  View matrix_;
  const MatrixChange& change_;
  MatrixOperations& operations_;
  RowShares& shares_;
  std::vector<TypedArc<T>> better_, worse_;
  std::vector<Vertex> fetched_;
  base::AlignedMemory fetched_memory_;
};

}  // namespace

MatrixUpdated update_matrix(kernels::View matrix, const MatrixChange& change,
                            MatrixOperations& operations, RowShares& shares) {
  return semiring::dispatch(change.semiring, change.type, [&]<class S>() {
    return MatrixUpdate<S>(matrix, change, operations, shares).run();
  });
}

MatrixUpdated update_matrix(kernels::View matrix, const MatrixChange& change,
                            MatrixOperations& operations) {
  RowShares whole;
  return update_matrix(matrix, change, operations, whole);
}

std::int64_t update_bytes(std::int64_t n, ValueType type) {
  // Two panels of touched rows and a square, or three of the cover and a square, each under the
  // share at which a solve is taken instead; and packed slices.
  return 3 * n * n * size_of(type);
}

}  // namespace apsp::engine
