// NVIDIA GPUs as devices (device.hpp). This header does not include CUDA. A library without kernels
// for GPUs has the same functions from loaded_engine.cpp, which looks for libapsp_cuda.so; without
// it there is no device.
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
  std::string identity{};  // bytes that differ for all GPUs of all machines
};

/// Describes the CUDA back end, such as "built for 80-real, 90"; empty: there is none.
std::string back_end();
/// Returns the devices that it can run on. Takes none of them into use.
std::vector<DeviceFacts> devices();
/// Returns bytes. Takes the device into use, which costs time and some of its memory. Throws
/// `Error` (device).
std::int64_t memory_free(int ordinal);
/// Takes a device into use early. The first real use reports errors.
void start(int ordinal) noexcept;
/// Says in one line why `devices` is empty.
std::string why_no_device();

/// The way of copies from peers: direct if the GPUs have a link, else staged through the host's
/// memory.
enum class PeerWay { direct, staged };

/// Opens a device. `memory`: bytes that may be allocated; 0: all free ones. Values of or-and are
/// words of 32 vertices, uint32: bit j mod 32 of word j / 32 of a row. Integer sums with
/// `Sign::any` require distances below 2^28 in magnitude. Throws `Error`: device (no such device or
/// no back end), usage (an unsupported pair).
std::unique_ptr<ComputeDevice> make_device(int ordinal, Semiring semiring, ValueType type,
                                           Sign sign, std::int64_t memory = 0,
                                           PeerWay peer_way = PeerWay::direct);

/// Returns the sizes of such a device, the same for every GPU, without taking one into use. Throws
/// `Error` as above.
std::unique_ptr<DeviceSizes> sizes(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cuda
