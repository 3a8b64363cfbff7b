// NVIDIA GPUs as devices of the contract (device.hpp). This header knows nothing of CUDA: a library
// without kernels for GPUs has the same functions from loaded_engine.cpp, which looks for
// libapsp_cuda.so, and without it finds no device and says why.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device.hpp"

namespace apsp::kernels::cuda {

struct DeviceFacts {
  int ordinal = 0;
  std::string name;
  std::int64_t memory_total = 0;  // bytes
  std::int64_t memory_free = 0;   // `devices` leaves it 0
  int multiprocessors = 0;
  int clock_mhz = 0;       // the highest
  int capability = 0;      // 90 for 9.0
  std::string driver;      // the CUDA version that it offers, "13.0"
  std::string identity{};  // bytes that tell it from every other GPU, of other machines too
};

/// The CUDA back end in a few words, such as "built for 80-real, 90"; empty: there is none.
std::string back_end();
/// The devices that it can run on; empty without any. Takes none of them into use.
std::vector<DeviceFacts> devices();
/// Bytes. Takes the device into use, which costs time and some of its memory. Throws `Error`
/// (device).
std::int64_t memory_free(int ordinal);
/// Takes a device into use, so that whoever needs it later waits less. Errors are theirs to find.
void start(int ordinal) noexcept;
/// The GPU that the calling thread has in use: the same at the end of this as at its beginning, or
/// none. For work on a caller's thread, which may have another one in use.
class KeptGpu {
 public:
  KeptGpu();
  ~KeptGpu();
  KeptGpu(const KeptGpu&) = delete;
  KeptGpu& operator=(const KeptGpu&) = delete;

 private:
  void* context_ = nullptr;
};
/// One line: why `devices` is empty.
std::string why_no_device();

/// `memory`: bytes that may be allocated; 0: all that is free. Throws `Error` (device): no such
/// device, or nothing built in; usage: an unsupported pair.
/// or-and works on words of 32 vertices, uint32: bit j mod 32 of word j / 32 of a row.
/// Integer sums with `Sign::any` require distances below 2^28 in magnitude.
std::unique_ptr<ComputeDevice> make_device(int ordinal, Semiring semiring, ValueType type,
                                           Sign sign, std::int64_t memory = 0);
/// The same, but that it copies from peers by the driver's way through the host's memory, as GPUs
/// do that do not reach each other.
std::unique_ptr<ComputeDevice> make_staged_device(int ordinal, Semiring semiring, ValueType type,
                                                  Sign sign);

/// The sizes of such a device, the same for every GPU; none is taken into use. Throws `Error` as
/// above.
std::unique_ptr<DeviceSizes> sizes(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cuda
