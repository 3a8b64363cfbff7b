// The launch of this process as MPI describes it.
#pragma once

#include "cluster/launch.hpp"

namespace apsp::mpi {

/// The process joins later (`Launch::join`).
cluster::Launch launch_of_mpi();

/// Ends MPI, and with a broken launch every process, with that exit code.
void leave(const cluster::Launch& launch, int code);

}  // namespace apsp::mpi
