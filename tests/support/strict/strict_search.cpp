// Searches and shortest paths in textbook loops.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "support/strict/strict_kernels.hpp"

namespace apsp::kernels::strict {

void Access::read_vertices(const std::uint32_t* numbers, std::int64_t count, std::int64_t n,
                           const char* operand) const {
  read_array(numbers, count, operand);
  for (std::int64_t i = 0; i < count; ++i) {
    if (numbers[i] >= n)
      misuse(fmt::format("{}: {}: {} of {}", who.operation, operand, numbers[i], n));
  }
}

void Access::read_arcs(std::int64_t n, const std::uint32_t* first, std::int64_t arc_count,
                       const void* arcs, int arc_size) const {
  read_array(first, n + 1, "first");
  read_array(arcs, arc_count, arc_size, "arcs");
  const auto fail = [&](const std::string& what) {
    misuse(fmt::format("{}: {}", who.operation, what));
  };
  for (std::int64_t v = 0; v < n; ++v) {
    if (first[v] > first[v + 1]) fail("offsets do not rise");
  }
  if (first[n] != arc_count) fail("offsets do not end with the arcs");
  for (std::int64_t a = 0; a < arc_count; ++a) {
    std::uint32_t end;
    std::memcpy(&end, static_cast<const std::byte*>(arcs) + a * arc_size, sizeof end);
    if (end >= n) fail(fmt::format("an arc to vertex {} of {}", end, n));
  }
}

void search_rows(const Access& at, const Operations& operations, const SearchedRows& rows) {
  const View& out = rows.rows;
  const std::int64_t n = rows.vertices;
  require(n <= kSearchedNumbers && rows.arc_count <= kSearchedNumbers,
          "search_rows: too many vertices or arcs");
  require(rows.columns != nullptr || out.cols == n,
          "search_rows: columns that are neither listed nor all vertices");
  const bool reduced = rows.potentials != nullptr;
  const auto search = reduced ? operations.search_reduced_row : operations.search_row;
  require(search != nullptr, "search_rows: potentials, and values that hold no sums of both signs");
  require(rows.step >= 0 && rows.searches > 0, "search_rows: the step, or no search at a time");
  if (out.rows == 0 || out.cols == 0) return;
  const int key = reduced ? operations.reduced_size : operations.value_size;
  at.read_vertices(rows.sources, out.rows, n, "sources");
  at.read_arcs(n, rows.first, rows.arc_count, rows.arcs,
               reduced ? operations.reduced_arc_size : operations.arc_size);
  if (reduced) at.read_array(rows.potentials, n, "potentials");
  if (rows.columns != nullptr) at.read_vertices(rows.columns, out.cols, n, "columns");
  at.write_scratch(rows.scratch, search_bytes(n, rows.searches, key));
  at.write(out, operations.value_size, "rows");
  for (std::int64_t i = 0; i < out.rows; ++i) {
    search(part(out, operations.value_size, i, 0, 1, out.cols), rows.sources[i], rows);
  }
}

void search_predecessors(const Access& at, const Operations& operations,
                         const SearchedPredecessors& rows) {
  const View& out = rows.predecessors;
  const std::int64_t n = out.cols;
  require(rows.searches > 0, "search_predecessors: no search at a time");
  require(rows.distances.rows == out.rows && rows.distances.cols == n,
          "search_predecessors: distances of another shape");
  if (out.rows == 0 || n == 0) return;
  at.read_vertices(rows.sources, out.rows, n, "sources");
  at.read_arcs(n, rows.first, rows.arc_count, rows.arcs, operations.arc_size);
  at.read(rows.distances, operations.value_size, "distances");
  at.update_array(rows.torn, 1, "torn");
  at.write_scratch(rows.scratch, predecessor_bytes(n, rows.searches));
  const int size = predecessor_size(n);
  at.write(out, size, "predecessors");
  for (std::int64_t i = 0; i < out.rows; ++i) {
    const bool whole = operations.search_predecessors(
        part(out, size, i, 0, 1, n), part(rows.distances, operations.value_size, i, 0, 1, n),
        rows.sources[i], rows.first, rows.arcs);
    if (!whole) ++*rows.torn;
  }
}

namespace {

template <class K>
void near_row(const NearSearches& p, std::int64_t row) {
  using S = semiring::MinPlus<K>;
  const K none = S::zero();
  const std::vector<K> keys = searched<S>(p, p.sources[row], p.limit);
  const auto reached = std::ssize(keys) - std::count(keys.begin(), keys.end(), none);
  p.begin[row] = -1;
  if (reached > p.listed) {
    p.found[row] = kTooManyInRow;
    return;
  }
  const auto begin = static_cast<std::int64_t>(*p.pairs);
  *p.pairs += static_cast<std::uint64_t>(reached);
  p.found[row] = kNoRoomForRow;
  if (begin + reached > p.most_pairs) return;
  p.begin[row] = begin;
  p.found[row] = static_cast<std::int32_t>(reached);
  std::int64_t at = begin + reached;  // backwards: rows come in no order
  for (std::size_t v = 0; v < keys.size(); ++v) {
    if (keys[v] == none) continue;
    p.targets[--at] = static_cast<std::uint32_t>(v);
    reinterpret_cast<K*>(p.distances)[at] = keys[v];
  }
}

}  // namespace

void search_near(const Access& at, const Operations&, const NearSearches& p) {
  require(p.searches > 0 && p.listed > 0, "search_near: no search, or no list");
  require(p.limit >= 0 && (!p.whole || p.limit < (1 << 30)), "search_near: the limit");
  require(p.most_pairs >= p.vertices, "search_near: no room for a row");
  if (p.rows == 0) return;
  at.read_vertices(p.sources, p.rows, p.vertices, "sources");
  at.read_arcs(p.vertices, p.first, p.arc_count, p.arcs, p.whole ? 8 : 16);
  at.update_array(p.pairs, 1, "pairs");
  at.write_array(p.targets, p.most_pairs, sizeof(std::uint32_t), "targets");
  at.write_array(p.distances, p.most_pairs, p.whole ? 4 : 8, "distances");
  at.write_array(p.begin, p.rows, sizeof(std::int64_t), "begin");
  at.write_array(p.found, p.rows, sizeof(std::int32_t), "found");
  at.write_scratch(p.scratch, near_bytes(p.vertices, p.listed, p.searches, p.whole));
  for (std::int64_t row = 0; row < p.rows; ++row) {
    p.whole ? near_row<std::uint32_t>(p, row) : near_row<double>(p, row);
  }
}

namespace {

void read_rows(const Access& at, const PathShares& shares, const CountedArcRows& rows) {
  at.read_array(rows.first, shares.vertices + 1, sizeof(std::uint32_t), "first");
  at.read_array(rows.arcs, shares.arc_count, shares.whole ? 8 : 16, "arcs");
  for (std::int64_t v = 0; v < shares.vertices; ++v) {
    require(rows.first[v] <= rows.first[v + 1] && rows.first[v + 1] <= shares.arc_count,
            "share_paths: offsets that do not rise, or end beyond the arcs");
    require(rows.first[v + 1] - rows.first[v] <= shares.most_arcs,
            "share_paths: a vertex of more arcs than the most");
  }
}

/// One row: its vertices by rising distance, counted in that order and added up against it.
template <class K>
class SharedRow {
 public:
  SharedRow(const PathShares& shares, std::int64_t row)
      : shares_(shares),
        d_(reinterpret_cast<const K*>(shares.distances) + row * shares.vertices),
        source_(shares.sources[row]),
        times_(shares.times[row]) {}

