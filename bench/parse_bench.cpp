// How fast a text file becomes a graph: every format, some 100 MB each, written to a temporary
// folder first. Rows "in_order" are those of a road network or a mesh as it is published: sorted by
// their first end, the other end near it. In all other files but METIS's both ends are uniform at
// random among a million vertices and the rows in no order, which is the worst case for the sort
// into rows and for the table of names. OMP_NUM_THREADS says how many threads read. The target is
// 300 MB/s a core from file to finished graph.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>
#include <apsp/io.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace {

constexpr std::int64_t kVertices = 1'000'000;
constexpr std::int64_t kEdges = 6'000'000;
constexpr std::uint64_t kGreatestWeight = 1000;
constexpr std::uint64_t kSeed = 7;

using Random = apsp::base::SplitMix64;
/// A row of the edge between `from` and `to`, both counted from 1.
using Row = std::function<std::string(std::uint64_t from, std::uint64_t to, Random& random)>;
using Write = std::function<void(std::ofstream& out)>;

void write_rows_in_order(std::ofstream& out, const Row& row) {
  constexpr std::uint64_t kNear = 1000;
  Random random(kSeed);
  for (std::int64_t i = 0; i < kEdges; ++i) {
    const auto from = static_cast<std::uint64_t>(i * kVertices / kEdges);
    const std::uint64_t to = (from + 1 + random.below(kNear)) % kVertices;
    out << row(from + 1, to + 1, random);
  }
}

void write_rows(std::ofstream& out, const Row& row) {
  Random random(kSeed);
  const auto vertex = [&] { return 1 + random.below(kVertices); };
  for (std::int64_t i = 0; i < kEdges; ++i) {
    const bool first_of_vertex = i < kVertices;  // none is left out: no labels are needed
    const std::uint64_t from = first_of_vertex ? static_cast<std::uint64_t>(i) + 1 : vertex();
    out << row(from, vertex(), random);
  }
}

/// A METIS file of `kEdges` weighted edges: each stands in the lines of both its ends.
void write_metis_lines(std::ofstream& out) {
  Random random(kSeed);
  struct Neighbour {
    std::uint64_t vertex, weight;
  };
  std::vector<std::vector<Neighbour>> lines(kVertices);
  for (std::int64_t i = 0; i < kEdges; ++i) {
    const std::uint64_t from = random.below(kVertices);
    const std::uint64_t to = (from + 1 + random.below(kVertices - 1)) % kVertices;
    const std::uint64_t weight = 1 + random.below(kGreatestWeight);
    lines[from].push_back({to + 1, weight});
    lines[to].push_back({from + 1, weight});
  }
  out << fmt::format("{} {} 1\n", kVertices, kEdges);
  for (const std::vector<Neighbour>& line : lines) {
    for (const Neighbour& next : line) out << fmt::format("{} {} ", next.vertex, next.weight);
    out << '\n';
  }
}

/// A file in the folder that APSP_PARSE_BENCH names, where it stays for the next run; without one a
/// file that lives as long as the benchmark.
class BenchmarkFile {
 public:
  BenchmarkFile(const std::string& name, const Write& write) {
    const char* const folder = std::getenv("APSP_PARSE_BENCH");
    kept_ = folder != nullptr;
    path_ = kept_ ? std::filesystem::path(folder) / name
                  : std::filesystem::temp_directory_path() /
                        fmt::format("apsp-parse-bench-{}-{}", ::getpid(), name);
    if (std::filesystem::exists(path_)) return;
    std::ofstream out(path_, std::ios::binary);
    write(out);
  }
  ~BenchmarkFile() {
    if (!kept_) std::filesystem::remove(path_);
  }
  BenchmarkFile(const BenchmarkFile&) = delete;
  BenchmarkFile& operator=(const BenchmarkFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool kept_ = false;
};

double peak_bytes() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

void read_file(benchmark::State& state, const std::string& name, const Write& write) {
  const BenchmarkFile file(name, write);
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file.path()));
  for (auto _ : state) {
    benchmark::DoNotOptimize(apsp::read_graph(file.path().string()));
  }
  state.SetBytesProcessed(state.iterations() * bytes);
  state.counters["file_bytes"] = static_cast<double>(bytes);
  state.counters["peak_bytes"] = peak_bytes();
}

