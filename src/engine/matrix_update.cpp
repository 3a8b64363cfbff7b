#include "engine/matrix_update.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "base/control.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/semirings.hpp"
#include "system/aligned_memory.hpp"
#include "system/memory_limit.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

using kernels::Range;
using kernels::View;

// Operations on lines of values. Only these are compiled for each type.

/// A value of the matrix's type, in the first bytes.
using Weight = std::array<std::byte, 8>;

struct WeighedArc {
  Vertex from = 0, to = 0;
  Weight before{}, now{};
};

/// An arc with one end in Q, at index `place`; `other` is the other end.
struct CoveredArc {
  std::int64_t place = 0;
  Vertex other = 0;
  Weight weight{};
};

/// Lines are arrays of the matrix's type.
class Lines {
 public:
  virtual ~Lines() = default;
  virtual bool better(const Weight& a, const Weight& b) const = 0;
  /// Whether a best path may end with one of the arcs. `rounding`: relative error of a sum.
  virtual bool uses(const void* line, std::span<const WeighedArc> arcs, double rounding) const = 0;
  /// Whether one of the arcs, with its new weight, improves the path to its head.
  virtual bool improves(const void* line, std::span<const WeighedArc> arcs) const = 0;
  /// improved[j] ← 1 if w ⊗ head[j] is better than tail[j].
  virtual void mark_improved(const Weight& w, const void* head, const void* tail, Range columns,
                             char* improved) const = 0;
  virtual void add(void* line, const void* other, std::int64_t n) const = 0;
  /// line ← line ⊕ w ⊗ other.
  virtual void add_times(void* line, const Weight& w, const void* other, std::int64_t n) const = 0;
  virtual void add_one(void* line, std::int64_t place) const = 0;
  /// line[arc.place] ← line[arc.place] ⊕ from[arc.other] ⊗ arc.weight.
  virtual void add_arcs(void* line, const void* from, std::span<const CoveredArc> arcs) const = 0;
  virtual void put(void* line, std::int64_t place, const Weight& w) const = 0;
  /// line[i] ← from[places[i]].
  virtual void gather(void* line, const void* from, std::span<const Vertex> places) const = 0;
  /// The same, and from[places[i]] ← 𝟘.
  virtual void move(void* line, void* from, std::span<const std::int64_t> places) const = 0;
};

template <class S>
class LinesOf final : public Lines {
 public:
  using T = typename S::Value;

  bool better(const Weight& a, const Weight& b) const override {
    return S::better(value(a), value(b));
  }

  bool uses(const void* line, std::span<const WeighedArc> arcs, double rounding) const override {
    const T* const from_i = static_cast<const T*>(line);
    return std::any_of(arcs.begin(), arcs.end(), [&](const WeighedArc& arc) {
      const T distance = from_i[arc.to];
      if (distance == S::zero()) return false;
      const T by_arc = S::times(from_i[arc.from], value(arc.before));
      if (!S::better(distance, by_arc)) return true;
      if (rounding == 0 || by_arc == S::zero()) return false;
      const auto x = static_cast<double>(distance), y = static_cast<double>(by_arc);
      return std::abs(x - y) <= rounding * std::max(std::abs(x), std::abs(y));
    });
  }
  bool improves(const void* line, std::span<const WeighedArc> arcs) const override {
    const T* const from_i = static_cast<const T*>(line);
    return std::any_of(arcs.begin(), arcs.end(), [&](const WeighedArc& arc) {
      return S::better(S::times(from_i[arc.from], value(arc.now)), from_i[arc.to]);
    });
  }
  void mark_improved(const Weight& w, const void* head, const void* tail, Range columns,
                     char* improved) const override {
    const T* const from_head = static_cast<const T*>(head);
    const T* const from_tail = static_cast<const T*>(tail);
    const T now = value(w);
    for (std::int64_t j = columns.begin; j < columns.end; ++j) {
      if (S::better(S::times(now, from_head[j]), from_tail[j])) improved[j] = 1;
    }
  }

