// The time of all pairs by searches on a GPU.
//
// Searches from N random sources for each step (of near paths, in steps of the graph's), whose rows
// stay on the device; their time is scaled to all sources. --breadth: breadth-first searches of
// weights of 1 instead, from blocks of --batch neighbouring sources, evenly spaced, N in all.
// Weights may be negative, and are reduced then (--rows and
// --check too). --searches: at a time; --shared: bytes of a multiprocessor's memory for each, at
// most (0: none, however small the graph); --kept: of arcs that the cache keeps; --unnumbered:
// vertices keep their own numbers.
// --check: N rows compared with the CPU's.
// --rows: all rows to pinned memory, where nobody takes them.
// --strict: a device that checks every access, slowly, on the host.
#include <apsp/io.hpp>

#include "device_harness.hpp"
#include "planner/value_type.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/device_hops.hpp"
#include "search/device_search.hpp"
#include "search/dijkstra_rows.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/device_rows.hpp"
#include "system/machine.hpp"

namespace {

using namespace apsp;
using bench::seconds;
using bench::show;

struct Settings {
  std::string graph;
  bench::Weights weights;
  std::vector<double> steps = {1};
  std::int64_t sources = 4096, batch = 4096, searches = 2112;
  std::int64_t shared = std::numeric_limits<std::int64_t>::max(), kept = kernels::kArcsKept;
  std::optional<ValueType> type;
  std::int64_t check = 0;
  bool breadth = false, rows = false, strict = false, unnumbered = false;
};

/// Distinct, at random.
std::vector<Vertex> some_sources(std::int64_t n, std::int64_t count, std::uint64_t seed) {
  std::vector<Vertex> all(static_cast<std::size_t>(n));
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<Vertex>(v);
  base::SplitMix64 random(seed);
  for (std::size_t v = 0; v + 1 < all.size(); ++v) {
    std::swap(all[v], all[v + random.below(all.size() - v)]);
  }
  all.resize(static_cast<std::size_t>(std::min(n, count)));
  return all;
}

/// Seconds of the searches only, the better of two runs.
double search_some(const search::SearchedGraph& graph, kernels::ComputeDevice& device,
                   const std::vector<Vertex>& sources, const search::SearchBatches& how) {
  const auto queue = device.make_queue();
  const std::int64_t n = graph.vertices, stride = device.tiles().stride(n);
  const std::int64_t batch = std::min<std::int64_t>(how.batch, std::ssize(sources));
  dense::DeviceBuffer rows(device, batch * stride * size_of(graph.keys.type));
  search::DeviceSearches searches(graph, device, queue, sources, {}, how);
  device.synchronize(queue);
  return bench::best_of(2, [&] {
    for (std::int64_t first = 0; first < std::ssize(sources); first += batch) {
      searches.find({rows.data(), std::min(batch, std::ssize(sources) - first), n, stride}, first);
    }
    device.synchronize(queue);
  });
}

/// Rows that differ from those of Dijkstra.
std::int64_t wrong_rows(const Graph& graph, const search::SearchedGraph& searched,
                        const Potentials* potentials, double bound, kernels::ComputeDevice& device,
                        const std::vector<Vertex>& sources, const search::SearchBatches& how) {
  const auto rows =
      search::dijkstra_rows(graph, Semiring::min_plus, searched.keys.type, potentials, bound);
  std::int64_t wrong = 0;
  const Control control;
  search::SourceBlocks blocks(sources, how.batch, control);
  search::rows_by_searches(
      searched, device, {}, how, blocks,
      [&](std::span<const Vertex> some, const void* found, std::int64_t stride) {
        wrong += bench::rows_that_differ(*rows, some, found, stride);
      });
  return wrong;
}

/// Seconds of `act`, which brings all rows to pinned memory.
void show_copied(std::int64_t n, ValueType type, const auto& act) {
  const double time = seconds(act);
  const auto side = static_cast<double>(n);
  show("all rows to pinned memory", time, bench::gigabytes(side * side * size_of(type), time));
}

/// Breadth-first searches from blocks of sources, evenly spaced: seconds of all of them.
void search_blocks(search::DeviceHops& hops, const std::vector<Vertex>& order,
                   const Settings& settings, std::int64_t lanes, double arcs) {
  const auto n = std::ssize(order);
  const std::int64_t blocks = (n + lanes - 1) / lanes;
  const std::int64_t taken = std::clamp<std::int64_t>(settings.sources / lanes, 1, blocks);
  std::int64_t sources = 0;
  const double best = bench::best_of(2, [&] {
    sources = 0;
    for (std::int64_t i = 0; i < taken; ++i) {
      const std::int64_t first = i * blocks / taken * lanes;
      const std::int64_t count = std::min(lanes, n - first);
      hops.begin({order.data() + first, static_cast<std::size_t>(count)});
      hops.end();
      sources += count;
    }
    hops.finish();
  });
  const double all = best * static_cast<double>(n) / static_cast<double>(sources);
  show(fmt::format("{} sources by breadth", sources), best,
       fmt::format(", all {:.3f} s, n·m/s {:.2e}, pairs/s {:.2e}", all,
                   static_cast<double>(n) * arcs / all,
                   static_cast<double>(n) * static_cast<double>(n) / all));
}

/// All of `sources` as rows. Returns those that differ from the CPU's; `compares`: or nothing does.
std::int64_t hop_rows(const Graph& graph, ValueType type, kernels::ComputeDevice& device,
                      search::DeviceHops& hops, std::span<const Vertex> sources, std::int64_t lanes,
                      bool compares) {
  const auto rows = search::breadth_first_rows(graph, type);
  const std::int64_t n = graph.vertex_count();
  std::int64_t wrong = 0;
  const Control control;
  sparse::SourceBlocks blocks(sources, lanes, control);
  sparse::rows_from_device(sparse::natural_order(n), {}, type, device, hops, blocks,
                           sparse::DeviceRows::of(lanes, n, type), 0,
                           [&](std::span<const Vertex> some, const void* found, std::int64_t) {
                             if (compares) wrong += bench::rows_that_differ(*rows, some, found, n);
                           });
  return wrong;
}

void measure_breadth(const Graph& graph, const planner::ValueChoice& values,
                     kernels::ComputeDevice& device, const Settings& settings) {
  const std::int64_t n = graph.vertex_count();
  search::Links before;
  std::vector<Vertex> order;
  show("arcs and order", seconds([&] {
         before = search::links_before(graph);
         order = search::clustered_order(before, kernels::kLevelLine);
       }));
  const std::int64_t lanes = search::DeviceHops::lanes_of(std::min(n, settings.batch));
  const std::int64_t most = search::DeviceHops::most_of(n, values.distance_bound);
  {
    search::DeviceHops hops(before, values.type, device, order, lanes, most);
    search_blocks(hops, order, settings, lanes, static_cast<double>(before.targets.size()));
  }
  if (settings.check > 0) {
    const auto some = some_sources(n, settings.check, 5);
    search::DeviceHops hops(before, values.type, device, some, lanes, most);
    fmt::print("rows that differ: {} of {}\n",
               hop_rows(graph, values.type, device, hops, some, lanes, true), some.size());
  }
  if (settings.rows) {
    show_copied(n, values.type, [&] {
      search::DeviceHops hops(before, values.type, device, order, lanes, most);
      hop_rows(graph, values.type, device, hops, order, lanes, false);
    });
  }
}

void measure(const Settings& settings) {
  Graph graph;
  show("read", seconds([&] { graph = settings.weights.of(read_graph(settings.graph)); }));
  planner::ValueChoice values;
  show("type of value", seconds([&] {
         values = planner::choose_value_type(graph, Semiring::min_plus, settings.type,
                                             system::thread_count(0), {});
       }));
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  fmt::print("{} vertices, {} arcs, {}\n", n, m, name(values.type));
  std::unique_ptr<kernels::ComputeDevice> device;
  show("start of the driver", seconds([&] {
         device = bench::open_device(settings.strict, values.type, kernels::Sign::any);
       }));
  if (settings.breadth) return measure_breadth(graph, values, *device, settings);
  std::optional<Potentials> found;
  if (graph.weight_facts().least < 0) {
    show("potentials", seconds([&] { found = potentials(graph, 1, {}, system::thread_count(0)); }));
  }
  const Potentials* const h = found ? &*found : nullptr;
  search::SearchedGraph searched;
  show("arcs", seconds([&] {
         searched = search::searched_graph(
             graph, Semiring::min_plus, values.type, search::Direction::kept, h,
             settings.unnumbered ? std::numeric_limits<std::int64_t>::max() : search::kNearBytes);
       }));
  const double mean = searched.step;
  search::SearchBatches how{std::min(n, settings.batch), std::min(n, settings.searches), 0,
                            settings.shared, settings.kept};
  how.piece =
      std::clamp<std::int64_t>((std::int64_t{64} << 20) / (n * size_of(values.type)), 1, how.batch);
  const auto sources = some_sources(n, settings.sources, 3);
  double best = 1e300, best_step = mean;
  for (const double step : settings.steps) {
    searched.step = step * mean;
    const double time = search_some(searched, *device, sources, how);
    const double all = time * static_cast<double>(n) / static_cast<double>(std::ssize(sources));
    show(fmt::format("{} sources, step {:.2f} of its own", sources.size(), step), time,
         fmt::format(", all {:.3f} s, n·m/s {:.2e}", all,
                     static_cast<double>(n) * static_cast<double>(m) / all));
    if (time < best) {
      best = time;
      best_step = searched.step;
    }
  }
  searched.step = best_step;
  if (settings.check > 0) {
    fmt::print("rows that differ: {} of {}\n",
               wrong_rows(graph, searched, h, values.distance_bound, *device,
                          some_sources(n, settings.check, 5), how),
               std::min(n, settings.check));
  }
  if (!settings.rows) return;
  const auto all = some_sources(n, n, 7);
  show_copied(n, values.type, [&] {
    const Control control;
    search::SourceBlocks blocks(all, how.batch, control);
    search::rows_by_searches(searched, *device, {}, how, blocks,
                             [](std::span<const Vertex>, const void*, std::int64_t) {});
  });
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_device_search_bench GRAPH");
  settings.weights.declare(options);
  options.word(settings.graph)
      .needs(1)("--breadth", settings.breadth)("--steps LIST", settings.steps);
  options("--sources N", settings.sources)("--batch N", settings.batch);
  options("--searches N", settings.searches)("--shared BYTES", settings.shared);
  options("--kept BYTES", settings.kept)("--unnumbered", settings.unnumbered);
  options("--type T", settings.type)("--rows", settings.rows)("--check N", settings.check);
  options("--strict", settings.strict);
  return options.run(argc, argv, [&] { measure(settings); });
}
