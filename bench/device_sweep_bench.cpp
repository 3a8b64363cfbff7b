// The parts of the time of all pairs by nested dissection on a GPU.
//
// Reading, order and tree, elimination, start of the driver; then for each number of sources at a
// time the lists and the copy of the factor, sweeps whose distances nobody takes, and sweeps with
// their statistics, from every source: the best of all rounds, on one GPU and shared by --gpus,
// which claim blocks of sources. Statistics are compared with those of the CPU; where distances are
// real or long, only some rows are. --rows: rows of so many sources into pinned memory, where
// nobody takes them, bare copies of as many bytes, the same rows that stay on the device, and those
// whose copies are of one row, or wait (Xia 2021, Figure 8). --boundary: the factor is that of the
// boundary algorithm with so many parts, as in that figure. --sample: only so many blocks, spread
// evenly, and the time that all blocks would take; greatest distances and some rows are compared.
// --lanes: sources at a time; a sample takes as many as fit --memory. --strict: a device that
// checks every access, slowly, on the host.
#include <apsp/io.hpp>

#include <cmath>
#include <span>

#include "device_harness.hpp"
#include "engine/row_producer.hpp"
#include "planner/device_sweep_plan.hpp"
#include "planner/row_costs.hpp"
#include "planner/value_type.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/device_rows.hpp"
#include "sparse/device_sweep.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "statistics/column_statistics.hpp"
#include "statistics/device_count.hpp"
#include "system/aligned_memory.hpp"
#include "system/child_process.hpp"
#include "system/machine.hpp"

namespace {

using namespace apsp;
using bench::OpenDevices;
using bench::seconds;
using bench::show;

struct Settings {
  std::string graph;
  bench::Weights weights;
  bool strict = false;
  std::vector<std::int64_t> lanes;
  int rounds = 3, threads = 0, gpus = 1;
  std::int64_t rows = 0;      // that are copied out
  std::int64_t boundary = 0;  // parts of the boundary algorithm; 0: nested dissection
  std::int64_t sample = 0;    // blocks; 0: all
  std::int64_t memory = 0;    // of each device; 0: all that is free
  std::optional<ValueType> type;
};

std::string rate_of(double pairs, double time) {
  return fmt::format(", {:.1f} G pairs/s", pairs / time / 1e9);
}

/// A graph and its factor, ready for sweeps.
struct Prepared {
  Graph graph;
  planner::ValueChoice values;
  kernels::ListedForm form = kernels::ListedForm::values;  // of rows on the device
  statistics::CountMethod method{};
  std::shared_ptr<const sparse::Tree> tree;
  OpenDevices devices;
  std::shared_ptr<const sparse::Factor> factor;
  double seconds = 0;

