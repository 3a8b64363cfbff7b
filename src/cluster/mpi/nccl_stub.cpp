// Linked if the build found no NCCL.
#include "cluster/mpi/nccl_links.hpp"

namespace apsp::mpi {

std::unique_ptr<cluster::DeviceLinks> nccl_links() { return nullptr; }
std::string why_no_nccl() { return "apsp was built where no NCCL was found"; }

}  // namespace apsp::mpi
