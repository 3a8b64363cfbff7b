// C ← C ⊕ A ⊗ B of a caller's matrices: checks, choice of kernels by the values, choice of device.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <apsp/matrix.hpp>

#include "api/multiply_add.hpp"
#include "base/refusal.hpp"
#include "engine/device_product.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cuda/compiled_product.hpp"
#include "kernels/cuda/context.hpp"
#include "planner/device_plan.hpp"
#include "planner/value_type.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"

namespace apsp::api {
namespace {

using engine::MatrixProduct;
using engine::OperandFacts;
using kernels::Sign;

kernels::ConstView view_of(const Operand& matrix, const char* title) {
  const std::int64_t stride = matrix.stride == 0 ? matrix.cols : matrix.stride;
  refuse_if(matrix.rows < 0 || matrix.cols < 0 || stride < matrix.cols,
            "{} of {} rows, {} columns and stride {} is not a matrix", title, matrix.rows,
            matrix.cols, stride);
  refuse_if(matrix.data == nullptr && matrix.rows > 0 && matrix.cols > 0,
            "{} of {} rows and {} columns has no data: its pointer is null", title, matrix.rows,
            matrix.cols);
  return {matrix.data, matrix.rows, matrix.cols, stride};
}

struct Span {
  std::int64_t begin, end;
};
bool meet(Span a, Span b) { return a.begin < b.end && b.begin < a.end; }

/// Windows of the same stride are compared as rectangles, others as ranges of memory.
bool overlap(const kernels::ConstView& c, const kernels::ConstView& other, int value_size) {
  if (c.rows == 0 || c.cols == 0 || other.rows == 0 || other.cols == 0) return false;
  const auto address = [](const void* data) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data));
  };
  const auto bytes = [&](const kernels::ConstView& matrix) {
    const std::int64_t first = address(matrix.data);
    return Span{first, first + ((matrix.rows - 1) * matrix.stride + matrix.cols) * value_size};
  };
  if (!meet(bytes(c), bytes(other))) return false;
  const std::int64_t apart = address(other.data) - address(c.data);
  if (c.stride != other.stride || apart % value_size != 0) return true;
  const std::int64_t values = apart / value_size;
  std::int64_t row = values / c.stride, col = values % c.stride;
  if (col < 0) row -= 1, col += c.stride;
  const auto shares = [&](std::int64_t first_row, std::int64_t first_col) {
    return meet({0, c.rows}, {first_row, first_row + other.rows}) &&
           meet({0, c.cols}, {first_col, first_col + other.cols});
  };
  // A row of `other` may end in the next row of C's matrix.
  return shares(row, col) || shares(row + 1, col - c.stride);
}

MatrixProduct product_of(const Operands& operands, int value_size,
                         const MultiplyAddOptions& options) {
  refuse_if(options.threads < 0 || options.device_memory < 0,
            "threads and memory must not be negative");
  const kernels::ConstView c = view_of(operands.c, "C");
  const MatrixProduct product{{const_cast<void*>(c.data), c.rows, c.cols, c.stride},
                              view_of(operands.a, "A"),
                              view_of(operands.b, "B")};
  const auto& [target, a, b] = product;
  refuse_if(a.cols != b.rows || c.rows != a.rows || c.cols != b.cols,
            "C {} × {}, A {} × {} and B {} × {} are not the shapes of a product: C m × n, A m × k, "
            "B k × n",
            c.rows, c.cols, a.rows, a.cols, b.rows, b.cols);
  refuse_if(overlap(c, a, value_size) || overlap(c, b, value_size),
            "C overlaps A or B: copy the operand first");
  return product;
}

void require_supported(Semiring semiring, ValueType type) {
  refuse_if(!supported(semiring, type), "the semiring {} has no values of type {}", name(semiring),
            name(type));
}

Sign sign_of(const OperandFacts& a, const OperandFacts& b) {
  return a.negative || b.negative ? Sign::any : Sign::non_negative;
}

/// Throws `Error` (does_not_fit) if a device cannot sum such values. `facts_of_c`: called only if
/// they matter.
template <class F>
void require_sums_on_device(Semiring semiring, ValueType type, Sign sign, const OperandFacts& a,
                            const OperandFacts& b, const F& facts_of_c) {
  const double limit = planner::device_sum_limit(semiring, type, sign);
  if (std::isinf(limit)) return;
  const double longest = std::max(a.largest + b.largest, facts_of_c().largest);
  if (longest < limit) return;
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format("values may reach {:.15g}, and a GPU sums signed int32 only below {:.15g}: "
                  "multiply on the CPU, or in float64",
                  longest, limit));
}

}  // namespace

void multiply_add_among(const planner::FindDevices& find, Semiring semiring, ValueType type,
                        const Operands& operands, const MultiplyAddOptions& options) {
  require_supported(semiring, type);
  const MatrixProduct product = product_of(operands, size_of(type), options);
  const int threads = system::thread_count(options.threads);
  const OperandFacts a = engine::look_at_operand(semiring, type, product.a, "A", threads);
  const OperandFacts b = engine::look_at_operand(semiring, type, product.b, "B", threads);
  const Sign sign = sign_of(a, b);
  if (options.device != Device::cuda) {
    const auto kernels = kernels::cpu::operations(semiring, type, sign);
    return engine::multiply_add(kernels, product, threads, options.control);
  }
  require_sums_on_device(semiring, type, sign, a, b, [&] {
    return engine::look_at_operand(semiring, type, product.c, "C", threads);
  });
  const auto named = planner::named_device({Device::cuda, options.device_ordinals}, find);
  engine::ProductDevice device(named.open(semiring, type, sign, options.device_memory), type);
  device.multiply_add_from_host(product, options.device_memory, threads, options.control);
}

