#include "support/strict/strict_paths.hpp"

#include <limits>
#include <numeric>

#include "support/strict/strict_misuse.hpp"

namespace apsp::kernels::strict {
namespace {

void read_array(Memory& memory, const Accessor& who, const void* first, std::int64_t count,
                int size, const char* operand) {
  if (count > 0) memory.read(who, {first, 1, count, count}, size, operand);
}

void read_rows(Memory& memory, const Accessor& who, const PathShares& shares,
               const CountedArcRows& rows) {
  read_array(memory, who, rows.first, shares.vertices + 1, sizeof(std::uint32_t), "first");
  read_array(memory, who, rows.arcs, shares.arc_count, shares.whole ? 8 : 16, "arcs");
  for (std::int64_t v = 0; v < shares.vertices; ++v) {
    require(rows.first[v] <= rows.first[v + 1] && rows.first[v + 1] <= shares.arc_count,
            "share_paths: offsets that do not rise, or end beyond the arcs");
    require(rows.first[v + 1] - rows.first[v] <= shares.most_arcs,
            "share_paths: a vertex of more arcs than the most");
  }
}

void add_to(Memory& memory, const Accessor& who, double* sums, std::int64_t count) {
  read_array(memory, who, sums, count, sizeof(double), "sums");
  memory.write(who, View{sums, 1, count, count}, sizeof(double), "sums");
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

void gather_distances(Memory& memory, const Accessor& who, const Operations& operations,
                      const GatheredDistances& gathered) {
  const View& to = gathered.to;
  require(operations.length != nullptr, "gather_distances: values are no shortest distances");
  require(to.rows == gathered.from.rows && to.stride == to.cols,
          "gather_distances: other rows, or gaps between them");
  if (to.rows == 0 || to.cols == 0) return;
  read_array(memory, who, gathered.columns, to.cols, sizeof(std::uint32_t), "columns");
  memory.read(who, gathered.from, operations.value_size, "distances");
  memory.write(who, to, gathered.whole ? 4 : 8, "gathered");
  for (std::int64_t i = 0; i < to.rows; ++i) {
    for (std::int64_t j = 0; j < to.cols; ++j) {
      require(gathered.columns[j] < gathered.from.cols, "gather_distances: a column that is none");
      const double d = operations.length(
          part(gathered.from, operations.value_size, i, gathered.columns[j], 1, 1).data);
      const std::int64_t at = i * to.cols + j;
      if (!gathered.whole) {
        static_cast<double*>(to.data)[at] = d < 0 ? std::numeric_limits<double>::infinity() : d;
        continue;
      }
      require(d < (1 << 30), "gather_distances: a distance too long to be added to");
      static_cast<std::uint32_t*>(to.data)[at] =
          d < 0 ? kNoCountedPath : static_cast<std::uint32_t>(d);
    }
  }
}

void share_paths(Memory& memory, const Accessor& who, const Operations& operations,
                 const PathShares& shares) {
  const std::int64_t n = shares.vertices;
  require(operations.length != nullptr, "share_paths: values are no shortest distances");
  require(shares.searches > 0, "share_paths: no search at a time");
  if (shares.rows == 0 || n == 0) return;
  read_array(memory, who, shares.distances, shares.rows * n, shares.whole ? 4 : 8, "distances");
  read_array(memory, who, shares.sources, shares.rows, sizeof(std::uint32_t), "sources");
  read_array(memory, who, shares.times, shares.rows, sizeof(double), "times");
  read_array(memory, who, shares.stand_for, n, sizeof(double), "stand_for");
  read_rows(memory, who, shares, shares.out);
  read_rows(memory, who, shares, shares.in);
  add_to(memory, who, shares.of_vertices.high, n);
  add_to(memory, who, shares.of_vertices.low, n);
  if (shares.of_arcs.high != nullptr && shares.arc_count > 0) {
    add_to(memory, who, shares.of_arcs.high, shares.arc_count);
    add_to(memory, who, shares.of_arcs.low, shares.arc_count);
  }
  read_array(memory, who, shares.found, 1, sizeof(std::uint32_t), "found");
  memory.write(who, View{shares.found, 1, 1, 1}, sizeof(std::uint32_t), "found");
  const std::int64_t scratch = share_bytes(n, shares.searches);
  memory.write(who, View{shares.scratch, 1, scratch, scratch}, 1, "scratch");
  for (std::int64_t row = 0; row < shares.rows; ++row) {
    require(shares.sources[row] < n, "share_paths: a source that is no vertex");
    if (shares.whole) {
      SharedRow<std::uint32_t>(shares, row).add_up();
    } else {
      SharedRow<double>(shares, row).add_up();
    }
  }
}

}  // namespace apsp::kernels::strict
