// For the tests of this room: matrices by the textbook's triple loop, in the arithmetic of the
// value type, a store over a vector, and random graphs.
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "store/store.hpp"

namespace apsp::query {

class VectorStore : public store::Store {
 public:
  explicit VectorStore(store::Layout layout)
      : Store(std::move(layout)),
        distance(static_cast<std::size_t>(layout_.n * layout_.n * size_of(layout_.type))),
        predecessor(static_cast<std::size_t>(layout_.n * layout_.n), -2) {}

  void read(store::Plane, store::Block block, void* out, std::int64_t stride) const override {
    const std::int64_t size = size_of(layout_.type);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      const auto* from = distance.data() + ((block.row + i) * layout_.n + block.col) * size;
      std::memcpy(static_cast<std::byte*>(out) + i * stride * size, from,
                  static_cast<std::size_t>(block.cols * size));
    }
  }
  void write(store::Plane plane, store::Block block, const void* in, std::int64_t stride) override {
    if (plane != store::Plane::predecessor || block.row % layout_.tile != 0 || block.col != 0 ||
        block.cols != layout_.n || stride != layout_.n ||
        (block.rows % layout_.tile != 0 && block.row + block.rows != layout_.n)) {
      throw Error(ErrorKind::usage, "not a band of tiles");
    }
    std::copy_n(static_cast<const std::int32_t*>(in), block.rows * layout_.n,
                predecessor.begin() + block.row * layout_.n);
  }
  void commit(const Graph&, const store::Metadata&) override {}

  template <class T>
  T* as() {
    return reinterpret_cast<T*>(distance.data());
  }

  std::vector<std::byte> distance;        // [n, n] of layout().type
  std::vector<std::int32_t> predecessor;  // [n, n]
};

/// All distances of `graph`. Weights and sums are rounded as values of `type`.
inline VectorStore solved(const Graph& graph, Semiring semiring, ValueType type,
                          std::int64_t tile = 8) {
  const std::int64_t n = graph.vertex_count();
  VectorStore result({.n = n, .type = type, .semiring = semiring, .tile = tile});
  semiring::dispatch(semiring, type, [&]<class S>() {
    using T = typename S::Value;
    T* const d = result.as<T>();
    std::fill_n(d, n * n, S::zero());
    for (std::int64_t u = 0; u < n; ++u) {
      graph.for_each_arc(static_cast<Vertex>(u), [&](Vertex v, double weight) {
        T& to = d[u * n + v];
        to = S::plus(to, semiring == Semiring::or_and ? T(1) : static_cast<T>(weight));
      });
      d[u * n + u] = S::plus(d[u * n + u], S::one());
    }
    for (std::int64_t k = 0; k < n; ++k) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          d[i * n + j] = S::plus(d[i * n + j], S::times(d[i * n + k], d[k * n + j]));
        }
      }
    }
  });
  return result;
}

inline Graph make_graph(std::int64_t n, const std::vector<std::tuple<int, int, double>>& edges,
                        bool directed = true) {
  GraphBuilder builder(n, directed);
  for (const auto& [u, v, w] : edges) {
    builder.add_edge(static_cast<Vertex>(u), static_cast<Vertex>(v), w);
  }
  return std::move(builder).build();
}

struct RandomGraph {
  std::int64_t n = 20;
  std::int64_t arcs = 60;
  double least = 0;
  double greatest = 5;
  bool real = false;
  bool directed = true;
  bool acyclic = false;  ///< arcs lead to greater vertices
  double potential = 0;  ///< weights are shifted by w + h(u) − h(v), h in [0, potential]
  std::uint64_t seed = 1;
};

inline Graph random_graph(const RandomGraph& of) {
  base::SplitMix64 random(of.seed);
  const auto draw = [&](double least, double greatest) {
    if (of.real) return least + random.uniform() * (greatest - least);
    return least +
           static_cast<double>(random.below(static_cast<std::uint64_t>(greatest - least) + 1));
  };
  std::vector<double> h;
  for (std::int64_t v = 0; v < of.n; ++v) h.push_back(draw(0, of.potential));
  GraphBuilder builder(of.n, of.directed);
  for (std::int64_t arc = 0; arc < of.arcs && of.n > 0; ++arc) {
    auto u = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(of.n)));
    auto v = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(of.n)));
    if (of.acyclic && u == v) continue;
    if (of.acyclic && u > v) std::swap(u, v);
    builder.add_edge(u, v, draw(of.least, of.greatest) + h[u] - h[v]);
  }
  return std::move(builder).build();
}

}  // namespace apsp::query
