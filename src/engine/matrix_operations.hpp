// Products and closures of matrices in the host's memory: by the host's threads, or by a GPU that
// the matrices pass through.
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
  /// C ← C ⊕ A ⊗ B, in each tile of C that `filter` takes, and in others or not. Throws `Error`:
  /// does_not_fit, device, interrupted.
  virtual void multiply_add(const MatrixProduct& product, const TileFilter& filter) = 0;
  /// square ← its closure, in which no cycle is better than the empty path. Throws as above.
  virtual void close(kernels::View square) = 0;
};

/// By so many threads. `control` outlives this, and hears of no progress.
std::unique_ptr<MatrixOperations> operations_on_host(const planner::KernelKind& kernel, int threads,
                                                     const Control& control);

struct ThroughDevice {
  planner::DevicePreference preference{};  // names one GPU or none, which is the first
  std::int64_t memory = 0;                 // bytes of it; 0: most of what is free
  planner::FindDevices find{};
};

/// By a GPU, which is opened now. `threads`: of the host, which pack bits. Throws `Error`: usage,
/// device (none there).
std::unique_ptr<MatrixOperations> operations_through_device(const planner::KernelKind& kernel,
                                                            const ThroughDevice& through,
                                                            int threads, const Control& control);

}  // namespace apsp::engine
