#include "planner/plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/machine.hpp"
#include "base/units.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

/// Chunks of a .zarr: 1024² values are 2 to 8 MiB, large enough to stream, small enough to fetch.
constexpr std::int64_t kChunk = 1024;
/// Packed panels and stacks, a thread.
constexpr std::int64_t kBytesAThread = std::int64_t{4} << 20;
/// Of the memory that is free, this part may be used without asking.
constexpr double kShareOfFree = 0.9;

std::int64_t graph_bytes(const Graph& graph) {
  return graph.vertex_count() * 8 + graph.arc_count() * 12;
}

std::int64_t bytes_needed(const Graph& graph, const SolveOptions& options, ValueType type,
                          int threads) {
  const std::int64_t n = graph.vertex_count();
  std::int64_t a_pair = size_of(type);
  if (options.predecessors && options.output.empty()) a_pair += 4;
  const std::int64_t panels = 4 * n * choose_tile(n, threads) * size_of(type);
  return n * n * a_pair + panels + graph_bytes(graph) + threads * kBytesAThread;
}

[[noreturn]] void does_not_fit(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  std::string ways;
  for (const ValueType type : {ValueType::u16, ValueType::f32}) {
    const bool holds = options.value_type && size_of(type) < size_of(*options.value_type) &&
                       size_of(choose_value_type(graph, plan.semiring, {})) <= size_of(type) &&
                       bytes_needed(graph, options, type, plan.threads) <= plan.bytes_allowed;
    if (holds) ways = fmt::format(" --dtype auto would fit.");
  }
  const double a_vertex_pair = size_of(plan.type);
  const auto largest =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(plan.bytes_allowed) / a_vertex_pair));
  throw Error(ErrorKind::does_not_fit,
              fmt::format("{} vertices need {} as {} and {} may be used.{} This memory is enough "
                          "for about {} vertices; --memory {} would let this graph in.",
                          base::format_count(plan.n), base::format_bytes(plan.bytes),
                          name(plan.type), base::format_bytes(plan.bytes_allowed), ways,
                          base::format_count(largest), base::format_bytes(plan.bytes)));
}

}  // namespace

double Plan::relaxations() const {
  const auto side = static_cast<double>(n);
  return side * side * side / (shape == Shape::symmetric ? 2 : 1);
}

std::string Plan::line() const {
  std::string text = fmt::format(
      "{} over {} in {} on {} {}, tiles of {}, {} relaxations, {} of {} allowed", name(algorithm),
      name(semiring), name(type), threads, threads == 1 ? "CPU thread" : "CPU threads", tile,
      base::format_si(relaxations()), base::format_bytes(bytes), base::format_bytes(bytes_allowed));
  if (unit_roundoff > 0) {
    text += fmt::format("; relative error at most {:.1e} an edge of the path", unit_roundoff);
  }
  return text;
}

std::int64_t choose_tile(std::int64_t n, int threads) {
  // 192 is a multiple of the register tile's 6 rows and of its 64 columns of f32; two packed panels
  // of that depth stay below 5 % of a matrix of 16,384 rows. Smaller for small matrices, so that
  // each thread has several tiles of a panel.
  constexpr std::int64_t kLargest = 192;
  constexpr std::int64_t kStep = 48;
  const std::int64_t wanted = n / (4 * std::max(1, threads));
  const std::int64_t rounded = (wanted + kStep - 1) / kStep * kStep;
  return std::clamp(rounded, kStep, kLargest);
}

Plan make_plan(const Graph& graph, const SolveOptions& options) {
  if (options.device == Device::cuda) {
    throw Error(ErrorKind::device,
                "this build has no CUDA engine; use --device cpu, or --device auto");
  }
  if (options.tile < 0 || options.threads < 0 || options.memory < 0) {
    throw Error(ErrorKind::usage, "tile, threads and memory must not be negative");
  }
  Plan plan;
  plan.semiring = options.semiring;
  plan.n = graph.vertex_count();
  plan.type = choose_value_type(graph, plan.semiring, options.value_type);
  plan.distance_bound = distance_bound(graph, plan.semiring);
  plan.unit_roundoff = unit_roundoff(graph, plan.semiring, plan.type);
  plan.sign = graph.weight_facts().least < 0 ? kernels::Sign::any : kernels::Sign::non_negative;
  plan.shape = graph.directed() ? Shape::full : Shape::symmetric;
  plan.threads = base::thread_count(options.threads);
  plan.tile = options.tile > 0 ? options.tile : choose_tile(plan.n, plan.threads);
  plan.chunk = options.tile > 0 ? options.tile : kChunk;
  plan.bytes = bytes_needed(graph, options, plan.type, plan.threads);
  plan.bytes_allowed =
      options.memory > 0
          ? options.memory
          : static_cast<std::int64_t>(kShareOfFree * static_cast<double>(base::available_memory()));
  if (plan.bytes > plan.bytes_allowed) does_not_fit(graph, options, plan);
  return plan;
}

}  // namespace apsp::planner
