#include "support/strict/strict_kernels.hpp"

#include <limits>
#include <numeric>

#include "support/strict/strict_misuse.hpp"

namespace apsp::kernels::strict {
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

void check(const SearchedLevels& levels) {
  require(levels.hops.cols <= kLevelSources, "search_levels: too many sources");
}

void search_levels(const Access& at, const Operations& operations, const SearchedLevels& levels) {
  const View& out = levels.hops;
  const std::int64_t n = out.rows;
  if (n == 0 || out.cols == 0) return;
  constexpr int kNumber = sizeof(std::uint32_t);
  at.read_array(levels.sources, out.cols, kNumber, "sources");
  at.read_array(levels.first, n + 1, kNumber, "first");
  at.read_array(levels.before, levels.arc_count, kNumber, "before");
  check_arcs("search_levels", n, levels.first, levels.arc_count, levels.before, kNumber);
  const std::int64_t scratch = level_bytes(n, out.cols, levels.most);
  at.write(View{levels.scratch, 1, scratch, scratch}, 1, "scratch");
  at.write(out, operations.value_size, "hops");
  for (std::int64_t j = 0; j < out.cols; ++j) {
    require(levels.sources[j] < n, "search_levels: a source that is no vertex");
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
  at.read_array(gathered.columns, to.cols, sizeof(std::uint32_t), "columns");
  at.read(gathered.from, operations.value_size, "distances");
  at.write(to, gathered.whole ? 4 : 8, "gathered");
  for (std::int64_t i = 0; i < to.rows; ++i) {
    for (std::int64_t j = 0; j < to.cols; ++j) {
      require(gathered.columns[j] < gathered.from.cols, "gather_distances: a column that is none");
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
  at.read_array(shares.sources, shares.rows, sizeof(std::uint32_t), "sources");
  at.read_array(shares.times, shares.rows, sizeof(double), "times");
  at.read_array(shares.stand_for, n, sizeof(double), "stand_for");
  read_rows(at, shares, shares.out);
  read_rows(at, shares, shares.in);
  at.update_array(shares.of_vertices.high, n, "sums");
  at.update_array(shares.of_vertices.low, n, "sums");
  if (shares.of_arcs.high != nullptr && shares.arc_count > 0) {
    at.update_array(shares.of_arcs.high, shares.arc_count, "sums");
    at.update_array(shares.of_arcs.low, shares.arc_count, "sums");
  }
  at.read_array(shares.found, 1, sizeof(std::uint32_t), "found");
  at.write(View{shares.found, 1, 1, 1}, sizeof(std::uint32_t), "found");
  const std::int64_t scratch = share_bytes(n, shares.searches);
  at.write(View{shares.scratch, 1, scratch, scratch}, 1, "scratch");
  for (std::int64_t row = 0; row < shares.rows; ++row) {
    require(shares.sources[row] < n, "share_paths: a source that is no vertex");
    if (shares.whole) {
      SharedRow<std::uint32_t>(shares, row).add_up();
    } else {
      SharedRow<double>(shares, row).add_up();
    }
  }
}

class ShortestPaths final : public ShortestPathKernels {
 public:
  explicit ShortestPaths(Core& core) : core_(core) {}

  void search_levels(QueueId queue, const SearchedLevels& levels) override {
    check(levels);
    core_.give(queue, "search_levels", strict::search_levels, levels);
  }
  void gather_distances(QueueId queue, const GatheredDistances& gathered) override {
    core_.give(queue, "gather_distances", strict::gather_distances, gathered);
  }
  void share_paths(QueueId queue, const PathShares& shares) override {
    core_.give(queue, "share_paths", strict::share_paths, shares);
  }

 private:
  Core& core_;
};

}  // namespace

std::unique_ptr<ShortestPathKernels> make_shortest_paths(Core& core) {
  return std::make_unique<ShortestPaths>(core);
}

}  // namespace apsp::kernels::strict
