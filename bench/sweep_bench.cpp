// Where the time of all pairs by nested dissection goes, and how near the sweeps come to the packed
// kernel.
//
// --trim: a directed graph without the vertices that lie on no way from a cycle to a cycle; figures
// of the factor and its relaxations are of the core then, from its own vertices.
//
// Order, tree and elimination; sweeps whose distances nobody takes, both directions of every pair,
// and all pairs to statistics, once a pair where the graph is symmetric. "needed" are relaxations
// of the factor as the order makes it, without what wider supernodes add. The peak is that of the
// registers and of the packed product (192 steps, packing not counted) of the same type on as many
// threads, measured before and after the sweeps; the best of all rounds each.
#include <apsp/io.hpp>

#include "base/aligned_memory.hpp"
#include "base/child_process.hpp"
#include "base/team.hpp"
#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "elimination/trimmed_rows.hpp"
#include "engine/row_producer.hpp"
#include "harness.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/value_type.hpp"
#include "program/peak.hpp"
#include "query/column_statistics.hpp"

namespace {

using namespace apsp;
using bench::seconds;

struct Settings {
  std::string graph;
  bench::Weights weights;
  bool trim = false;
  int threads = 1, rounds = 3;
  std::optional<ValueType> type;
};

/// Takes all distances and keeps none.
class Nobody final : public store::ColumnSink {
 public:
  bool pairs_once() const override { return false; }
  Writer& part() override { return part_; }

 private:
  struct Nothing final : Writer {
    void begin(std::span<const Vertex>) override {}
    void take(std::span<const Vertex>, const void*, std::int64_t) override {}
    void end() override {}
  };
  Nothing part_;
};

/// Relaxations of a sweep down from every source and of one up from each to its root.
double sweep_relaxations(const elimination::Tree& tree) {
  std::vector<double> subtree(static_cast<std::size_t>(tree.supernodes()));
  double up = 0;
  for (elimination::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto i = static_cast<std::size_t>(s);
    const double width = tree.width(s);
    subtree[i] += width;
    up += subtree[i] * width * (width + static_cast<double>(tree.structure_size(s)));
    if (tree.parent(s) >= 0) subtree[static_cast<std::size_t>(tree.parent(s))] += subtree[i];
  }
  return up + static_cast<double>(tree.vertices()) * static_cast<double>(tree.upper_entries());
}

/// G relaxations a second of all threads together.
struct Peak {
  void measure(ValueType type, kernels::Sign sign, int threads) {
    const kernels::TileOperations tiles = kernels::cpu::operations(Semiring::min_plus, type, sign);
    const kernels::cpu::PeakRun peak = kernels::cpu::peak_run(type, sign, false);
    const auto repeats = static_cast<std::int64_t>(5e9 / peak.relaxations);
    raise(registers, static_cast<double>(repeats) * peak.relaxations, threads,
          [&] { peak.run(repeats); });
    constexpr std::int64_t kSide = 192, kCols = 256, kTimes = 500;
    raise(packed, static_cast<double>(kSide * kSide * kCols * kTimes), threads, [&] {
      base::AlignedMemory values(kSide * kCols * tiles.value_size);
      base::AlignedMemory left(tiles.packed.left_bytes(kSide, kSide));
      base::AlignedMemory right(tiles.packed.right_bytes(kCols, kSide));
      const kernels::View c{values.data(), kSide, kCols, kCols};
      tiles.packed.pack_left({values.data(), kSide, kSide, kSide}, false, left.data());
      tiles.packed.pack_right({values.data(), kSide, kCols, kCols}, false, right.data());
      for (int i = 0; i < kTimes; ++i) {
        tiles.packed.multiply_add(c, left.data(), right.data(), kSide);
      }
    });
  }
  double registers = 0, packed = 0;

