// Right planes to spoil: distances, predecessors, via and hops by the textbook, in memory.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include "store/store.hpp"
#include "support/value_cell.hpp"
#include "verifier/row_checks.hpp"

namespace apsp::verifier {

using store::Plane;

/// A store in memory whose entries can be changed.
class PlaneStore {
 public:
  explicit PlaneStore(const store::Layout& layout) : store_(store::make_memory_store(layout)) {}

  const store::Store& operator*() const { return *store_; }
  std::int32_t& at(Plane plane, std::int64_t s, std::int64_t t) {
    return static_cast<std::int32_t*>(store_->data(plane))[s * store_->stride() + t];
  }
  void set_distance(std::int64_t s, std::int64_t t, double value) {
    put_value(store_->layout().type, store_->data(Plane::distance), s * store_->stride() + t,
              value);
  }

 private:
  std::unique_ptr<store::Store> store_;
};

/// Floyd-Warshall's triple loop over the claim's "smaller is better".
struct Textbook {
  explicit Textbook(const Claim& claim_)
      : claim(claim_),
        n(claim.graph.vertex_count()),
        distance(static_cast<std::size_t>(n * n), claim.none),
        via(distance.size(), -1),
        hops(distance.size(), -2) {
    for (Vertex u = 0; u < static_cast<Vertex>(n); ++u) {
      claim.graph.for_each_arc(u, [&](Vertex v, double weight) {
        double& value = distance[at(u, v)];
        value = std::min(value, claim.join(claim.one, claim.held(weight)));
      });
      distance[at(u, u)] = claim.one;
    }
    for (std::int64_t k = 0; k < n; ++k) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) relax(i, k, j);
      }
    }
  }

  std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(i * n + j);
  }
  bool is_path(std::int64_t i, std::int64_t j) const { return distance[at(i, j)] != claim.none; }

  std::int32_t edges(std::int64_t i, std::int64_t j) {
    std::int32_t& count = hops[at(i, j)];
    if (count != -2) return count;
    const std::int32_t k = via[at(i, j)];
    if (i == j || !is_path(i, j)) return count = i == j ? 0 : -1;
    return count = k < 0 ? 1 : edges(i, k) + edges(k, j);
  }

  /// [n] by breadth along tight arcs.
  std::vector<std::int32_t> predecessors(std::int64_t s) const {
    std::vector<std::int32_t> result(static_cast<std::size_t>(n), -1);
    std::vector<Vertex> queue = {static_cast<Vertex>(s)};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Vertex u = queue[head];
      claim.graph.for_each_arc(u, [&](Vertex v, double weight) {
        const double value = claim.join(distance[at(s, u)], claim.held(weight));
        if (v == s || result[v] >= 0 || value != distance[at(s, v)]) return;
        result[v] = static_cast<std::int32_t>(u);
        queue.push_back(v);
      });
    }
    return result;
  }

  const Claim& claim;
  std::int64_t n;
  std::vector<double> distance;    // [n, n] sign applied
  std::vector<std::int32_t> via;   // [n, n]
  std::vector<std::int32_t> hops;  // [n, n]; −2: not counted yet

 private:
  void relax(std::int64_t i, std::int64_t k, std::int64_t j) {
    if (!is_path(i, k) || !is_path(k, j) || i == j) return;
    const double value = claim.join(distance[at(i, k)], distance[at(k, j)]);
    if (!(value < distance[at(i, j)])) return;
    distance[at(i, j)] = value;
    via[at(i, j)] = static_cast<std::int32_t>(k);
  }
};

inline PlaneStore solved_planes(const Graph& graph, Semiring semiring, ValueType type,
                                const std::vector<Plane>& planes) {
  const Claim claim(graph, semiring, type, {});
  Textbook solved(claim);
  PlaneStore store(
      {.n = solved.n, .type = type, .semiring = semiring, .tile = 4, .planes = planes});
  const auto holds = [&](Plane plane) { return (*store).holds(plane); };
  for (std::int64_t i = 0; i < solved.n; ++i) {
    const std::vector<std::int32_t> predecessors = solved.predecessors(i);
    for (std::int64_t j = 0; j < solved.n; ++j) {
      store.set_distance(i, j, claim.sign * solved.distance[solved.at(i, j)]);
      if (holds(Plane::via)) store.at(Plane::via, i, j) = solved.via[solved.at(i, j)];
      if (holds(Plane::hops)) store.at(Plane::hops, i, j) = solved.edges(i, j);
      if (!holds(Plane::predecessor)) continue;
      store.at(Plane::predecessor, i, j) = predecessors[static_cast<std::size_t>(j)];
    }
  }
  return store;
}

}  // namespace apsp::verifier
