#include "elimination/boundary_order.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "elimination/metis_graph.hpp"

namespace apsp::elimination {
namespace {

using PartNumber = std::int64_t;

/// [n] the part of each vertex.
std::vector<PartNumber> parts_of(const Pattern& pattern, PartNumber parts) {
  const std::int64_t n = pattern.vertices();
  std::vector<PartNumber> part_of(static_cast<std::size_t>(n));
  if (parts == 1) return part_of;
  if (parts >= n) {
    std::iota(part_of.begin(), part_of.end(), PartNumber{0});
    return part_of;
  }
  MetisGraph graph(pattern);
  std::vector<idx_t> found(graph.offsets.size());
  idx_t constraints = 1, count = static_cast<idx_t>(parts), cut = 0;
  run_metis("METIS_PartGraphKway", [&] {
    return METIS_PartGraphKway(&graph.vertices, &constraints, graph.offsets.data(),
                               graph.neighbours.data(), nullptr, nullptr, nullptr, &count, nullptr,
                               nullptr, graph.options, &cut, found.data());
  });
  std::copy(found.begin(), found.begin() + n, part_of.begin());
  return part_of;
}

}  // namespace

BoundaryOrder boundary_order(const Pattern& pattern, std::int64_t parts) {
  if (parts < 1) throw Error(ErrorKind::defect, "the boundary algorithm needs a part or more");
  const std::vector<PartNumber> part_of = parts_of(pattern, parts);
  std::vector<Vertex> vertices = natural_order(pattern.vertices()).vertex_at;
  std::vector<bool> on_boundary(vertices.size());
  for (const Vertex v : vertices) {
    const auto of_v = pattern.of(v);
    on_boundary[v] =
        std::any_of(of_v.begin(), of_v.end(), [&](Vertex to) { return part_of[v] != part_of[to]; });
  }
  // A part that falls apart may have a boundary that no other vertex of it reaches.
  std::vector<bool> hangs(vertices.size() + 1);  // by part
  for (const Vertex v : vertices) {
    if (on_boundary[v]) continue;
    for (const Vertex to : pattern.of(v)) {
      if (on_boundary[to]) hangs[static_cast<std::size_t>(part_of[v])] = true;
    }
  }
  const auto place = [&](Vertex v) {
    const bool below = hangs[static_cast<std::size_t>(part_of[v])];
    return std::tuple(bool{on_boundary[v]}, below, part_of[v]);
  };
  std::stable_sort(vertices.begin(), vertices.end(),
                   [&](Vertex a, Vertex b) { return place(a) < place(b); });
  BoundaryOrder found;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vertex v = vertices[i];
    const bool begins = i == 0 || on_boundary[v] != on_boundary[vertices[i - 1]] ||
                        (!on_boundary[v] && part_of[v] != part_of[vertices[i - 1]]);
    if (begins) found.first.push_back(static_cast<Position>(i));
  }
  found.order = order_of(std::move(vertices));
  return found;
}

}  // namespace apsp::elimination
