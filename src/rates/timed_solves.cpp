#include "rates/timed_solves.hpp"

#include <algorithm>
#include <apsp/graph.hpp>
#include <atomic>
#include <limits>
#include <numeric>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "engine/row_producer.hpp"
#include "engine/solve_graph.hpp"
#include "planner/find_plan.hpp"
#include "planner/memory.hpp"
#include "planner/plan.hpp"
#include "search/device_search.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "statistics/column_statistics.hpp"
#include "statistics/statistics_pass.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::rates {
namespace {

using Clock = std::chrono::steady_clock;
using planner::KernelKind;

constexpr int kRounds = 4, kRepetitions = 3;
constexpr double kLong = 0.03;  // s; longer solves are not repeated
/// Fraction of the time for the first sample of the largest size.
constexpr double kShareOfLast = 0.3;
constexpr std::int64_t kArcsAVertex = 4;
constexpr std::int64_t kDense = 768;
constexpr std::uint64_t kPotentials = 1000;  // upper bound of potentials of signed weights

/// u16 has no paths longer than 32,766.
std::uint64_t greatest_weight(std::int64_t n) {
  constexpr std::int64_t kLongest = 32000, kGreatest = 10;
  return static_cast<std::uint64_t>(
      std::clamp<std::int64_t>(kLongest / std::max<std::int64_t>(n, 1), 1, kGreatest));
}

/// Stride that visits all `count` positions, the first ones far from each other, so that a
/// shortened walk samples all regions.
std::int64_t even_stride(std::int64_t count) {
  constexpr double kGolden = 0.618;
  auto stride =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(kGolden * static_cast<double>(count)));
  while (std::gcd(stride, count) != 1) ++stride;
  return stride;
}

class Dropped final : public flow::ColumnSink, private flow::ColumnSink::Writer {
 public:
  bool pairs_once() const override { return false; }
  ColumnSink::Writer& part() override { return *this; }

 private:
  void begin(std::span<const Vertex>) override {}
  void take(std::span<const Vertex>, const void*, std::int64_t) override {}
  void end() override {}
};

}  // namespace

void PhaseSeconds::add(const PhaseSeconds& other) {
  prepare = std::min(prepare, other.prepare);
  solve = std::min(solve, other.solve);
  statistics = std::min(statistics, other.statistics);
  run = std::min(run, other.run);
  total = std::min(total, other.total);
}

PhaseSeconds timed_solve(const planner::FindDevices& find, const Graph& graph,
                         const SolveOptions& options) {
  PhaseSeconds parts;
  const Clock::time_point start = Clock::now();
  const planner::Plan plan = planner::make_plan(graph, options, find);
  engine::require_defined(graph, plan, options.control);
  auto matrix = store::make_memory_store(planner::layout_in_memory(plan, options));
  parts.prepare = seconds_since(start);
  const Clock::time_point solving = Clock::now();
  const engine::Solved solved = engine::solve_graph(graph, plan, matrix.get(), options.control);
  parts.solve = seconds_since(solving);
  if (solved.on_device) parts.run = solved.on_device->seconds;
  const Clock::time_point passing = Clock::now();
  statistics::statistics(*matrix, graph, options.control, plan.threads, plan.distance_bound);
  parts.statistics = seconds_since(passing);
  matrix.reset();
  parts.total = seconds_since(start);
  return parts;
}

std::optional<RowsOnDevice> time_rows_on_device(const planner::FindDevices& find,
                                                const Graph& graph, const SolveOptions& options) {
  const planner::Plan plan = planner::make_plan(graph, options, find);
  if (!plan.on_device || plan.rows() == nullptr || !engine::emits_columns(plan)) return {};
  RowsOnDevice rows{plan.on_device->seconds, std::numeric_limits<double>::infinity()};
  for (int run = 0; run < 2; ++run) {  // the first one loads kernels
    statistics::ColumnStatistics counted(graph, plan.semiring, plan.type, plan.distance_bound,
                                         false);
    const engine::Solved solved =
        engine::solve_rows(graph, plan, options.control, {.columns = &counted});
    if (!solved.on_device) return {};
    rows.taken = std::min(rows.taken, solved.on_device->seconds);
  }
  return rows;
}

double time_searches_on_device(const Graph& graph, const planner::DeviceSearchSample& searches,
                               const Control& control) {
  const auto& [semiring, type, sign, tracks_via] = searches.kernel;
  const std::int64_t n = graph.vertex_count();
  const search::SearchedGraph searched =
      search::searched_graph(graph, semiring, type, search::Direction::kept);
  const auto device = searches.open(searches.ordinal, semiring, type, sign, searches.memory);
  const auto seconds = [&](std::int64_t count) {
    std::vector<Vertex> sources(static_cast<std::size_t>(std::min(count, n)));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      sources[i] = static_cast<Vertex>(i * static_cast<std::size_t>(n) / sources.size());
    }
    search::SourceBlocks blocks(sources, searches.batches.batch, control);
    const Clock::time_point start = Clock::now();
    search::rows_by_searches(searched, *device, {}, searches.batches, blocks, {});
    return seconds_since(start);
  };
  seconds(1);  // loads kernels
  const std::int64_t at_once = searches.batches.searches;
  const double once = seconds(at_once), twice = seconds(2 * at_once);
  // A disturbed first run makes the difference too small: at least half of the second one's mean
  // counts.
  return std::max(twice - once, twice / 4) / static_cast<double>(at_once);
}

