// The back ends under test. A new one joins by one line in back_ends.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dense/host_memory.hpp"
#include "dense/tiled_matrix.hpp"
#include "kernels/contract.hpp"

namespace apsp::conformance {

struct BackEnd {
  std::string name;
  /// Brings the back end into force (an instruction set, a device).
  std::function<void()> select;
  /// The tile operations on host tiles; a device copies in and out.
  std::function<kernels::TileOperations(Semiring, ValueType, kernels::Sign)> operations;
  /// Blocked Floyd-Warshall through the driver. Requires: the diagonal is set; a symmetric shape
  /// may be taken as a full one. `via`: int32, kNoVia on entry; not tracked if it has no data.
  std::function<void(Semiring, ValueType, kernels::Sign, kernels::Cycles, dense::TiledMatrix,
                     dense::Shape, dense::TiledMatrix via)>
      floyd_warshall;
  /// The smallest tile worth testing: not below the granule of a device.
  std::int64_t tile = 0;
  /// Which value types there are: numbers, and or-and over `bool`.
  bool sums_and_orders = true;
  bool booleans = true;
  bool tracks_via = true;
  /// Whether whole matrices are solved too. Of the host's instruction sets only the best does: the
  /// others do the same to tiles, and the driver is one.
  bool solves = true;
};

/// Those of the host; with APSP_CONFORMANCE=cuda in the environment, those of a GPU. Without one
/// the program then ends with 77, "skipped".
const std::vector<BackEnd>& back_ends();

/// The name of a case, as a test's name wants it.
std::string case_word(const std::string& back_end, Semiring semiring, ValueType type,
                      const std::string& more);

inline bool has(const BackEnd& back_end, Semiring semiring, ValueType type) {
  const bool held = type == ValueType::boolean ? back_end.booleans : back_end.sums_and_orders;
  return held && supported(semiring, type);
}

}  // namespace apsp::conformance
