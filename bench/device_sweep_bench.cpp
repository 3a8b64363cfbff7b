// Where the time of all pairs by nested dissection on a GPU goes.
//
//   apsp_device_sweep_bench GRAPH [--hops | --random GREATEST] [--lanes N]... [--rounds N]
//                           [--threads N] [--type T] [--rows N] [--predecessors] [--gpus N]
//                           [--sample B] [--memory SIZE] [--profile] [--strict]
//
// Reading, order and tree, elimination on the CPU, start of the driver; then for each number of
// sources at a time the lists and the copy of the factor, sweeps whose distances nobody takes, and
// sweeps with their statistics, from every source: the best of all rounds. Statistics of the last
// round are compared with those of the CPU; where distances are real or long, some rows are (their
// counts are not timed here).
// --rows: rows of so many sources into pinned memory, where nobody takes them, as a multiple of
// bare copies of as many bytes, the same rows that stay on the device, and those whose copies are
// of one row, or wait (Xia 2021, Figure 8). --predecessors: the same
// rows with their predecessors, of all sources where
// --rows is not given; some are compared with the CPU's. --gpus: the same sweeps shared by the
// first so many GPUs, which claim blocks of sources. --sample: only so many blocks, spread evenly,
// by one GPU and then by all, and what all blocks would take. As many sources at a time as fit
// there, if --lanes is not given; --memory: of so much. Their greatest distances and some rows are
// compared with the CPU's, and the program ends with 1 where one differs. --profile: each launch of
// a block in the middle, repeated, beside what its relaxations take at the product's rate.
// --strict: a device that checks every access, slowly, on the host.
#include <fmt/format.h>
#include <apsp/io.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/machine.hpp"
#include "base/team.hpp"
#include "base/units.hpp"
#include "elimination/device_rows.hpp"
#include "elimination/device_sweep.hpp"
#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "engine/row_producer.hpp"
#include "planner/device_rows_plan.hpp"
#include "planner/devices.hpp"
#include "planner/value_type.hpp"
#include "query/column_statistics.hpp"
#include "support/strict/strict_device.hpp"
#include "sweep_launches.hpp"
#include "sweep_sample.hpp"
#include "sweep_times.hpp"
#include "swept_rows.hpp"
#include "weighted_graph.hpp"

