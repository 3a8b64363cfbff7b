// How fast a text file becomes a graph: every format, some 100 MB each, written to a temporary
// folder first. Rows "in_order" are those of a road network or a mesh as it is published: sorted by
// their first end, the other end near it. In all other files but METIS's both ends are uniform at
// random among a million vertices and the rows in no order, which is the worst case for the sort
// into rows and for the table of names. OMP_NUM_THREADS says how many threads read. The target is
// 300 MB/s a core from file to finished graph. Files stay in --folder for the next run; without it
// they live as long as their measurement. Words: only files whose names hold one of them.
#include <apsp/io.hpp>

#include <filesystem>
#include <fstream>

#include "harness.hpp"
#include "system/machine.hpp"

namespace {

using namespace apsp;

constexpr std::int64_t kVertices = 1'000'000;
constexpr std::int64_t kEdges = 6'000'000;
constexpr std::uint64_t kGreatestWeight = 1000;
constexpr std::uint64_t kSeed = 7;

using Random = base::SplitMix64;
/// A row of the edge between `from` and `to`, both counted from 1.
using Row = std::function<std::string(std::uint64_t from, std::uint64_t to, Random& random)>;
using Write = std::function<void(std::ofstream& out)>;

void write_rows_in_order(std::ostream& out, const Row& row) {
  constexpr std::uint64_t kNear = 1000;
  Random random(kSeed);
  for (std::int64_t i = 0; i < kEdges; ++i) {
    const auto from = static_cast<std::uint64_t>(i * kVertices / kEdges);
    const std::uint64_t to = (from + 1 + random.below(kNear)) % kVertices;
    out << row(from + 1, to + 1, random);
  }
}

void write_rows(std::ostream& out, const Row& row) {
  Random random(kSeed);
  const auto vertex = [&] { return 1 + random.below(kVertices); };
  for (std::int64_t i = 0; i < kEdges; ++i) {
    const bool first_of_vertex = i < kVertices;  // none is left out: no labels are needed
    const std::uint64_t from = first_of_vertex ? static_cast<std::uint64_t>(i) + 1 : vertex();
    out << row(from, vertex(), random);
  }
}

/// A METIS file of `kEdges` weighted edges: each is in the lines of both its ends.
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

struct Settings {
  std::string folder;
  int rounds = 3;
  std::vector<std::string> only;
};

void read_file(const Settings& settings, const std::string& name, const Write& write) {
  const bool kept = !settings.folder.empty();
  const std::filesystem::path path =
      (kept ? std::filesystem::path(settings.folder) : std::filesystem::temp_directory_path()) /
      ("apsp-parse-bench-" + name);
  if (!std::filesystem::exists(path)) {
    std::ofstream out(path, std::ios::binary);
    write(out);
  }
  bench::Sample best{1e300, 1e300};
  for (int round = 0; round < settings.rounds; ++round) {
    const bench::Sample taken = bench::timed([&] { read_graph(path.string()); });
    best.seconds = std::min(best.seconds, taken.seconds);
    best.cpu_seconds = std::min(best.cpu_seconds, taken.cpu_seconds);
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  fmt::print("{:<28} {:8.1f} ms {:8.1f} CPU ms {:8.1f} MB/s, most memory {} MB\n", name,
             best.seconds * 1e3, best.cpu_seconds * 1e3, bytes / best.seconds / 1e6,
             system::process_memory("VmHWM") / 1'000'000);
  std::fflush(stdout);
  if (!kept) std::filesystem::remove(path);
}

Write rows(const std::string& head, const Row& row) {
  return [head, row](std::ofstream& out) { write_rows(out << head, row); };
}

Write rows_in_order(const std::string& head, const Row& row) {
  return [head, row](std::ofstream& out) { write_rows_in_order(out << head, row); };
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
  Settings settings;
  bench::Options options("apsp_parse_bench [WORD ...]");
  options("--folder FOLDER", settings.folder)("--rounds N", settings.rounds).word(settings.only);
  return options.run(argc, argv, [&] {
    for (const auto& file : kFiles) {
      const std::string name = file.name;
      const bool wanted =
          settings.only.empty() ||
          std::any_of(settings.only.begin(), settings.only.end(),
                      [&](const std::string& word) { return name.find(word) != name.npos; });
      if (wanted) read_file(settings, name + file.suffix, file.write);
    }
  });
}