std::optional<Graph> measuring_graph(const KernelKind& kind, dense::Shape shape, std::int64_t n) {
  const bool negative = kind.sign == kernels::Sign::any && kind.semiring != Semiring::or_and;
  const bool directed = shape == dense::Shape::full;
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

SolveOptions measuring_options(const planner::RateQuery& asked, const MeasureLimits& limits) {
  const KernelKind& kind = asked.kernel;
  SolveOptions options;
  options.question.semiring = kind.semiring;
  options.machine.threads = asked.threads;
  options.machine.device = Device::cpu;
  options.method.algorithm = Algorithm::floyd_warshall;  // the graphs are sparse
  options.question.via = kind.tracks_via;
  options.control = {nullptr, limits.cancellation};
  if (kind.semiring != Semiring::or_and) options.method.value_type = kind.type;
  return options;
}

std::vector<SizeSample> sample_sizes(std::span<const std::int64_t> usual,
                                     const planner::RateQuery& asked, const MeasureLimits& limits,
                                     const SolveOne& solve_one) {
  const KernelKind& kind = asked.kernel;
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
    auto graph = measuring_graph(kind, asked.shape, n);
    if (!graph) break;
    graphs.push_back(std::move(*graph));
    samples.push_back({static_cast<double>(n), {}});
    samples.back().parts.add(solve_one(graphs.back()));
    // The first solve of a process starts threads and loads code; it is repeated.
    if (samples.size() == 1 && samples[0].parts.total < left()) {
      samples[0].parts.add(solve_one(graphs[0]));
    }
  }
  // Repeats all sizes in turn, because a disturbance is over when the same size comes again.
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
  const auto sparse = measuring_graph(kind, dense::Shape::full, n);
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

RowsRun time_rows(const flow::RowSource& source, std::int64_t count, int threads, double most,
                  const Control& control) {
  const std::int64_t n = source.vertices(), size = std::min(n, source.block_rows());
  if (n == 0) return {};
  const std::int64_t blocks = (std::min(count, n) + size - 1) / size;
  const std::int64_t stride = even_stride(blocks);
  std::atomic<std::int64_t> next{0}, rows{0};
  const Clock::time_point start = Clock::now();
  system::run_threads(threads, [&](int) {
    const auto worker = source.worker();
    system::AlignedMemory memory(size * n * size_of(source.type()));
    for (;;) {
      const std::int64_t block = next.fetch_add(1);
      const bool late = block >= threads && seconds_since(start) > most;
      if (block >= blocks || late || base::cancelled(control)) return;
      const std::int64_t first = std::min(n - size, n / blocks * (block * stride % blocks));
      worker->compute(
          source.order().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size)),
          memory.data(), n);
      rows.fetch_add(size);
    }
  });
  base::check_cancelled(control);
  return {seconds_since(start), static_cast<double>(rows.load())};
}

double pairs_by_rows(const Graph& graph, const planner::KernelKind& kind, std::int64_t at_once,
                     bool has_path) {
  constexpr std::int64_t kRows = 64;
  const std::int64_t n = graph.vertex_count(), rows = std::min(n, kRows);
  system::AlignedMemory values(rows * n * size_of(kind.type));
  semiring::dispatch(kind.semiring, kind.type, [&]<class S>() {
    std::fill_n(values.as<typename S::Value>(), rows * n,
                has_path ? typename S::Value{1} : S::zero());
  });
  std::vector<Vertex> sources(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = static_cast<Vertex>(i);
  const auto pass = [&] {
    statistics::StatisticsPass counted(graph, kind.semiring, kind.type, 0);
    for (std::int64_t first = 0; first < rows; first += at_once) {
      const std::int64_t count = std::min(at_once, rows - first);
      counted.take({std::span(sources).subspan(static_cast<std::size_t>(first),
                                               static_cast<std::size_t>(count)),
                    values.data() + first * n * size_of(kind.type), n, kind.type});
    }
  };
  const double seconds = shortest(kRepetitions, pass, kLong);
  return static_cast<double>(rows * n) / seconds;
}

EliminationParts time_elimination(const Graph& graph, const planner::KernelKind& kind, int threads,
                                  const Control& control) {
  EliminationParts parts;
  const sparse::Pattern pattern = sparse::pattern_of(graph);
  sparse::Order order;
  parts.ordering = shortest(1, [&] { order = sparse::nested_dissection(pattern); });
  parts.tree = std::make_shared<const sparse::Tree>(pattern, order);
  std::shared_ptr<const sparse::Factor> factor;
  const auto timed = [](auto&& work) { return shortest(kRepetitions, work, kLong); };
  parts.eliminating = timed([&] {
    factor = std::make_shared<const sparse::Factor>(sparse::eliminate(
        graph, parts.tree,
        {kind.semiring, kind.type, kind.sign, kernels::Cycles::excluded, threads, control}));
  });
  const sparse::FactorRows rows(factor, kind.sign);
  Dropped dropped;
  // Rates of a visit are those of blocks of rows.
  const auto sweep = [&](flow::ColumnSink& sink) {
    const auto producer = engine::rows_on_host(rows, threads, control);
    producer->count(rows.order(), sink, producer->block_rows(rows.vertices(), 1));
  };
  parts.sweeping = timed([&] { sweep(dropped); });
  const double counted = timed([&] {
    statistics::ColumnStatistics statistics(graph, kind.semiring, kind.type, 1e4, false);
    sweep(statistics);
  });
  const double transposed =
      timed([&] { time_rows(rows, rows.vertices(), threads, 1e30, control); });
  parts.counting = std::max(0.0, counted - parts.sweeping);
  parts.transposing = std::max(0.0, transposed - parts.sweeping);
  return parts;
}

}  // namespace apsp::rates
