#include "k_shortest.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace apsp::python::csgraph {
namespace {

constexpr Vertex kNobody = std::numeric_limits<Vertex>::max();

/// Distances from an added vertex with arcs of weight 0 to all others.
std::vector<double> potentials_of(const Arcs& arcs, const Control& control) {
  auto wider = std::make_shared<Arcs>(arcs);
  wider->n = arcs.n + 1;
  for (std::int64_t v = 0; v < arcs.n; ++v) {
    wider->targets.push_back(static_cast<Vertex>(v));
    wider->weights.push_back(0);
  }
  wider->offsets.push_back(std::ssize(wider->targets));
  SolveOptions options;
  options.machine.device = Device::cpu;
  options.method.value_type = ValueType::f64;
  options.question.statistics = false;
  options.question.sources = {static_cast<Vertex>(arcs.n)};
  options.storage.keep = Keep::matrix;
  options.control = control;
  return solve(graph_of(wider), options).distances_from(static_cast<Vertex>(arcs.n));
}

/// Searches to one sink that exclude some vertices, and the first arcs to some others.
class SpurSearch {
 public:
  SpurSearch(const Arcs& arcs, Vertex sink) : arcs_(arcs), sink_(sink) { clear(); }

  /// Excludes all vertices of `root` but the last one, and arcs from the last one to `closed`.
  /// Returns the rest of the path, starting with the last vertex of `root`, or nothing.
  std::vector<Vertex> search(const std::vector<Vertex>& root, const std::set<Vertex>& closed) {
    clear();
    for (const Vertex v : root) settled_[v] = 1;
    const Vertex spur = root.back();
    distance_[spur] = 0;
    settled_[spur] = 0;
    std::vector<std::pair<double, Vertex>> heap = {{0, spur}};
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      const Vertex u = heap.back().second;
      heap.pop_back();
      if (u == sink_) break;
      if (settled_[u]++ != 0) continue;
      arcs_.for_each(u, [&](Vertex v, double weight) {
        if (settled_[v] != 0 || (u == spur && closed.contains(v))) return;
        const double through = distance_[u] + weight;
        if (!(through < distance_[v])) return;
        distance_[v] = through;
        before_[v] = u;
        heap.emplace_back(through, v);
        std::push_heap(heap.begin(), heap.end(), std::greater<>());
      });
    }
    std::vector<Vertex> way;
    if (distance_[sink_] == kNone) return way;
    for (Vertex v = sink_; v != spur; v = before_[v]) way.push_back(v);
    way.push_back(spur);
    std::reverse(way.begin(), way.end());
    return way;
  }

 private:
  void clear() {
    const auto n = static_cast<std::size_t>(arcs_.n);
    distance_.assign(n, kNone);
    before_.assign(n, kNobody);
    settled_.assign(n, 0);
  }

  const Arcs& arcs_;
  Vertex sink_;
  std::vector<double> distance_;       // [n]
  std::vector<Vertex> before_;         // [n]
  std::vector<std::uint8_t> settled_;  // [n]
};

double weight_between(const Arcs& arcs, Vertex u, Vertex v) {
  const auto begin = arcs.targets.begin() + arcs.offsets[u];
  const auto end = arcs.targets.begin() + arcs.offsets[u + std::size_t{1}];
  const auto found = std::lower_bound(begin, end, v);
  return arcs.weights[static_cast<std::size_t>(found - arcs.targets.begin())];
}

double length_of(const Arcs& arcs, const std::vector<Vertex>& vertices) {
  double length = 0;
  for (std::size_t i = 1; i < vertices.size(); ++i) {
    length += weight_between(arcs, vertices[i - 1], vertices[i]);
  }
  return length;
}

bool begins_with(const std::vector<Vertex>& path, const std::vector<Vertex>& root) {
  return path.size() > root.size() && std::equal(root.begin(), root.end(), path.begin());
}

}  // namespace

std::vector<Path> k_shortest_paths(const std::shared_ptr<const Arcs>& arcs, Vertex source,
                                   Vertex sink, std::int64_t k, const Control& control) {
  Arcs reduced;
  if (arcs->negative) {
    reduced = *arcs;
    const std::vector<double> h = potentials_of(*arcs, control);
    std::size_t a = 0;
    for (std::size_t u = 0; u < static_cast<std::size_t>(arcs->n); ++u) {
      for (; a < static_cast<std::size_t>(arcs->offsets[u + 1]); ++a) {
        reduced.weights[a] = std::max(0.0, arcs->weights[a] + h[u] - h[arcs->targets[a]]);
      }
    }
  }
  std::vector<Path> paths;
  if (k <= 0) return paths;
  if (source == sink) return {{{source}, 0}};
  SpurSearch spurs(arcs->negative ? reduced : *arcs, sink);
  std::set<std::pair<double, std::vector<Vertex>>> candidates;
  if (auto first = spurs.search({source}, {}); !first.empty()) {
    candidates.emplace(length_of(*arcs, first), std::move(first));
  }
  while (!candidates.empty()) {
    const auto best = candidates.extract(candidates.begin());
    paths.push_back({best.value().second, best.value().first});
    if (std::ssize(paths) == k) break;
    const std::vector<Vertex> path = paths.back().vertices;
    std::vector<Vertex> root;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (control.cancellation != nullptr && control.cancellation->requested()) {
        throw Error(ErrorKind::interrupted, "the work was asked to end early");
      }
      root.push_back(path[i]);
      std::set<Vertex> closed;
      for (const Path& known : paths) {
        if (begins_with(known.vertices, root)) closed.insert(known.vertices[i + 1]);
      }
      const std::vector<Vertex> rest = spurs.search(root, closed);
      if (rest.empty()) continue;
      std::vector<Vertex> whole(root.begin(), root.end() - 1);
      whole.insert(whole.end(), rest.begin(), rest.end());
      candidates.emplace(length_of(*arcs, whole), std::move(whole));
    }
  }
  return paths;
}

}  // namespace apsp::python::csgraph
