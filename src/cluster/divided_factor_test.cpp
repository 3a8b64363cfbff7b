// Distances over factors that threads, which stand for processes, divide: those of the textbook,
// and bit by bit those over the whole factor.
#include <fmt/format.h>

#include "cluster/collective_read.hpp"
#include "engine/divided_rows.hpp"
#include "engine/row_producer.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/factor_rows.hpp"
#include "statistics/column_statistics.hpp"
#include "support/expected_rows.hpp"
#include "support/factor_of.hpp"
#include "support/graph_of.hpp"
#include "support/job_solve.hpp"
#include "support/mesh.hpp"
#include "support/on_processes.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::cluster::divided_factor_test {
namespace {

/// [n, n] the distances that come by vertex, and how often each comes.
class Recorder final : public flow::ColumnSink {
 public:
  Recorder(std::int64_t n, Semiring semiring, ValueType type, bool once)
      : n_(static_cast<std::size_t>(n)),
        semiring_(semiring),
        type_(type),
        once_(once),
        distances(n_ * n_, verifier::Algebra::of(semiring).none),
        times(n_ * n_) {}

  bool pairs_once() const override { return once_; }
  Writer& part() override {
    const std::lock_guard lock(mutex_);
    return *parts_.emplace_back(std::make_unique<Part>(*this));
  }

 private:
  class Part final : public Writer {
   public:
    explicit Part(Recorder& all) : all_(all) {}
    void begin(std::span<const Vertex> sources) override { sources_ = sources; }
    void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
      const std::lock_guard lock(all_.mutex_);
      semiring::dispatch(all_.semiring_, all_.type_, [&]<class S>() {
        const auto* row = static_cast<const typename S::Value*>(values);
        for (const Vertex to : vertices) {
          for (std::size_t i = 0; i < sources_.size(); ++i) {
            if (sources_[i] == to && all_.once_) break;
            if (sources_[i] != to) all_.record<S>(sources_[i], to, row[i]);
          }
          row += lanes;
        }
      });
    }
    void end() override {}

   private:
    Recorder& all_;
    std::span<const Vertex> sources_;
  };

  template <class S>
  void record(Vertex from, Vertex to, typename S::Value value) {
    for (const auto& [s, t] : {std::pair{from, to}, {to, from}}) {
      ++times[s * n_ + t];
      if (value != S::zero()) distances[s * n_ + t] = static_cast<double>(value);
      if (!once_) return;
    }
  }

  std::size_t n_;
  Semiring semiring_;
  ValueType type_;
  bool once_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Part>> parts_;

 public:
  std::vector<double> distances;
  std::vector<int> times;
};

struct Kind {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f64;
  int threads = 1;
};

planner::Plan plan_of(const Graph& graph, const Kind& kind,
                      std::shared_ptr<const sparse::TreeShare> share) {
  planner::Plan plan;
  plan.n = graph.vertex_count();
  plan.semiring = kind.semiring;
  plan.type = kind.type;
  plan.threads = kind.threads;
  plan.method = planner::RowsPlan{
      .by = planner::RowsByFactor{.tree = share->tree, .share = std::move(share)}};
  return plan;
}

void expect_distances(const Graph& graph, int processes, const Kind& kind, bool once,
                      const std::vector<double>& expected,
                      const std::shared_ptr<const sparse::Tree>& tree) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  SCOPED_TRACE(fmt::format("{} processes, {} {}, once {}", processes, name(kind.semiring),
                           name(kind.type), once));
  Recorder found(graph.vertex_count(), kind.semiring, kind.type, once);
  on_processes(processes, [&](Processes& all) {
    const auto share = std::make_shared<const sparse::TreeShare>(
        sparse::share_of(*tree, all.size(), all.rank(), 2 * size_of(kind.type)));
    engine::count_divided(graph, plan_of(graph, kind, share), {}, found, all);
  });
  const double none = verifier::Algebra::of(kind.semiring).none;
  for (std::size_t i = 0; i < n * n; ++i) {
    if (i % (n + 1) == 0) continue;
    ASSERT_EQ(found.distances[i], expected[i]) << i / n << " to " << i % n;
    ASSERT_LE(found.times[i], 1) << i / n << " to " << i % n;
    if (expected[i] != none) ASSERT_EQ(found.times[i], 1) << i / n << " to " << i % n;
  }
}

/// Integer weights: sums are exact.
void expect_textbook(const Graph& graph, const Kind& kind = {}) {
  const auto tree = sparse::dissected(graph);
  const auto expected = expected_rows(graph, kind.semiring, kind.type);
  for (const int processes : {1, 2, 3, 4}) {
    expect_distances(graph, processes, kind, false, expected, tree);
    if (graph.symmetric()) expect_distances(graph, processes, kind, true, expected, tree);
  }
}

TEST(DividedFactor, HasTheDistancesOfTheTextbook) {
  for (const auto& [semiring, type] : all_kinds()) {
    for (const bool directed : {false, true}) {
      const bool acyclic = semiring == Semiring::max_plus;
      if (acyclic && !directed) continue;
      expect_textbook(
          random_graph(90, 150, 1, 9, {.directed = directed, .acyclic = acyclic, .seed = 4}),
          {semiring, type});
    }
  }
  expect_textbook(random_graph({.n = 120, .arcs = 400, .potential = 30}), {.type = ValueType::i32});
  expect_textbook(mesh(7), {.type = ValueType::u16, .threads = 2});
  expect_textbook(mesh(6, true), {.type = ValueType::f32, .threads = 2});
}