Write rows(const std::string& head, const Row& row) {
  return [head, row](std::ofstream& out) {
    out << head;
    write_rows(out, row);
  };
}

Write rows_in_order(const std::string& head, const Row& row) {
  return [head, row](std::ofstream& out) {
    out << head;
    write_rows_in_order(out, row);
  };
}

std::string matrix_market(const std::string& field) {
  return fmt::format("%%MatrixMarket matrix coordinate {1} general\n{0} {0} {2}\n", kVertices,
                     field, kEdges);
}

std::string spaced(std::uint64_t from, std::uint64_t to, Random& random) {
  return fmt::format("{} {} {}\n", from, to, 1 + random.below(kGreatestWeight));
}

double unit_interval(Random& random) {
  return static_cast<double>(random.below(1u << 30)) * 0x1p-30;
}

std::string unit(std::uint64_t from, std::uint64_t to, Random&) {
  return fmt::format("{}\t{}\n", from, to);
}

std::string named(std::uint64_t from, std::uint64_t to, Random& random) {
  return fmt::format("person_{} person_{} {}\n", from, to, 1 + random.below(kGreatestWeight));
}

std::string six_decimals(std::uint64_t from, std::uint64_t to, Random& random) {
  return fmt::format("{},{},{:.6f}\n", from, to, 100 * unit_interval(random));
}

std::string relation(std::uint64_t from, std::uint64_t to, Random& random) {
  return fmt::format("{}|{}|{}\n", from, to, random.below(2) == 0 ? "-1" : "0");
}

const struct {
  const char* name;
  const char* suffix;
  Write write;
} kFiles[] = {
    {"edge_list", ".txt", rows("", spaced)},
    {"edge_list_directed", ".txt", rows("# directed\n", spaced)},
    {"edge_list_in_order", ".txt", rows_in_order("", spaced)},
    {"edge_list_unit", ".txt", rows("", unit)},
    {"edge_list_unit_in_order", ".txt", rows_in_order("", unit)},
    {"edge_list_named", ".txt", rows("", named)},
    {"edge_list_named_in_order", ".txt", rows_in_order("", named)},
    {"csv_six_decimals", ".csv", rows("", six_decimals)},
    {"csv_six_decimals_in_order", ".csv", rows_in_order("", six_decimals)},
    {"matrix_market", ".mtx", rows(matrix_market("integer"), spaced)},
    {"matrix_market_in_order", ".mtx", rows_in_order(matrix_market("integer"), spaced)},
    {"matrix_market_reals", ".mtx",
     rows(matrix_market("real"),
          [](auto from, auto to, Random& random) {
            return fmt::format("{} {} {:.15g}\n", from, to, unit_interval(random));
          })},
    {"dimacs", ".gr",
     rows(fmt::format("p sp {} {}\n", kVertices, kEdges),
          [](auto from, auto to, Random& random) {
            return fmt::format("a {} {} {}\n", from, to, 1 + random.below(kGreatestWeight));
          })},
    {"metis", ".graph", write_metis_lines},
    {"as_rel", ".as-rel.txt", rows("# relations\n", relation)},
    {"as_rel_in_order", ".as-rel.txt", rows_in_order("# relations\n", relation)},
};

}  // namespace

int main(int argc, char** argv) {
  for (const auto& file : kFiles) {
    benchmark::RegisterBenchmark(file.name, [&file](benchmark::State& state) {
      read_file(state, std::string(file.name) + file.suffix, file.write);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
