#include "cluster/mpi/nccl_links.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nccl.h>

#include <apsp/error.hpp>
#include <array>
#include <exception>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/cuda/cuda_runtime.hpp"

namespace apsp::mpi {
namespace {

using cluster::Communicator;
using dense::Along;
using kernels::ComputeDevice;
using kernels::QueueId;

/// Blocks of threads of a broadcast, which wait on the GPU for the others: few, as each occupies a
/// multiprocessor.
constexpr int kMostBlocks = 8;

void* open_library() {
  void* found = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (found == nullptr) found = dlopen(APSP_NCCL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (found != nullptr) return found;
  throw Error(
      ErrorKind::device,
      fmt::format("apsp was built with NCCL, and NCCL is not found now: {}; use `broadcast=ring`",
                  dlerror()));
}

/// A function of the library; the pointer that it initializes has its type.
struct Symbol {
  void* library;
  const char* name;

  template <class Function>
  operator Function*() const {
    if (void* const found = dlsym(library, name)) return reinterpret_cast<Function*>(found);
    throw Error(ErrorKind::device, fmt::format("{}: {} is missing", APSP_NCCL_LIBRARY, name));
  }
};

struct Library {
  void* opened = open_library();
  decltype(&ncclGetUniqueId) unique_id = Symbol{opened, "ncclGetUniqueId"};
  decltype(&ncclCommInitRankConfig) init = Symbol{opened, "ncclCommInitRankConfig"};
  decltype(&ncclBroadcast) broadcast = Symbol{opened, "ncclBroadcast"};
  decltype(&ncclCommGetAsyncError) async_error = Symbol{opened, "ncclCommGetAsyncError"};
  decltype(&ncclCommAbort) abort = Symbol{opened, "ncclCommAbort"};
  decltype(&ncclCommDestroy) destroy = Symbol{opened, "ncclCommDestroy"};
  decltype(&ncclGetErrorString) words = Symbol{opened, "ncclGetErrorString"};
  decltype(&ncclGetLastError) last_error = Symbol{opened, "ncclGetLastError"};
};

/// Throws `Error` (device) if it cannot be loaded.
const Library& library() {
  static const Library loaded;
  return loaded;
}

void check(ncclResult_t status, const char* doing, ncclComm_t of = nullptr) {
  if (status == ncclSuccess || status == ncclInProgress) return;
  const char* const more = library().last_error(of);
  throw Error(ErrorKind::device, fmt::format("NCCL, {}: {} ({})", doing, library().words(status),
                                             more != nullptr ? more : ""));
}

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  throw Error(ErrorKind::device, fmt::format("CUDA, {}: {}", doing, cudaGetErrorString(status)));
}

void await(Communicator& communicator, Communicator::Request request) {
  while (!communicator.done(request)) std::this_thread::yield();
}

/// The id of a line's communicator, made by its first member.
ncclUniqueId shared_id(Communicator& communicator, Along along) {
  ncclUniqueId id{};
  auto* const bytes = reinterpret_cast<std::byte*>(&id);
  if (communicator.rank(along) > 0) {
    await(communicator, communicator.receive(along, 0, 0, bytes, sizeof id));
    return id;
  }
  check(library().unique_id(&id), "naming a line");
  for (int other = 1; other < communicator.size(along); ++other) {
    await(communicator, communicator.send(along, other, 0, bytes, sizeof id));
  }
  return id;
}

class NcclBroadcasts final : public cluster::DeviceBroadcasts {
 public:
  NcclBroadcasts(ComputeDevice& device, Communicator& communicator) : device_(device) {
    library();
    std::vector<Member> lines;
    for (const Along along : {Along::row, Along::column}) {
      if (communicator.size(along) == 1) continue;
      lines.push_back({along, communicator.rank(along), communicator.size(along),
                       shared_id(communicator, along)});
    }
    const int ordinal = kernels::cuda::ordinal_of(device);
    // All join their rows first, so that no process waits for one that waits elsewhere.
    found_ = std::async(std::launch::async, [=] { return join(ordinal, lines); });
  }

  ~NcclBroadcasts() override {
    // After an error, others may never reach the operations that were begun.
    end(std::uncaught_exceptions() > 0 ? library().abort : library().destroy);
  }

  void await_ready() override {
    if (found_.valid()) lines_ = found_.get();
  }

  void broadcast(Along along, int root, QueueId queue, std::byte* memory,
                 std::int64_t bytes) override {
    const ncclComm_t line = lines_[along == Along::row ? 0 : 1];
    if (line == nullptr) throw Error(ErrorKind::device, "NCCL: this connection was given up");
    mpi::check(library().broadcast(memory, memory, static_cast<std::size_t>(bytes), ncclUint8, root,
                                   line, kernels::cuda::native_queue(device_, queue)),
               "a broadcast", line);
  }

  void check() override {
    for (const ncclComm_t line : lines_) {
      if (line == nullptr) continue;
      ncclResult_t state = ncclSuccess;
      mpi::check(library().async_error(line, &state), "looking at a line", line);
      mpi::check(state, "a broadcast under way", line);
    }
  }

  void abandon() noexcept override { end(library().abort); }

 private:
  void end(decltype(&ncclCommDestroy) leave) noexcept {
    try {
      if (found_.valid()) lines_ = found_.get();
    } catch (const std::exception&) {
      return;
    }
    for (ncclComm_t& line : lines_) {
      if (line != nullptr) leave(std::exchange(line, nullptr));
    }
  }

  using Lines = std::array<ncclComm_t, 2>;  // along rows and columns; null: a line of one
  struct Member {
    Along along;
    int rank, size;
    ncclUniqueId id;
  };

  static Lines join(int ordinal, const std::vector<Member>& members) {
    mpi::check(cudaSetDevice(ordinal), "choosing the device");
    Lines lines{};
    for (const Member& member : members) {
      ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
      config.minCTAs = 1;
      config.maxCTAs = kMostBlocks;
      ncclComm_t& line = lines[member.along == Along::row ? 0 : 1];
      mpi::check(library().init(&line, member.size, member.id, member.rank, &config),
                 "joining a line");
    }
    return lines;
  }

  ComputeDevice& device_;
  std::future<Lines> found_;
  Lines lines_{};
};

class NcclLinks final : public cluster::DeviceLinks {
 public:
  void require() const override { library(); }
  std::unique_ptr<cluster::DeviceBroadcasts> connect(ComputeDevice& device,
                                                     Communicator& communicator) override {
    return std::make_unique<NcclBroadcasts>(device, communicator);
  }
};

}  // namespace

std::unique_ptr<cluster::DeviceLinks> nccl_links() { return std::make_unique<NcclLinks>(); }
std::string why_no_nccl() { return {}; }

}  // namespace apsp::mpi
