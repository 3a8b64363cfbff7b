// A store over a vector, and in it all distances of a graph by the textbook's triple loop, in the
// arithmetic of the value type.
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "semiring/dispatch.hpp"
#include "store/store.hpp"
#include "support/textbook.hpp"

namespace apsp::store {

class VectorStore : public Store {
 public:
  explicit VectorStore(Layout layout)
      : Store(std::move(layout)),
        distance(static_cast<std::size_t>(layout_.n * layout_.n * size_of(layout_.type))),
        predecessor(static_cast<std::size_t>(layout_.n * layout_.n), -2) {}

  void read(Plane, Block block, void* out, std::int64_t stride) const override {
    const std::int64_t size = size_of(layout_.type);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      const auto* from = distance.data() + ((block.row + i) * layout_.n + block.col) * size;
      std::memcpy(static_cast<std::byte*>(out) + i * stride * size, from,
                  static_cast<std::size_t>(block.cols * size));
    }
  }
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override {
    if (plane != Plane::predecessor || block.row % layout_.tile != 0 || block.col != 0 ||
        block.cols != layout_.n || stride != layout_.n ||
        (block.rows % layout_.tile != 0 && block.row + block.rows != layout_.n)) {
      throw Error(ErrorKind::usage, "not a band of tiles");
    }
    std::copy_n(static_cast<const std::int32_t*>(in), block.rows * layout_.n,
                predecessor.begin() + block.row * layout_.n);
  }
  void commit(const Graph&, const Metadata&) override {}

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
    close_by_the_textbook<S>(n, [&](auto i, auto j) -> T& { return d[i * n + j]; });
  });
  return result;
}

}  // namespace apsp::store
