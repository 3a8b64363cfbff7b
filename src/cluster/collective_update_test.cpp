// A stored matrix that several processes change: the bytes of an update by one process.
#include <apsp/apsp.hpp>

#include "cluster/collective_update.hpp"

#include "paths/paths.hpp"
#include "support/changed_edges.hpp"
#include "support/invented_devices.hpp"
#include "support/on_processes.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::cluster::collective_update_test {
namespace {

constexpr std::int64_t kN = 90;

using Change = std::function<Graph(const Graph&)>;

Change every(int nth) {
  return [nth](const Graph& graph) { return with_changes(graph, changes_of(graph, nth)); };
}

constexpr std::int64_t kBand = 16;  // rows, of which each process gets some bands, or none

std::string stored(const Graph& graph, Semiring semiring, std::optional<ValueType> type,
                   const std::string& path) {
  SolveOptions options{.question = {.semiring = semiring},
                       .method = {.value_type = type},
                       .storage = {.keep = Keep::matrix}};
  const Result solved = solve(graph, options);
  const RowBlock found = *solved.matrix();
  const std::int64_t n = graph.vertex_count();
  const auto target = store::create_store(path, {n, solved.value_type(), semiring, kBand});
  for (std::int64_t row = 0; row < n; row += kBand) {
    const std::int64_t rows = std::min(kBand, n - row);
    target->write(store::Plane::distance, {row, 0, rows, n},
                  static_cast<const std::byte*>(found.values) +
                      row * found.stride * size_of(solved.value_type()),
                  found.stride);
  }
  target->commit(graph, {});
  return path;
}

UpdateReport update_by(int count, const std::string& path, const Change& change,
                       const UpdateOptions& options) {
  std::mutex mutex;
  UpdateReport report;
  on_processes(count, [&](Processes& processes) {
    Job job{processes, {1, count}};
    job.find = planner::one_device;
    job.of_machine = count;
    job.on_machine = processes.rank();
    UpdateOptions mine = options;
    mine.threads = 1;
    const UpdateReport found = collective_update(job, path, change, mine);
    const std::lock_guard lock(mutex);
    if (processes.first()) report = found;
  });
  return report;
}

/// By `count` processes and by one, from the same result.
void expect_update_of_one(int count, const std::string& path, const Change& change,
                          UpdateOptions options, const std::string& ending) {
  const TemporaryFolder folder;
  options.output = folder / ("alone" + ending);
  UpdateOptions alone = options;
  alone.threads = 1;
  alone.device = Device::automatic;
  const UpdateReport wanted = update_stored(path, change, alone);
  options.output = folder / ("shared" + ending);
  const UpdateReport found = update_by(count, path, change, options);
  EXPECT_EQ(found.changes, wanted.changes);
  EXPECT_EQ(found.rows_solved, wanted.rows_solved);
  EXPECT_EQ(found.value_type, wanted.value_type);
  const auto one = store::open_store(alone.output), all = store::open_store(options.output);
  ASSERT_EQ(all->layout().n, one->layout().n);
  if (ending == ".zarr") {
    EXPECT_EQ(all->graph()->digest(), one->graph()->digest());
    if (found.rows_solved < one->layout().n) {
      EXPECT_EQ(all->layout().tile, std::min(kBand, one->layout().n));
    }
  }
  for (Vertex s = 0; s < one->layout().n; ++s) {
    ASSERT_EQ(paths::read_row(*all, s), paths::read_row(*one, s)) << "from " << s;
  }
}

TEST(CollectiveUpdate, IsThatOfOneProcessInEverySemiring) {
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const int nth : {1, 45}) {  // 1: solved again
      const TemporaryFolder folder;
      const Graph graph =
          random_graph(kN, 250, 1, 40, {.acyclic = semiring == Semiring::max_plus, .seed = ++seed});
      const std::string path = stored(graph, semiring, {}, folder / "a.zarr");
      SCOPED_TRACE(std::string(name(semiring)) + ", every " + std::to_string(nth));
      expect_update_of_one(2 + static_cast<int>(seed % 3), path, every(nth), {}, ".zarr");
    }
  }
}

TEST(CollectiveUpdate, HasEnoughProcessesForSomeToHaveNoRows) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 40, .arcs = 120, .least = 1, .greatest = 9, .real = true});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    const std::string path = stored(graph, Semiring::min_plus, type, folder / "a.zarr");
    expect_update_of_one(5, path, every(60), {}, ".zarr");
  }
  const Graph small = random_graph({.n = 12, .arcs = 60, .least = 1, .greatest = 9});
  const std::string path = stored(small, Semiring::min_plus, {}, folder / "b.zarr");
  expect_update_of_one(3, path, every(70), {}, ".zarr");  // one process has all rows
}

TEST(CollectiveUpdate, TakesNewVerticesAndFilesOfNumPy) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kN, .arcs = 300, .least = 1, .greatest = 9});
  const Change grown = [](const Graph& before) {
    GraphBuilder builder(before.vertex_count() + 20);
    before.visit_all([&](Vertex from, Vertex to, double w) { builder.add_edge(from, to, w); });
    for (Vertex v = 0; v < 20; ++v) builder.add_edge(90 + v, 3 * v, 2);
    builder.add_edge(4, 95, 1);
    return std::move(builder).build();
  };
  const std::string zarr = stored(graph, Semiring::min_plus, {}, folder / "a.zarr");
  expect_update_of_one(3, zarr, grown, {}, ".zarr");
  const std::string npy = stored(graph, Semiring::min_plus, {}, folder / "a.npy");
  expect_update_of_one(3, npy, every(100), {.before = graph}, ".npy");
}

