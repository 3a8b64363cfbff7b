// A new kind of work whose rate is measured: the search for the counts that models go by.
//
// In the tree of the library the struct is in src/planner/rates.hpp, with its function in
// `RateSource` and its entry in `kWorks`; the function that measures is in
// src/rates/measure_rates.cpp and its row in `kWorkTable` of measure_rates.hpp. The cache, JSON and
// the slowest of several processes follow from the tables.
#pragma once

#include <apsp/graph.hpp>

#include <chrono>
#include <optional>
#include <string>

#include "planner/rates.hpp"
#include "planner/search_model.hpp"
#include "rates/measure_rates.hpp"

namespace apsp::planner {

struct SamplingRates {
  double arc = 2e-9;
  double start = 0;
  std::string measured{};

  using R = SamplingRates;
  static constexpr RateField<R> kFields[] = {
      {"arc", "s", at<&R::arc>},
      {"start", "s", at<&R::start>, kMayLack},  // until the first search begins
  };
};

}  // namespace apsp::planner

namespace apsp::rates {

inline std::optional<planner::SamplingRates> measure_sampling(const planner::RateQuery&,
                                                              const MeasureLimits&) {
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 6400});
  const auto begun = std::chrono::steady_clock::now();
  const double arcs = planner::sample_searches(graph).arcs;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  return planner::SamplingRates{.arc = taken.count() / arcs};
}

template <>
inline const Work<planner::SamplingRates>& work_of() {
  static constexpr Work<planner::SamplingRates> kRow{
      .what = "sampling",
      .least = &RatePolicy::least_sparse,
      .most = &RatePolicy::most_sparse,
      .measure = measure_sampling,
      .shown = "arcs_per_second",
      .figure = [](const planner::SamplingRates& rates) { return 1 / rates.arc; }};
  return kRow;
}

}  // namespace apsp::rates