  void add(void* line, const void* other, std::int64_t n) const override {
    T* const mine = static_cast<T*>(line);
    const T* const theirs = static_cast<const T*>(other);
    for (std::int64_t j = 0; j < n; ++j) mine[j] = S::plus(mine[j], theirs[j]);
  }
  void add_times(void* line, const Weight& w, const void* other, std::int64_t n) const override {
    T* const mine = static_cast<T*>(line);
    const T* const behind = static_cast<const T*>(other);
    const T arc = value(w);
    for (std::int64_t j = 0; j < n; ++j) mine[j] = S::plus(mine[j], S::times(arc, behind[j]));
  }
  void add_one(void* line, std::int64_t place) const override {
    T& cell = static_cast<T*>(line)[place];
    cell = S::plus(cell, S::one());
  }
  void add_arcs(void* line, const void* from, std::span<const CoveredArc> arcs) const override {
    T* const mine = static_cast<T*>(line);
    const T* const values = static_cast<const T*>(from);
    for (const CoveredArc& arc : arcs) {
      mine[arc.place] = S::plus(mine[arc.place], S::times(values[arc.other], value(arc.weight)));
    }
  }
  void put(void* line, std::int64_t place, const Weight& w) const override {
    static_cast<T*>(line)[place] = value(w);
  }
  void gather(void* line, const void* from, std::span<const Vertex> places) const override {
    T* mine = static_cast<T*>(line);
    for (const Vertex place : places) *mine++ = static_cast<const T*>(from)[place];
  }
  void move(void* line, void* from, std::span<const std::int64_t> places) const override {
    T* mine = static_cast<T*>(line);
    for (const std::int64_t place : places) {
      *mine++ = std::exchange(static_cast<T*>(from)[place], S::zero());
    }
  }

 private:
  static T value(const Weight& bytes) {
    T typed{};
    std::memcpy(&typed, bytes.data(), sizeof(T));
    return typed;
  }
};

std::unique_ptr<Lines> lines_of(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type, []<class S>() -> std::unique_ptr<Lines> {
    return std::make_unique<LinesOf<S>>();
  });
}

/// An arc's weight as a value of the type.
Weight weight_of(Semiring semiring, ValueType type, double weight) {
  return semiring::dispatch(semiring, type, [&]<class S>() {
    Weight bytes{};
    auto typed = S::zero();
    if constexpr (S::kKind == Semiring::or_and) {
      if (weight != 0) typed = S::one();
    } else if (!std::isinf(weight)) {
      typed = semiring::weight_as<S>(weight);
    }
    std::memcpy(bytes.data(), &typed, sizeof(typed));
    return bytes;
  });
}

/// Above this share of a solve's work, the caller should solve instead.
constexpr double kMostWork = 0.75;

/// Bytes of packed panels in products, all threads.
constexpr double kProducts = 16 << 20;

