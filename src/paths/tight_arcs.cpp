#include "paths/tight_arcs.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "paths/paths.hpp"

namespace apsp::paths {
namespace {

constexpr auto kMany = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TightArcs::TightArcs(const Graph& graph)
    : graph_(graph),
      first_(static_cast<std::size_t>(graph.vertex_count()) + 1),
      left_(first_.size()),
      counts_(static_cast<std::size_t>(graph.vertex_count())) {}

std::int64_t TightArcs::bytes(const Graph& graph) {
  constexpr std::int64_t kVertex = 4 * sizeof(std::int64_t) + sizeof(Vertex);
  return graph.vertex_count() * kVertex + graph.arc_count() * std::int64_t{sizeof(Vertex)};
}

/// Calls visit(to) for the tight arcs of u except loops, once where parallel arcs are tight.
template <class Visit>
void TightArcs::for_each(Vertex u, Visit&& visit) const {
  Vertex last = u;
  graph_.for_each_arc(u, [&](Vertex to, double weight) {
    if (to == last || to == u || distance_[u] + weight != distance_[to]) return;
    last = to;
    visit(to);
  });
}

void TightArcs::find(Vertex source, std::span<const double> distance) {
  source_ = source;
  distance_ = distance;
  returns_ = false;
  std::fill(first_.begin(), first_.end(), 0);
  const auto for_all = [&](auto&& visit) {
    for (Vertex u = 0; u < distance.size(); ++u) {
      base::poll(u);
      if (std::isinf(distance[u])) continue;
      for_each(u, [&](Vertex to) { visit(u, to); });
    }
  };
  for_all([&](Vertex, Vertex to) {
    if (to == source) returns_ = true;
    first_[to + std::size_t{1}] += to == source ? 0 : 1;
  });
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  predecessors_.resize(static_cast<std::size_t>(first_.back()));
  std::copy(first_.begin(), first_.end(), left_.begin());
  for_all([&](Vertex u, Vertex to) {
    if (to != source) predecessors_[static_cast<std::size_t>(left_[to]++)] = u;
  });
}

void TightArcs::count() {
  std::fill(counts_.begin(), counts_.end(), 0);
  for (std::size_t v = 0; v + 1 < first_.size(); ++v) left_[v] = first_[v + 1] - first_[v];
  counts_[source_] = 1;
  queue_.assign(1, source_);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const Vertex u = queue_[next];
    base::poll(next);
    for_each(u, [&](Vertex to) {
      if (to == source_) return;
      if (__builtin_add_overflow(counts_[to], counts_[u], &counts_[to])) counts_[to] = kMany;
      if (--left_[to] == 0) queue_.push_back(to);
    });
  }
}

std::uint64_t TightArcs::paths_to(Vertex v) const {
  if (std::isinf(distance_[v])) return 0;
  if (returns_ || left_[v] > 0) refuse_cycle(v);
  if (counts_[v] == kMany) {
    base::fail(ErrorKind::usage,
               "there are 2^64 or more shortest paths from {} to {}: 64 bits do not hold their "
               "number",
               graph_.name(source_), graph_.name(v));
  }
  return counts_[v];
}

/// Some predecessor of a vertex that was not counted was not counted either.
void TightArcs::refuse_cycle(Vertex to) const {
  Vertex on = returns_ ? source_ : to;
  for (std::size_t step = 0; step < distance_.size() && !returns_; ++step) {
    const auto from = predecessors_.begin() + first_[on];
    on = *std::find_if(from, predecessors_.end(), [&](Vertex v) { return left_[v] > 0; });
  }
  base::fail(ErrorKind::usage,
             "{} is on a cycle of length 0, so there are infinitely many shortest walks from {} to "
             "{}: give edges of weight 0 a small weight, or join their ends",
             graph_.name(on), graph_.name(source_), graph_.name(to));
}

TightArcRows::TightArcRows(const Graph& graph, ValueType type, const store::Selection& rows,
                           Visit visit)
    : RowSink(graph.vertex_count(), type, rows),
      visit_(std::move(visit)),
      parts_([&graph] { return std::make_unique<Part>(graph); }) {}

void TightArcRows::accept(const RowBlock& block) {
  parts_.use([&](Part& part) {
    const auto* values = static_cast<const std::byte*>(block.values);
    for (const Vertex source : block.sources) {
      convert_row(Semiring::min_plus, block.type, values, part.distance);
      part.arcs.find(source, part.distance);
      visit_(source, part.arcs);
      values += block.stride * size_of(block.type);
    }
  });
}

}  // namespace apsp::paths
