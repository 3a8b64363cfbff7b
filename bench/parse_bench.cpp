// How fast a text file becomes a graph, on one thread: an edge list (undirected) and a Matrix
// Market file (directed) of about 100 MB each, written to a temporary folder first. The ends of an
// edge are mostly uniform at random and the rows in no order, which is the worst case for the sort
// into rows; files as they are published are mostly in order. The target is 150 MB/s from file to
// finished graph.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>
#include <apsp/io.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/random.hpp"

namespace {

constexpr std::int64_t kVertices = 1'000'000;
constexpr std::int64_t kEdges = 6'000'000;
constexpr std::uint64_t kGreatestWeight = 1000;
constexpr std::uint64_t kSeed = 7;

/// A file of random edges counted from 1, which lives as long as the benchmark.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& suffix, const std::string& head)
      : path_(std::filesystem::temp_directory_path() /
              ("apsp-parse-bench-" + std::to_string(::getpid()) + suffix)) {
    std::ofstream out(path_, std::ios::binary);
    out << head;
    apsp::base::SplitMix64 random(kSeed);
    const auto vertex = [&] { return 1 + random.below(kVertices); };
    for (std::int64_t i = 0; i < kEdges; ++i) {
      const bool first_of_vertex = i < kVertices;  // none is left out: no labels are needed
      const std::uint64_t from = first_of_vertex ? static_cast<std::uint64_t>(i) + 1 : vertex();
      const std::uint64_t to = vertex();
      out << fmt::format("{} {} {}\n", from, to, 1 + random.below(kGreatestWeight));
    }
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

double peak_bytes() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

void read_file(benchmark::State& state, const std::string& suffix, const std::string& head) {
  const TemporaryFile file(suffix, head);
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file.path()));
  for (auto _ : state) {
    benchmark::DoNotOptimize(apsp::read_graph(file.path().string()));
  }
  state.SetBytesProcessed(state.iterations() * bytes);
  state.counters["file_bytes"] = static_cast<double>(bytes);
  state.counters["peak_bytes"] = peak_bytes();
}

}  // namespace

BENCHMARK_CAPTURE(read_file, edge_list, ".txt", "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_file, matrix_market, ".mtx",
                  fmt::format("%%MatrixMarket matrix coordinate integer general\n{0} {0} {1}\n",
                              kVertices, kEdges))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
