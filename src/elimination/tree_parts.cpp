#include "elimination/tree_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apsp::elimination {
namespace {

using Fault = std::optional<PartFault>;

Fault fault_of_order(const std::vector<Vertex>& vertex_at, std::int64_t n) {
  if (std::ssize(vertex_at) != n) {
    return PartFault{"order", fmt::format("has {} vertices instead of {}", vertex_at.size(), n)};
  }
  std::vector<bool> seen(vertex_at.size());
  for (const Vertex v : vertex_at) {
    if (v >= seen.size()) {
      return PartFault{"order", fmt::format("vertex {} in a graph of {}", v, n)};
    }
    if (seen[v]) return PartFault{"order", fmt::format("vertex {} stands there twice", v)};
    seen[v] = true;
  }
  return {};
}

Fault fault_of_widths(const std::vector<Position>& widths, std::int64_t n) {
  std::int64_t sum = 0;
  for (const Position width : widths) {
    if (width < 1) return PartFault{"width", fmt::format("a supernode of width {}", width)};
    sum += width;
  }
  if (sum == n) return {};
  return PartFault{"width", fmt::format("supernodes of {} vertices in all instead of {}", sum, n)};
}

Fault fault_of_counts(const TreeParts& parts) {
  if (parts.structure_sizes.size() != parts.widths.size()) {
    return PartFault{"upper_count", fmt::format("has {} supernodes instead of {}",
                                                parts.structure_sizes.size(), parts.widths.size())};
  }
  std::int64_t sum = 0;
  for (const Position count : parts.structure_sizes) {
    if (count < 0)
      return PartFault{"upper_count", fmt::format("{} vertices above a supernode", count)};
    sum += count;
  }
  if (sum == std::ssize(parts.upper)) return {};
  return PartFault{"upper", fmt::format("has {} positions instead of {}", parts.upper.size(), sum)};
}

/// Upper positions rise, and are later than their supernode.
Fault fault_of_uppers(const TreeParts& parts, std::int64_t n) {
  std::int64_t end = 0;
  std::size_t at = 0;
  for (std::size_t s = 0; s < parts.widths.size(); ++s) {
    end += parts.widths[s];
    std::int64_t least = end;
    for (const std::size_t last = at + static_cast<std::size_t>(parts.structure_sizes[s]);
         at < last; ++at) {
      const Position p = parts.upper[at];
      if (p < least || p >= n) {
        return PartFault{"upper", fmt::format("position {} is no upper one of supernode {}, or "
                                              "stands at a wrong place",
                                              p, s)};
      }
      least = std::int64_t{p} + 1;
    }
  }
  return {};
}

/// Each subtree is a run of supernodes, and what a supernode joins its parent joins, or is.
Fault fault_of_ancestors(const Tree& tree) {
  std::vector<SupernodeId> path;  // from a root down
  std::vector<SupernodeId> joined(static_cast<std::size_t>(tree.vertices()), -1);
  std::vector<std::vector<SupernodeId>> children(static_cast<std::size_t>(tree.supernodes()));
  for (SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    while (!path.empty() && path.back() != tree.parent(s)) path.pop_back();
    if (path.empty() && tree.parent(s) >= 0) {
      return PartFault{"upper", fmt::format("supernode {} stands apart from its subtree", s)};
    }
    path.push_back(s);
    if (tree.parent(s) >= 0) children[static_cast<std::size_t>(tree.parent(s))].push_back(s);
  }
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    for (const Position p : tree.upper(s)) joined[static_cast<std::size_t>(p)] = s;
    for (const SupernodeId child : children[static_cast<std::size_t>(s)]) {
      for (const Position p : tree.upper(child)) {
        if (p < tree.first(s + 1) || joined[static_cast<std::size_t>(p)] == s) continue;
        return PartFault{
            "upper", fmt::format("position {} of supernode {} is none of its parent's", p, child)};
      }
    }
  }
  return {};
}

}  // namespace

TreeParts parts_of(const Tree& tree) {
  TreeParts parts;
  parts.vertex_at = tree.order().vertex_at;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto upper = tree.upper(s);
    parts.widths.push_back(tree.width(s));
    parts.structure_sizes.push_back(static_cast<Position>(upper.size()));
    parts.upper.insert(parts.upper.end(), upper.begin(), upper.end());
  }
  return parts;
}

std::optional<PartFault> fault_of(const TreeParts& parts, std::int64_t n) {
  if (Fault fault = fault_of_order(parts.vertex_at, n)) return fault;
  if (Fault fault = fault_of_widths(parts.widths, n)) return fault;
  if (Fault fault = fault_of_counts(parts)) return fault;
  if (Fault fault = fault_of_uppers(parts, n)) return fault;
  return fault_of_ancestors(Tree(parts));
}

bool holds_arcs(const Tree& tree, const Graph& graph) {
  bool all = true;
  const auto& position_of = tree.order().position_of;
  graph.visit_all([&](Vertex from, Vertex to, double) {
    const auto [earlier, later] = std::minmax(position_of[from], position_of[to]);
    const SupernodeId s = tree.supernode_of(earlier);
    if (later < tree.first(s + 1)) return;
    const auto upper = tree.upper(s);
    all = all && std::binary_search(upper.begin(), upper.end(), later);
  });
  return all;
}

}  // namespace apsp::elimination
