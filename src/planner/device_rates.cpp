#include "planner/device_rates.hpp"

#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

constexpr double kTera = 1e12, kGiga = 1e9;
/// Multiprocessors × MHz of the H200 that the rates were measured on.
constexpr double kMeasuredOn = 132.0 * 1980;
/// Floyd-Warshall of a large matrix by the product alone, and what keeping via costs.
constexpr double kShareOfProduct = 0.97;
constexpr double kViaCost = 1.85;

double product_rate(const KernelKind& kind) {
  if (kind.semiring == Semiring::or_and) return 470 * kTera;  // of whole solves
  if (!is_sum(kind.semiring)) return (kind.type == ValueType::f64 ? 5.0 : 11.0) * kTera;
  // Longest paths have the instructions of signed sums, whatever the weights are.
  const bool non_negative =
      kind.sign == kernels::Sign::non_negative && kind.semiring == Semiring::min_plus;
  switch (kind.type) {
    case ValueType::f64:
      return 5.3 * kTera;
    case ValueType::i32:
      return 17.3 * kTera;
    case ValueType::u16:
      return 34.6 * kTera;
    default:
      return (non_negative ? 17.2 : 13.5) * kTera;
  }
}

}  // namespace

OffloadRates device_rates(const KernelKind& kind, const kernels::cuda::DeviceFacts& device) {
  const double size = static_cast<double>(device.multiprocessors) * device.clock_mhz / kMeasuredOn;
  return {
      .relaxations = product_rate(kind) * kShareOfProduct * size / (kind.tracks_via ? kViaCost : 1),
      .in = 55 * kGiga,
      .out = 55 * kGiga,
      .both = 84 * kGiga};
}

double thread_rate(const KernelKind& kind) {
  // One core with AVX-512 (docs/performance.md).
  if (kind.semiring == Semiring::or_and && !kind.tracks_via) return 6 * kTera;
  const double f32 = 50 * kGiga / (kind.tracks_via ? kViaCost : 1);
  if (kind.type == ValueType::u16) return 2 * f32;
  return kind.type == ValueType::f64 ? f32 / 2 : f32;
}

}  // namespace apsp::planner