  void add_up() {
    for (std::int64_t v = 0; v < shares_.vertices; ++v) {
      if (d_[v] != none()) order_.push_back(static_cast<std::uint32_t>(v));
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [this](auto a, auto b) { return d_[a] < d_[b]; });
    if (!count_paths()) return;
    add_up_shares();
  }

 private:
  static K none() {
    return std::is_integral_v<K> ? static_cast<K>(kNoCountedPath)
                                 : static_cast<K>(std::numeric_limits<double>::infinity());
  }

  /// act(vertex at the other end, place) of tight arcs between counted vertices.
  template <class Act>
  void each_tight(const CountedArcRows& rows, std::uint32_t v, bool forward, Act&& act) const {
    for (std::uint32_t a = rows.first[v]; a < rows.first[v + 1]; ++a) {
      const auto& arc = reinterpret_cast<const SearchArc<K>*>(rows.arcs)[a];
      if (arc.to >= shares_.vertices || d_[arc.to] == none()) continue;
      const K from = forward ? d_[v] : d_[arc.to], to = forward ? d_[arc.to] : d_[v];
      if (from + arc.weight == to) act(arc.to, a);
    }
  }

  bool count_paths() {
    values_.assign(static_cast<std::size_t>(shares_.vertices), 0.0);
    for (const std::uint32_t v : order_) {
      double paths = 0;
      each_tight(shares_.in, v, false, [&](auto u, auto) { paths += values_[u]; });
      values_[v] = v == source_ ? 1 : paths;
      if (values_[v] == 0) {
        *shares_.found |= kTornPaths;
        return false;
      }
      if (!(paths <= std::numeric_limits<double>::max())) *shares_.found |= kTooManyPaths;
    }
    if (!order_.empty() && order_.front() == source_) return true;
    *shares_.found |= kTornPaths;
    return false;
  }