namespace {

using namespace apsp;
using bench::rate_of;
using bench::seconds;
using bench::show;
using bench::show_launches;

struct Settings {
  std::string graph;
  bench::Weights weights;
  bool strict = false, profile = false, predecessors = false;
  std::vector<std::int64_t> lanes;
  int rounds = 3, threads = 0, gpus = 1;
  std::int64_t rows = 0;    // that are copied out
  std::int64_t sample = 0;  // blocks; 0: all
  std::int64_t memory = 0;  // of each device; 0: what is free
  std::optional<ValueType> type;
};

constexpr std::int64_t kStrictMemory = std::int64_t{4} << 30;

std::unique_ptr<kernels::ComputeDevice> open_device(const Settings& settings, ValueType type,
                                                    kernels::ListedForm form, int number = 0) {
  std::unique_ptr<kernels::ComputeDevice> device;
  if (settings.strict) {
    device = kernels::strict::make_device(Semiring::min_plus, type, kStrictMemory);
  } else {
    const planner::Devices devices = planner::cuda_devices();
    if (devices.list.empty()) throw Error(ErrorKind::device, devices.why_none);
    device = devices.open(devices.list.at(static_cast<std::size_t>(number)).ordinal,
                          Semiring::min_plus, type, kernels::Sign::non_negative, 0);
  }
  device->gathered_rows()->keep_listed(form);
  return device;
}

bench::OpenDevices open_devices(const Settings& settings, ValueType type,
                                kernels::ListedForm form) {
  bench::OpenDevices devices(static_cast<std::size_t>(settings.gpus));
  base::on_threads(settings.gpus, [&](int number) {
    devices[static_cast<std::size_t>(number)] = open_device(settings, type, form, number);
  });
  return devices;
}

/// As many sources at a time as the plan of a solve would take beside the factor.
std::int64_t lanes_by_memory(const Settings& settings, const elimination::Tree& tree,
                             ValueType type, const search::CountMethod& way) {
  planner::DeviceFacts facts;
  facts.memory_free = kStrictMemory;
  if (!settings.strict) {
    const planner::Devices devices = planner::cuda_devices();
    if (devices.list.empty()) throw Error(ErrorKind::device, devices.why_none);
    facts = planner::with_free_memory(devices, devices.list.front());
  }
  const std::int64_t allowed = planner::allowed_device_bytes(settings.memory, facts);
  const std::int64_t n = tree.vertices();
  const std::int64_t counts = way.counts() ? search::device_count_bytes(n, n, way) : 0;
  const std::int64_t lanes = elimination::DeviceSweep::lanes_within(
      allowed, std::min(n, planner::kMostLanes), type, [&](std::int64_t some) {
        const auto largest = elimination::UpSweepLists::largest(tree, tree.order().vertex_at, some);
        return counts + elimination::DeviceSweep::device_bytes(tree, type, some, largest);
      });
  if (lanes == 0) throw Error(ErrorKind::does_not_fit, "the factor does not fit the device");
  return lanes;
}

/// The same by several devices, and all with statistics; returns what they have counted together.
store::CountedDistances show_shared(const elimination::Factor& factor, const Settings& settings,
                                    std::int64_t lanes, kernels::ListedForm form,
                                    const search::CountMethod& way) {
  const bench::OpenDevices devices = open_devices(settings, factor.type(), form);
  const std::span<const Vertex> sources = factor.tree().order().vertex_at;
  std::vector<std::unique_ptr<elimination::DeviceSweep>> sweeps(devices.size());
  std::vector<store::CountedDistances> counted(devices.size());
  double making = 1e300, sweeping = 1e300, counting = 1e300;
  const Control control;
  const auto each = [&](auto&& act) {
    return seconds([&] {
      base::on_threads(settings.gpus, [&](int number) { act(static_cast<std::size_t>(number)); });
    });
  };
  for (int round = 0; round < settings.rounds; ++round) {
    making = std::min(making, each([&](std::size_t i) {
                        sweeps[i].reset();
                        sweeps[i] = std::make_unique<elimination::DeviceSweep>(factor, *devices[i],
                                                                               sources, lanes);
                        sweeps[i]->finish();
                      }));
    elimination::SourceBlocks blocks(sources, lanes, control);
    sweeping = std::min(sweeping, each([&](std::size_t i) {
                          while (const auto block = blocks.claim()) {
                            sweeps[i]->begin(sources.subspan(block->first, block->count));
                            sweeps[i]->end();
                          }
                          sweeps[i]->finish();
                        }));
    for (auto& sweep : sweeps) sweep.reset();
    elimination::SourceBlocks again(sources, lanes, control);
    counting = std::min(counting, each([&](std::size_t i) {
                          elimination::DeviceSweep sweep(factor, *devices[i], sources, lanes);
                          counted[i] = elimination::count_on_device(factor.tree().order(),
                                                                    *devices[i], sweep, again, way);
                        }));
  }
  const double pairs = static_cast<double>(sources.size()) * static_cast<double>(sources.size());
  const auto rate = [&](double time) { return rate_of(pairs, time); };
  fmt::print("  shared by {} GPUs:\n", settings.gpus);
  show("  lists, copies of the factor", making);
  show("  sweeps alone", sweeping, rate(sweeping));
  show("  all, with statistics", counting, rate(counting));
  for (std::size_t i = 1; i < counted.size(); ++i) counted.front().add(counted[i]);
  return std::move(counted.front());
}

Statistics on_cpu(const Graph& graph, std::shared_ptr<const elimination::Factor> factor,
                  const planner::ValueChoice& values, int threads) {
  query::SweptStatistics sink(graph, Semiring::min_plus, values.type, values.distance_bound, false);
  const elimination::FactorRows rows(std::move(factor), kernels::Sign::non_negative);
  const Control control;
  engine::rows_on_host(rows, threads, control)->count(rows.order(), sink, 0);
  return sink.statistics();
}

bool same(const Statistics& a, const Statistics& b) {
  return a.mean == b.mean && a.median == b.median && a.diameter == b.diameter &&
         a.radius == b.radius && a.reachable_pairs == b.reachable_pairs &&
         a.eccentricity == b.eccentricity && a.closeness == b.closeness && a.harmonic == b.harmonic;
}

/// A graph and its factor, ready for sweeps.
struct Prepared {
  Graph graph;
  planner::ValueChoice values;
  kernels::ListedForm form = kernels::ListedForm::values;  // of rows on the device
  search::CountMethod way{};
  std::shared_ptr<const elimination::Tree> tree;
  std::unique_ptr<kernels::ComputeDevice> device;
  std::shared_ptr<const elimination::Factor> factor;
  double seconds = 0;
};

Prepared prepare(const Settings& settings, int threads) {
  Prepared made;
  const auto timed = [&](const char* what, auto&& act) {
    const double time = seconds(act);
    show(what, time);
    made.seconds += time;
  };
  timed("read",
        [&] { made.graph = bench::weighted(read_graph(settings.graph), settings.weights); });
  timed("type of value", [&] {
    made.values =
        planner::choose_value_type(made.graph, Semiring::min_plus, settings.type, threads, {});
  });
  const planner::Problem problem{.type = made.values.type,
                                 .sign = kernels::Sign::non_negative,
                                 .distance_bound = made.values.distance_bound,
                                 .least_distance = planner::least_distance(made.graph),
                                 .whole = made.graph.weight_facts().integral,
                                 .n = made.graph.vertex_count()};
  made.form = planner::swept_form(problem);
  made.way = planner::count_way(problem);
  timed("order, tree", [&] {
    const elimination::Pattern pattern = elimination::pattern_of(made.graph);
    made.tree = std::make_shared<const elimination::Tree>(
        pattern, elimination::nested_dissection(pattern, {base::processes_for(threads)}));
  });
  timed("start of the driver",
        [&] { made.device = open_device(settings, made.values.type, made.form); });
  const std::int64_t closed_from = settings.strict ? 0 : 4096;
  timed("eliminate", [&] {
    made.factor = std::make_shared<const elimination::Factor>(
        elimination::eliminate(made.graph, made.tree,
                               {Semiring::min_plus,
                                made.values.type,
                                kernels::Sign::non_negative,
                                kernels::Cycles::excluded,
                                threads,
                                {},
                                {made.device.get(), {}, closed_from, 512}}));
  });
  const elimination::Tree& tree = *made.tree;
  fmt::print(
      "{} vertices, {} arcs, {}{}, {} entries, {} supernodes, height {}, distances up to {}\n",
      tree.vertices(), made.graph.arc_count(), name(made.values.type),
      made.form == kernels::ListedForm::whole ? " in 32 bits" : "", tree.upper_entries(),
      tree.supernodes(), tree.height(), made.values.distance_bound);
  return made;
}

/// Whether what was compared agrees.
bool measure_sample(const Settings& settings, int threads) {
  Prepared made = prepare(settings, threads);
  const ValueType type = kernels::listed_type(made.form, made.values.type);
  made.graph = Graph();
  made.device.reset();
  std::vector<std::int64_t> lanes = settings.lanes;
  if (lanes.empty()) {
    lanes.push_back(lanes_by_memory(settings, *made.tree, type, made.way));
  }
  const bench::OpenDevices devices = open_devices(settings, made.values.type, made.form);
  bool right = true;
  for (const std::int64_t asked : lanes) {
    const auto sample =
        bench::sample_of(made.tree->order().vertex_at,
                         elimination::DeviceSweep::lanes_of(asked, type), settings.sample);
    right =
        bench::show_sample(made.factor, devices, sample, made.way, threads, made.seconds) && right;
  }
  fmt::print("sample agrees: {}\n", right ? "yes" : "NO");
  return right;
}

void measure(const Settings& settings, int threads) {
  const Prepared made = prepare(settings, threads);
  const auto& [graph, values, form, way, tree, device, factor, before] = made;
  const auto n = static_cast<double>(tree->vertices());
  const ValueType type = kernels::listed_type(form, values.type);
  fmt::print("{} groups of items\n", elimination::DownSweepLists(*factor).groups().size());
  bench::show_first_upward_sweep(*factor, settings.lanes.front());
  const double peak = settings.strict ? 1 : bench::product_rate(*device, size_of(values.type));
  fmt::print("packed product: {:.1f} T relaxations/s\n", peak / 1e12);
  const bool counts = way.counts();
  store::CountedDistances counted;
  for (const std::int64_t asked : settings.lanes) {
    const std::int64_t lanes = elimination::DeviceSweep::lanes_of(asked, type);
    double making = 1e300, sweeping = 1e300, counting = 1e300;
    for (int round = 0; round < settings.rounds; ++round) {
      const auto [made, swept] = bench::sweep_all(*factor, *device, lanes, threads);
      making = std::min(making, made);
      sweeping = std::min(sweeping, swept);
      if (!counts) continue;
      counting = std::min(
          counting, seconds([&] {
            const Control control;
            elimination::SourceBlocks blocks(tree->order().vertex_at, lanes, control);
            elimination::DeviceSweep sweep(*factor, *device, blocks.sources(), lanes, threads);
            counted = elimination::count_on_device(tree->order(), *device, sweep, blocks, way);
          }));
    }
    fmt::print("{} sources at a time, {:.1f} MB of the device\n", lanes,
               static_cast<double>(elimination::DeviceSweep::device_bytes(
                   *tree, type, lanes,
                   elimination::UpSweepLists::largest(*tree, tree->order().vertex_at, lanes))) /
                   1e6);
    const auto rate = [&](double time) { return rate_of(n * n, time); };
    show("  lists of all blocks, by the host", bench::list_all(*factor, lanes));
    if (counts) {
      const auto [swept, count] =
          bench::one_block(*factor, *device, lanes, way, settings.rounds * 3);
      const double block = n * std::min(n, static_cast<double>(lanes));
      show("  one block, the first, swept", swept, rate_of(block, swept));
      show("  its distances counted", count, rate_of(block, count));
    }
    show("  lists, copy of the factor", making);
    show("  sweeps alone", sweeping, rate(sweeping));
    const double relaxations = bench::relaxations_of(*tree, lanes);
    fmt::print("  {:.3g} relaxations, {:.2f} T/s, {:.2f} of the packed product\n", relaxations,
               relaxations / sweeping / 1e12, relaxations / sweeping / peak);
    if (counts) show("  all, with statistics", counting, rate(counting));
    if (settings.profile) show_launches(*factor, *device, lanes, peak, settings.rounds * 3);
    if (settings.gpus > 1 && counts) counted = show_shared(*factor, settings, lanes, form, way);
    const std::int64_t rows =
        settings.predecessors && settings.rows == 0 ? tree->vertices() : settings.rows;
    if (rows > 0) {
      bench::show_rows(*factor, *device, lanes, rows, settings.predecessors ? &graph : nullptr);
    }
  }
  if (!counts) {
    fmt::print("distances of some rows that differ from the CPU's: {}\n",
               bench::wrong_in_rows(factor, *device));
    return;
  }
  query::SweptStatistics sink(graph, Semiring::min_plus, values.type, values.distance_bound, false);
  sink.take_counted(counted);
  Statistics there;
  show("statistics of the counts", seconds([&] { there = sink.statistics(); }));
  Statistics here;
  show("the same on the CPU", seconds([&] { here = on_cpu(graph, factor, values, threads); }));
  fmt::print("statistics agree: {}\n", same(there, here) ? "yes" : "NO");
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--hops") {
      settings.weights.hops = true;
    } else if (word == "--strict") {
      settings.strict = true;
    } else if (word == "--profile") {
      settings.profile = true;
    } else if (word == "--random") {
      settings.weights.greatest = static_cast<std::uint64_t>(std::atoll(next().c_str()));
    } else if (word == "--lanes") {
      settings.lanes.push_back(std::atoll(next().c_str()));
    } else if (word == "--rounds") {
      settings.rounds = std::atoi(next().c_str());
    } else if (word == "--gpus") {
      settings.gpus = std::max(1, std::atoi(next().c_str()));
    } else if (word == "--rows") {
      settings.rows = std::atoll(next().c_str());
    } else if (word == "--sample") {
      settings.sample = std::atoll(next().c_str());
    } else if (word == "--memory") {
      settings.memory = base::parse_bytes(next()).value_or(0);
    } else if (word == "--predecessors") {
      settings.predecessors = true;
    } else if (word == "--threads") {
      settings.threads = std::atoi(next().c_str());
    } else if (word == "--type") {
      settings.type = parse_value_type(next());
    } else {
      settings.graph = word;
    }
  }
  if (settings.lanes.empty() && settings.sample == 0) settings.lanes = {4096};
  if (settings.graph.empty()) {
    fmt::print(stderr,
               "apsp_device_sweep_bench GRAPH [--hops | --random GREATEST] [--lanes N]... "
               "[--rounds N] [--threads N] [--type T] [--rows N] [--predecessors] [--gpus N] "
               "[--sample B] [--memory SIZE] [--profile] [--strict]\n");
    return 2;
  }
  try {
    const int threads = base::thread_count(settings.threads);
    if (settings.sample > 0) return measure_sample(settings, threads) ? 0 : 1;
    measure(settings, threads);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
