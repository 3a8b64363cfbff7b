#include "engine/matrix_operations.hpp"

#include <algorithm>

#include "base/refusal.hpp"
#include "engine/device_product.hpp"
#include "engine/run.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"

namespace apsp::engine {
namespace {

using kernels::Range;
using kernels::View;

planner::Plan plan_of(std::int64_t n, const planner::KernelKind& kernel, int threads,
                      const ThroughDevice& through) {
  planner::Plan plan =
      planner::plan_matrix({.n = n, .kernel = kernel, .memory = through.memory, .threads = threads},
                           through.preference, through.find);
  plan.cycles = kernels::Cycles::excluded;
  return plan;
}

class OnHost final : public MatrixOperations {
 public:
  OnHost(const planner::KernelKind& kernel, int threads, const Control& control)
      : kernel_(kernel),
        threads_(threads),
        quiet_{nullptr, control.cancellation},
        operations_(kernels::cpu::operations(kernel.semiring, kernel.type, kernel.sign)) {}

  void multiply_add(const MatrixProduct& product, const TileFilter& filter) override {
    engine::multiply_add(operations_, product, threads_, quiet_, filter);
  }

  void close(View square) override {
    if (kernel_.in_bits()) {  // no plan supports bytes: one tile
      operations_.close(square, kernels::Cycles::excluded);
      return;
    }
    run(plan_of(square.rows, kernel_, threads_, {.preference = {Device::cpu, {}}, .find = {}}),
        {square}, quiet_);
  }

 private:
  planner::KernelKind kernel_;
  int threads_;
  Control quiet_;
  kernels::TileOperations operations_;
};

/// The smallest range of lines, in steps of 64, that holds all that `takes` accepts.
template <class Takes>
Range wanted_lines(std::int64_t lines, const Takes& takes) {
  constexpr std::int64_t kTogether = 64;
  Range wanted{lines, 0};
  for (std::int64_t first = 0; first < lines; first += kTogether) {
    const Range some{first, std::min(first + kTogether, lines)};
    if (!takes(some)) continue;
    wanted.begin = std::min(wanted.begin, some.begin);
    wanted.end = some.end;
  }
  return wanted;
}

/// The smallest window that holds all tiles of the filter: only this is copied to a device.
MatrixProduct window_of(const MatrixProduct& product, const TileFilter& filter, int value_size) {
  if (!filter) return product;
  const auto& [c, a, b] = product;
  const Range rows = wanted_lines(c.rows, [&](Range some) {
    return filter(some, {0, product.c.cols});
  });
  const Range cols = wanted_lines(c.cols, [&](Range some) {
    return filter({0, product.c.rows}, some);
  });
  const std::int64_t height = std::max<std::int64_t>(0, rows.end - rows.begin);
  const std::int64_t width = std::max<std::int64_t>(0, cols.end - cols.begin);
  if (height == 0 || width == 0) return {};
  return {part(c, value_size, rows.begin, cols.begin, height, width),
          part(a, value_size, rows.begin, 0, height, a.cols),
          part(b, value_size, 0, cols.begin, b.rows, width)};
}

class OnDevice final : public MatrixOperations {
 public:
  OnDevice(const planner::KernelKind& kernel, const ThroughDevice& through, int threads,
           const Control& control)
      : kernel_(kernel),
        through_(through),
        threads_(threads),
        quiet_{nullptr, control.cancellation},
        device_(one_gpu(through).open(kernel.semiring, kernel.type, kernel.sign, through.memory),
                kernel.type) {}

  void multiply_add(const MatrixProduct& product, const TileFilter& filter) override {
    device_.multiply_add_from_host(window_of(product, filter, size_of(kernel_.type)),
                                   through_.memory, threads_, quiet_);
  }
  void close(View square) override {
    run(plan_of(square.rows, kernel_, threads_, through_), {square}, quiet_);
  }

 private:
  static planner::NamedDevice one_gpu(const ThroughDevice& through) {
    planner::NamedDevice named = planner::named_device(through.preference, through.find);
    refuse_if(named.taken.size() > 1, "products run on one GPU: name one");
    return named;
  }

  planner::KernelKind kernel_;
  ThroughDevice through_;
  int threads_;
  Control quiet_;
  ProductDevice device_;
};

}  // namespace

std::unique_ptr<MatrixOperations> operations_on_host(const planner::KernelKind& kernel, int threads,
                                                     const Control& control) {
  return std::make_unique<OnHost>(kernel, threads, control);
}

std::unique_ptr<MatrixOperations> operations_through_device(const planner::KernelKind& kernel,
                                                            const ThroughDevice& through,
                                                            int threads, const Control& control) {
  return std::make_unique<OnDevice>(kernel, through, threads, control);
}

}  // namespace apsp::engine