  void add_up_shares() {
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t v = order_[i];
      const double paths = values_[v];
      double sum = 0;
      each_tight(shares_.out, v, true, [&](auto to, auto place) {
        sum += values_[to];
        if (shares_.of_arcs.high != nullptr) add(shares_.of_arcs, place, paths * values_[to]);
      });
      double share = paths * sum + (shares_.ends ? 1 : 0);
      values_[v] = (shares_.stand_for[v] + paths * sum) / paths;
      if (v == source_) share = shares_.ends ? static_cast<double>(order_.size() - 1) : 0;
      add(shares_.of_vertices, v, share);
    }
  }

  void add(const SlicedSums& sums, std::uint32_t i, double share) const {
    const double value = share * times_;
    const double part = (value + shares_.round_high) - shares_.round_high;
    sums.high[i] += part;
    sums.low[i] += ((value - part) + shares_.round_low) - shares_.round_low;
  }

  const PathShares& shares_;
  const K* d_;
  std::uint32_t source_;
  double times_;
  std::vector<std::uint32_t> order_;
  std::vector<double> values_;
};

}  // namespace

void search_levels(const Access& at, const Operations& operations, const SearchedLevels& levels) {
  const View& out = levels.hops;
  const std::int64_t n = out.rows;
  require(out.cols <= kLevelSources, "search_levels: too many sources");
  if (n == 0 || out.cols == 0) return;
  at.read_vertices(levels.sources, out.cols, n, "sources");
  at.read_arcs(n, levels.first, levels.arc_count, levels.before, sizeof(std::uint32_t));
  at.write_scratch(levels.scratch, level_bytes(n, out.cols, levels.most));
  at.write(out, operations.value_size, "hops");
  for (std::int64_t j = 0; j < out.cols; ++j) {
    const std::int64_t greatest =
        operations.search_column(part(out, operations.value_size, 0, j, n, 1), levels.sources[j],
                                 levels.first, levels.before);
    require(greatest <= levels.most, "search_levels: a path of more arcs than the most");
  }
}

void gather_distances(const Access& at, const Operations& operations,
                      const GatheredDistances& gathered) {
  const View& to = gathered.to;
  require(to.rows == gathered.from.rows && to.stride == to.cols,
          "gather_distances: other rows, or gaps between them");
  if (to.rows == 0 || to.cols == 0) return;
  at.read_vertices(gathered.columns, to.cols, gathered.from.cols, "columns");
  at.read(gathered.from, operations.value_size, "distances");
  at.write(to, gathered.whole ? 4 : 8, "gathered");
  for (std::int64_t i = 0; i < to.rows; ++i) {
    for (std::int64_t j = 0; j < to.cols; ++j) {
      const double d = operations.length(
          part(gathered.from, operations.value_size, i, gathered.columns[j], 1, 1).data);
      const std::int64_t index = i * to.cols + j;
      if (!gathered.whole) {
        static_cast<double*>(to.data)[index] = d < 0 ? std::numeric_limits<double>::infinity() : d;
        continue;
      }
      require(d < (1 << 30), "gather_distances: a distance too long to be added to");
      static_cast<std::uint32_t*>(to.data)[index] =
          d < 0 ? kNoCountedPath : static_cast<std::uint32_t>(d);
    }
  }
}

void share_paths(const Access& at, const Operations&, const PathShares& shares) {
  const std::int64_t n = shares.vertices;
  require(shares.searches > 0, "share_paths: no search at a time");
  if (shares.rows == 0 || n == 0) return;
  at.read_array(shares.distances, shares.rows * n, shares.whole ? 4 : 8, "distances");
  at.read_vertices(shares.sources, shares.rows, n, "sources");
  at.read_array(shares.times, shares.rows, "times");
  at.read_array(shares.stand_for, n, "stand_for");
  read_rows(at, shares, shares.out);
  read_rows(at, shares, shares.in);
  at.update_array(shares.of_vertices.high, n, "sums");
  at.update_array(shares.of_vertices.low, n, "sums");
  if (shares.of_arcs.high != nullptr) {
    at.update_array(shares.of_arcs.high, shares.arc_count, "sums");
    at.update_array(shares.of_arcs.low, shares.arc_count, "sums");
  }
  at.update_array(shares.found, 1, "found");
  at.write_scratch(shares.scratch, share_bytes(n, shares.searches));
  for (std::int64_t row = 0; row < shares.rows; ++row) {
    shares.whole ? SharedRow<std::uint32_t>(shares, row).add_up()
                 : SharedRow<double>(shares, row).add_up();
  }
}

}  // namespace apsp::kernels::strict
