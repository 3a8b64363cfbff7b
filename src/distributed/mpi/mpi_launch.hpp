// What MPI says of the processes that a launcher has started together.
#pragma once

#include "distributed/launch.hpp"

namespace apsp::mpi {

/// The launch of this process, which joins it later (`Launch::join`).
distributed::Launch launch_of_mpi();

/// Ends MPI, and every process of a launch that is broken, with that exit code.
void leave(const distributed::Launch& launch, int code);

}  // namespace apsp::mpi
