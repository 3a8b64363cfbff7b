// Matrices of weights in files that processes, which are threads here, read a share of each.
#include "cluster/collective_read.hpp"

#include "base/random.hpp"
#include "io/npy.hpp"
#include "support/job_solve.hpp"
#include "support/on_processes.hpp"
#include "support/same_facts.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::cluster::collective_read_test {
namespace {

struct FileOf {
  std::int64_t n = 61;
  bool by_columns = false, symmetric = false;
  std::int64_t least = 1;  // the greatest is 98 more
  double scale = 1;
  std::uint64_t seed = 3;
};

template <class T>
std::vector<T> values_of(const FileOf& of) {
  base::SplitMix64 random(of.seed);
  std::vector<T> values(static_cast<std::size_t>(of.n * of.n));
  const auto at = [&](std::int64_t i, std::int64_t j) -> T& {
    return values[static_cast<std::size_t>(i * of.n + j)];
  };
  for (std::int64_t i = 0; i < of.n; ++i) {
    for (std::int64_t j = 0; j < of.n; ++j) {
      const auto drawn =
          static_cast<double>(of.least + static_cast<std::int64_t>(random.below(99)));
      at(i, j) =
          random.below(5) == 0 ? WeightMatrix::no_arc<T>() : static_cast<T>(drawn * of.scale);
      if (of.symmetric && j < i) at(i, j) = at(j, i);
    }
  }
  return values;
}

template <class T>
std::string npy_of(const FileOf& of, const std::vector<T>& values) {
  constexpr const char* kDescr = std::is_same_v<T, float>          ? "<f4"
                                 : std::is_same_v<T, double>       ? "<f8"
                                 : std::is_same_v<T, std::int32_t> ? "<i4"
                                                                   : "<u2";
  std::string bytes = io::format_npy_header(kDescr, of.n, of.n);
  if (of.by_columns) bytes.replace(bytes.find("False"), 5, "True ");
  return bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void expect_as_alone(const std::string& path, const ReadOptions& options = {.threads = 2}) {
  const Graph alone = read_graph(path, options);
  for (const int count : {1, 3}) {
    on_processes(count, [&](Processes& processes) {
      const Graph graph = collective_read(processes, path, options);
      EXPECT_EQ(graph.matrix() != nullptr, alone.matrix() != nullptr);
      EXPECT_EQ(graph.matrix() != nullptr && graph.matrix()->mapped,
                alone.matrix() != nullptr && alone.matrix()->mapped);
      EXPECT_EQ(graph.directed(), alone.directed());
      expect_same_facts(graph, alone);
    });
  }
}

TEST(CollectiveRead, FactsOfAMatrixAreThoseOfOneProcess) {
  const TemporaryFolder folder;
  const std::string path = folder / "m.npy";
  for (const bool by_columns : {false, true}) {
    for (const bool symmetric : {false, true}) {
      for (const std::int64_t n : {0, 1, 130}) {
        SCOPED_TRACE(testing::Message() << n << " by columns " << by_columns << symmetric);
        const FileOf of{n, by_columns, symmetric, 0};
        write_bytes(path, npy_of(of, values_of<std::uint16_t>(of)));
        expect_as_alone(path);
        const FileOf negative{n, by_columns, symmetric, -5};
        write_bytes(path, npy_of(negative, values_of<std::int32_t>(negative)));
        expect_as_alone(path);
        const FileOf real{n, by_columns, symmetric, 1, 0.37};
        write_bytes(path, npy_of(real, values_of<double>(real)));
        expect_as_alone(path);
        write_bytes(path, npy_of(real, values_of<float>(real)));
        expect_as_alone(path);
        if (symmetric) expect_as_alone(path, {.directed = false, .threads = 1});
      }
    }
  }
}

TEST(CollectiveRead, AMatrixThatOneProcessReadsIsAMatrixForAll) {
  const TemporaryFolder folder;
  const std::string path = folder / "m.mtx";
  for (const char* kind :
       {"real general\n2 2\n0\n1.5\n2.5\n0\n", "real symmetric\n2 2\n0\n1.5\n0\n"}) {
    write_bytes(path, std::string("%%MatrixMarket matrix array ") + kind);
    ASSERT_NE(read_graph(path).matrix(), nullptr);
    expect_as_alone(path);
  }
}

TEST(CollectiveRead, ValuesOfOtherTypesAreConvertedByEveryProcess) {
  const TemporaryFolder folder;
  const std::string path = folder / "m.npy";
  const auto write = [&](const char* descr, std::int64_t n, const auto& values) {
    std::string bytes = io::format_npy_header(descr, n, n);
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
    write_bytes(path, bytes);
  };
  write("<i8", 61, values_of<std::int64_t>({}));
  expect_as_alone(path);
  write(">f4", 61, std::vector<std::uint32_t>(61 * 61, 0x0000003F));  // 0.5
  expect_as_alone(path, {.directed = false, .threads = 1});
  write("|u1", 2100, std::vector<std::uint8_t>(2100 * 2100, 7));  // more than is kept in memory
  expect_as_alone(path);
  write("<i8", 2, std::vector<std::int64_t>{0, 1, (1ll << 53) + 1, 0});
  on_processes(
      3, [&](Processes& processes) { EXPECT_ERROR(input, collective_read(processes, path, {})); });
}

TEST(CollectiveRead, OneValueMakesAMatrixAsymmetric) {
  const TemporaryFolder folder;
  const FileOf of{.n = 131, .symmetric = true};
  std::vector<float> values = values_of<float>(of);
  values[130 * 131 + 100] += 1;  // beyond where a first look would see it
  write_bytes(folder / "m.npy", npy_of(of, values));
  expect_as_alone(folder / "m.npy");
}

TEST(CollectiveRead, OtherFilesAreReadByProcess0) {
  const TemporaryFolder folder;
  write_bytes(folder / "e.txt", "0 1 2.5\n1 2 3\n");
  expect_as_alone(folder / "e.txt");
  expect_as_alone(folder / "e.txt", {.directed = false});
  const FileOf few{.n = 200};
  std::vector<double> values(40000, std::numeric_limits<double>::infinity());
  values[7] = values[39999] = -2;
  write_bytes(folder / "few.npy", npy_of(few, values));
  expect_as_alone(folder / "few.npy");
  write_graph(read_graph(folder / "few.npy"), folder / "few.npy.gz");
  expect_as_alone(folder / "few.npy.gz");
}

/// What every process is told, which one process alone is told, too.
void expect_error_as_alone(const std::string& path, const ReadOptions& options = {.threads = 1}) {
  const Error alone = error_of([&] { read_graph(path, options); });
  on_processes(3, [&](Processes& processes) {
    const Error error = error_of([&] { collective_read(processes, path, options); });
    EXPECT_EQ(error.kind(), alone.kind());
    EXPECT_TRUE(processes.in_step());
  });
}

TEST(CollectiveRead, WhatIsNoWeightIsNamedAsByOneProcess) {
  const TemporaryFolder folder;
  const std::string path = folder / "m.npy";
  for (const bool by_columns : {false, true}) {
    const FileOf of{.by_columns = by_columns};
    for (const std::size_t place : {5, 61 * 61 - 1, 61 * 40}) {
      std::vector<float> values = values_of<float>(of);
      values[61 * 61 - 1] = -std::numeric_limits<float>::infinity();
      values[place] = std::numeric_limits<float>::quiet_NaN();
      write_bytes(path, npy_of(of, values));
      expect_error_as_alone(path);
    }
  }
}

TEST(CollectiveRead, FilesThatAreNoneAreNamedAsByOneProcess) {
  const TemporaryFolder folder;
  const FileOf of;
  const std::string bytes = npy_of(of, values_of<float>(of));
  write_bytes(folder / "short.npy", bytes.substr(0, bytes.size() - 1));
  write_bytes(folder / "head.npy", bytes.substr(0, 20));
  write_bytes(folder / "wide.npy", io::format_npy_header("<f4", 2, 3) + std::string(24, '\0'));
  write_bytes(folder / "m.npy", bytes);
  for (const char* name : {"short.npy", "head.npy", "wide.npy", "none.npy"}) {
    expect_error_as_alone(folder / name);
  }
  expect_error_as_alone(folder / "m.npy", {.directed = false});  // not symmetric
}

TEST(CollectiveRead, AllMustSeeTheSameFile) {
  const TemporaryFolder folder;
  const FileOf of;
  std::vector<float> values = values_of<float>(of);
  write_bytes(folder / "m.npy", npy_of(of, values));
  values[7] += 1;
  write_bytes(folder / "other.npy", npy_of(of, values));
  on_processes(3, [&](Processes& processes) {
    const bool odd = processes.rank() == 1;
    EXPECT_ERROR(input_output,
                 collective_read(processes, folder / (odd ? "none.npy" : "m.npy"), {.threads = 1}));
    EXPECT_ERROR(
        usage, collective_read(processes, folder / (odd ? "other.npy" : "m.npy"), {.threads = 1}));
    EXPECT_TRUE(processes.in_step());
  });
}

TEST(CollectiveRead, AHeaderIsLookedAtOnce) {
  const TemporaryFolder folder;
  const FileOf of;
  write_bytes(folder / "m.npy", npy_of(of, values_of<float>(of)));
  std::mutex mutex;
  int looks = 0;
  on_processes(3, [&](Processes& processes) {
    ReadOptions options{.threads = 1};
    options.on_header = [&](const GraphHeader& header) {
      const std::lock_guard lock(mutex);
      ++looks;
      EXPECT_EQ(header.vertices, 61);
      EXPECT_TRUE(header.matrix);
    };
    collective_read(processes, folder / "m.npy", options);
  });
  EXPECT_EQ(looks, 1);
}

TEST(CollectiveRead, AMatrixIsSolvedByParts) {
  const TemporaryFolder folder;
  for (const bool by_columns : {false, true}) {
    for (const bool symmetric : {false, true}) {
      const FileOf of{150, by_columns, symmetric};
      write_bytes(folder / "m.npy", npy_of(of, values_of<std::int32_t>(of)));
      const Graph graph = read_graph(folder / "m.npy");
      const Result alone = solve(graph, small_tiles());
      for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 3}, {2, 2}}) {
        JobRun run{rows, cols, small_tiles(), true};
        run.file = folder / "m.npy";
        run.options.storage.output = folder / "out.zarr";
        const Answer answer = solve_on(run, graph);
        ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
        statistics::expect_same(*answer.statistics, alone.statistics());
        EXPECT_TRUE(answer.verified->passed);
        const Result stored = open_result(folder / "out.zarr", graph);
        for (Vertex v = 0; v < 150; ++v) {
          ASSERT_EQ(stored.distances_from(v), alone.distances_from(v));
        }
      }
    }
  }
}

/// Besides its part a process has some numbers a vertex, and what every process has.
TEST(CollectiveRead, APlanHoldsAPartOfTheMatrix) {
  const TemporaryFolder folder;
  const FileOf of{.n = 900, .scale = 0.5};
  write_bytes(folder / "m.npy", npy_of(of, values_of<double>(of)));
  const Graph graph = read_graph(folder / "m.npy");
  const auto planned_by = [&](int rows, int columns) {
    JobRun run{rows, columns, small_tiles()};
    run.options.method.value_type = ValueType::f64;
    run.file = folder / "m.npy";
    const Answer answer = solve_on(run, graph);
    EXPECT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    return answer.bytes_planned;
  };
  constexpr std::int64_t kMatrix = std::int64_t{900} * 900 * 8;
  EXPECT_GT(planned_by(1, 2) - planned_by(2, 2), kMatrix / 5);
}

}  // namespace
}  // namespace apsp::cluster::collective_read_test
