#include "paths/essential_arcs.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "paths/path_trees.hpp"
#include "paths/paths.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::paths {
namespace {

bool is_float(ValueType type) { return type == ValueType::f32 || type == ValueType::f64; }

constexpr std::int64_t kLeastDegree = 16;  // trees of fewer arcs take no longer than this pass
constexpr std::int64_t kArcBytes = 4;      // for each arc of the graph; more save too little
constexpr std::int64_t kSampledRows = 16;  // before all rows are sorted

/// Calls visit(u, row) for the distances of u = 0, step, 2 · step, …, in parallel.
template <class Visit>
void visit_rows(const store::Store& from, std::int64_t step, int threads, const Control& control,
                Visit&& visit) {
  const store::Layout& layout = from.layout();
  const std::int64_t n = layout.n, size = size_of(layout.type);
  const auto* const memory = static_cast<const std::byte*>(from.data(store::Plane::distance));
  const std::int64_t band = memory != nullptr ? n : step > 1 ? 1 : std::min(layout.tile, n);
  const std::int64_t stride = memory != nullptr ? from.stride() : n;
  system::AlignedMemory read(memory != nullptr ? 0 : band * n * size);
  for (std::int64_t first = 0; first < n; first += std::max(band, step)) {
    const std::int64_t rows = std::min(band, n - first);
    if (memory == nullptr) from.read(store::Plane::distance, {first, 0, rows, n}, read.data(), n);
    const std::byte* const values = memory != nullptr ? memory : read.data();
    system::for_each_row((rows + step - 1) / step, threads, control, [&](std::int64_t turn) {
      const std::int64_t i = turn * step;
      thread_local std::vector<double> row;
      row.resize(static_cast<std::size_t>(n));
      convert_row(layout.semiring, layout.type, values + i * stride * size, row);
      visit(static_cast<Vertex>(first + i), std::span<const double>(row));
    });
  }
}

/// The extremes of distances between different vertices.
struct Range {
  double least = std::numeric_limits<double>::infinity(), greatest = -least;

  void add(double d) {
    if (std::isinf(d)) return;
    least = std::min(least, d);
    greatest = std::max(greatest, d);
  }
  double magnitude() const { return std::max({0.0, -least, greatest}); }
};

Range range_of(const store::Store& distances, int threads, const Control& control) {
  std::vector<Range> of_rows(static_cast<std::size_t>(distances.layout().n));
  visit_rows(distances, 1, threads, control, [&](Vertex u, std::span<const double> row) {
    for (std::size_t v = 0; v < row.size(); ++v) {
      if (v != u) of_rows[u].add(row[v]);
    }
  });
  Range all;
  for (const Range& of_row : of_rows) all.add(of_row.least), all.add(of_row.greatest);
  return all;
}

/// Returns how much longer than its distance an arc of a tree may be: 0 if sums are exact.
double tolerance_of(const Graph& graph, ValueType type, double largest) {
  const double exact = type == ValueType::f32 ? 0x1p24 : 0x1p53;
  if (graph.weight_facts().integral && largest < exact) return 0;
  // The lengths of trees, and sums of two distances, are as near to the distances.
  return 3 * SlackTree::most_slack(graph, type, largest);
}

}  // namespace

bool EssentialArcs::may_pay(const Graph& graph, Semiring semiring, ValueType type) {
  const WeightFacts& facts = graph.weight_facts();
  const bool sums = semiring == Semiring::min_plus || semiring == Semiring::max_plus;
  const bool rounds = sums && is_float(type) && !facts.integral;
  return semiring != Semiring::or_and && graph.arc_count() >= kLeastDegree * graph.vertex_count() &&
         !(rounds && facts.least < 0 && facts.greatest > 0);
}

std::int64_t EssentialArcs::bytes(std::int64_t vertices, std::int64_t arcs) {
  if (arcs < kLeastDegree * vertices) return 0;
  return vertices * std::int64_t{sizeof(Row)} + arcs * kArcBytes;
}

EssentialArcs::Row EssentialArcs::row_of(std::vector<Arc>& arcs) {
  std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.to < b.to;
  });
  Row row;
  row.targets.reserve(arcs.size());
  std::size_t runs = 0;
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    runs += a == 0 || arcs[a].weight != arcs[a - 1].weight ? 1 : 0;
  }
  row.runs.reserve(runs);
  for (const auto& [to, weight] : arcs) {
    if (row.runs.empty() || row.runs.back().weight != weight) row.runs.push_back({weight, 0});
    ++row.runs.back().count;
    row.targets.push_back(to);
  }
  return row;
}

EssentialArcs::EssentialArcs(const Graph& graph, const store::Store& distances, int threads,
                             const Control& control) {
  const store::Layout& layout = distances.layout();
  if (!layout.selection.all() || !may_pay(graph, layout.semiring, layout.type)) return;
  const bool sums = layout.semiring == Semiring::min_plus || layout.semiring == Semiring::max_plus;
  const bool least = layout.semiring == Semiring::min_plus || layout.semiring == Semiring::min_max;
  const bool rounds = is_float(layout.type);
  const Range all = !sums || rounds ? range_of(distances, threads, control) : Range();
  if (sums && rounds) tolerance_ = tolerance_of(graph, layout.type, all.magnitude());
  const std::int64_t most = graph.arc_count() * kArcBytes;
  const std::int64_t sampled = std::max<std::int64_t>(1, layout.n / kSampledRows);
  std::atomic<std::int64_t> taken = 0, count = 0;
  const auto find = [&](Vertex u, std::span<const double> row) {
    thread_local std::vector<Arc> arcs;
    if (taken > most) return;
    arcs.clear();
    graph.for_each_arc(u, [&](Vertex v, double exact) {
      const double weight = layout.type == ValueType::f32 ? static_cast<float>(exact) : exact;
      // A worse arc of a bottleneck semiring also extends paths that are no better than the arc.
      if (least ? weight <= (sums ? row[v] : std::max(row[v], all.greatest)) + tolerance_
                : weight >= (sums ? row[v] : std::min(row[v], all.least)) - tolerance_) {
        arcs.push_back({v, exact});
      }
    });
    rows_[u] = row_of(arcs);
    count += std::ssize(arcs);
    taken += std::ssize(rows_[u].targets) * std::int64_t{sizeof(Vertex)} +
             std::ssize(rows_[u].runs) * std::int64_t{sizeof(Run)};
  };
  rows_.resize(static_cast<std::size_t>(layout.n));
  visit_rows(distances, sampled, threads, control, find);
  const bool many = taken * sampled > most;
  taken = count = 0;
  if (!many) visit_rows(distances, 1, threads, control, find);
  count_ = count;
  if (many || taken > most) rows_.clear();
}

}  // namespace apsp::paths
