#include "near/low_degrees.hpp"

#include <algorithm>
#include <utility>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"
#include "search/links.hpp"

namespace apsp::near {
namespace {

constexpr std::uint32_t kRoom = 2;  // spare arcs of a row

/// The graph during elimination: rows of neighbours, updated in place.
class ShrinkingGraph {
 public:
  ShrinkingGraph(const Graph& graph, std::span<const Vertex> kept)
      : rows_(static_cast<std::size_t>(graph.vertex_count()) + 1), stays_(rows_.size()) {
    read(graph);
    for (const Vertex v : kept) stays_[v] = true;
    eliminated_.first.push_back(0);
    eliminated_.vertices.reserve(rows_.size());
    eliminated_.first.reserve(rows_.size());
    eliminated_.arcs.reserve(2 * rows_.size());
  }

  void eliminate_up_to(std::uint32_t degree, const Control& control) {
    for (Vertex v = 0; v + std::size_t{1} < rows_.size(); ++v) {
      if (v % kVerticesOfCheck == 0) base::check_cancelled(control);
      waiting_.push_back(v);
      while (!waiting_.empty()) {
        const Vertex next = waiting_.back();
        waiting_.pop_back();
        if (rows_[next].degree <= degree && !stays_[next] && neighbours_have_room(next)) {
          eliminate(next);
        }
      }
    }
  }

  CoreGraph core() && {
    CoreGraph core;
    const std::vector<Vertex> order = number_all(core.number);
    core.arcs.symmetric = true;
    core.arcs.first.reserve(order.size() + 1);
    core.arcs.first.push_back(0);
    core.arcs.arcs.reserve(arcs_left_);
    for (const Vertex v : order) {
      for (const WholeArc& arc : row(v)) {
        core.arcs.arcs.push_back({core.number[arc.to], arc.weight});
        core.arcs.greatest = std::max(core.arcs.greatest, arc.weight);
      }
      core.arcs.first.push_back(static_cast<std::uint32_t>(core.arcs.arcs.size()));
    }
    core.eliminated = std::move(eliminated_);
    return core;
  }

 private:
  static constexpr Vertex kVerticesOfCheck = 1 << 16;
  static constexpr std::int64_t kCluster = 512;

  struct Extent {
    std::uint32_t first = 0, degree = 0;
  };

  void read(const Graph& graph) {
    const std::size_t n = rows_.size() - 1;
    slots_.reserve(static_cast<std::size_t>(graph.arc_count()) + kRoom * n);
    graph::ArcWalk walk(graph, graph::Pages::given_back);
    for (Vertex v = 0; v < n; ++v) {
      base::poll(v);
      const std::size_t begin = slots_.size();
      walk.for_each_arc(v, [&](Vertex to, double weight) {
        const bool parallel = slots_.size() > begin && slots_.back().to == to;
        if (to != v && !parallel) slots_.push_back({to, static_cast<std::uint32_t>(weight)});
      });
      rows_[v] = {static_cast<std::uint32_t>(begin),
                  static_cast<std::uint32_t>(slots_.size() - begin)};
      if (rows_[v].degree > 2) slots_.resize(slots_.size() + kRoom);
    }
    rows_[n].first = static_cast<std::uint32_t>(slots_.size());
  }

  std::span<WholeArc> row(Vertex v) { return {slots_.data() + rows_[v].first, rows_[v].degree}; }

  bool neighbours_have_room(Vertex v) {
    const std::uint32_t more = std::max(rows_[v].degree, 2U) - 2;
    if (more == 0) return true;
    return std::ranges::all_of(row(v), [&](const WholeArc& arc) {
      return rows_[arc.to].degree + more <= rows_[arc.to + 1].first - rows_[arc.to].first;
    });
  }

  void eliminate(Vertex v) {
    stays_[v] = true;
    const std::span<const WholeArc> mine = row(v);
    for (const WholeArc& arc : mine) {
      join(arc.to, v, arc.weight, mine);
      waiting_.push_back(arc.to);
    }
    eliminated_.arcs.insert(eliminated_.arcs.end(), mine.begin(), mine.end());
    eliminated_.vertices.push_back(v);
    eliminated_.first.push_back(static_cast<std::uint32_t>(eliminated_.arcs.size()));
  }

  /// Replaces the neighbour's arc to v by arcs to the other neighbours of v.
  void join(Vertex neighbour, Vertex v, std::uint32_t distance, std::span<const WholeArc> others) {
    WholeArc* const begin = slots_.data() + rows_[neighbour].first;
    WholeArc* end = begin + rows_[neighbour].degree;
    const auto at = [&](Vertex to) {
      WholeArc* one = begin;
      while (one != end && one->to != to) ++one;
      return one;
    };
    *at(v) = *(end - 1);
    --end;
    for (const WholeArc& other : others) {
      if (other.to == neighbour) continue;
      const std::uint32_t length = distance + other.weight;
      WholeArc* const known = at(other.to);
      if (known == end) {
        *end++ = {other.to, length};
      } else {
        known->weight = std::min(known->weight, length);
      }
    }
    rows_[neighbour].degree = static_cast<std::uint32_t>(end - begin);
  }

  /// Fills `number` [n]. Returns the core's vertices by number.
  std::vector<Vertex> number_all(std::vector<Vertex>& number) {
    const std::size_t n = rows_.size() - 1;
    number.assign(n, 0);
    for (std::size_t turn = 0; turn < eliminated_.vertices.size(); ++turn) {
      number[eliminated_.vertices[turn]] = static_cast<Vertex>(n - 1 - turn);
    }
    const std::size_t left = n - eliminated_.vertices.size();
    std::vector<Vertex> vertices;
    vertices.reserve(left);
    for (Vertex v = 0; v < n; ++v) {
      if (number[v] >= left) continue;
      number[v] = static_cast<Vertex>(vertices.size());
      vertices.push_back(v);
    }
    search::Links links;
    links.first.reserve(left + 1);
    links.first.push_back(0);
    for (const Vertex v : vertices) {
      for (const WholeArc& arc : row(v)) links.targets.push_back(number[arc.to]);
      links.first.push_back(static_cast<std::uint32_t>(links.targets.size()));
    }
    arcs_left_ = links.targets.size();
    std::vector<Vertex> order = search::clustered_order(links, kCluster);
    for (Vertex& v : order) v = vertices[v];
    for (std::size_t i = 0; i < left; ++i) number[order[i]] = static_cast<Vertex>(i);
    return order;
  }

  std::vector<Extent> rows_;  // [n + 1]
  std::vector<WholeArc> slots_;
  std::vector<bool> stays_;  // kept or eliminated
  std::vector<Vertex> waiting_;
  EliminatedVertices eliminated_;
  std::size_t arcs_left_ = 0;
};

}  // namespace

bool may_eliminate(const Graph& graph) {
  constexpr double kMost = 1U << 31;
  const WeightFacts facts = graph.weight_facts();
  const auto slots = static_cast<double>(graph.arc_count() + kRoom * graph.vertex_count());
  return graph.symmetric() && facts.integral && facts.longest_path < kMost && slots < kMost;
}

CoreGraph eliminate_low_degrees(const Graph& graph, std::span<const Vertex> kept,
                                const Control& control) {
  ShrinkingGraph shrinking(graph, kept);
  shrinking.eliminate_up_to(2, control);
  shrinking.eliminate_up_to(3, control);
  return std::move(shrinking).core();
}

}  // namespace apsp::near
