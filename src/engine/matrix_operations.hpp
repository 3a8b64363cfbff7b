// Products and closures of matrices in host memory, on the host's threads or a GPU.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>

#include "engine/product.hpp"
#include "planner/device_plan.hpp"

namespace apsp::engine {

class MatrixOperations {
 public:
  virtual ~MatrixOperations() = default;
  /// C ← C ⊕ A ⊗ B in each tile of C that `filter` accepts, and possibly in others. Throws `Error`:
  /// does_not_fit, device, interrupted.
  virtual void multiply_add(const MatrixProduct& product, const TileFilter& filter) = 0;
  /// square ← its closure. Requires: no cycle is better than the empty path. Throws the same.
  virtual void close(kernels::View square) = 0;
};

/// `control` must outlive this; its progress is not called.
std::unique_ptr<MatrixOperations> operations_on_host(const planner::KernelKind& kernel, int threads,
                                                     const Control& control);

struct ThroughDevice {
  planner::DevicePreference preference{};  // at most one GPU; none: the first
  std::int64_t memory = 0;                 // bytes; 0: most of the free memory
  planner::FindDevices find{};
};

/// Opens the GPU. `threads`: of the host, which pack bits. Throws `Error`: usage, device (no GPU).
std::unique_ptr<MatrixOperations> operations_through_device(const planner::KernelKind& kernel,
                                                            const ThroughDevice& through,
                                                            int threads, const Control& control);

}  // namespace apsp::engine
