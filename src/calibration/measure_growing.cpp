#include "calibration/measure_growing.hpp"

#include <apsp/generate.hpp>

#include "base/random.hpp"

namespace apsp::calibration {
namespace {

using Clock = std::chrono::steady_clock;
using planner::KernelKind;

constexpr int kRounds = 4, kRepetitions = 3;
/// Of the time, for the first sample of the largest size.
constexpr double kShareOfLast = 0.3;
constexpr std::int64_t kArcsAVertex = 4;
/// A complete graph that shows what arcs cost.
constexpr std::int64_t kDense = 768;
constexpr std::uint64_t kPotentials = 1000;  // of signed weights, below this

/// u16 holds no path longer than 32,766.
std::uint64_t greatest_weight(std::int64_t n) {
  constexpr std::int64_t kLongest = 32000, kGreatest = 10;
  return static_cast<std::uint64_t>(
      std::clamp<std::int64_t>(kLongest / std::max<std::int64_t>(n, 1), 1, kGreatest));
}

}  // namespace

std::optional<Graph> measuring_graph(const KernelKind& kind, places::Shape shape, std::int64_t n) {
  const bool negative = kind.sign == kernels::Sign::any && kind.semiring != Semiring::or_and;
  const bool directed = shape == places::Shape::full;
  const bool acyclic = kind.semiring == Semiring::max_plus;
  if (!directed && (acyclic || (negative && kind.semiring == Semiring::min_plus))) return {};
  const std::uint64_t range = greatest_weight(n);
  base::SplitMix64 random(static_cast<std::uint64_t>(n));
  std::vector<double> potentials(static_cast<std::size_t>(n), 0);
  if (negative) {
    for (double& h : potentials) h = static_cast<double>(random.below(kPotentials));
  }
  GraphBuilder builder(n, directed);
  builder.reserve(n * kArcsAVertex);
  for (std::int64_t u = 0; u < n; ++u) {
    for (std::int64_t a = 0; a < kArcsAVertex; ++a) {
      const auto v = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
      if (v == u || (acyclic && v < u)) continue;
      const double shift =
          potentials[static_cast<std::size_t>(u)] - potentials[static_cast<std::size_t>(v)];
      builder.add_edge(static_cast<Vertex>(u), static_cast<Vertex>(v),
                       static_cast<double>(1 + random.below(range)) + shift);
    }
  }
  return std::move(builder).build();
}

SolveOptions measuring_options(const KernelKind& kind, int threads, const MeasureLimits& limits) {
  SolveOptions options;
  options.semiring = kind.semiring;
  options.threads = threads;
  options.device = Device::cpu;
  options.algorithm = Algorithm::floyd_warshall;  // the graphs are sparse
  options.via = kind.tracks_via;
  options.control = {nullptr, limits.cancellation};
  if (kind.semiring != Semiring::or_and) options.value_type = kind.type;
  return options;
}

std::vector<SizeSample> sample_sizes(std::span<const std::int64_t> usual, const KernelKind& kind,
                                     places::Shape shape, const MeasureLimits& limits,
                                     const SolveOne& solve_one) {
  const Clock::time_point began = Clock::now();
  const auto left = [&] { return limits.seconds - seconds_since(began); };
  const std::int64_t a_pair = size_of(kind.type) + (kind.tracks_via ? 4 : 0);
  const std::span<const std::int64_t> sizes = limits.sizes.empty() ? usual : limits.sizes;
  std::vector<SizeSample> samples;
  std::vector<Graph> graphs;
  for (const std::int64_t n : sizes) {
    if (n * n * a_pair > limits.bytes) break;
    if (!samples.empty()) {
      const double growth = static_cast<double>(n) / samples.back().n;
      const double expected = samples.back().parts.total * growth * growth * growth;
      if (expected > std::min(left(), limits.seconds * kShareOfLast)) break;
    }
    auto graph = measuring_graph(kind, shape, n);
    if (!graph) break;
    graphs.push_back(std::move(*graph));
    samples.push_back({static_cast<double>(n), {}});
    samples.back().parts.add(solve_one(graphs.back()));
    // The first solve of a process starts threads and touches code, and foretells nothing.
    if (samples.size() == 1 && samples[0].parts.total < left()) {
      samples[0].parts.add(solve_one(graphs[0]));
    }
  }
  // Again and again over all sizes: what disturbs one sample is gone when its size comes again.
  for (int round = 1; round < kRounds; ++round) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i].parts.total < left()) samples[i].parts.add(solve_one(graphs[i]));
    }
  }
  return samples;
}

planner::RateCurve curve(const std::vector<SizeSample>& samples, double PhaseSeconds::*part) {
  std::vector<planner::CurvePoint> points;
  points.reserve(samples.size());
  for (const SizeSample& sample : samples) points.push_back({sample.n, sample.parts.*part});
  return planner::RateCurve(std::move(points));
}

double pairs_a_second(const std::vector<SizeSample>& samples) {
  double best = 0;
  for (const SizeSample& sample : samples) {
    if (sample.n * 4 < samples.back().n || sample.parts.statistics <= 0) continue;
    best = std::max(best, sample.n * sample.n / sample.parts.statistics);
  }
  return best;
}

double measure_arcs(const KernelKind& kind, double largest, const SolveOne& solve_one) {
  if (kind.sign == kernels::Sign::any || kind.semiring == Semiring::max_plus) return 0;
  const std::int64_t n = std::min(kDense, static_cast<std::int64_t>(largest));
  const auto sparse = measuring_graph(kind, places::Shape::full, n);
  const Graph dense = generate({.kind = GraphKind::dense,
                                .vertices = n,
                                .greatest_weight = static_cast<double>(greatest_weight(n))});
  PhaseSeconds with, without;
  for (int i = 0; i < kRepetitions; ++i) {
    with.add(solve_one(dense));
    without.add(solve_one(*sparse));
  }
  const double seconds = with.prepare + with.solve - without.prepare - without.solve;
  const auto arcs = static_cast<double>(dense.arc_count() - sparse->arc_count());
  return seconds > 0 ? arcs / seconds : 0;
}

}  // namespace apsp::calibration
