// Vertex potentials of a matrix in a device's memory (Johnson 1977): found there by Bellman and
// Ford's passes in exact arithmetic, or brought from the host, and kept for reducing and restoring.
//
// A pass reads the rows that the pass before has changed, so all passes together cost what a few
// over the whole matrix do, unless best walks have very many edges. In exact arithmetic the
// predecessors form a forest until there is a negative cycle, and then hold one (Cherkassky and
// Goldberg 1999); they are looked at after 1, 2, 4, 8, … passes.
#pragma once

#include <apsp/progress.hpp>
#include <span>

#include "algorithms/device_buffer.hpp"
#include "kernels/device.hpp"

namespace apsp {

class DevicePotentials {
 public:
  /// Claims the memory for n vertices. Throws `Error` (does_not_fit).
  DevicePotentials(kernels::Device& device, std::int64_t n);

  /// Finds potentials of a square matrix, after all that `queue` was given. Throws `Error`:
  /// negative_cycle (a vertex on one), interrupted, device.
  void find(kernels::QueueId queue, kernels::ConstTile weights, const base::PathUnit& unit,
            const Control& control);
  /// Takes potentials of the host, [n]; they must stay until the queue was synchronised.
  void bring(kernels::QueueId queue, std::span<const kernels::Potential> potentials);

  /// [n], in device memory.
  const kernels::Potential* data() const {
    return reinterpret_cast<const kernels::Potential*>(potentials_.data());
  }

  static std::int64_t device_bytes(const kernels::Device& device, std::int64_t n);

 private:
  void begin(kernels::QueueId queue);
  void look_for_cycle(kernels::QueueId queue);
  template <class T>
  void copy_in(kernels::QueueId queue, DeviceBuffer& to, std::span<const T> from);
  template <class T>
  std::vector<T> copy_out(kernels::QueueId queue, const DeviceBuffer& from, std::int64_t count);

  kernels::Device& device_;
  std::int64_t n_;
  DeviceBuffer potentials_;
  DeviceBuffer sums_, predecessors_, changed_, lowered_, scratch_;
};

}  // namespace apsp
