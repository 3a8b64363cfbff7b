// NCCL: broadcasts between the GPUs of processes, as operations of their queues. This header knows
// nothing of it: where it was not found the same functions are linked from nccl_stub.cpp.
#pragma once

#include <memory>
#include <string>

#include "distributed/direct_transport.hpp"

namespace apsp::mpi {

/// Null: it is not built in.
std::unique_ptr<distributed::DeviceLinks> nccl_links();
/// Then: why, as the end of a sentence.
std::string why_no_nccl();

}  // namespace apsp::mpi
