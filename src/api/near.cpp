// Near pairs, accessibility, nearest facilities (apsp/near.hpp): checks, memory, computation.
#include <fmt/format.h>

#include <algorithm>
#include <apsp/near.hpp>
#include <cmath>
#include <string>

#include "api/result.hpp"
#include "api/solve_among.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "engine/near_rows.hpp"
#include "engine/row_sources.hpp"
#include "graph/weight_check.hpp"
#include "near/accessibility.hpp"
#include "near/near_pairs.hpp"
#include "near/nearest_places.hpp"
#include "planner/value_type.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp {
namespace {

std::vector<Vertex> sources_of(const Graph& graph, const NearOptions& options) {
  const store::VertexList sources(options.sources);
  store::require_distinct(sources, graph.vertex_count(), "sources");
  return sources.of(graph.vertex_count());
}

/// Integers are added exactly if no sum reaches 2^53.
void check_sums(std::span<const double> column, std::size_t number) {
  constexpr double kExact = 0x1p53;
  const auto whole = [](double quantity) { return std::floor(quantity) == quantity; };
  if (!std::ranges::all_of(column, whole)) return;
  double sum = 0;
  for (const double quantity : column) {
    sum += std::abs(quantity);
    refuse_if(sum >= kExact,
              "column {} of the quantities adds up to 2^53 or more, where whole numbers have no "
              "exact sums: give them in a larger unit, such as thousands",
              number);
  }
}

void check_question(const Graph& graph, std::span<const double> quantities,
                    std::span<const double> limits, const Decay& decay) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  refuse_if(quantities.empty() ? n > 0 : n == 0 || quantities.size() % n != 0,
            "each column of quantities has a value for each of the {} vertices, and there are {} "
            "values",
            n, quantities.size());
  for (const double quantity : quantities) {
    refuse_if(!std::isfinite(quantity), "a quantity must be finite, not {}", quantity);
  }
  refuse_if(limits.empty(), "no limit is given: how far may a path be?");
  for (const double limit : limits) {
    refuse_if(!(limit >= 0), "the limit must be at least 0, not {}", limit);
  }
  for (std::size_t begin = 0; decay.kind == Decay::Kind::none && begin < quantities.size();
       begin += n) {
    check_sums(quantities.subspan(begin, n), begin / n + 1);
  }
  refuse_if(decay.kind == Decay::Kind::exponential && !(decay.scale > 0),
            "the scale of the decay must be above 0, not {}", decay.scale);
}

/// Searches need arcs and a row for each thread, before it is known how much is near.
void require_searches(const Graph& graph, const NearOptions& options) {
  constexpr double kArc = 12, kVertex = 24;
  const auto n = static_cast<double>(graph.vertex_count());
  const auto threads = static_cast<double>(system::thread_count(options.threads));
  const double bytes = kArc * static_cast<double>(graph.arc_count()) + n * kVertex * (1 + threads);
  system::require_memory(bytes, "searches of the graph", "take fewer threads, or a smaller graph",
                         options.memory);
}

double workers_bytes(const Graph& graph, const NearOptions& options) {
  constexpr double kVertex = 40;  // a thread's distances, queue and rows
  return kVertex * static_cast<double>(graph.vertex_count()) *
         static_cast<double>(system::thread_count(options.threads));
}

}  // namespace

SparseDistances api::within_among(const planner::FindDevices& find, const Graph& graph,
                                  double limit, const NearOptions& options) {
  const std::vector<Vertex> sources = sources_of(graph, options);
  require_searches(graph, options);
  engine::NearRows rows(find, graph, limit, options);
  constexpr double kBytesOfPair = 24;
  constexpr double kBytesOfPiece = 12 << 20;
  const double count = rows.reached() * static_cast<double>(sources.size());
  const double pieces = kBytesOfPiece * system::thread_count(options.threads);
  system::plan_memory(count * kBytesOfPair + std::min(pieces, count * kBytesOfPair) +
                          workers_bytes(graph, options) +
                          4.0 * static_cast<double>(graph.vertex_count()),
                      fmt::format("some {:.3g} pairs within the limit", count),
                      "take a smaller limit, or fewer sources", options.memory);
  near::NearPairs pairs(graph.vertex_count(), rows.type(), limit);
  rows.give(sources, pairs);
  SparseDistances found = pairs.rows(sources, system::thread_count(options.threads));
  found.algorithm = rows.algorithm();
  found.on_device = rows.on_device();
  return found;
}

SparseDistances within(const Graph& graph, double limit, const NearOptions& options) {
  const Cancellable listening(options.control.cancellation);
  return api::within_among(planner::cuda_devices, graph, limit, options);
}

std::vector<double> access(const Graph& graph, std::span<const double> quantities,
                           std::span<const double> limits, Decay decay,
                           const NearOptions& options) {
  const Cancellable listening(options.control.cancellation);
  refuse_if(options.device == Device::cuda,
            "sums of what can be reached are found on the CPU, sooner than on a GPU: leave the "
            "device out");
  check_question(graph, quantities, limits, decay);
  const std::vector<Vertex> sources = sources_of(graph, options);
  NearOptions here = options;
  here.device = Device::cpu;
  require_searches(graph, options);
  engine::NearRows rows(planner::cuda_devices, graph,
                        *std::max_element(limits.begin(), limits.end()), here);
  const std::size_t columns =
      quantities.size() / std::max<std::size_t>(1, static_cast<std::size_t>(graph.vertex_count()));
  const double answers = 8.0 * static_cast<double>(sources.size() * limits.size() * columns);
  system::plan_memory(2 * answers + workers_bytes(graph, options), "sums of what can be reached",
                      "take fewer limits, quantities or sources", options.memory);
  near::AccessibilitySums sums({graph.vertex_count(), quantities, limits, decay}, rows.type());
  rows.give(sources, sums);
  return sums.sums(sources);
}

NearestPlaces nearest(const Graph& graph, std::span<const Vertex> places, std::int64_t k,
                      Towards towards, const Control& control, std::int64_t memory) {
  const Cancellable listening(control.cancellation);
  refuse_if(k < 1, "the number of nearest places must be at least 1, not {}", k);
  refuse_if(places.empty(), "the list of places is empty");
  constexpr std::size_t kMostPlaces = std::size_t{1} << 31;  // limit of a label
  refuse_if(places.size() >= kMostPlaces, "there are {} places, and at most {} can be found",
            places.size(), kMostPlaces - 1);
  for (const Vertex place : places) api::check_vertex(graph, place);
  graph::require_non_negative(graph, "the nearest places need",
                              "correct it, or take distances to the places from a solve");
  planner::require_exact_integers(graph, Semiring::min_plus, system::thread_count(0), control);
  system::plan_memory(near::nearest_places_bytes(graph, k),
                      fmt::format("the {} nearest places of each vertex", k), "ask for fewer",
                      memory);
  return near::nearest_places(graph, places, k, towards == Towards::places, system::thread_count(0),
                              control);
}

}  // namespace apsp
