// How much of an elimination a GPU takes over, and what that saves.
//
// The order and the tree by the planner; then the elimination by all threads of the host, with the
// fronts on the GPU that the plan puts there, and with those of all supernodes from each WIDTH on
// whose fronts all threads work on: the best of all rounds, and the first one, in which kernels are
// loaded. Every factor is compared with the host's, byte by byte; with f32 and f64 bytes may differ
// by rounding. bench/sparse/mesh writes meshes.
#include <apsp/io.hpp>

#include <cstring>

#include "harness.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "sparse/eliminate.hpp"

namespace {

using namespace apsp;
using sparse::Factor;
using sparse::SupernodeId;
using sparse::Tree;

struct Settings {
  std::string graph;
  std::optional<ValueType> type;
  std::vector<std::int64_t> least;
  int rounds = 3, threads = 0;
};

bool same_bytes(const Factor& a, const Factor& b) {
  const auto same = [&](const std::byte* of_a, const std::byte* of_b, std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(count * size_of(a.type()));
    return bytes == 0 || of_a == nullptr || std::memcmp(of_a, of_b, bytes) == 0;
  };
  return same(a.all_closed(), b.all_closed(), a.tree().diagonal_entries()) &&
         same(a.all_up(), b.all_up(), a.tree().upper_entries()) &&
         same(a.all_down(), b.all_down(), a.tree().upper_entries());
}

double relaxations_of(const Tree& tree, SupernodeId s) {
  const auto width = static_cast<double>(tree.width(s));
  const double side = width + static_cast<double>(tree.structure_size(s));
  return width * side * side;
}

/// A graph, its plan, and what is measured of it.
class Bench {
 public:
  explicit Bench(const Settings& settings)
      : settings_(settings), graph_(read_graph(settings.graph)) {
    SolveOptions options;
    options.method.algorithm = Algorithm::nested_dissection;
    options.machine.device = Device::cuda;
    options.storage.keep = Keep::statistics;
    options.method.value_type = settings.type;
    options.machine.threads = settings.threads;
    const double planning = bench::seconds([&] { plan_ = planner::find_plan(graph_, options); });
    fmt::print("{} vertices, {} arcs, {}, {} threads, {}; planned in {:.2f} s\n",
               graph_.vertex_count(), graph_.arc_count(), name(plan_.type), plan_.threads,
               plan_.on_device->title(), planning);
  }

  void run() {
    const Factor here = show("host", {}, 0, nullptr);
    const planner::SweepsOnDevice& planned = *plan_.rows()->factor()->on_device;
    show("as planned", planned.fronts, planned.closed_from, &here);
    for (const std::int64_t least : settings_.least) {
      show(fmt::format("width {} and more", least), shared_from(least), 0, &here);
    }
    fmt::print("predicted, as planned: {:.1f} ms, with first touches of memory\n",
               plan_.rows()->costs.making_seconds * 1e3);
  }

 private:
  const Tree& tree() const { return *plan_.rows()->tree(); }

  std::vector<SupernodeId> shared_from(std::int64_t least) const {
    std::vector<SupernodeId> fronts;
    for (const SupernodeId s : sparse::subtrees_of(tree(), plan_.threads).above) {
      if (tree().width(s) >= least) fronts.push_back(s);
    }
    return fronts;
  }

  Factor show(const std::string& title, const std::vector<SupernodeId>& fronts,
              std::int64_t closed_from, const Factor* expected) const {
    sparse::EliminationOptions options{
        .type = plan_.type, .sign = plan_.sign, .cycles = plan_.cycles, .threads = plan_.threads};
    const bool there = expected != nullptr;
    const planner::DevicePlan& on = *plan_.on_device;
    std::unique_ptr<kernels::ComputeDevice> device;
    const double opening = bench::seconds([&] {
      if (there) {
        device = on.open(on.device.ordinal, Semiring::min_plus, plan_.type, plan_.sign,
                         on.bytes_allowed);
      }
    });
    constexpr std::int64_t kTile = 512;
    options.share = {device.get(), fronts, closed_from, kTile};
    std::optional<Factor> factor;
    double first = 0, best = 0;
    for (int round = 0; round < settings_.rounds; ++round) {
      const double time = bench::seconds(
          [&] { factor = sparse::eliminate(graph_, plan_.rows()->factor()->tree, options); });
      if (round == 0) first = time;
      best = round == 0 ? time : std::min(best, time);
    }
    double share = 0;
    for (const SupernodeId s : fronts) share += relaxations_of(tree(), s);
    fmt::print(
        "{:<22} {:8.1f} ms, first {:8.1f}, open {:6.1f}; {} fronts, {:.1f} % of {:.3g} "
        "relaxations{}\n",
        title, best * 1e3, first * 1e3, opening * 1e3, fronts.size(),
        100 * share / tree().elimination_relaxations(), tree().elimination_relaxations(),
        !there                           ? ""
        : same_bytes(*factor, *expected) ? "; the same bytes"
                                         : "; OTHER BYTES");
    std::fflush(stdout);
    return std::move(*factor);
  }

  const Settings& settings_;
  Graph graph_;
  planner::Plan plan_;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_device_front_bench GRAPH");
  options.word(settings.graph).needs(1)("--type T", settings.type)("--threads N", settings.threads);
  options("--least LIST of widths", settings.least)("--rounds N", settings.rounds);
  return options.run(argc, argv, [&] { Bench(settings).run(); });
}