TEST(CollectiveUpdate, InPlaceReplacesTheResult) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kN, .arcs = 300, .least = 1, .greatest = 9});
  const std::string path = stored(graph, Semiring::min_plus, {}, folder / "a.zarr");
  for (const int nth : {100, 1}) {  // 1: solved again
    const Graph before = *store::open_store(path)->graph();
    update_by(3, path, every(nth), {});
    const Result found = open_result(path);
    EXPECT_EQ(found.graph().digest(), every(nth)(before).digest());
    EXPECT_TRUE(found.verify().passed);
    EXPECT_EQ(found.statistics().mean, solve(found.graph()).statistics().mean);
  }
}

TEST(CollectiveUpdate, GoesThroughADeviceOfEachProcess) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kN, .arcs = 300, .least = 1, .greatest = 9});
  const std::string path = stored(graph, Semiring::min_plus, {}, folder / "a.zarr");
  expect_update_of_one(2, path, every(90), {.device = Device::cuda}, ".zarr");
}

TEST(CollectiveUpdate, SharesTheMemoryOfAMachineWithTheGraphInIt) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kN, .arcs = 300, .least = 1, .greatest = 9});
  const std::string path = stored(graph, Semiring::min_plus, ValueType::f64, folder / "a.zarr");
  const std::int64_t rows = 3 * kBand * kN * 8, graph_bytes = graph.memory_bytes();
  constexpr std::int64_t kProducts = 60'000;
  const auto updated_in = [&](std::int64_t memory) {
    bool updated = true;
    on_processes(2, [&](Processes& processes) {
      Job job{processes, {1, 2}};
      job.of_machine = 2;
      UpdateOptions options{.threads = 1, .memory = memory, .output = folder / "b.zarr"};
      try {
        collective_update(job, path, every(100), options);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);  // of a solve, which takes more
        if (processes.first()) updated = false;
      }
    });
    return updated;
  };
  EXPECT_TRUE(updated_in(2 * (rows + graph_bytes + kProducts)));
  EXPECT_FALSE(updated_in(2 * rows + graph_bytes));
  EXPECT_FALSE(updated_in(rows + graph_bytes + kProducts)) << "of one process";
}

TEST(CollectiveUpdate, LeavesAFactorToProcessZero) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kN, .arcs = 200, .least = 1, .greatest = 9});
  SolveOptions options;
  options.storage.keep = options.storage.stored = Keep::factor;
  options.storage.output = folder / "a.zarr";
  solve(graph, options);
  update_by(2, options.storage.output, every(40), {});
  const Result found = open_result(options.storage.output);
  EXPECT_EQ(found.graph().digest(), every(40)(graph).digest());
  EXPECT_TRUE(found.verify().passed);
}

TEST(CollectiveUpdate, EndsAllProcessesWithOneError) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kN, .arcs = 300, .least = 1, .greatest = 9});
  const std::string path = stored(graph, Semiring::min_plus, {}, folder / "a.npy");
  std::mutex mutex;
  std::vector<std::string> errors;
  on_processes(3, [&](Processes& processes) {
    const Job job{processes, {1, 3}};
    const std::string error = error_of([&] { collective_update(job, path, every(9), {}); }).what();
    EXPECT_TRUE(processes.in_step());
    const std::lock_guard lock(mutex);
    errors.push_back(error);
  });
  EXPECT_THAT(errors, Each(HasSubstr("name the graph that was solved")));
  EXPECT_EQ(errors.size(), 3U);
}

TEST(SharedRows, PassLongMessagesAroundTheRing) {
  // 5 processes have 0, 1, 2, 3 and 4 rows, and messages go in pieces of 1,000 bytes.
  on_processes(5, [](Processes& processes) {
    SharedRows shares(processes, {0, 0, 1, 3, 6, 10});
    EXPECT_EQ(shares.count(), processes.rank());
    constexpr std::int64_t kValues = 30'000;
    std::vector<std::int32_t> values(10 * kValues, -1);
    for (std::int64_t i = 0; i < shares.count(); ++i) {
      std::fill_n(values.begin() + (shares.first() + i) * kValues, kValues,
                  static_cast<std::int32_t>(shares.first() + i));
    }
    std::vector<Vertex> all(10);
    for (Vertex v = 0; v < 10; ++v) all[v] = v;
    shares.complete(all, reinterpret_cast<std::byte*>(values.data()), kValues * 4);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(values[i], static_cast<std::int32_t>(i / kValues)) << i;
    }
    std::vector<std::int32_t> sums(70'001, processes.rank());
    shares.add_up(std::as_writable_bytes(std::span(sums)), 4,
                  [](std::span<std::byte> into, std::span<const std::byte> other) {
                    auto* const mine = reinterpret_cast<std::int32_t*>(into.data());
                    const auto* const theirs = reinterpret_cast<const std::int32_t*>(other.data());
                    for (std::size_t i = 0; i < into.size() / 4; ++i) mine[i] += theirs[i];
                  });
    EXPECT_EQ(sums, std::vector<std::int32_t>(70'001, 0 + 1 + 2 + 3 + 4));
    EXPECT_EQ(shares.joined(std::vector<std::int64_t>(processes.rank(), processes.rank())),
              (std::vector<std::int64_t>{1, 2, 2, 3, 3, 3, 4, 4, 4, 4}));
  });
}

}  // namespace
}  // namespace apsp::cluster::collective_update_test
