// `multiply_add` with GPUs as an argument, for tests.
#pragma once

#include <apsp/matrix.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "kernels/contract.hpp"
#include "planner/devices.hpp"

namespace apsp::api {

void multiply_add_among(const planner::FindDevices& find, Semiring semiring, ValueType type,
                        const Operands& operands, const MultiplyAddOptions& options);

/// GPUs that stay open, because opening one costs more than a small product. Thread-safe.
class ProductDevices {
 public:
  using Kernel = std::tuple<int, Semiring, ValueType, kernels::Sign>;  // int: the GPU's number

  explicit ProductDevices(planner::FindDevices find);
  ~ProductDevices();

  /// Calls work(engine::ProductDevice&), one call at a time for a device. Throws `Error` (device).
  template <class F>
  void with(const Kernel& kernel, F&& work);
  /// The sign of the last product's values, which predicts the kernels of the next one.
  using Values = std::tuple<int, Semiring, ValueType>;
  kernels::Sign last_sign(const Values& values);
  void keep_sign(const Values& values, kernels::Sign sign);

 private:
  struct Slot;
  planner::FindDevices find_;
  std::mutex mutex_;
  std::map<Kernel, std::unique_ptr<Slot>> slots_;
  std::map<Values, kernels::Sign> signs_;
};

void multiply_add_on_device_among(ProductDevices& devices, Semiring semiring,
                                  const DeviceOperands& operands,
                                  const MultiplyAddOptions& options);

}  // namespace apsp::api
