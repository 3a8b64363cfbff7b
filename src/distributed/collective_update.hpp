// `apsp update` of a stored matrix by the processes of a job: each reads, changes and writes a
// range of its rows (engine/matrix_update.hpp). Nobody holds the whole matrix.
#pragma once

#include <apsp/solve.hpp>
#include <functional>
#include <string>

#include "distributed/collective_solve.hpp"

namespace apsp::distributed {

/// As `update_stored`, in all processes of the job, to the same bytes. `change` is asked in process
/// 0. A factor is updated by process 0, and the others wait. Where an update would take as long as
/// solving, or more memory than there is, all processes solve again. The output must lie where all
/// see it. Returns the report of process 0. Throws `Error`, in all processes, as `update_stored`.
UpdateReport collective_update(const Job& job, const std::string& path,
                               const std::function<Graph(const Graph&)>& change,
                               const UpdateOptions& options);

}  // namespace apsp::distributed
