#include "components.hpp"

#include <algorithm>
#include <vector>

namespace apsp::python::csgraph {
namespace {

/// Returns the representative of v's set, with path halving.
Vertex root_of(std::vector<Vertex>& parent, Vertex v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

/// One depth-first search over all vertices.
class StrongSearch {
 public:
  StrongSearch(const Arcs& arcs, std::span<std::int32_t> labels)
      : arcs_(arcs), labels_(labels), order_(labels.size(), 0), low_(labels.size(), 0) {
    std::fill(labels.begin(), labels.end(), -1);
  }

  std::int32_t run() {
    for (std::size_t v = 0; v < labels_.size(); ++v) {
      if (order_[v] == 0) search(static_cast<Vertex>(v));
    }
    return components_;
  }

 private:
  struct Visit {
    Vertex vertex;
    std::int64_t next;  // arcs below this index are still to be visited
  };

  void enter(Vertex v) {
    order_[v] = low_[v] = ++entered_;
    open_.push_back(v);
    visits_.push_back({v, arcs_.offsets[v + std::size_t{1}]});
  }

  void search(Vertex start) {
    enter(start);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      const Vertex u = visit.vertex;
      if (visit.next > arcs_.offsets[u]) {
        const Vertex v = arcs_.targets[static_cast<std::size_t>(--visit.next)];
        if (order_[v] == 0) {
          enter(v);
        } else if (labels_[v] < 0) {
          low_[u] = std::min(low_[u], order_[v]);
        }
        continue;
      }
      visits_.pop_back();
      if (!visits_.empty()) {
        std::uint32_t& before = low_[visits_.back().vertex];
        before = std::min(before, low_[u]);
      }
      if (low_[u] == order_[u]) close(u);
    }
  }

  /// Makes all open vertices from u on its component.
  void close(Vertex u) {
    Vertex v = 0;
    do {
      v = open_.back();
      open_.pop_back();
      labels_[v] = components_;
    } while (v != u);
    ++components_;
  }

  const Arcs& arcs_;
  std::span<std::int32_t> labels_;
  std::vector<std::uint32_t> order_;  // [n] order of entering, from 1; 0: not entered
  std::vector<std::uint32_t> low_;    // [n] the least order of an open vertex that is reachable
  std::vector<Vertex> open_;
  std::vector<Visit> visits_;
  std::uint32_t entered_ = 0;
  std::int32_t components_ = 0;
};

}  // namespace

std::int32_t weak_components(const Arcs& arcs, std::span<std::int32_t> labels) {
  std::vector<Vertex> parent(labels.size());
  for (std::size_t v = 0; v < parent.size(); ++v) parent[v] = static_cast<Vertex>(v);
  for (std::size_t u = 0; u < parent.size(); ++u) {
    arcs.for_each(static_cast<Vertex>(u), [&](Vertex v, double) {
      const Vertex a = root_of(parent, static_cast<Vertex>(u)), b = root_of(parent, v);
      parent[std::max(a, b)] = std::min(a, b);  // the root is the first vertex of its set
    });
  }
  std::int32_t components = 0;
  for (std::size_t v = 0; v < parent.size(); ++v) {
    const Vertex root = root_of(parent, static_cast<Vertex>(v));
    labels[v] = root == v ? components++ : labels[root];
  }
  return components;
}

std::int32_t strong_components(const Arcs& arcs, std::span<std::int32_t> labels) {
  return StrongSearch(arcs, labels).run();
}

}  // namespace apsp::python::csgraph
