// Rows of a matrix as arcs for Bellman-Ford. Nearly no value of a row lowers a potential after the
// first pass, so a row is sifted in blocks, whose comparisons the compiler turns into vectors, and
// only blocks with a hit are looked at value by value.
#include "algorithms/matrix_potentials.hpp"

#include <cmath>
#include <limits>

#include "graph/bellman_ford.hpp"

namespace apsp {
namespace {

template <class T, int kSign>
class MatrixArcs {
 public:
  using Level = T;

  MatrixArcs(kernels::ConstTile matrix, const MatrixFacts& facts)
      : matrix_(matrix), facts_(facts) {}

  std::int64_t vertex_count() const { return matrix_.rows; }
  std::int64_t out_degree(Vertex) const { return matrix_.cols; }
  bool integral() const { return facts_.integral; }
  double largest() const { return facts_.largest; }

  template <class F>
  void sift(Vertex u, T lower, const std::vector<T>& upper, F&& f) const {
    const T* const row = static_cast<const T*>(matrix_.data) + u * matrix_.stride;
    const std::int64_t n = matrix_.cols;
    std::int64_t v = 0;
    for (; v + kBlock <= n; v += kBlock) {
      if (any_below(row + v, lower, upper.data() + v)) look(row, v, v + kBlock, lower, upper, f);
    }
    look(row, v, n, lower, upper, f);
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

  kernels::ConstTile matrix_;
  const MatrixFacts& facts_;
};

template <class T>
Potentials potentials_of(kernels::ConstTile matrix, const MatrixFacts& facts, double sign,
                         int threads, const Control& control) {
  if (sign > 0) {
    return graph::exact_potentials(MatrixArcs<T, 1>(matrix, facts), threads, control);
  }
  return graph::exact_potentials(MatrixArcs<T, -1>(matrix, facts), threads, control);
}

}  // namespace

Potentials matrix_potentials(ValueType type, kernels::ConstTile matrix, const MatrixFacts& facts,
                             double sign, int threads, const Control& control) {
  return type == ValueType::f64 ? potentials_of<double>(matrix, facts, sign, threads, control)
                                : potentials_of<float>(matrix, facts, sign, threads, control);
}

}  // namespace apsp
