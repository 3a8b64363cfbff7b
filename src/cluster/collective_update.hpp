// `update` of a stored matrix by the processes of a job: each reads, changes and writes a range of
// its rows (engine/matrix_update.hpp).
#pragma once

#include <apsp/solve.hpp>
#include <functional>
#include <string>

#include "cluster/collective_solve.hpp"

namespace apsp::cluster {

/// Updates as `update_stored`, to the same bytes. Collective. `change` is called in process 0,
/// which also updates a factor while the others wait. If an update would take as long as solving,
/// or more memory than there is, all processes solve again. All must see the output's disk. Returns
/// the report of process 0. Throws `Error`, in all processes, as `update_stored`.
UpdateReport collective_update(const Job& job, const std::string& path,
                               const std::function<Graph(const Graph&)>& change,
                               const UpdateOptions& options);

}  // namespace apsp::cluster