TEST(DividedFactor, OfSmallAndDisconnectedGraphs) {
  expect_textbook(Graph());
  expect_textbook(graph_of(1, {}));
  expect_textbook(graph_of(1, {{0, 0, 3}}));
  expect_textbook(graph_of(2, {{0, 1, 3}}));
  expect_textbook(graph_of(9, {}));
  expect_textbook(graph_of(7, {{0, 1, 3}, {1, 2, 1}, {4, 5, 2}, {5, 6, 2}}, false));
  for (const std::uint64_t seed : {1, 2, 3}) {
    expect_textbook(random_graph(200, 120, 1, 9, {.directed = false, .seed = seed}));
    expect_textbook(random_graph(200, 190, 1, 9, {.directed = true, .seed = seed}));
  }
}

TEST(DividedFactor, RoundsAsTheWholeFactor) {
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    for (const bool directed : {false, true}) {
      const Graph graph = random_graph(
          {.n = 300, .arcs = 700, .least = 1, .greatest = 2, .real = true, .directed = directed});
      const auto tree = sparse::dissected(graph);
      const auto n = static_cast<std::size_t>(graph.vertex_count());
      Recorder whole(graph.vertex_count(), Semiring::min_plus, type, !directed);
      const sparse::FactorRows rows(
          std::make_shared<const sparse::Factor>(
              sparse::eliminate(graph, tree, {Semiring::min_plus, type, kernels::Sign::any})),
          kernels::Sign::any);
      std::vector<Vertex> all(n);
      std::iota(all.begin(), all.end(), Vertex{0});
      engine::rows_on_host(rows, 1, {})->count(all, whole, 0);
      expect_distances(graph, 4, {.type = type}, !directed, whole.distances, tree);
    }
  }
}

TEST(DividedFactor, StatisticsAreThoseOfOneProcess) {
  for (const bool directed : {false, true}) {
    const Graph graph = random_graph(300, directed ? 900 : 380, 1, 9, {.directed = directed});
    const Kind kind{.type = ValueType::u16};
    const auto tree = sparse::dissected(graph);
    on_processes(3, [&](Processes& all) {
      const auto share = std::make_shared<const sparse::TreeShare>(
          sparse::share_of(*tree, all.size(), all.rank(), 4));
      statistics::ColumnStatistics counts(graph, kind.semiring, kind.type, 9 * 300, !directed);
      engine::count_divided(graph, plan_of(graph, kind, share), {}, counts, all);
      const auto found = all.gather(counts.found());
      if (!all.first()) return;
      for (std::size_t i = 1; i < found.size(); ++i) counts.add_found(found[i]);
      SolveOptions alone;
      alone.method.algorithm = Algorithm::floyd_warshall;
      statistics::expect_same(counts.statistics(), solve(graph, alone).statistics());
    });
  }
}

/// Asks for the end when so many units of a task are done.
class EndsAtTask final : public Progress {
 public:
  EndsAtTask(std::string_view task, double units) : task_(task), units_(units) {}
  const Cancellation& cancellation() const { return cancellation_; }
  void begin(std::string_view name, double, std::string_view) override {
    begun_ = begun_ || name == task_;
    update(0);
  }
  void update(double done) override {
    if (begun_ && done >= units_) cancellation_.request();
  }
  void end() override {}

 private:
  std::string_view task_;
  double units_;
  std::atomic<bool> begun_ = false;
  Cancellation cancellation_;
};

/// A job of four on so much memory in all.
JobRun of_four(std::int64_t memory) {
  JobRun run{.rows = 1, .cols = 4};
  run.options.method.algorithm = Algorithm::nested_dissection;
  run.options.method.value_type = ValueType::f64;
  run.options.machine.device = Device::cpu;
  run.options.machine.memory = memory;
  return run;
}

TEST(DividedFactor, IsPlannedWhereWholeOnesDoNotFit) {
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 22500});
  const Answer whole = solve_on(of_four(0), graph);
  ASSERT_TRUE(whole.errors.empty()) << whole.errors.front()->what();
  EXPECT_EQ(whole.plan.find("divided"), std::string::npos) << whole.plan;
  const Answer divided = solve_on(of_four(4 * whole.bytes_planned - 1), graph);
  ASSERT_TRUE(divided.errors.empty()) << divided.errors.front()->what();
  EXPECT_NE(divided.plan.find("divided"), std::string::npos) << divided.plan;
  EXPECT_LT(divided.bytes_planned, whole.bytes_planned);
  statistics::expect_same(*divided.statistics, *whole.statistics);
  EXPECT_EQ(error_of_all(of_four(4 * divided.bytes_planned - 1), graph).kind(),
            ErrorKind::does_not_fit);
  for (const auto& [task, units] :
       {std::pair{"eliminating", 0.0}, {"solving", 0.0}, {"solving", 700.0}}) {
    JobRun run = of_four(4 * whole.bytes_planned - 1);
    EndsAtTask ends(task, units);
    run.options.control = {&ends, &ends.cancellation()};
    EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::interrupted) << task << " " << units;
  }
}

}  // namespace
}  // namespace apsp::cluster::divided_factor_test
