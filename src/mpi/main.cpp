// The program `apsp-mpi`: what `apsp` goes on as where a launcher has started several of it.
#include <mpi.h>

#include "cli/application.hpp"
#include "mpi/mpi_mail.hpp"

namespace {

/// Processes that share this machine's memory.
int processes_of_machine() {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int count = 1;
  MPI_Comm_size(machine, &count);
  MPI_Comm_free(&machine);
  return count;
}

}  // namespace

int main(int count, char** words) {
  int offered = MPI_THREAD_SINGLE;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &offered);
  apsp::cli::Launch launch;
  MPI_Comm_rank(MPI_COMM_WORLD, &launch.me);
  MPI_Comm_size(MPI_COMM_WORLD, &launch.count);
  launch.of_machine = processes_of_machine();
  launch.grid = [](int rows, int cols) {
    return std::make_unique<apsp::mpi::MpiMail>(MPI_COMM_WORLD, rows, cols);
  };
  const int code = apsp::cli::run({words + (count > 0 ? 1 : 0), words + count}, &launch);
  if (launch.broken) MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
  return code;
}
