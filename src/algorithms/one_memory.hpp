// The Place for one host memory: every tile where all threads see it, a tile a task.
#pragma once

#include <apsp/progress.hpp>
#include <atomic>
#include <exception>

#include "algorithms/tiling.hpp"
#include "base/control.hpp"

namespace apsp {

class OneMemory {
 public:
  /// Requires: the matrix's diagonal is at least as good as the empty path.
  OneMemory(Tiling tiling, const kernels::TileOperations& operations, kernels::Cycles cycles,
            int threads, const Control& control);

  std::int64_t tiles() const { return tiling_.tiles(); }
  std::int64_t close(std::int64_t k);
  void update_row_panel(std::int64_t k);
  void update_column_panel(std::int64_t k);
  void share_panels(std::int64_t) {}
  void update_rest(std::int64_t k);

 private:
  Tiling tiling_;
  kernels::TileOperations operations_;
  kernels::Cycles cycles_;
  int threads_;
  const Control& control_;
  base::ProgressTask progress_;
};

}  // namespace apsp
