// Rows that a device sweeps, beside those that the CPU sweeps over the same factor.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "elimination/device_rows.hpp"
#include "elimination/device_sweep.hpp"
#include "elimination/factor_rows.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::bench {

/// Distances of some rows that are further from the CPU's than rounding explains.
inline std::int64_t wrong_in_rows(std::shared_ptr<const elimination::Factor> factor,
                                  kernels::ComputeDevice& device) {
  constexpr std::int64_t kRows = 64;
  const ValueType type = factor->type();
  const elimination::Order& order = factor->tree().order();
  const auto n = std::ssize(order.vertex_at);
  const std::span sources =
      std::span(order.vertex_at).first(std::min<std::size_t>(kRows, order.vertex_at.size()));
  const elimination::FactorRows rows(factor, kernels::Sign::non_negative);
  const auto worker = rows.worker();
  const Control control;
  elimination::SourceBlocks blocks(sources, kRows, control);
  elimination::DeviceSweep sweep(*factor, device, sources, kRows);
  std::int64_t wrong = 0;
  semiring::dispatch(factor->semiring(), type, [&]<class S>() {
    using T = typename S::Value;
    const double relative = type == ValueType::f32 ? 1e-5 : type == ValueType::f64 ? 1e-13 : 0;
    std::vector<T> wanted(sources.size() * static_cast<std::size_t>(n));
    elimination::rows_from_device(
        order, {}, type, device, sweep, blocks, elimination::DeviceRows::of(kRows, n, type), 0,
        [&](std::span<const Vertex> some, const void* found, std::int64_t) {
          worker->compute(some, wanted.data(), n);
          for (std::size_t i = 0; i < some.size() * static_cast<std::size_t>(n); ++i) {
            const auto here = static_cast<double>(wanted[i]);
            const auto there = static_cast<double>(static_cast<const T*>(found)[i]);
            wrong += there == here || std::abs(there - here) <= relative * here ? 0 : 1;
          }
        });
  });
  return wrong;
}

}  // namespace apsp::bench
