// NCCL: broadcasts between the GPUs of processes, as operations of their queues. Without NCCL the
// same functions are linked from nccl_stub.cpp.
#pragma once

#include <memory>
#include <string>

#include "cluster/direct_transport.hpp"

namespace apsp::mpi {

/// Null: NCCL is not built in.
std::unique_ptr<cluster::DeviceLinks> nccl_links();
/// The reason, as the end of a sentence.
std::string why_no_nccl();

}  // namespace apsp::mpi
