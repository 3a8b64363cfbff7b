#include "calibration/timed_rows.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "base/team.hpp"
#include "calibration/timed_solve.hpp"
#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "engine/produce_rows.hpp"
#include "query/statistics_pass.hpp"
#include "query/swept_statistics.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::calibration {
namespace {

using Clock = std::chrono::steady_clock;

/// Of a few repetitions, fewer where they take long.
template <class F>
double shortest(F&& work) {
  constexpr int kRepeated = 3;
  constexpr double kLong = 0.03;  // s
  double best = 1e30, all = 0;
  for (int i = 0; i < kRepeated && all < kLong; ++i) {
    const Clock::time_point start = Clock::now();
    work();
    const double seconds = seconds_since(start);
    best = std::min(best, seconds);
    all += seconds;
  }
  return best;
}

/// Steps by which all of `count` places are visited, the first few of them far from each other:
/// where a walk over them ends early, it has seen all regions.
std::int64_t even_stride(std::int64_t count) {
  constexpr double kGolden = 0.618;
  auto stride =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(kGolden * static_cast<double>(count)));
  while (std::gcd(stride, count) != 1) ++stride;
  return stride;
}

/// Takes distances vertex by vertex and drops them.
class Dropped final : public store::ColumnSink, private store::ColumnSink::Writer {
 public:
  bool pairs_once() const override { return false; }
  ColumnSink::Writer& part() override { return *this; }

 private:
  void begin(std::span<const Vertex>) override {}
  void take(std::span<const Vertex>, const void*, std::int64_t) override {}
  void end() override {}
};

}  // namespace

RowsRun time_rows(const store::RowSource& source, std::int64_t count, int threads, double most,
                  const Control& control) {
  const std::int64_t n = source.vertices(), size = std::min(n, source.block_rows());
  if (n == 0) return {};
  const std::int64_t blocks = (std::min(count, n) + size - 1) / size;
  const std::int64_t stride = even_stride(blocks);
  std::atomic<std::int64_t> next{0}, rows{0};
  const Clock::time_point start = Clock::now();
  base::run_team(threads, [&](int) {
    const auto worker = source.worker();
    base::AlignedMemory memory(size * n * size_of(source.type()));
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

double pairs_by_rows(const Graph& graph, const planner::KernelKind& kind, bool has_path) {
  constexpr std::int64_t kRows = 64;
  const std::int64_t n = graph.vertex_count(), rows = std::min(n, kRows);
  base::AlignedMemory values(rows * n * size_of(kind.type));
  if (has_path) {
    std::fill(values.as<std::byte>(), values.as<std::byte>() + values.bytes(), std::byte{1});
  } else {
    semiring::dispatch(kind.semiring, kind.type, [&]<class S>() {
      std::fill_n(values.as<typename S::Value>(), rows * n, S::zero());
    });
  }
  std::vector<Vertex> sources(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = static_cast<Vertex>(i);
  const double seconds = shortest([&] {
    query::StatisticsPass pass(graph, kind.semiring, kind.type, 0);
    pass.take({sources, values.data(), n, kind.type});
  });
  return static_cast<double>(rows * n) / seconds;
}

EliminationParts time_elimination(const Graph& graph, const planner::KernelKind& kind, int threads,
                                  const Control& control) {
  EliminationParts parts;
  const elimination::Pattern pattern = elimination::pattern_of(graph);
  const Clock::time_point start = Clock::now();
  elimination::Order order = elimination::nested_dissection(pattern);
  parts.ordering = seconds_since(start);
  parts.tree = std::make_shared<const elimination::Tree>(pattern, order);
  std::shared_ptr<const elimination::Factor> factor;
  parts.eliminating = shortest([&] {
    factor = std::make_shared<const elimination::Factor>(elimination::eliminate(
        graph, parts.tree,
        {kind.semiring, kind.type, kind.sign, kernels::Cycles::excluded, threads, control}));
  });
  const elimination::FactorRows rows(factor, kind.sign);
  Dropped dropped;
  const auto sweep = [&](store::ColumnSink& sink) {
    engine::produce_columns(rows, sink, threads, control);
  };
  parts.sweeping = shortest([&] { sweep(dropped); });
  const double counted = shortest([&] {
    query::SweptStatistics statistics(graph, kind.semiring, kind.type, 1e4, false);
    sweep(statistics);
  });
  const double transposed =
      shortest([&] { time_rows(rows, rows.vertices(), threads, 1e30, control); });
  parts.counting = std::max(0.0, counted - parts.sweeping);
  parts.transposing = std::max(0.0, transposed - parts.sweeping);
  return parts;
}

}  // namespace apsp::calibration
