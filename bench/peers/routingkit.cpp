// RoutingKit's customizable contraction hierarchies (Dibbelt 2014) beside our factor, on one
// generated road network, one thread each, in one run.
//
//   peer_routingkit [VERTICES [PAIRS]]
//
// RoutingKit orders by inertial flow, from the places of the vertices. Seconds are those of the
// processor. Both answer the same random pairs, and pairs of one source, in turns; the sums of
// their distances must agree, or the program ends with 1.
#include <fmt/format.h>
#include <routingkit/customizable_contraction_hierarchy.h>
#include <routingkit/nested_dissection.h>

#include <algorithm>
#include <apsp/graph.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "graph/generators.hpp"
#include "peer_program.hpp"
#include "planner/value_type.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/grouped_pairs.hpp"
#include "sparse/stored_factor.hpp"
#include "store/store.hpp"

namespace {

using namespace apsp;

constexpr int kRounds = 3;

template <class F>
double cpu_seconds(F&& act) {
  const double begin = peers::cpu_now();
  act();
  return peers::cpu_now() - begin;
}

/// The least of some rounds.
template <class F>
double least_cpu_seconds(F&& act) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) least = std::min(least, cpu_seconds(act));
  return least;
}

/// `bar`: of ours / theirs.
void row(const char* what, double ours, double theirs, double bar, const char* unit) {
  fmt::print("| {} | {:.4g} {} | {:.4g} {} | {:.3f} | {} |\n", what, ours, unit, theirs, unit,
             ours / theirs, bar > 0 ? fmt::format("≤ {:.3f}", bar) : "");
}

struct RoutingKitSide {
  std::vector<unsigned> tail, head, weight;
  RoutingKit::CustomizableContractionHierarchy cch;
  RoutingKit::CustomizableContractionHierarchyMetric metric;
  double ordering = 0, building = 0, customizing = 0;

  RoutingKitSide(const Graph& graph, const std::vector<patterns::Place>& places) {
    graph.visit_all([&](Vertex from, Vertex to, double length) {
      tail.push_back(from);
      head.push_back(to);
      weight.push_back(static_cast<unsigned>(length));
    });
    std::vector<float> latitude, longitude;
    for (const patterns::Place& place : places) {
      latitude.push_back(place.row);
      longitude.push_back(place.col);
    }
    std::vector<unsigned> order;
    ordering = cpu_seconds([&] {
      order = RoutingKit::compute_nested_node_dissection_order_using_inertial_flow(
          static_cast<unsigned>(graph.vertex_count()), tail, head, latitude, longitude);
    });
    building =
        cpu_seconds([&] { cch = RoutingKit::CustomizableContractionHierarchy(order, tail, head); });
    metric = RoutingKit::CustomizableContractionHierarchyMetric(cch, weight);
    customizing = least_cpu_seconds([&] { metric.reset(weight).customize(); });
  }
};

struct OurSide {
  std::shared_ptr<const sparse::Tree> tree;
  std::shared_ptr<const sparse::Factor> factor;
  double ordering = 0, eliminating = 0, storing = 0;
  std::int64_t entries = 0;  // that the elimination joins

  explicit OurSide(const Graph& graph) {
    const sparse::EliminationOptions options{
        Semiring::min_plus,
        planner::choose_value_type(graph, Semiring::min_plus, {}).type,
        kernels::Sign::non_negative,
        kernels::Cycles::excluded,
        1,
        {}};
    const sparse::Pattern pattern = sparse::pattern_of(graph);
    sparse::Order order;
    ordering = cpu_seconds([&] {
      const sparse::Pattern own = sparse::pattern_of(graph);
      order = sparse::nested_dissection(own);
      tree = std::make_shared<const sparse::Tree>(own, order);
    });
    std::vector<sparse::Position> parents = sparse::parents_of(pattern, order);
    order = sparse::postordered(order, parents);
    const auto sizes = sparse::structure_sizes(pattern, order, parents);
    entries = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    eliminating = least_cpu_seconds([&] {
      factor = std::make_shared<const sparse::Factor>(sparse::eliminate(graph, tree, options));
    });
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("apsp_peer_{}.zarr", std::rand()))
            .string();
    storing = cpu_seconds([&] {
      const auto stored = store::create_store(
          path, {graph.vertex_count(), options.type, options.semiring, 1024, {}, {}});
      sparse::write_factor(*factor, *stored);
      stored->commit(graph, {});
    });
    std::filesystem::remove_all(path);
  }
};

/// Both sides' seconds for a question, and the sums of what they answer.
struct Turns {
  double ours = 0, theirs = 0, our_sum = 0, their_sum = 0;
  void require_agreement(const char* what) const {
    if (our_sum == their_sum) return;
    fmt::print(stderr, "{}: the sums of distances differ, {} and {}\n", what, our_sum, their_sum);
    std::exit(1);
  }
};

}  // namespace

