// Floyd-Warshall in blocks that fit the cache (Venkataraman 2003), in plain loops on one thread:
// the cache-efficient CPU program that Katz 2008 compares with. VARIANT: f32 or f64.
#include <algorithm>

#include "peer_program.hpp"

namespace {

constexpr std::int64_t kSide =
    128;  // of 32 to 384 none is better by more than 15 % beyond n = 1,024

/// Vertices of one block.
struct Block {
  std::int64_t begin, end;
};

/// d(i, j) ← min(d(i, j), d(i, k) + d(k, j)) for the vertices of three blocks, k in the outer loop.
template <class T>
void relax(peers::Typed<T>& d, Block rows, Block columns, Block through) {
  for (std::int64_t k = through.begin; k < through.end; ++k) {
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      if (i == k) continue;
      const T to_k = d.row(i)[k];
      T* const row_i = d.row(i);
      const T* const row_k = d.row(k);
#pragma GCC ivdep
      for (std::int64_t j = columns.begin; j < columns.end; ++j) {
        row_i[j] = std::min(row_i[j], static_cast<T>(to_k + row_k[j]));
      }
    }
  }
}

template <class T>
void solve(peers::Typed<T>& d) {
  const auto block = [&](std::int64_t b) {
    return Block{b * kSide, std::min(d.n, (b + 1) * kSide)};
  };
  const std::int64_t blocks = (d.n + kSide - 1) / kSide;
  for (std::int64_t k = 0; k < blocks; ++k) {
    relax(d, block(k), block(k), block(k));
    for (std::int64_t b = 0; b < blocks; ++b) {
      if (b == k) continue;
      relax(d, block(k), block(b), block(k));
      relax(d, block(b), block(k), block(k));
    }
    for (std::int64_t i = 0; i < blocks; ++i) {
      for (std::int64_t j = 0; j < blocks; ++j) {
        if (i != k && j != k) relax(d, block(i), block(j), block(k));
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string variant = argc > 1 ? argv[1] : "";
  return variant == "f64" ? peers::run_typed<double>(argc, argv, solve<double>)
                          : peers::run_typed<float>(argc, argv, solve<float>);
}
