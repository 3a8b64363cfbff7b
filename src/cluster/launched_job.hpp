// A job of all processes of a launch: they meet on a grid, have common rates, and end with one exit
// code or one error.
#pragma once

#include <apsp/progress.hpp>
#include <functional>
#include <optional>

#include "cluster/collective_solve.hpp"
#include "cluster/launch.hpp"
#include "dense/variant.hpp"

namespace apsp::cluster {

struct JobOptions {
  int grid_rows = 0, grid_columns = 0;  ///< 0: chosen
  dense::Variant variant{};
  bool cuda_aware = false;  ///< MPI reads the memory of GPUs
  /// 0: by machine; none: as the variant says, by machine if possible.
  std::optional<int> block_rows{}, block_columns{};
  std::optional<double> checkpoint_minutes{};
  /// Measures the rates of processors and GPUs now, in all processes at the same time, and ignores
  /// the cache; not if APSP_MEASURE is "never".
  bool measure = false;
};

/// Collective over the launch. `work`: called in each process, in step. Returns the exit code of
/// process 0 in all. Throws `Error`; if `launch.broken` is set then, the others do not know of it.
int run_job(Launch& launch, const JobOptions& options, const Cancellation* cancellation,
            const std::function<int(Job&)>& work);

}  // namespace apsp::cluster
