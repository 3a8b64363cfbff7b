#include "places/transitive_closure.hpp"

#include <algorithm>

#include "base/for_each_row.hpp"
#include "places/bit_memory.hpp"
#include "places/byte_row.hpp"

namespace apsp::places {
namespace {

using kernels::cpu::BitLine;
using kernels::cpu::BitMatrix;

std::int64_t columns_of(std::int64_t strip, std::int64_t n) {
  return std::min(BitLine::kColumns, n - strip * BitLine::kColumns);
}

void close_and_unpack(BitMatrix& bits, kernels::View reach, int threads, const Control& control) {
  BitMemory(bits, threads, control).run();
  const kernels::cpu::BitOperations operations = kernels::cpu::bit_operations();
  base::for_each_row(bits.n(), threads, control, [&](std::int64_t i) {
    for (std::int64_t strip = 0; strip < bits.strips(); ++strip) {
      operations.unpack(bits.line(i, strip), columns_of(strip, bits.n()),
                        byte_row(reach, i) + strip * BitLine::kColumns);
    }
  });
}

}  // namespace

std::int64_t transitive_closure_bytes(std::int64_t n) {
  return BitMatrix::bytes_for(n) + BitMemory::panel_bytes(n);
}

void transitive_closure(const Graph& graph, kernels::View reach, int threads,
                        const Control& control) {
  BitMatrix bits(graph.vertex_count());
  base::for_each_row(bits.n(), threads, control, [&](std::int64_t i) {
    bits.set(i, i);
    graph.for_each_arc(static_cast<Vertex>(i), [&](Vertex to, double) { bits.set(i, to); });
  });
  close_and_unpack(bits, reach, threads, control);
}

void transitive_closure(kernels::View matrix, int threads, const Control& control) {
  BitMatrix bits(matrix.rows);
  const kernels::cpu::BitOperations operations = kernels::cpu::bit_operations();
  base::for_each_row(bits.n(), threads, control, [&](std::int64_t i) {
    for (std::int64_t strip = 0; strip < bits.strips(); ++strip) {
      operations.pack(byte_row(matrix, i) + strip * BitLine::kColumns, columns_of(strip, bits.n()),
                      bits.line(i, strip));
    }
    bits.set(i, i);
  });
  close_and_unpack(bits, matrix, threads, control);
}

}  // namespace apsp::places