int main(int argc, char** argv) {
  GenerateOptions options;
  options.kind = GraphKind::roads;
  options.vertices = argc > 1 ? std::atoll(argv[1]) : 1280000;
  options.directed = false;
  const std::int64_t pairs = argc > 2 ? std::atoll(argv[2]) : 20000;
  const Graph graph = generate(options);
  base::SplitMix64 seeds(options.seed);  // the generator's first stream is that of the pattern
  const auto places = patterns::road_places(options.vertices, base::SplitMix64(seeds.next()));

  const OurSide ours(graph);
  RoutingKitSide theirs(graph, places);
  const sparse::Tree& tree = *ours.tree;
  const ValueType type = ours.factor->type();
  fmt::print("{} vertices, {} edges, {}; the tree is {} vertices high\n\n", graph.vertex_count(),
             graph.edge_count(), name(type), tree.height());
  fmt::print("| measure | ours | RoutingKit | ratio | bar |\n|---|---|---|---|---|\n");
  row("order", ours.ordering, theirs.ordering, 0, "s");
  row("eliminate; build and customize", ours.eliminating, theirs.building + theirs.customizing, 0,
      "s");
  row("order, eliminate, store; order, build, customize",
      ours.ordering + ours.eliminating + ours.storing,
      theirs.ordering + theirs.building + theirs.customizing, 1.0 / 15, "s");
  row("all arcs customized", ours.eliminating, theirs.customizing, 1, "s");
  const auto shortcuts = static_cast<double>(theirs.cch.cch_arc_count());
  row("entries of the elimination; shortcuts", static_cast<double>(ours.entries), shortcuts, 1, "");
  row("entries that are kept, with those between joined vertices",
      static_cast<double>(tree.upper_entries() +
                          (tree.diagonal_entries() - graph.vertex_count()) / 2),
      shortcuts, 0, "");

  base::SplitMix64 random(7);
  const auto n = static_cast<std::uint64_t>(graph.vertex_count());
  const auto draw = [&] { return static_cast<Vertex>(random.below(n)); };
  const sparse::FactorRows rows(ours.factor, kernels::Sign::non_negative);
  sparse::FactorQuery query(*ours.factor, kernels::Sign::non_negative);
  RoutingKit::CustomizableContractionHierarchyQuery their_query(theirs.metric);
  const auto ask = [&](Vertex s, Vertex t) {
    std::int32_t value = 0;
    query.distance(s, t, &value);
    return static_cast<double>(value);
  };
  const std::int64_t turn = std::max<std::int64_t>(1, pairs / 20);

  Turns any;
  for (std::int64_t done = 0; done < pairs; done += turn) {
    std::vector<VertexPair> asked(static_cast<std::size_t>(turn));
    for (VertexPair& pair : asked) pair = {draw(), draw()};
    any.ours += cpu_seconds([&] {
      for (const auto& [s, t] : asked) any.our_sum += ask(s, t);
    });
    any.theirs += cpu_seconds([&] {
      for (const auto& [s, t] : asked) {
        any.their_sum += their_query.reset().add_source(s).add_target(t).run().get_distance();
      }
    });
  }
  any.require_agreement("random pairs");
  const double per_pair = 1e6 / static_cast<double>((pairs + turn - 1) / turn * turn);
  row("one random pair", any.ours * per_pair, any.theirs * per_pair, 0.45, "µs");

  // One target pinned and one source after another; ours keeps a source, which is the same here, as
  // edges go both ways.
  Turns fixed;
  for (std::int64_t done = 0; done < pairs; done += turn) {
    const Vertex end = draw();
    std::vector<unsigned> others(static_cast<std::size_t>(turn));
    for (unsigned& other : others) other = draw();
    fixed.ours += cpu_seconds([&] {
      for (const unsigned other : others) fixed.our_sum += ask(end, other);
    });
    fixed.theirs += cpu_seconds([&] {
      unsigned distance = 0;
      their_query.reset().pin_targets({end});
      for (const unsigned other : others) {
        their_query.reset_source()
            .add_source(other)
            .run_to_pinned_targets()
            .get_distances_to_targets(&distance);
        fixed.their_sum += distance;
      }
    });
  }
  fixed.require_agreement("one end fixed");
  row("one end fixed; one pinned target", fixed.ours * per_pair, fixed.theirs * per_pair, 0.5,
      "µs");

  // One source, and many targets that are pinned for it.
  Turns many;
  for (std::int64_t done = 0; done < pairs; done += turn) {
    const Vertex source = draw();
    std::vector<unsigned> targets(static_cast<std::size_t>(turn));
    for (unsigned& target : targets) target = draw();
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    std::vector<VertexPair> to_targets;
    for (const unsigned target : targets) to_targets.push_back({source, target});
    many.ours += cpu_seconds([&] {
      distances_by_groups(rows, to_targets, sparse::End::source, 1, {},
                          [&](std::size_t, const void* value) {
                            std::int32_t distance = 0;
                            std::memcpy(&distance, value, static_cast<std::size_t>(size_of(type)));
                            many.our_sum += distance;
                          });
    });
    many.theirs += cpu_seconds([&] {
      their_query.reset().pin_targets(targets).add_source(source);
      for (const unsigned distance :
           their_query.run_to_pinned_targets().get_distances_to_targets()) {
        many.their_sum += distance;
      }
    });
  }
  many.require_agreement("many targets");
  row(fmt::format("one source to {} targets, pinned for it; one of them", turn).c_str(),
      many.ours * per_pair, many.theirs * per_pair, 0.5, "µs");
  return 0;
}
