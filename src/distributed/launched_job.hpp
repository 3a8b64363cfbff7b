// A job of all processes of a launch: they meet on a grid, have rates and messages to plan by, and
// end with one exit code or one error.
#pragma once

#include <apsp/progress.hpp>
#include <functional>
#include <optional>

#include "distributed/collective_solve.hpp"
#include "distributed/launch.hpp"
#include "places/variant.hpp"

namespace apsp::distributed {

/// The options of every job, whatever it does.
struct JobOptions {
  int grid_rows = 0, grid_columns = 0;  ///< 0: chosen
  places::Variant variant{};            ///< its parts may be changed
  bool cuda_aware = false;              ///< by an MPI that reads the memory of GPUs
  /// 0: by machine; none: as the variant says, by machine where it works.
  std::optional<int> block_rows{}, block_columns{};
  std::optional<double> checkpoint_minutes{};
  /// Measures the rates of processors and GPUs now, all processes at the same time, whatever the
  /// cache holds; not if APSP_MEASURE is "never".
  bool measure = false;
};

/// Every process of the launch. `work`: of each, in step; its exit code counts in process 0, and
/// all of them get that one. Throws `Error`; where `launch.broken` is set then, the others do not
/// know of it.
int run_job(Launch& launch, const JobOptions& options, const Cancellation* cancellation,
            const std::function<int(Job&)>& work);

}  // namespace apsp::distributed
