// Where the time of all pairs by nested dissection on a GPU goes.
//
//   apsp_device_sweep_bench GRAPH [--hops | --random GREATEST] [--lanes N]... [--rounds N]
//                           [--threads N] [--type T] [--rows N] [--predecessors] [--gpus N]
//                           [--profile] [--strict]
//
// Reading, order and tree, elimination on the CPU, start of the driver; then for each number of
// sources at a time the lists and the copy of the factor, sweeps whose distances nobody takes, and
// sweeps with their statistics, from every source: the best of all rounds. Statistics of the last
// round are compared with those of the CPU; where distances are real or long, some rows are (their
// counts are not timed here).
// --rows: rows of so many sources into pinned memory, where nobody takes them, as a multiple of
// bare copies of as many bytes, and the same rows that stay on the device. --predecessors: the same
// rows with their predecessors, of all sources where
// --rows is not given; some are compared with the CPU's. --gpus: the same sweeps shared by the
// first so many GPUs, which claim blocks of sources. --profile: each launch of a block in the
// middle, repeated, beside what its relaxations take at the product's rate. --strict: a device that
// checks every access, slowly, on the host.
#include <fmt/format.h>
#include <apsp/io.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "base/team.hpp"
#include "elimination/device_rows.hpp"
#include "elimination/device_sweep.hpp"
#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "engine/row_producer.hpp"
#include "planner/devices.hpp"
#include "planner/value_type.hpp"
#include "query/swept_statistics.hpp"
#include "support/strict/strict_device.hpp"
#include "sweep_launches.hpp"
#include "swept_rows.hpp"
#include "weighted_graph.hpp"

