// Rows of a matrix of floats as arcs for Bellman-Ford (bellman_ford.hpp). After the first pass
// nearly no value lowers a potential, so rows are sifted by vectorised comparisons of blocks, and
// only blocks with a hit are examined by value.
#pragma once

#include <apsp/graph.hpp>
#include <vector>

namespace apsp::graph {

/// kSign −1: negated values. "No path" is infinity.
template <class T, int kSign>
class MatrixArcs {
 public:
  using Level = T;

  /// matrix [n, n], row-major, `stride` values per row; `largest` of all finite |values|.
  MatrixArcs(const T* matrix, std::int64_t n, std::int64_t stride, double largest, bool integral)
      : matrix_(matrix), n_(n), stride_(stride), largest_(largest), integral_(integral) {}

  std::int64_t vertex_count() const { return n_; }
  std::int64_t out_degree(Vertex) const { return n_; }
  bool integral() const { return integral_; }
  double largest() const { return largest_; }

  template <class F>
  void sift(Vertex u, T lower, const std::vector<T>& upper, F&& f) const {
    const T* const row = matrix_ + u * stride_;
    std::int64_t v = 0;
    for (; v + kBlock <= n_; v += kBlock) {
      if (any_below(row + v, lower, upper.data() + v)) look(row, v, v + kBlock, lower, upper, f);
    }
    look(row, v, n_, lower, upper, f);
  }

 private:
  static constexpr std::int64_t kBlock = 32;

  static T weight(T value) { return kSign > 0 ? value : -value; }

  static bool any_below(const T* row, T lower, const T* upper) {
    int hits = 0;
    for (std::int64_t i = 0; i < kBlock; ++i) {
      hits |= static_cast<int>(lower + weight(row[i]) < upper[i]);
    }
    return hits != 0;
  }

  template <class F>
  static void look(const T* row, std::int64_t first, std::int64_t last, T lower,
                   const std::vector<T>& upper, F& f) {
    for (std::int64_t v = first; v < last; ++v) {
      const T w = weight(row[v]);
      if (lower + w < upper[static_cast<std::size_t>(v)]) {
        f(static_cast<Vertex>(v), static_cast<double>(w));
      }
    }
  }

  const T* matrix_;
  std::int64_t n_;
  std::int64_t stride_;
  double largest_;
  bool integral_;
};

}  // namespace apsp::graph