  ValueType listed_type() const { return kernels::listed_type(form, values.type); }
  std::span<const Vertex> order() const { return tree->order().vertex_at; }
  std::int64_t device_bytes(std::int64_t lanes) const {
    return sparse::DeviceSweep::device_bytes(*tree, listed_type(), lanes,
                                             sparse::UpSweepLists::largest(*tree, order(), lanes));
  }
};

Prepared prepare(const Settings& settings) {
  Prepared made;
  const auto timed = [&](const char* what, auto&& act) {
    const double time = seconds(act);
    show(what, time);
    made.seconds += time;
  };
  timed("read", [&] { made.graph = settings.weights.of(read_graph(settings.graph)); });
  timed("type of value", [&] {
    made.values = planner::choose_value_type(made.graph, Semiring::min_plus, settings.type,
                                             settings.threads, {});
  });
  const planner::Problem problem{.type = made.values.type,
                                 .sign = kernels::Sign::non_negative,
                                 .distance_bound = made.values.distance_bound,
                                 .least_distance = planner::least_distance(made.graph),
                                 .whole = made.graph.weight_facts().integral,
                                 .n = made.graph.vertex_count()};
  made.form = planner::swept_form(problem);
  made.method = planner::count_method(problem);
  timed("order, tree", [&] {
    const sparse::Pattern pattern = sparse::pattern_of(made.graph);
    if (settings.boundary > 0) {
      sparse::BoundaryOrder found = sparse::boundary_order(pattern, settings.boundary);
      made.tree = std::make_shared<const sparse::Tree>(pattern, std::move(found.order),
                                                       std::move(found.first));
      return;
    }
    made.tree = std::make_shared<const sparse::Tree>(
        pattern, sparse::nested_dissection(pattern, {system::processes_for(settings.threads)}));
  });
  timed("start of the driver", [&] {
    for (int number = 0; number < settings.gpus; ++number) {
      made.devices.push_back(bench::open_device(settings.strict, made.values.type,
                                                kernels::Sign::non_negative, number));
      made.devices.back()->gathered_rows()->keep_listed(made.form);
    }
  });
  timed("eliminate", [&] {
    made.factor = std::make_shared<const sparse::Factor>(
        sparse::eliminate(made.graph, made.tree,
                          {Semiring::min_plus,
                           made.values.type,
                           kernels::Sign::non_negative,
                           kernels::Cycles::excluded,
                           settings.threads,
                           {},
                           {made.devices.front().get(), {}, settings.strict ? 0 : 4096, 512}}));
  });
  fmt::print(
      "{} vertices, {} arcs, {}{}, {} entries, {} supernodes, height {}, distances up to {}\n",
      made.tree->vertices(), made.graph.arc_count(), name(made.values.type),
      made.form == kernels::ListedForm::whole ? " in 32 bits" : "", made.tree->upper_entries(),
      made.tree->supernodes(), made.tree->height(), made.values.distance_bound);
  return made;
}

/// The number of sources at a time that the plan of a solve would take with the factor in memory.
std::int64_t lanes_by_memory(const Settings& settings, const Prepared& made) {
  planner::DeviceFacts facts;
  facts.memory_free = bench::kStrictMemory;
  if (!settings.strict) facts = planner::with_free_memory(planner::cuda_devices(), bench::gpu());
  const std::int64_t n = made.tree->vertices();
  const std::int64_t counts =
      made.method.counts() ? statistics::device_count_bytes(n, n, made.method) : 0;
  const std::int64_t lanes = sparse::DeviceSweep::lanes_within(
      planner::allowed_device_bytes(settings.memory, {&facts, 1}), std::min(n, planner::kMostLanes),
      made.listed_type(), [&](std::int64_t some) { return counts + made.device_bytes(some); });
  if (lanes == 0) throw Error(ErrorKind::does_not_fit, "the factor does not fit the device");
  return lanes;
}

/// Seconds. Lists, copies of the factor and a first block are one part; counters are made and
/// fetched once, however many blocks there are.
struct SweepTimes {
  double making = 1e300, sweeping = 1e300, counting = 1e300, fetching = 1e300;
  flow::CountedDistances counted{};
};

/// The best of all rounds, by `count` devices, each of which claims blocks of the sources.
SweepTimes sweep(const Settings& settings, const Prepared& made, std::size_t count,
                 std::span<const Vertex> sources, std::int64_t lanes, int rounds) {
  const Control control;
  std::vector<std::unique_ptr<sparse::DeviceSweep>> sweeps(count);
  std::vector<std::unique_ptr<statistics::DeviceCounter>> counters(count);
  std::vector<flow::CountedDistances> counted(count);
  const auto each = [&](double& best, auto&& act) {
    best = std::min(best, seconds([&] {
                      system::on_threads(static_cast<int>(count), [&](int number) {
                        act(static_cast<std::size_t>(number));
                      });
                    }));
  };
  const auto all_blocks = [&](double& best, const auto& found) {
    sparse::SourceBlocks blocks(sources, lanes, control);
    each(best, [&](std::size_t i) {
      while (const auto block = blocks.claim()) {
        sweeps[i]->begin(sources.subspan(block->first, block->count));
        found(i, static_cast<std::int64_t>(block->first));
        sweeps[i]->end();
      }
      sweeps[i]->finish();
    });
  };
  SweepTimes times;
  for (int round = 0; round < rounds; ++round) {
    each(times.making, [&](std::size_t i) {
      counters[i].reset();
      sweeps[i].reset();
      sweeps[i] = std::make_unique<sparse::DeviceSweep>(
          *made.factor, *made.devices[i], sources, lanes,
          std::max(1, settings.threads / static_cast<int>(count)));
      sweeps[i]->begin(sources.first(std::min(sources.size(), static_cast<std::size_t>(lanes))));
      sweeps[i]->end();
      sweeps[i]->finish();
    });
    all_blocks(times.sweeping, [](std::size_t, std::int64_t) {});
    if (!made.method.counts()) continue;
    double beginning = 1e300, ending = 1e300;
    each(beginning, [&](std::size_t i) {
      counters[i] =
          statistics::device_counter(*made.devices[i], sweeps[i]->queue(), std::ssize(made.order()),
                                     made.tree->order().vertex_at, sources, made.method);
      counters[i]->begin();
      sweeps[i]->finish();
    });
    all_blocks(times.counting, [&](std::size_t i, std::int64_t first) {
      counters[i]->add(sweeps[i]->distances(), 0, sweeps[i]->column_labels(), first);
    });
    each(ending, [&](std::size_t i) { counted[i] = counters[i]->counted(); });
    for (std::size_t i = 1; i < count; ++i) counted.front().add(counted[i]);
    times.fetching = std::min(times.fetching, beginning + ending);
    times.counted = std::move(counted.front());
  }
  return times;
}

/// Of a sum's rounding, as a part of it.
double tolerance(ValueType type) {
  return type == ValueType::f32 ? 1e-5 : type == ValueType::f64 ? 1e-13 : 0;
}

/// The number of some rows that differ from the CPU's by more than rounding.
std::int64_t wrong_rows(const Prepared& made) {
  constexpr std::int64_t kRows = 64, kMostBytes = std::int64_t{1} << 30;
  const ValueType type = made.values.type;
  const auto n = std::ssize(made.order());
  const std::int64_t most = std::clamp<std::int64_t>(
      kMostBytes / (std::max<std::int64_t>(1, n) * size_of(type)), 1, std::min(kRows, n));
  const std::span sources = made.order().first(static_cast<std::size_t>(most));
  const sparse::FactorRows rows(made.factor, kernels::Sign::non_negative);
  const Control control;
  sparse::SourceBlocks blocks(sources, kRows, control);
  sparse::DeviceSweep sweep(*made.factor, *made.devices.front(), sources, kRows);
  std::int64_t wrong = 0;
  sparse::rows_from_device(made.tree->order(), {}, type, *made.devices.front(), sweep, blocks,
                           sparse::DeviceRows::of(kRows, n, type), 0,
                           [&](std::span<const Vertex> some, const void* found, std::int64_t) {
                             wrong +=
                                 bench::rows_that_differ(rows, some, found, n, tolerance(type));
                           });
  return wrong;
}

/// Rows to pinned memory as a multiple of bare copies, on the device only, and without each of two
/// measures: pieces of many rows instead of one, and copies during the sweep of the next block.
void show_rows(const Prepared& made, std::int64_t lanes, std::int64_t rows) {
  kernels::ComputeDevice& device = *made.devices.front();
  const ValueType type = made.values.type;
  const auto n = std::ssize(made.order());
  const auto sources = made.order().first(static_cast<std::size_t>(std::min(rows, n)));
  const auto how = sparse::DeviceRows::of(lanes, n, type);
  const auto bytes = static_cast<double>(std::ssize(sources) * n * size_of(type));
  const auto taken = [&](std::int64_t piece, bool overlapped, bool to_host = true) {
    const std::size_t at_once = overlapped ? sources.size() : static_cast<std::size_t>(how.lanes);
    const Control control;
    sparse::DeviceSweep sweep(*made.factor, device, sources, how.lanes);
    sparse::TakeRows take;
    if (to_host) take = [](std::span<const Vertex>, const void*, std::int64_t) {};
    return seconds([&] {
      for (std::size_t first = 0; first < sources.size(); first += at_once) {
        const auto some = sources.subspan(first, std::min(at_once, sources.size() - first));
        sparse::SourceBlocks blocks(some, how.lanes, control);
        sparse::rows_from_device(made.tree->order(), {}, type, device, sweep, blocks,
                                 {how.lanes, piece}, 0, take,
                                 [](std::span<const Vertex>, kernels::View) {});
      }
    });
  };
  const std::int64_t piece = how.piece * n * size_of(type);
  system::AlignedMemory host(piece);
  std::byte* const on_device = device.allocate(piece);
  device.pin(host.data(), piece);
  const auto queue = device.make_queue();
  const auto copy = [&](int times) {
    for (int i = 0; i < times; ++i) {
      device.copy_out(queue, {host.data(), how.piece, n, n}, {on_device, how.piece, n, n},
                      size_of(type));
    }
    device.synchronize(queue);
  };
  device.copy_in(queue, {on_device, 1, piece, piece}, {host.data(), 1, piece, piece}, 1);
  copy(1);
  constexpr int kCopies = 20;
  const double bare =
      seconds([&] { copy(kCopies); }) * bytes / static_cast<double>(piece * kCopies);
  device.unpin(host.data());
  device.release(on_device);

  taken(how.piece, true);  // pins memory for the first time
  const double batched = taken(how.piece, true), single = taken(1, true),
               waiting = taken(how.piece, false), there = taken(how.piece, true, false);
  show(fmt::format("  {} rows to pinned memory", sources.size()), batched,
       bench::gigabytes(bytes, batched));
  show("  bare copies of as much", bare, bench::gigabytes(bytes, bare));
  fmt::print("  rows to pinned memory take {:.2f} x of bare copies\n", batched / bare);
  show("  rows that stay on the device", there, bench::gigabytes(bytes, there));
  show("  one row a copy", single, fmt::format(", {:.2f} x", single / batched));
  show("  not overlapped", waiting, fmt::format(", {:.2f} x", waiting / batched));
}

Statistics on_cpu(const Settings& settings, const Prepared& made) {
  statistics::ColumnStatistics sink(made.graph, Semiring::min_plus, made.values.type,
                                    made.values.distance_bound, false);
  const sparse::FactorRows rows(made.factor, kernels::Sign::non_negative);
  const Control control;
  engine::rows_on_host(rows, settings.threads, control)->count(rows.order(), sink, 0);
  return sink.statistics();
}

/// All sources.
bool measure(const Settings& settings) {
  const Prepared made = prepare(settings);
  const auto n = static_cast<double>(made.tree->vertices());
  flow::CountedDistances counted;
  for (const std::int64_t asked : settings.lanes) {
    const std::int64_t lanes = sparse::DeviceSweep::lanes_of(asked, made.listed_type());
    fmt::print("{} sources at a time, {:.1f} MB of the device\n", lanes,
               static_cast<double>(made.device_bytes(lanes)) / 1e6);
    const double relaxations = static_cast<double>(made.tree->upper_entries()) * n +
                               sparse::UpSweepLists::relaxations(*made.tree, made.order(), lanes);
    for (std::size_t count = 1;; count = made.devices.size()) {
      if (count > 1) fmt::print("  shared by {} GPUs:\n", count);
      SweepTimes times = sweep(settings, made, count, made.order(), lanes, settings.rounds);
      show("  lists, copy of the factor, a block", times.making);
      show("  sweeps alone", times.sweeping, rate_of(n * n, times.sweeping));
      if (count == 1) {
        fmt::print("  {:.3g} relaxations, {:.2f} T/s\n", relaxations,
                   relaxations / times.sweeping / 1e12);
      }
      if (made.method.counts()) {
        const double all = times.making + times.counting + times.fetching;
        show("  all, with statistics", all, rate_of(n * n, all));
      }
      counted = std::move(times.counted);
      if (count == made.devices.size()) break;
    }
    if (settings.rows > 0) show_rows(made, lanes, settings.rows);
  }
  if (!made.method.counts()) {
    const std::int64_t wrong = wrong_rows(made);
    fmt::print("rows that differ from the CPU's, of some: {}\n", wrong);
    return wrong == 0;
  }
  statistics::ColumnStatistics sink(made.graph, Semiring::min_plus, made.values.type,
                                    made.values.distance_bound, false);
  sink.take_counted(counted);
  Statistics there, here;
  show("statistics of the counts", seconds([&] { there = sink.statistics(); }));
  show("the same on the CPU", seconds([&] { here = on_cpu(settings, made); }));
  const bool same = bench::same_statistics(there, here);
  fmt::print("statistics agree: {}\n", same ? "yes" : "NO");
  return same;
}

/// The middle one of each of so many equal runs of blocks.
std::vector<Vertex> sample_of(std::span<const Vertex> order, std::int64_t lanes,
                              std::int64_t blocks, std::int64_t all) {
  std::vector<Vertex> sources;
  for (std::int64_t i = 0; i < blocks; ++i) {
    const auto first = static_cast<std::size_t>((2 * i + 1) * all / (2 * blocks) * lanes);
    const auto some =
        order.subspan(first, std::min(static_cast<std::size_t>(lanes), order.size() - first));
    sources.insert(sources.end(), some.begin(), some.end());
  }
  return sources;
}

/// The number of some sources of the sample whose greatest distance is not the CPU's.
std::int64_t wrong_in_sample(const Prepared& made, std::span<const Vertex> sources,
                             const flow::CountedDistances& counted) {
  constexpr std::size_t kLooked = 8;
  const ValueType type = made.values.type;
  const auto n = std::ssize(made.order());
  const sparse::FactorRows rows(made.factor, kernels::Sign::non_negative);
  const auto worker = rows.worker();
  std::int64_t wrong = 0;
  semiring::dispatch(Semiring::min_plus, type, [&]<class S>() {
    std::vector<typename S::Value> row(static_cast<std::size_t>(n));
    const std::size_t looked = std::min(kLooked, sources.size());
    for (std::size_t i = 0; i < looked; ++i) {
      const Vertex source = sources[i * sources.size() / looked];
      worker->compute({&source, 1}, row.data(), n);
      double greatest = -1;
      for (std::size_t v = 0; v < row.size(); ++v) {
        if (v == source || row[v] == S::zero()) continue;
        greatest = std::max(greatest, static_cast<double>(row[v]));
      }
      const auto& from = counted.from[source];
      const double there = from.reaches() ? from.distance : -1;
      wrong += std::abs(there - greatest) <= tolerance(type) * greatest ? 0 : 1;
    }
  });
  return wrong;
}

/// Some blocks of all sources, by one device and then by all of them.
bool measure_sample(Settings settings) {
  Prepared made = prepare(settings);
  made.graph = Graph();
  if (settings.lanes.empty()) settings.lanes = {lanes_by_memory(settings, made)};
  const auto n = static_cast<double>(made.tree->vertices());
  bool right = wrong_rows(made) == 0;
  for (const std::int64_t asked : settings.lanes) {
    const std::int64_t lanes = sparse::DeviceSweep::lanes_of(asked, made.listed_type());
    const std::int64_t all = (made.tree->vertices() + lanes - 1) / lanes;
    const std::int64_t blocks = std::min(settings.sample, all);
    const std::vector<Vertex> sources = sample_of(made.order(), lanes, blocks, all);
    const double pairs = static_cast<double>(sources.size()) * n;
    const auto whole = [&](const char* what, double sampled, double once) {
      const double time = sampled * n * n / pairs + once;
      show(what, sampled / static_cast<double>(blocks), rate_of(pairs, sampled));
      fmt::print("    all blocks, with {:.1f} s before and after them: {:.1f} min{}\n", once,
                 time / 60, rate_of(n * n, time));
    };
    std::optional<SweepTimes> one;
    for (std::size_t count = 1;; count = made.devices.size()) {
      SweepTimes times = sweep(settings, made, count, sources, lanes, 1);
      fmt::print("  {} of {} blocks of {} sources, by {} GPUs:\n", blocks, all, lanes, count);
      show("  lists, copies of the factor, a block", times.making);
      whole("  a block swept", times.sweeping, made.seconds + times.making);
      if (made.method.counts()) {
        whole("  a block swept and counted", times.counting,
              made.seconds + times.making + times.fetching);
        right = right && wrong_in_sample(made, sources, times.counted) == 0;
      }
      if (one) {
        fmt::print("  rate of {} GPUs, of one: {:.3f} swept, {:.3f} swept and counted\n", count,
                   one->sweeping / times.sweeping, one->counting / times.counting);
        right = right && one->counted.counts == times.counted.counts;
      }
      one = std::move(times);
      if (count == made.devices.size()) break;
    }
  }
  fmt::print("sample agrees: {}\n", right ? "yes" : "NO");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_device_sweep_bench GRAPH");
  settings.weights.declare(options);
  options.word(settings.graph).needs(1)("--lanes N", settings.lanes)("--rounds N", settings.rounds);
  options("--threads N", settings.threads)("--type T", settings.type)("--rows N", settings.rows);
  options("--boundary PARTS", settings.boundary)("--gpus N", settings.gpus);
  options("--sample B", settings.sample).bytes("--memory SIZE", settings.memory);
  options("--strict", settings.strict);
  return options.run(argc, argv, [&] {
    settings.threads = system::thread_count(settings.threads);
    if (settings.sample > 0) return measure_sample(settings);
    if (settings.lanes.empty()) settings.lanes = {4096};
    return measure(settings);
  });
}