namespace {

using namespace apsp;
using bench::seconds;
using bench::show;
using bench::show_launches;

struct Settings {
  std::string graph;
  bench::Weights weights;
  bool strict = false, profile = false, predecessors = false;
  std::vector<std::int64_t> lanes;
  int rounds = 3, threads = 0, gpus = 1;
  std::int64_t rows = 0;  // that are copied out
  std::optional<ValueType> type;
};

std::string rate_of(double pairs, double time) {
  return fmt::format(", {:.1f} G pairs/s", pairs / time / 1e9);
}

std::unique_ptr<kernels::ComputeDevice> open_device(const Settings& settings, ValueType type,
                                                    int number = 0) {
  if (settings.strict) {
    return kernels::strict::make_device(Semiring::min_plus, type, std::int64_t{4} << 30);
  }
  const planner::Devices devices = planner::cuda_devices();
  if (devices.list.empty()) throw Error(ErrorKind::device, devices.why_none);
  return devices.open(devices.list.at(static_cast<std::size_t>(number)).ordinal, Semiring::min_plus,
                      type, kernels::Sign::non_negative, 0);
}

/// Sweeps alone; returns the seconds of the lists and the first copy, and of the sweeps.
std::pair<double, double> sweep_all(const elimination::Factor& factor,
                                    kernels::ComputeDevice& device, std::int64_t lanes,
                                    int threads) {
  const std::span<const Vertex> sources = factor.tree().order().vertex_at;
  std::optional<elimination::DeviceSweep> sweep;
  const double making = seconds([&] {
    sweep.emplace(factor, device, sources, lanes, threads);
    sweep->finish();
  });
  const double sweeping = seconds([&] {
    for (std::size_t first = 0; first < sources.size(); first += static_cast<std::size_t>(lanes)) {
      sweep->begin(sources.subspan(
          first, std::min(static_cast<std::size_t>(lanes), sources.size() - first)));
      sweep->end();
    }
    sweep->finish();
  });
  return {making, sweeping};
}

/// Relaxations of all blocks: up, closing and down.
double relaxations_of(const elimination::Tree& tree, std::int64_t lanes) {
  return static_cast<double>(tree.upper_entries()) * static_cast<double>(tree.vertices()) +
         elimination::UpwardLists::relaxations(tree, tree.order().vertex_at, lanes);
}

/// Relaxations a second of a product that fills the device, from packed operands.
double product_rate(kernels::ComputeDevice& device, int value_size) {
  constexpr std::int64_t kSide = 8192, kDepth = 2048;
  constexpr int kTimes = 4;
  const auto queue = device.make_queue();
  const std::vector<std::byte> zeros(static_cast<std::size_t>(kSide * kSide * value_size));
  std::byte* const c = device.allocate(std::ssize(zeros));
  std::byte* const left = device.allocate(device.left_bytes(kSide, kDepth));
  std::byte* const right = device.allocate(device.right_bytes(kSide, kDepth));
  const auto bytes = std::ssize(zeros);
  device.copy_in(queue, {c, 1, bytes, bytes}, {zeros.data(), 1, bytes, bytes}, 1);
  device.pack_left(queue, {c, kSide, kDepth, kSide}, false, left);
  device.pack_right(queue, {c, kDepth, kSide, kSide}, false, right);
  const auto multiply = [&] {
    device.multiply_add(
        queue, {.c = {c, kSide, kSide, kSide}, .left = left, .right = right, .depth = kDepth});
  };
  multiply();
  device.synchronize(queue);
  const double time = seconds([&] {
    for (int i = 0; i < kTimes; ++i) multiply();
    device.synchronize(queue);
  });
  for (std::byte* const memory : {c, left, right}) device.release(memory);
  return kTimes * static_cast<double>(kSide * kSide * kDepth) / time;
}

/// The same by several devices, and all with statistics; returns what they have counted together.
store::CountedDistances show_shared(const elimination::Factor& factor, const Settings& settings,
                                    std::int64_t lanes, std::int64_t limit) {
  std::vector<std::unique_ptr<kernels::ComputeDevice>> devices(
      static_cast<std::size_t>(settings.gpus));
  base::on_threads(settings.gpus, [&](int number) {
    devices[static_cast<std::size_t>(number)] = open_device(settings, factor.type(), number);
  });
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
                          counted[i] = elimination::count_on_device(
                              factor.tree().order(), *devices[i], sweep, again, limit);
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

/// Seconds that the host takes to make the lists of all blocks.
double list_all(const elimination::Factor& factor, std::int64_t lanes) {
  const std::span<const Vertex> sources = factor.tree().order().vertex_at;
  const elimination::SweepLists down(factor);
  elimination::UpwardLists up(factor, down);
  return seconds([&] {
    for (std::size_t first = 0; first < sources.size(); first += static_cast<std::size_t>(lanes)) {
      up.find(sources.subspan(first,
                              std::min(static_cast<std::size_t>(lanes), sources.size() - first)));
    }
  });
}

/// Seconds of one sweep and of one count of its distances, each repeated so many times.
std::pair<double, double> one_block(const elimination::Factor& factor,
                                    kernels::ComputeDevice& device, std::int64_t lanes,
                                    std::int64_t limit, int times) {
  const std::vector<Vertex>& order = factor.tree().order().vertex_at;
  const std::size_t cols = std::min(static_cast<std::size_t>(lanes), order.size());
  const std::span<const Vertex> sources = std::span(order).first(cols);
  const auto to_device = [&](const void* host, std::int64_t bytes) {
    std::byte* const memory = device.allocate(bytes);
    const auto queue = device.make_queue();
    device.copy_in(queue, {memory, 1, bytes, bytes}, {host, 1, bytes, bytes}, 1);
    device.synchronize(queue);
    return memory;
  };
  const auto n = std::ssize(order);
  const std::vector<std::byte> zeros(static_cast<std::size_t>(
      std::max(n * std::int64_t{sizeof(kernels::RowTotals)}, (limit + lanes) * 8)));
  std::byte* const labels = to_device(order.data(), n * std::int64_t{sizeof(Vertex)});
  std::byte* const totals = to_device(zeros.data(), n * std::int64_t{sizeof(kernels::RowTotals)});
  std::byte* const greatest = to_device(zeros.data(), lanes * 8);
  std::byte* const counts = to_device(zeros.data(), (limit + 1) * 8);
  double counting = 0, sweeping = 0;
  {
    elimination::DeviceSweep sweep(factor, device, sources, lanes);
    sweep.begin(sources);
    sweep.end();
    sweep.finish();
    sweeping = seconds([&] {
      for (int i = 0; i < times; ++i) {
        sweep.begin(sources);
        sweep.end();
      }
      sweep.finish();
    });
    const kernels::RowCount count{.x = sweep.distances(),
                                  .row_labels = reinterpret_cast<const std::uint32_t*>(labels),
                                  .column_labels = sweep.column_labels(),
                                  .totals = reinterpret_cast<kernels::RowTotals*>(totals),
                                  .greatest = reinterpret_cast<std::uint64_t*>(greatest),
                                  .counts = reinterpret_cast<std::uint64_t*>(counts),
                                  .limit = limit};
    counting = seconds([&] {
      for (int i = 0; i < times; ++i) device.count_rows(sweep.queue(), count);
      sweep.finish();
    });
  }
  for (std::byte* const memory : {labels, totals, greatest, counts}) device.release(memory);
  return {sweeping / times, counting / times};
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

void show_first_upward_sweep(const elimination::Factor& factor, std::int64_t lanes) {
  const std::vector<Vertex>& order = factor.tree().order().vertex_at;
  const elimination::SweepLists down(factor);
  elimination::UpwardLists up(factor, down);
  up.find(std::span(order).first(std::min(static_cast<std::size_t>(lanes), order.size())));
  std::int32_t deepest = 0;
  for (const kernels::ListedItem& item : up.items()) deepest = std::max(deepest, item.depth);
  const auto alone =
      std::count_if(up.upward_groups().begin(), up.upward_groups().end(),
                    [](const elimination::UpwardGroup& group) { return group.alone; });
  fmt::print(
      "first block: {} upward rows, {} weights, {} launches, {} of one supernode, {} rows "
      "listed at most\n",
      up.rows(), up.entries(), up.upward_groups().size(), alone, deepest);
}

void measure(const Settings& settings) {
  const int threads = base::thread_count(settings.threads);
  Graph graph;
  show("read",
       seconds([&] { graph = bench::weighted(read_graph(settings.graph), settings.weights); }));
  planner::ValueChoice values;
  show("type of value", seconds([&] {
         values = planner::choose_value_type(graph, Semiring::min_plus, settings.type, threads, {});
       }));
  std::shared_ptr<const elimination::Tree> tree;
  show("order, tree", seconds([&] {
         const elimination::Pattern pattern = elimination::pattern_of(graph);
         tree = std::make_shared<const elimination::Tree>(pattern,
                                                          elimination::nested_dissection(pattern));
       }));
  std::unique_ptr<kernels::ComputeDevice> device;
  show("start of the driver", seconds([&] { device = open_device(settings, values.type); }));
  const std::int64_t closed_from = settings.strict ? 0 : 4096;
  std::shared_ptr<const elimination::Factor> factor;
  show("eliminate", seconds([&] {
         factor = std::make_shared<const elimination::Factor>(
             elimination::eliminate(graph, tree,
                                    {Semiring::min_plus,
                                     values.type,
                                     kernels::Sign::non_negative,
                                     kernels::Cycles::excluded,
                                     threads,
                                     {},
                                     {device.get(), {}, closed_from, 512}}));
       }));
  const auto n = static_cast<double>(tree->vertices());
  const auto limit = static_cast<std::int64_t>(values.distance_bound) + 2;
  fmt::print("{} vertices, {} arcs, {}, {} entries, {} supernodes, height {}, limit {}\n",
             tree->vertices(), graph.arc_count(), name(values.type), tree->upper_entries(),
             tree->supernodes(), tree->height(), limit);
  fmt::print("{} groups of items\n", elimination::SweepLists(*factor).groups().size());
  show_first_upward_sweep(*factor, settings.lanes.front());
  const double peak = settings.strict ? 1 : product_rate(*device, size_of(values.type));
  fmt::print("packed product: {:.1f} T relaxations/s\n", peak / 1e12);
  const bool counts = planner::is_integer(values.type) && limit <= kernels::kCountLimit;
  store::CountedDistances counted;
  for (const std::int64_t asked : settings.lanes) {
    const std::int64_t lanes = elimination::DeviceSweep::lanes_of(asked, values.type);
    double making = 1e300, sweeping = 1e300, counting = 1e300;
    for (int round = 0; round < settings.rounds; ++round) {
      const auto [made, swept] = sweep_all(*factor, *device, lanes, threads);
      making = std::min(making, made);
      sweeping = std::min(sweeping, swept);
      if (!counts) continue;
      counting = std::min(
          counting, seconds([&] {
            const Control control;
            elimination::SourceBlocks blocks(tree->order().vertex_at, lanes, control);
            elimination::DeviceSweep sweep(*factor, *device, blocks.sources(), lanes, threads);
            counted = elimination::count_on_device(tree->order(), *device, sweep, blocks, limit);
          }));
    }
    fmt::print("{} sources at a time, {:.1f} MB of the device\n", lanes,
               static_cast<double>(elimination::DeviceSweep::device_bytes(
                   *tree, values.type, lanes,
                   elimination::UpwardLists::largest(*tree, tree->order().vertex_at, lanes))) /
                   1e6);
    const auto rate = [&](double time) { return rate_of(n * n, time); };
    show("  lists of all blocks, by the host", list_all(*factor, lanes));
    if (counts) {
      const auto [swept, count] = one_block(*factor, *device, lanes, limit, settings.rounds * 3);
      const double block = n * std::min(n, static_cast<double>(lanes));
      show("  one block, the first, swept", swept, rate_of(block, swept));
      show("  its distances counted", count, rate_of(block, count));
    }
    show("  lists, copy of the factor", making);
    show("  sweeps alone", sweeping, rate(sweeping));
    const double relaxations = relaxations_of(*tree, lanes);
    fmt::print("  {:.3g} relaxations, {:.2f} T/s, {:.2f} of the packed product\n", relaxations,
               relaxations / sweeping / 1e12, relaxations / sweeping / peak);
    if (counts) show("  all, with statistics", counting, rate(counting));
    if (settings.profile) show_launches(*factor, *device, lanes, peak, settings.rounds * 3);
    if (settings.gpus > 1 && counts) counted = show_shared(*factor, settings, lanes, limit);
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
  if (settings.lanes.empty()) settings.lanes = {4096};
  if (settings.graph.empty()) {
    fmt::print(stderr,
               "apsp_device_sweep_bench GRAPH [--hops | --random GREATEST] [--lanes N]... "
               "[--rounds N] [--threads N] [--type T] [--rows N] [--predecessors] [--gpus N] "
               "[--profile] [--strict]\n");
    return 2;
  }
  try {
    measure(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
