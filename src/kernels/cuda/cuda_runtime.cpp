#include "kernels/cuda/cuda_runtime.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <map>
#include <mutex>

#include "kernels/device.hpp"

#ifndef APSP_CUDA_ARCHITECTURES  // for tools that check this file by itself
#define APSP_CUDA_ARCHITECTURES ""
#endif

namespace apsp::kernels::cuda {
namespace {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

DeviceFacts asked_facts_of(int ordinal) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, ordinal), "asking for a device's properties");
  int clock = 0, driver = 0;
  check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, ordinal), "asking for the clock");
  check(cudaDriverGetVersion(&driver), "asking for the driver");
  return {ordinal,
          properties.name,
          static_cast<std::int64_t>(properties.totalGlobalMem),
          0,
          properties.multiProcessorCount,
          clock / 1000,
          properties.major * 10 + properties.minor,
          version_text(driver),
          {properties.uuid.bytes, sizeof properties.uuid.bytes}};
}

constexpr int kLeastCapability = 80;

/// Queries of device properties take milliseconds, and they never change.
const DeviceFacts& known_facts_of(int ordinal) {
  static std::mutex mutex;
  static std::map<int, DeviceFacts> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(ordinal);
  return found != known.end() ? found->second
                              : known.emplace(ordinal, asked_facts_of(ordinal)).first->second;
}

}  // namespace

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  const std::string message =
      fmt::format("CUDA, {}: {} ({})", doing, cudaGetErrorString(status), cudaGetErrorName(status));
  if (status == cudaErrorMemoryAllocation) throw DeviceFull(message);
  throw Error(ErrorKind::device, message);
}

int most_shared_memory() {
  int most = 0, device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "asking for shared memory");
  return most;
}

std::string back_end() { return "built for " APSP_CUDA_ARCHITECTURES; }

std::vector<DeviceFacts> devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  std::vector<DeviceFacts> list;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    const DeviceFacts& facts = known_facts_of(ordinal);
    if (facts.capability >= kLeastCapability) list.push_back(facts);
  }
  return list;
}

std::int64_t memory_free(int ordinal) {
  std::size_t free = 0, total = 0;
  check(cudaSetDevice(ordinal), "choosing the device");
  check(cudaMemGetInfo(&free, &total), "asking for memory");
  return static_cast<std::int64_t>(free);
}

void start(int ordinal) noexcept {
  if (cudaSetDevice(ordinal) == cudaSuccess) cudaFree(nullptr);
  cudaGetLastError();
}

std::string why_no_device() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (driver == 0) return "no CUDA device: no NVIDIA driver";
    return fmt::format("no CUDA device: the driver offers CUDA {}, this build needs {}",
                       version_text(driver), version_text(CUDART_VERSION));
  }
  if (count == 0 || status == cudaErrorNoDevice) return "no CUDA device: the driver finds no GPU";
  if (status != cudaSuccess) return fmt::format("no CUDA device: {}", cudaGetErrorString(status));
  return "no CUDA device of compute capability 8.0 or later";
}

DeviceFacts facts_of(int ordinal) {
  for (const DeviceFacts& facts : devices()) {
    if (facts.ordinal == ordinal) return facts;
  }
  throw Error(ErrorKind::device, devices().empty()
                                     ? why_no_device()
                                     : fmt::format("no CUDA device number {}", ordinal));
}

void require_on_device(const void* memory, int ordinal) {
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, memory);
  cudaGetLastError();
  const bool here = attributes.type == cudaMemoryTypeManaged ||
                    (attributes.type == cudaMemoryTypeDevice && attributes.device == ordinal);
  if (status == cudaSuccess && here) return;
  throw Error(ErrorKind::usage,
              fmt::format("the matrix does not lie in the memory of cuda:{}", ordinal));
}

}  // namespace apsp::kernels::cuda
