#include "paths/pendant_trees.hpp"

#include <numeric>

#include "base/control.hpp"
#include "graph/components.hpp"

namespace apsp::paths {
namespace {

constexpr std::int64_t kCluster = 512;  // as in search/dijkstra_rows.cpp

}  // namespace

PendantTrees::PendantTrees(const Graph& graph, std::span<const Vertex> sources, PathSums sums)
    : sums_(sums),
      parent_(static_cast<std::size_t>(graph.vertex_count())),
      is_source_(parent_.size(), false),
      vertices_(parent_.size(), 1),
      sources_(parent_.size(), 0),
      between_(parent_.size(), 0) {
  std::iota(parent_.begin(), parent_.end(), Vertex{0});
  for (const Vertex source : sources) {
    is_source_[source] = true;
    sources_[source] = 1;
  }
  const search::Links links = search::links_of(graph);
  std::vector<Vertex> leaves;
  if (graph.symmetric()) leaves = remove(links);
  for (const Vertex v : search::clustered_order(links, kCluster)) {
    if (!removed(v)) order_.push_back(v);
  }
  remaining_ = std::ssize(order_);
  order_.insert(order_.end(), leaves.begin(), leaves.end());
  find_roots();
  count(graph);
  choose_rows();
}

void PendantTrees::find_roots() {
  root_ = parent_;
  for (std::size_t i = order_.size(); i-- > static_cast<std::size_t>(remaining_);) {
    root_[order_[i]] = root_[parent_[order_[i]]];
  }
}

std::vector<Vertex> PendantTrees::remove(const search::Links& links) {
  std::vector<std::uint32_t> degree(parent_.size());
  std::vector<Vertex> leaves;  // removed ones, then the queue
  for (Vertex v = 0; v < degree.size(); ++v) {
    degree[v] = links.degree(v);
    if (degree[v] == 1) leaves.push_back(v);
  }
  std::size_t kept = 0;
  for (std::size_t next = 0; next < leaves.size(); ++next) {
    const Vertex leaf = leaves[next];
    base::poll(next);
    if (degree[leaf] != 1) continue;  // the last vertex of a tree
    for (const Vertex to : links.of(leaf)) {
      if (removed(to)) continue;
      parent_[leaf] = to;
      vertices_[to] += vertices_[leaf];
      sources_[to] += sources_[leaf];
      if (--degree[to] == 1) leaves.push_back(to);
    }
    leaves[kept++] = leaf;
  }
  leaves.resize(kept);
  return leaves;
}

void PendantTrees::count(const Graph& graph) {
  const Components components = weak_components(graph);
  component_ = components.of;
  component_vertices_ = components.sizes();
  component_sources_.assign(component_vertices_.size(), 0);
  for (Vertex v = 0; v < parent_.size(); ++v) {
    component_sources_[static_cast<std::size_t>(component_[v])] += is_source_[v] ? 1 : 0;
    if (!removed(v)) continue;
    const Vertex to = parent_[v];
    // Pairs from trees to the remaining graph are counted at the root, once for all its trees.
    const std::int64_t targets = removed(to) ? component_vertices(v) : vertices_[to];
    between_[to] += sources_[v] * (targets - 1 - vertices_[v]);
  }
}

void PendantTrees::choose_rows() {
  const bool exact = sums_ == PathSums::exact;
  const std::size_t end = exact ? static_cast<std::size_t>(remaining_) : order_.size();
  for (const Vertex v : std::span(order_).first(end)) {
    const bool counts = exact ? sources_[v] > 0 : is_source_[v];
    if (counts && vertices_[root_[v]] < component_vertices(v)) row_sources_.push_back(v);
  }
}

std::int64_t PendantTrees::pairs_through(Vertex v) const {
  const std::int64_t other_sources = component_sources(v) - sources_[v];
  const std::int64_t below = vertices_[v] - 1;
  if (removed(v)) return between_[v] + other_sources * below;
  const std::int64_t sources_below = sources_[v] - (is_source_[v] ? 1 : 0);
  return between_[v] + other_sources * below +
         sources_below * (component_vertices(v) - vertices_[v]);
}

std::int64_t PendantTrees::pairs_at(Vertex v) const {
  const std::int64_t self = is_source_[v] ? 1 : 0;
  return self * (component_vertices(v) - 1) + component_sources(v) - self;
}

std::int64_t PendantTrees::pairs_along(Vertex from, Vertex to) const {
  if (removed(from) && parent_[from] == to) {
    return sources_[from] * (component_vertices(from) - vertices_[from]);
  }
  if (removed(to) && parent_[to] == from) {
    return (component_sources(to) - sources_[to]) * vertices_[to];
  }
  return 0;
}

}  // namespace apsp::paths
