// The program `apsp-mpi`, which replaces `apsp` if a launcher started several processes.
#include "cli/application.hpp"
#include "cluster/mpi/mpi_launch.hpp"

int main(int count, char** words) {
  apsp::cluster::Launch launch = apsp::mpi::launch_of_mpi();
  const int code = apsp::cli::run({words + (count > 0 ? 1 : 0), words + count}, &launch);
  apsp::mpi::leave(launch, code);
  return code;
}
