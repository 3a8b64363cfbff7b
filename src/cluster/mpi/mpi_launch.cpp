#include "cluster/mpi/mpi_launch.hpp"

#include <mpi.h>

#include "cluster/mpi/mpi_communicator.hpp"
#include "cluster/mpi/nccl_links.hpp"
#include "system/child_process.hpp"

namespace apsp::mpi {
namespace {

/// Processes that share this machine's memory: their number, the first, and this one.
struct Neighbours {
  int count = 1, first = 0, number = 0;
};
Neighbours neighbours(int rank) {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  Neighbours found;
  MPI_Comm_size(machine, &found.count);
  MPI_Comm_rank(machine, &found.number);
  MPI_Allreduce(&rank, &found.first, 1, MPI_INT, MPI_MIN, machine);
  MPI_Comm_free(&machine);
  return found;
}

/// Returns the number of processes of every machine if it is the same and they are adjacent; else
/// 1.
int processes_of_each(const Neighbours& mine, int rank) {
  int of_first = mine.count;
  MPI_Bcast(&of_first, 1, MPI_INT, 0, MPI_COMM_WORLD);
  int same = mine.count == of_first && mine.first == rank / of_first * of_first ? 1 : 0, all = 0;
  MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all == 1 ? of_first : 1;
}

void join(cluster::Launch& launch) {
  int offered = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &offered);
  system::forbid_children();
  MPI_Comm_rank(MPI_COMM_WORLD, &launch.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &launch.size);
  const Neighbours mine = neighbours(launch.rank);
  launch.of_machine = mine.count;
  launch.on_machine = mine.number;
  launch.machine = mine.first;
  launch.of_each_machine = processes_of_each(mine, launch.rank);
}

}  // namespace

cluster::Launch launch_of_mpi() {
  cluster::Launch launch;
  launch.join = join;
  launch.grid = [](const cluster::Placement& placement) {
    return std::make_unique<MpiCommunicator>(MPI_COMM_WORLD, placement);
  };
  launch.links = nccl_links();
  launch.why_no_links = why_no_nccl();
  return launch;
}

void leave(const cluster::Launch& launch, int code) {
  if (launch.broken) MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
}

}  // namespace apsp::mpi