/// A vertex cover of the arcs: for each arc without one, its end of more arcs.
std::vector<Vertex> cover_of(const std::vector<WeighedArc>& arcs) {
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

class MatrixUpdate {
 public:
  MatrixUpdate(View matrix, const MatrixChange& change, MatrixOperations& operations,
               RowShares& shares)
      : matrix_(matrix),
        change_(change),
        operations_(operations),
        shares_(shares),
        lines_of_(lines_of(change.semiring, change.type)),
        lines_(*lines_of_) {
    for (const ArcChange& arc : change.arcs) {
      if (arc.from == arc.to) continue;  // no loop is better than the empty path
      const auto weight = [&](double w) { return weight_of(change.semiring, change.type, w); };
      const WeighedArc weighed{arc.from, arc.to, weight(arc.before), weight(arc.now)};
      if (lines_.better(weighed.now, weighed.before)) better_.push_back(weighed);
      if (lines_.better(weighed.before, weighed.now)) worse_.push_back(weighed);
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
    if (matrix_.rows == n()) {
      system::plan_memory(static_cast<double>(bytes(updated.touched, updated.through)) + kProducts,
                          "the update", "give it more memory, or fewer threads");
    }
    if (!touched.empty()) solve_rows(touched);
    if (!cover.empty()) improve(cover);
    return updated;
  }

 private:
  std::int64_t n() const { return matrix_.cols; }
  std::int64_t first() const { return shares_.first(); }
  std::byte* own_row(std::int64_t i) const { return cells(matrix_.data, i * matrix_.stride); }
  std::int64_t bytes_of(std::int64_t values) const { return values * size_of(change_.type); }
  std::byte* cells(void* data, std::int64_t values) const {
    return static_cast<std::byte*>(data) + bytes_of(values);
  }
  void copy(const void* from, std::int64_t values, void* to) const {
    if (values > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes_of(values)));
  }
  bool holds(Vertex v) const { return v >= first() && v < first() + matrix_.rows; }
  /// Requires: this process holds the row of v, or fetched it.
  const void* row(Vertex v) const {
    if (holds(v)) return own_row(v - first());
    const auto place = std::lower_bound(fetched_.begin(), fetched_.end(), v) - fetched_.begin();
    return fetched_memory_.data() + bytes_of(place * n());
  }
  int threads() const { return change_.threads; }

  /// Relative to the relaxations of a solve.
  double work(double rows, double through) const {
    const auto all = static_cast<double>(std::max<std::int64_t>(n(), 1));
    const double r = rows / all, q = through / all;
    return r + r * r + r * r * r + q + q * q + q * q * q;
  }

  /// Upper bound in addition to the matrix, for several processes.
  std::int64_t bytes(std::int64_t touched, std::int64_t through) const {
    const auto ends = static_cast<std::int64_t>(ends_of_better_arcs().size());
    const std::int64_t rows = touched * (2 * n() + touched);
    const std::int64_t products = through * (2 * n() + matrix_.rows + through) + ends * n();
    return bytes_of(std::max(rows, products));
  }

  std::vector<Vertex> ends_of_better_arcs() const {
    std::vector<Vertex> ends;
    ends.reserve(2 * better_.size());
    for (const WeighedArc& arc : better_) ends.insert(ends.end(), {arc.from, arc.to});
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }

  /// Makes the rows of these vertices available to `row`. Requires: `vertices` is sorted.
  void fetch(std::vector<Vertex> vertices) {
    if (!shares_.shared()) return;
    fetched_ = std::move(vertices);
    fetched_memory_ = system::AlignedMemory(bytes_of(std::ssize(fetched_) * n()));
    std::int64_t place = 0;
    for (const Vertex v : fetched_) {
      if (holds(v)) copy(own_row(v - first()), n(), cells(fetched_memory_.data(), place * n()));
      ++place;
    }
    shares_.complete(fetched_, fetched_memory_.data(), bytes_of(n()));
  }

  /// Rows of this process whose best paths may use worse arcs.
  std::vector<std::int64_t> touched_rows() const {
    const std::int64_t rows = matrix_.rows;
    // A path has up to n roundings, in any order.
    const double rounding =
        4 * change_.roundoff * static_cast<double>(std::min<std::int64_t>(n(), 4096));
    std::vector<char> is_touched(static_cast<std::size_t>(rows), 0);
    system::parallel_for(worse_.empty() ? 0 : rows, threads(), [&](std::int64_t i) {
      is_touched[static_cast<std::size_t>(i)] = lines_.uses(own_row(i), worse_, rounding);
    });
    std::vector<std::int64_t> touched;
    for (std::int64_t i = 0; i < rows; ++i) {
      if (is_touched[static_cast<std::size_t>(i)] != 0) touched.push_back(first() + i);
    }
    return touched;
  }

  void add_up(const View& all) {
    const auto bytes = static_cast<std::size_t>(bytes_of(all.rows * all.cols));
    shares_.add_up({static_cast<std::byte*>(all.data), bytes}, size_of(change_.type),
                   [&](std::span<std::byte> into, std::span<const std::byte> other) {
                     lines_.add(into.data(), other.data(),
                                std::ssize(into) / size_of(change_.type));
                   });
  }

  /// Computes the touched rows from all other rows and the new arcs.
  void solve_rows(const std::vector<std::int64_t>& touched) {
    const std::int64_t count = std::ssize(touched);
    system::AlignedMemory arcs_memory(bytes_of(count * n()));
    system::AlignedMemory found_memory(bytes_of(count * n()));
    system::AlignedMemory within_memory(bytes_of(count * count));
    void* const arcs = arcs_memory.data();
    void* const found = found_memory.data();
    void* const within = within_memory.data();
    system::parallel_for(count, threads(), [&](std::int64_t r) {
      base::check_cancelled(change_.control);
      void* const mine = cells(arcs, r * n());
      const std::int64_t i = touched[static_cast<std::size_t>(r)];
      change_.fill_row(i, mine);
      for (const WeighedArc& arc : better_) {
        if (arc.from == i) lines_.put(mine, arc.to, arc.before);  // improve() adds these
      }
      copy(mine, n(), cells(found, r * n()));
      lines_.move(cells(within, r * count), mine, touched);  // arcs within R
    });
    const View all{found, count, n(), n()};
    operations_.multiply_add({all, {cells(arcs, first()), count, matrix_.rows, n()}, matrix_}, {});
    add_up(all);
    const View square{within, count, count, count};
    operations_.close(square);
    // `arcs` now holds the rows of `found` that belong to this process.
    const auto place = [&](std::int64_t line) {
      return std::lower_bound(touched.begin(), touched.end(), line) - touched.begin();
    };
    const std::int64_t begin = place(first()), own = place(first() + matrix_.rows) - begin;
    copy(cells(found, begin * n()), own * n(), arcs);
    operations_.multiply_add(
        {{arcs, own, n(), n()}, {cells(within, begin * count), own, count, count}, all}, {});
    system::parallel_for(own, threads(), [&](std::int64_t r) {
      const std::int64_t i = touched[static_cast<std::size_t>(begin + r)];
      copy(cells(arcs, r * n()), n(), own_row(i - first()));
      lines_.add_one(own_row(i - first()), i);
    });
  }

  struct Covered {
    std::vector<CoveredArc> leaving, entering;
  };

  Covered covered_by(const std::vector<Vertex>& cover) const {
    Covered covered;
    const auto place = [&](Vertex v) -> std::int64_t {
      const auto found = std::lower_bound(cover.begin(), cover.end(), v);
      return found != cover.end() && *found == v ? found - cover.begin() : -1;
    };
    for (const WeighedArc& arc : better_) {
      if (const std::int64_t from = place(arc.from); from >= 0) {
        covered.leaving.push_back({from, arc.to, arc.now});
      }
      if (const std::int64_t to = place(arc.to); to >= 0) {
        covered.entering.push_back({to, arc.from, arc.now});
      }
    }
    const auto by_place = [](const CoveredArc& a, const CoveredArc& b) {
      return a.place < b.place;
    };
    std::sort(covered.leaving.begin(), covered.leaving.end(), by_place);
    std::sort(covered.entering.begin(), covered.entering.end(), by_place);
    return covered;
  }

  void improve(const std::vector<Vertex>& cover) {
    const std::int64_t count = std::ssize(cover), rows = matrix_.rows;
    fetch(ends_of_better_arcs());
    const Covered covered = covered_by(cover);
    system::AlignedMemory out_memory(bytes_of(count * n()));
    system::AlignedMemory in_memory(bytes_of(count * rows));
    system::AlignedMemory closed_memory(bytes_of(count * n()));
    system::AlignedMemory step_memory(bytes_of(count * count));
    const View out{out_memory.data(), count, n(), n()}, in{in_memory.data(), rows, count, count};
    const View closed{closed_memory.data(), count, n(), n()};
    const View step{step_memory.data(), count, count, count};
    fill_out(cover, covered.leaving, out);
    fill_in(cover, covered.entering, in);
    fill_step(cover, covered.entering, out, step);
    operations_.close(step);
    copy(out.data, count * n(), closed.data);
    operations_.multiply_add({closed, step, out}, {});
    const std::vector<char> lines = improved_rows(), columns = improved_columns();
    operations_.multiply_add({matrix_, in, closed}, [&](Range tile_rows, Range tile_columns) {
      return any_of(lines, tile_rows) && any_of(columns, tile_columns);
    });
    system::parallel_for(rows, threads(),
                         [&](std::int64_t i) { lines_.add_one(own_row(i), first() + i); });
  }

  void fill_out(const std::vector<Vertex>& cover, std::span<const CoveredArc> leaving,
                View out) const {
    system::parallel_for(std::ssize(cover), threads(), 1, [&](std::int64_t q) {
      void* const mine = cells(out.data, q * n());
      copy(row(cover[static_cast<std::size_t>(q)]), n(), mine);
      for (const CoveredArc& arc : of_place(leaving, q)) {
        lines_.add_times(mine, arc.weight, row(arc.other), n());
      }
    });
  }

  void fill_in(const std::vector<Vertex>& cover, std::span<const CoveredArc> entering,
               View in) const {
    system::parallel_for(in.rows, threads(), [&](std::int64_t i) {
      void* const mine = cells(in.data, i * in.stride);
      lines_.gather(mine, own_row(i), cover);
      lines_.add_arcs(mine, own_row(i), entering);
    });
  }

  void fill_step(const std::vector<Vertex>& cover, std::span<const CoveredArc> entering, View out,
                 View step) const {
    system::parallel_for(std::ssize(cover), threads(), [&](std::int64_t q) {
      void* const mine = cells(step.data, q * step.stride);
      lines_.gather(mine, cells(out.data, q * n()), cover);
      lines_.add_arcs(mine, cells(out.data, q * n()), entering);
      lines_.add_one(mine, q);
    });
  }

  static std::span<const CoveredArc> of_place(std::span<const CoveredArc> arcs,
                                              std::int64_t place) {
    const auto before = [](const CoveredArc& arc, std::int64_t at) { return arc.place < at; };
    const auto first = std::lower_bound(arcs.begin(), arcs.end(), place, before);
    const auto last = std::lower_bound(first, arcs.end(), place + 1, before);
    return {first, last};
  }

  static bool any_of(const std::vector<char>& improved, Range lines) {
    const auto first = improved.begin();
    return std::any_of(first + lines.begin, first + lines.end, [](char does) { return does != 0; });
  }

  /// [rows] whether a better arc may improve the row.
  std::vector<char> improved_rows() const {
    std::vector<char> improved(static_cast<std::size_t>(matrix_.rows), 0);
    system::parallel_for(matrix_.rows, threads(), [&](std::int64_t i) {
      improved[static_cast<std::size_t>(i)] = lines_.improves(own_row(i), better_);
    });
    return improved;
  }

  std::vector<char> improved_columns() const {
    constexpr std::int64_t kColumns = 1024;
    std::vector<char> improved(static_cast<std::size_t>(n()), 0);
    system::parallel_for((n() + kColumns - 1) / kColumns, threads(), 1, [&](std::int64_t part) {
      const Range columns{part * kColumns, std::min(n(), (part + 1) * kColumns)};
      for (const WeighedArc& arc : better_) {
        lines_.mark_improved(arc.now, row(arc.to), row(arc.from), columns, improved.data());
      }
    });
    return improved;
  }

  View matrix_;
  const MatrixChange& change_;
  MatrixOperations& operations_;
  RowShares& shares_;
  std::unique_ptr<Lines> lines_of_;
  const Lines& lines_;
  std::vector<WeighedArc> better_, worse_;
  std::vector<Vertex> fetched_;
  system::AlignedMemory fetched_memory_;
};

}  // namespace

MatrixUpdated update_matrix(kernels::View matrix, const MatrixChange& change,
                            MatrixOperations& operations, RowShares& shares) {
  return MatrixUpdate(matrix, change, operations, shares).run();
}

MatrixUpdated update_matrix(kernels::View matrix, const MatrixChange& change,
                            MatrixOperations& operations) {
  RowShares whole;
  return update_matrix(matrix, change, operations, whole);
}

}  // namespace apsp::engine