 private:
  template <class F>
  static void raise(double& best, double relaxations, int threads, F&& run) {
    const double took = seconds([&] { base::run_team(threads, [&](int) { run(); }); });
    best = std::max(best, relaxations * threads / took / 1e9);
  }
};

void run(const Settings& settings) {
  const Graph graph = settings.weights.of(read_graph(settings.graph));
  const auto choice = planner::choose_value_type(graph, Semiring::min_plus, settings.type);
  const kernels::Sign sign =
      graph.weight_facts().least < 0 ? kernels::Sign::any : kernels::Sign::non_negative;
  elimination::Pattern pattern;
  elimination::Order order;
  std::shared_ptr<const elimination::Tree> tree;
  std::optional<elimination::Trim> trim;
  const double ordering = seconds([&] {
    if (settings.trim) trim = elimination::trim(graph);
    pattern = elimination::pattern_of(trim ? trim->core_graph : graph);
    order = elimination::nested_dissection(pattern, {base::processes_for(settings.threads), {}});
  });
  const double planting =
      seconds([&] { tree = std::make_shared<const elimination::Tree>(pattern, order); });
  const double needed = sweep_relaxations(elimination::Tree(pattern, order, false));
  const double done = sweep_relaxations(*tree);
  std::optional<elimination::Factor> factor;
  const double eliminating = seconds([&] {
    factor = elimination::eliminate(
        trim ? trim->core_graph : graph, tree,
        {Semiring::min_plus, choice.type, sign, kernels::Cycles::possible, settings.threads, {}});
  });
  std::unique_ptr<store::RowSource> rows;
  if (trim) {
    rows = std::make_unique<elimination::TrimmedRows>(*trim, std::move(*factor), sign);
  } else {
    rows = std::make_unique<elimination::FactorRows>(
        std::make_shared<const elimination::Factor>(std::move(*factor)), sign);
  }
  const auto n = static_cast<double>(graph.vertex_count());
  fmt::print("{} vertices, {}, {} threads, {}: {} supernodes, {} upper entries, height {}\n",
             graph.vertex_count(), name(choice.type), settings.threads,
             kernels::cpu::instruction_set(), tree->supernodes(), tree->upper_entries(),
             tree->height());
  fmt::print("order {:.3f} s, tree {:.3f} s, elimination {:.3f} s ({:.3g} relaxations)\n", ordering,
             planting, eliminating, tree->elimination_relaxations());
  Peak peak;
  double sweeping = 1e9, counting = 1e9;
  const Control control;
  const auto producer = engine::rows_on_host(*rows, settings.threads, control);
  for (int round = 0; round < settings.rounds; ++round) {
    peak.measure(choice.type, sign, settings.threads);
    Nobody nobody;
    sweeping = std::min(sweeping, seconds([&] { producer->count(rows->order(), nobody, 0); }));
    peak.measure(choice.type, sign, settings.threads);
    query::SweptStatistics statistics(graph, Semiring::min_plus, choice.type, choice.distance_bound,
                                      graph.symmetric());
    counting = std::min(counting, seconds([&] {
                          producer->count(rows->order(), statistics, 0);
                          statistics.statistics();
                        }));
  }
  fmt::print("peak: registers {:.1f} G/s, packed product {:.1f} G/s\n", peak.registers,
             peak.packed);
  fmt::print(
      "sweeps {:.3f} s: {:.3g} relaxations, {:.1f} G/s, {:.2f} of the packed product; needed "
      "{:.3g}, {:.2f}\n",
      sweeping, done, done / sweeping / 1e9, done / sweeping / 1e9 / peak.packed, needed,
      needed / sweeping / 1e9 / peak.packed);
  fmt::print("sweeps to statistics {:.3f} s; whole {:.3f} s, {:.2f} G pairs/s\n", counting,
             ordering + planting + eliminating + counting,
             n * (n - 1) / (ordering + planting + eliminating + counting) / 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options(
      "apsp_sweep_bench GRAPH [--hops | --random GREATEST] [--trim] [--threads N] [--type T] "
      "[--rounds N]");
  settings.weights.declare(options);
  options.word(settings.graph).needs(1).flag("--trim", settings.trim);
  options.value("--threads", settings.threads).value("--type", settings.type);
  options.value("--rounds", settings.rounds);
  return options.run(argc, argv, [&] { run(settings); });
}
