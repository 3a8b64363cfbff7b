// Facts about weights, gathered edge by edge and added up over threads.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace apsp::graph {

/// Returns |w| if `WeightFacts::below_f32` counts it, else infinity.
inline double magnitude_below_f32(double weight) {
  constexpr double kNormal = std::numeric_limits<float>::min();
  const double magnitude = std::abs(weight);
  const bool held =
      magnitude >= kNormal || static_cast<double>(static_cast<float>(magnitude)) == magnitude;
  return held ? std::numeric_limits<double>::infinity() : magnitude;
}

/// The value of `WeightFacts::below_f32`: 0 if there is none.
inline double told_below_f32(double least) {
  return least < std::numeric_limits<double>::infinity() ? least : 0;
}

struct EdgeTally {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
  double below_f32 = std::numeric_limits<double>::infinity();
  std::int64_t edges = 0, loops = 0;
  std::int64_t fractions = 0;
  std::int64_t others = 0;

  void take(const Edge& edge) {
    least = std::min(least, edge.weight);
    greatest = std::max(greatest, edge.weight);
    below_f32 = std::min(below_f32, magnitude_below_f32(edge.weight));
    ++edges;
    loops += edge.from == edge.to ? 1 : 0;
    others += edge.weight == 1 ? 0 : 1;
    fractions += is_exact_integer(edge.weight) ? 0 : 1;
  }
  void add(const EdgeTally& tally) {
    least = std::min(least, tally.least);
    greatest = std::max(greatest, tally.greatest);
    below_f32 = std::min(below_f32, tally.below_f32);
    edges += tally.edges;
    loops += tally.loops;
    fractions += tally.fractions;
    others += tally.others;
  }

  /// All facts but `longest_path`. −0 counts as 0, so that order does not matter.
  WeightFacts weight_facts() const {
    if (edges == 0) return {};
    return {.least = least + 0.0,
            .greatest = greatest + 0.0,
            .integral = fractions == 0,
            .unit = others == 0,
            .below_f32 = told_below_f32(below_f32)};
  }

 private:
  static bool is_exact_integer(double weight) {
    return std::abs(weight) <= 0x1p53 &&
           static_cast<double>(static_cast<std::int64_t>(weight)) == weight;
  }
};

}  // namespace apsp::graph
