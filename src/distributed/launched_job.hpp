// What every job of a launch begins and ends with, whatever it does: its processes meet on a grid,
// have rates and messages to plan by, and end together with one exit code or one error.
#pragma once

#include <apsp/progress.hpp>
#include <functional>
#include <optional>

#include "distributed/collective_solve.hpp"
#include "distributed/launch.hpp"
#include "places/variant.hpp"

namespace apsp::distributed {

struct JobOptions {
  int grid_rows = 0, grid_columns = 0;  ///< 0: chosen
  places::Variant variant{};            ///< its parts may be changed
  bool cuda_aware = false;              ///< by an MPI that reads the memory of GPUs
  /// 0: by machine; none: as the variant says, by machine where it works.
  std::optional<int> block_rows{}, block_columns{};
  std::optional<double> checkpoint_minutes{};
};

/// Every process of the launch. `work`: of each, in step; its exit code counts in process 0, and is
/// returned in all of them. Throws `Error`; where `launch.broken` is set then, the others do not
/// know of it.
int run_job(Launch& launch, const JobOptions& options, const Cancellation* cancellation,
            const std::function<int(Job&)>& work);

}  // namespace apsp::distributed