/// A device stays open for the next call unless a call fails.
struct ProductDevices::Slot {
  std::mutex mutex;
  std::unique_ptr<engine::ProductDevice> device;
};

ProductDevices::ProductDevices(planner::FindDevices find) : find_(std::move(find)) {}
ProductDevices::~ProductDevices() = default;

Sign ProductDevices::last_sign(const Values& values) {
  const std::lock_guard lock(mutex_);
  return signs_.try_emplace(values, Sign::non_negative).first->second;
}

void ProductDevices::keep_sign(const Values& values, Sign sign) {
  const std::lock_guard lock(mutex_);
  signs_[values] = sign;
}

template <class F>
void ProductDevices::with(const Kernel& kernel, F&& work) {
  Slot* slot = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Slot>& found = slots_[kernel];
    if (found == nullptr) found = std::make_unique<Slot>();
    slot = found.get();
  }
  const auto& [ordinal, semiring, type, sign] = kernel;
  const std::lock_guard lock(slot->mutex);
  if (slot->device == nullptr) {
    const planner::NamedDevice named = planner::named_device({Device::cuda, {ordinal}}, find_);
    slot->device = std::make_unique<engine::ProductDevice>(
        named.devices.open(ordinal, semiring, type, sign, named.taken.front().memory_free), type);
  }
  try {
    work(*slot->device);
  } catch (...) {
    slot->device.reset();
    throw;
  }
}

namespace {

void multiply_bits_on_device(ProductDevices& devices, const ProductDevices::Kernel& kernel,
                             const MatrixProduct& product, std::uintptr_t stream,
                             const MultiplyAddOptions& options) {
  const int threads = system::thread_count(options.threads);
  devices.with(kernel, [&](engine::ProductDevice& device) {
    device.borrow(product, 1, stream);
    std::vector<system::AlignedMemory> memory;
    const auto here = [&](const kernels::ConstView& there) {
      memory.emplace_back(there.rows * there.cols);
      const kernels::View copy{memory.back().data(), there.rows, there.cols, there.cols};
      device.copy_out(copy, there, 1);
      return copy;
    };
    const MatrixProduct copies{here(product.c), here(product.a), here(product.b)};
    device.multiply_add_from_host(copies, options.device_memory, threads, options.control);
    device.copy_in(product.c, copies.c, 1);
  });
}

}  // namespace

void multiply_add_on_device_among(ProductDevices& devices, Semiring semiring,
                                  const DeviceOperands& given, const MultiplyAddOptions& options) {
  const ValueType type = given.type;
  require_supported(semiring, type);
  const MatrixProduct product = product_of(given.operands, size_of(type), options);
  if (product.c.rows == 0 || product.c.cols == 0 || product.b.rows == 0) return;
  const auto kernel = [&](Sign sign) {
    return ProductDevices::Kernel{given.ordinal, semiring, type, sign};
  };
  if (type == ValueType::boolean) {
    return multiply_bits_on_device(devices, kernel(Sign::non_negative), product, given.stream,
                                   options);
  }
  // Packs for kernels of the previous product's sign while the survey of the operands runs.
  const ProductDevices::Values values{given.ordinal, semiring, type};
  const Sign expected = devices.last_sign(values);
  Sign sign = expected;
  devices.with(kernel(expected), [&](engine::ProductDevice& device) {
    device.borrow(product, size_of(type), given.stream);
    engine::PackedOperands packed;
    const auto facts =
        device.look_at_operands(semiring, type, {{product.a, "A"}, {product.b, "B"}},
                                [&] { packed = device.pack(product, options.device_memory); });
    const OperandFacts& a = facts[0];
    const OperandFacts& b = facts[1];
    sign = sign_of(a, b);
    require_sums_on_device(semiring, type, sign, a, b, [&] {
      return device.look_at_operands(semiring, type, {{product.c, "C"}}).front();
    });
    if (sign == expected) return device.multiply_add(product, packed, options.control);
    device.finish();
  });
  if (sign == expected) return;
  devices.keep_sign(values, sign);
  devices.with(kernel(sign), [&](engine::ProductDevice& device) {
    device.borrow(product, size_of(type), given.stream);
    device.multiply_add(product, device.pack(product, options.device_memory), options.control);
  });
}

}  // namespace apsp::api

namespace apsp {

namespace detail {

void multiply_add(Semiring semiring, ValueType type, const Operands& operands,
                  const MultiplyAddOptions& options) {
  api::multiply_add_among(planner::cuda_devices, semiring, type, operands, options);
}

void multiply_add(const OwnKernels& kernels, const Operands& operands,
                  const MultiplyAddOptions& options) {
  refuse_if(options.device == Device::cuda,
            "a semiring of your own has no GPU kernels here: use Device::cpu");
  const engine::MatrixProduct product = api::product_of(operands, kernels.value_size, options);
  engine::multiply_add(kernels, product, system::thread_count(options.threads), options.control);
}

}  // namespace detail

void multiply_add_on_device(Semiring semiring, const DeviceOperands& operands,
                            const MultiplyAddOptions& options) {
  // Never destroyed, because the driver may end before static objects do.
  static auto& devices = *new api::ProductDevices(planner::cuda_devices);
  const kernels::cuda::KeptGpu kept;
  api::multiply_add_on_device_among(devices, semiring, operands, options);
}

void multiply_add_on_device(const SemiringExpressions& semiring, const DeviceOperands& given,
                            const MultiplyAddOptions& options) {
  const kernels::cuda::KeptGpu kept;
  const auto [c, a, b] = api::product_of(given.operands, size_of(given.type), options);
  kernels::cuda::multiply_add_compiled(semiring,
                                       {c, a, b, given.type, given.ordinal, given.stream});
}

}  // namespace apsp
