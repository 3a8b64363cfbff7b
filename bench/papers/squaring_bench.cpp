// Closing a tile by repeated squaring (Sao 2021, Equation 4) against closing it by halves, on one
// thread.
//
// Min-plus in f32 ≥ 0; sides 64, 128, 256 and 512 if none are given. Squaring takes ⌈log₂ b⌉
// products of the packed kernel, 2 b³ log₂ b operations by the equation, packing included. Both
// must give the same values. Microseconds of CPU time, the best of all rounds, taken in turns.

#include <cmath>
#include <cstring>

#include "harness.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "program/random_graph.hpp"
#include "system/aligned_memory.hpp"

namespace {

using namespace apsp;
using kernels::View;

/// D ← D ⊕ D ⊗ D, as often as paths may become twice as long.
void square(const kernels::TileOperations& operations, View tile, std::byte* left,
            std::byte* right) {
  for (std::int64_t length = 1; length < tile.rows; length *= 2) {
    operations.packed.pack_left(tile, false, left);
    operations.packed.pack_right(tile, false, right);
    operations.packed.multiply_add(tile, left, right, tile.rows);
  }
}

bool run(std::int64_t b, int rounds) {
  const auto operations =
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative);
  const std::int64_t bytes = b * b * std::int64_t{sizeof(float)};
  system::AlignedMemory from(bytes), closed(bytes), squared(bytes);
  system::AlignedMemory left(operations.packed.left_bytes(b, b));
  system::AlignedMemory right(operations.packed.right_bytes(b, b));
  bench::RandomGraph({.n = b, .complete = true}).fill({from.data(), b, b, b}, 1);
  double by_halves = 1e300, by_squares = 1e300;
  const auto measure = [&](system::AlignedMemory& memory, double& best, const auto& work) {
    std::memcpy(memory.data(), from.data(), static_cast<std::size_t>(bytes));
    const View tile{memory.data(), b, b, b};
    best = std::min(best, bench::timed([&] { work(tile); }).cpu_seconds);
  };
  for (int round = 0; round < rounds; ++round) {
    measure(closed, by_halves,
            [&](View tile) { operations.close(tile, kernels::Cycles::excluded); });
    measure(squared, by_squares,
            [&](View tile) { square(operations, tile, left.data(), right.data()); });
  }
  const bool same =
      std::memcmp(closed.data(), squared.data(), static_cast<std::size_t>(bytes)) == 0;
  const double relaxations = bench::cube(b);
  fmt::print("{:>5} {:>12.1f} {:>10.1f} {:>12.1f} {:>10.1f} {:>8.2f}  {}\n", b, by_halves * 1e6,
             relaxations / by_halves * 1e-9, by_squares * 1e6,
             std::ceil(std::log2(static_cast<double>(b))) * relaxations / by_squares * 1e-9,
             by_squares / by_halves, same ? "same" : "DIFFERENT");
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 50;
  std::vector<std::int64_t> sides = {64, 128, 256, 512};
  bench::Options options("apsp_squaring_bench [SIDE ...]");
  options("--rounds N", rounds).word(sides);
  return options.run(argc, argv, [&] {
    fmt::print("{:>5} {:>12} {:>10} {:>12} {:>10} {:>8}\n", "side", "halves, µs", "G/s",
               "squares, µs", "G/s", "ratio");
    bool right = true;
    for (const std::int64_t side : sides) right = run(side, rounds) && right;
    return right;
  });
}
