#include "support/textbook.hpp"

#include <functional>
#include <queue>

namespace apsp {

template void close_by_the_textbook<semiring::MinPlus<std::int32_t>>(std::int64_t,
                                                                     RowMajor<std::int32_t>&&);

}  // namespace apsp

namespace apsp::verifier {

std::vector<double> adjacency(const Graph& graph, Semiring semiring) {
  const Algebra algebra = Algebra::of(semiring);
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> matrix(n * n, algebra.none);
  for (Vertex u = 0; u < n; ++u) {
    double* row = matrix.data() + u * n;
    row[u] = algebra.one;
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      row[v] = algebra.best(row[v], semiring == Semiring::or_and ? 1 : weight);
    });
  }
  return matrix;
}

std::vector<double> floyd_warshall(const Graph& graph, Semiring semiring) {
  const Algebra algebra = Algebra::of(semiring);
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> d = adjacency(graph, semiring);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if (d[i * n + k] == algebra.none) continue;
      for (std::size_t j = 0; j < n; ++j) {
        if (d[k * n + j] == algebra.none) continue;
        d[i * n + j] = algebra.best(d[i * n + j], algebra.join(d[i * n + k], d[k * n + j]));
      }
    }
  }
  return d;
}

std::vector<double> dijkstra(const Graph& graph, Vertex source) {
  std::vector<double> distance(static_cast<std::size_t>(graph.vertex_count()), kInfinity);
  using Entry = std::pair<double, Vertex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distance[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const auto [d, u] = queue.top();
    queue.pop();
    if (d > distance[u]) continue;  // an older, longer entry
    const double so_far = d;
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      const double candidate = so_far + weight;
      if (candidate >= distance[v]) return;
      distance[v] = candidate;
      queue.push({candidate, v});
    });
  }
  return distance;
}

double longest_distance(const Graph& graph) {
  double longest = 0;
  for (Vertex s = 0; s < graph.vertex_count(); ++s) {
    for (const double d : dijkstra(graph, s)) {
      if (d < kInfinity) longest = std::max(longest, d);
    }
  }
  return longest;
}

std::vector<std::int64_t> bfs(const Graph& graph, Vertex source) {
  std::vector<std::int64_t> hops(static_cast<std::size_t>(graph.vertex_count()), -1);
  std::vector<Vertex> queue = {source};
  hops[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Vertex u = queue[head];
    graph.for_each_arc(u, [&](Vertex v, double) {
      if (hops[v] >= 0) return;
      hops[v] = hops[u] + 1;
      queue.push_back(v);
    });
  }
  return hops;
}

Betweenness betweenness(const Graph& graph, const std::vector<Vertex>& sources, bool endpoints) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  Betweenness found{std::vector<double>(n, 0.0), {}};
  for (const Vertex s : sources) {
    const std::vector<double> d = dijkstra(graph, s);
    std::vector<Vertex> order;  // S, by rising distance
    for (Vertex v = 0; v < n; ++v) {
      if (d[v] < kInfinity) order.push_back(v);
    }
    std::sort(order.begin(), order.end(), [&](Vertex a, Vertex b) { return d[a] < d[b]; });
    std::vector<std::vector<Vertex>> before(n);  // P
    std::vector<double> paths(n, 0.0), shares(n, 0.0);
    paths[s] = 1;
    for (const Vertex u : order) {
      std::map<Vertex, double> least;  // of parallel arcs
      graph.for_each_arc(u, [&](Vertex v, double weight) {
        const auto [at, first] = least.emplace(v, weight);
        if (!first) at->second = std::min(at->second, weight);
      });
      for (const auto& [v, weight] : least) {
        if (d[u] + weight != d[v]) continue;
        before[v].push_back(u);
        paths[v] += paths[u];
      }
    }
    for (auto w = order.rbegin(); w != order.rend(); ++w) {
      for (const Vertex v : before[*w]) {
        const double share = paths[v] / paths[*w] * (1 + shares[*w]);
        found.arcs[{v, *w}] += share;
        shares[v] += share;
      }
      if (*w != s) found.vertices[*w] += shares[*w] + (endpoints ? 1 : 0);
    }
    if (endpoints) found.vertices[s] += static_cast<double>(order.size()) - 1;
  }
  return found;
}

}  // namespace apsp::verifier
