// The back ends under test. A new one joins by one line in back_ends.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/one_memory.hpp"
#include "algorithms/tiling.hpp"
#include "kernels/contract.hpp"

namespace apsp::conformance {

struct BackEnd {
  std::string name;
  /// Brings the back end into force (an instruction set, a device).
  std::function<void()> select;
  /// The tile operations on host tiles; a device copies in and out.
  std::function<kernels::TileOperations(Semiring, ValueType, kernels::Sign)> operations;
  /// Blocked Floyd-Warshall through the driver. Requires: the diagonal is set; a symmetric shape
  /// may be taken as a full one.
  std::function<void(Semiring, ValueType, kernels::Sign, kernels::Cycles, Tiling, Shape)>
      floyd_warshall;
};

std::vector<BackEnd> back_ends();

}  // namespace apsp::conformance
