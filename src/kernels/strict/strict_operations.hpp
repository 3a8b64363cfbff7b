// The tile operations in textbook loops, on memory that the strict device has already checked.
#pragma once

#include "kernels/contract.hpp"

namespace apsp::kernels::strict {

template <class S_>
struct Kernels {
  using S = S_;
  using T = typename S::Value;

  static void multiply_add(Tile c, ConstTile a, ConstTile b) {
    for (std::int64_t i = 0; i < c.rows; ++i) {
      for (std::int64_t k = 0; k < a.cols; ++k) {
        const T left = at(a, i, k);
        for (std::int64_t j = 0; j < c.cols; ++j) {
          T& value = static_cast<T*>(c.data)[i * c.stride + j];
          value = S::plus(value, S::times(left, at(b, k, j)));
        }
      }
    }
  }

  static std::int64_t close(Tile d, Cycles cycles) {
    for (std::int64_t k = 0; k < d.rows; ++k) {
      T& pivot = static_cast<T*>(d.data)[k * d.stride + k];
      if (S::better(pivot, S::one())) {
        if (cycles == Cycles::possible) return k;
        pivot = S::one();
      }
      for (std::int64_t i = 0; i < d.rows; ++i) {
        if (i == k) continue;
        multiply_add(part(d, sizeof(T), i, 0, 1, d.cols), part(d, sizeof(T), i, k, 1, 1),
                     part(d, sizeof(T), k, 0, 1, d.cols));
      }
    }
    if (cycles == Cycles::excluded) {
      for (std::int64_t k = 0; k < d.rows; ++k) static_cast<T*>(d.data)[k * d.stride + k] = S::one();
    }
    return -1;
  }

 private:
  static T at(ConstTile tile, std::int64_t i, std::int64_t j) {
    return static_cast<const T*>(tile.data)[i * tile.stride + j];
  }
};

}  // namespace apsp::kernels::strict
