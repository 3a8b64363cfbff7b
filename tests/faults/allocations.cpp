// Every allocation of the library fails once, and from then on, in each question that it answers.
//
//   apsp_allocation_faults [--every N] [--only WORD]
//
// After each failure the caller gets an Error or std::bad_alloc, nothing more is in memory than
// before, no file is left, and the same question is answered as if nothing had been.
#include <execinfo.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apsp/apsp.h>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "api/solve.hpp"
#include "faults/memory_faults.hpp"
#include "support/invented_devices.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

namespace fs = std::filesystem;

/// What a question answers, as text; files that it writes are below `folder`.
using Question = std::function<std::string(const std::string& folder)>;

struct Scenario {
  const char* name;
  Question ask;
};
/// Where there is no memory for a document, the constructor of nlohmann-json does not free the
/// values that it had made: some blocks stay, at most 112 of those that were seen.
constexpr long kBlocksOfADocument = 128;

Graph grid(bool real = false, bool negative = false) {
  return generate(
      {.kind = GraphKind::grid, .vertices = 36, .real_weights = real, .negative = negative});
}

SolveOptions by(Algorithm algorithm, int threads = 1) {
  SolveOptions options;
  options.method.algorithm = algorithm;
  options.machine.device = Device::cpu;
  options.machine.threads = threads;
  options.method.tile = 16;
  return options;
}

std::string text_of(const Result& result) {
  std::string text;
  for (const Vertex s : {Vertex{0}, Vertex{17}}) {
    text += fmt::format("{} ", fmt::join(result.distances_from(s), " "));
    text += fmt::format("{} ", fmt::join(result.path(s, 35), " "));
  }
  return text;
}

std::string solved(const Graph& graph, SolveOptions options) {
  return text_of(solve(graph, options));
}

std::string stored(const std::string& folder, const char* name, SolveOptions options) {
  options.storage.output = folder + "/" + name;
  const Graph graph = grid();
  solve(graph, options);
  return text_of(open_result(options.storage.output, graph));
}

/// On a device in host memory that refuses every misuse: its memory and pinned memory fail too.
std::string solved_on_device(const Graph& graph, Algorithm algorithm, std::int64_t memory = 0) {
  SolveOptions options = by(algorithm, 2);
  options.machine.device = Device::cuda;
  options.machine.device_memory = memory;
  return text_of(api::solve_among(planner::one_device, graph, options));
}

std::string statistics_of(const Result& result) {
  const Statistics& found = result.statistics();
  return fmt::format("{} {} {}", found.diameter.value_or(0), found.mean.value_or(0),
                     found.radius.value_or(0));
}

std::string updated(const Result& before) {
  const Edge changes[] = {{0, 1, 3}};
  return text_of(before.update(with_changes(before.graph(), changes), {.threads = 1}));
}

Result with_factor(int threads = 1) {
  SolveOptions options = by(Algorithm::nested_dissection, threads);
  options.storage.keep = Keep::factor;
  return solve(grid(), options);
}

/// A status of the C interface as what C++ throws.
void need(apsp_status status) {
  if (status == APSP_DOES_NOT_FIT) throw std::bad_alloc();
  if (status != APSP_OK) throw std::runtime_error(apsp_error_message());
}

std::string solved_through_c() {
  constexpr std::int64_t kVertices = 12;
  apsp_builder* building = nullptr;
  need(apsp_builder_new(kVertices, 1, &building));
  const std::unique_ptr<apsp_builder, decltype(&apsp_builder_free)> builder(building,
                                                                            apsp_builder_free);
  for (std::uint32_t v = 0; v + 1 < kVertices; ++v) {
    need(apsp_builder_add_edge(building, v, v + 1, v + 1));
  }
  apsp_graph* graph = nullptr;
  need(apsp_builder_build(building, &graph));
  const std::unique_ptr<apsp_graph, decltype(&apsp_graph_free)> kept(graph, apsp_graph_free);
  apsp_result* solved = nullptr;
  need(apsp_solve(graph, nullptr, &solved));
  const std::unique_ptr<apsp_result, decltype(&apsp_result_free)> result(solved, apsp_result_free);
  double distance = 0;
  need(apsp_result_distance(solved, 0, kVertices - 1, &distance));
  return std::to_string(distance);
}

/// Inputs are made by the library too: their allocations fail like all others.
const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all = {
      {"read text",
       [](const std::string&) {
         const std::string text = "a,b,3\nb,c,4\nc,a,5\nd,a,1\n";
         const Graph graph = parse_graph(text, "x.csv");
         return graph.digest() + graph.name(0);
       }},
      {"write and read",
       [](const std::string& folder) {
         write_graph(grid(true), folder + "/g.mtx.gz");
         return read_graph(folder + "/g.mtx.gz").digest();
       }},
      {"floyd-warshall",
       [](const std::string&) { return solved(grid(), by(Algorithm::floyd_warshall)); }},
      {"floyd-warshall, two threads",
       [](const std::string&) { return solved(grid(), by(Algorithm::floyd_warshall, 2)); }},
      {"johnson", [](const std::string&) { return solved(grid(true), by(Algorithm::johnson)); }},
      {"johnson, two threads, signed",
       [](const std::string&) { return solved(grid(false, true), by(Algorithm::johnson, 2)); }},
      {"nested dissection",
       [](const std::string&) { return solved(grid(), by(Algorithm::nested_dissection)); }},
      {"nested dissection, two threads",
       [](const std::string&) { return solved(grid(true), by(Algorithm::nested_dissection, 2)); }},
      {"breadth-first search",
       [](const std::string&) {
         const Graph units = generate(
             {.kind = GraphKind::grid, .vertices = 36, .least_weight = 1, .greatest_weight = 1});
         return solved(units, by(Algorithm::breadth_first, 2));
       }},
      {"closure",
       [](const std::string&) {
         SolveOptions options = by(Algorithm::automatic, 2);
         options.question.semiring = Semiring::or_and;
         return statistics_of(solve(grid(), options));
       }},
      {"floyd-warshall on a device",
       [](const std::string&) { return solved_on_device(grid(), Algorithm::floyd_warshall); }},
      {"searches on a device",
       [](const std::string&) { return solved_on_device(grid(), Algorithm::johnson); }},
      {"sweeps on a device",
       [](const std::string&) { return solved_on_device(grid(), Algorithm::nested_dissection); }},
      {"store .npy",
       [](const std::string& folder) {
         return stored(folder, "a.npy", by(Algorithm::floyd_warshall, 2));
       }},
      {"store .zarr by rows",
       [](const std::string& folder) {
         return stored(folder, "a.zarr", by(Algorithm::johnson, 2));
       }},
      {"store a compressed .zarr",
       [](const std::string& folder) {
         SolveOptions options = by(Algorithm::floyd_warshall, 1);
         options.storage.compress = options.question.predecessors = true;
         return stored(folder, "a.zarr", options);
       }},
      {"store a factor",
       [](const std::string& folder) {
         SolveOptions options = by(Algorithm::nested_dissection, 1);
         options.storage.stored = Keep::factor;
         return stored(folder, "a.zarr", options);
       }},
      {"statistics alone",
       [](const std::string&) {
         SolveOptions options = by(Algorithm::nested_dissection, 2);
         options.storage.keep = Keep::statistics;
         return statistics_of(solve(grid(), options));
       }},
      {"pairs of a factor",
       [](const std::string&) {
         const VertexPair pairs[] = {{0, 35}, {3, 9}, {30, 1}};
         return fmt::format(
             "{}", fmt::join(with_factor(2).distances(pairs, PairsOptions{.threads = 2}), " "));
       }},
      {"verify",
       [](const std::string&) {
         return solve(grid(), by(Algorithm::floyd_warshall, 2)).verify().meaning;
       }},
      {"update a matrix",
       [](const std::string&) { return updated(solve(grid(), by(Algorithm::floyd_warshall, 1))); }},
      {"update a factor", [](const std::string&) { return updated(with_factor()); }},
      {"report",
       [](const std::string&) {
         return std::to_string(report_page(solve(grid(), by(Algorithm::johnson, 1))).size() /
                               10000);
       }},
      {"near",
       [](const std::string&) { return std::to_string(within(grid(), 50).distances.size()); }},
      {"betweenness",
       [](const std::string&) {
         return fmt::format("{}", fmt::join(betweenness(grid(true), {.threads = 2}).vertices, " "));
       }},
      {"the C interface", [](const std::string&) { return solved_through_c(); }},
      {"plan",
       [](const std::string&) {
         return plan_solve(grid(), by(Algorithm::automatic)).why_value_type;
       }},
  };
  return all;
}

// --- One scenario in a process of its own, so that an end of the process is one finding.

/// Shared with the child.
struct Position {
  long at = 0;  // the allocation that fails
  long trials = 0, failures = 0, leaks = 0, wrong = 0;
};

struct Watch {
  const Scenario& scenario;
  Position& position;
  std::string folder, answer;
  long live = 0, files = 0;

  std::string ask() const {
    std::string said = scenario.ask(folder);
    clear();
    return said;
  }
  void clear() const {
    for (const auto& entry : fs::directory_iterator(folder)) fs::remove_all(entry.path());
  }
  void complain(const char* what, long at, bool onwards) const {
    ++position.wrong;
    fmt::print(stderr, "{}: allocation {}{}: {}\n", scenario.name, at, onwards ? "+" : "", what);
  }

  static long handles() {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  }

  /// Blocks that stay after a question that was answered.
  long settled() const {
    ask();
    return apsp_memory_live();
  }

  void trial(long at, bool onwards) {
    ++position.trials;
    {
      std::string said;
      apsp_memory_arm(at, onwards);
      try {
        said = scenario.ask(folder);
        apsp_memory_arm(-1, 0);
        if (said != answer) complain("another answer", at, onwards);
      } catch (const Error& error) {
        apsp_memory_arm(-1, 0);
        ++position.failures;
        if (error.kind() == ErrorKind::defect) complain(error.what(), at, onwards);
      } catch (const std::bad_alloc&) {
        apsp_memory_arm(-1, 0);
        ++position.failures;
      } catch (const std::exception& error) {
        apsp_memory_arm(-1, 0);
        complain(error.what(), at, onwards);
      }
    }
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string path = entry.path().string(), name = entry.path().filename().string();
      // Removing takes memory, too: what is left then is found by its lock.
      const bool found = onwards && (name.ends_with(".lock") || fs::exists(path + ".lock"));
      if (name.starts_with('.') && !found) complain(name.c_str(), at, onwards);
    }
    clear();
    if (ask() != answer) complain("the next question has another answer", at, onwards);
    const long now = apsp_memory_live();
    if (now > live) ++position.leaks;
    if (now > live + kBlocksOfADocument) {
      complain(fmt::format("{} blocks are not freed", now - live).c_str(), at, onwards);
    }
    live = now;
    if (handles() != files) complain("a file stays open", at, onwards);
  }
};

[[noreturn]] void ended() {
  apsp_memory_arm(-1, 0);
  constexpr int kMostFrames = 40;
  void* frames[kMostFrames];
  backtrace_symbols_fd(frames, backtrace(frames, kMostFrames), STDERR_FILENO);
  std::_Exit(3);
}

void run_child(const Scenario& scenario, Position& position, long every) {
  std::set_terminate(ended);
  const TemporaryFolder folder;
  Watch watch{scenario, position, folder.path(), {}};
  watch.answer = watch.ask();
  for (int i = 0; i < 3; ++i) watch.live = watch.settled();  // caches and threads are there
  watch.files = Watch::handles();
  apsp_memory_arm(-1, 0);
  watch.ask();
  const long all = apsp_memory_count();
  for (; position.at < all; position.at += every) {
    watch.trial(position.at, false);
    watch.trial(position.at, true);
  }
}

void run(const Scenario& scenario, long every, Position& total) {
  auto& position = *static_cast<Position*>(
      ::mmap(nullptr, sizeof(Position), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  position = {};
  for (;;) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      run_child(scenario, position, every);
      std::_Exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    ++position.wrong;
    fmt::print(stderr, "{}: allocation {}: the process ends, status {:#x}\n", scenario.name,
               position.at, status);
    position.at += every;
  }
  fmt::print("{:8} failures  {}\n", position.trials, scenario.name);
  total.trials += position.trials;
  total.failures += position.failures;
  total.leaks += position.leaks;
  total.wrong += position.wrong;
  ::munmap(&position, sizeof(Position));
}

int run_all(int count, char** words) {
  long every = 1;
  std::string only;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(words[i], "--every") == 0) every = std::max(1L, std::atol(words[i + 1]));
    if (std::strcmp(words[i], "--only") == 0) only = words[i + 1];
  }
  Position total;
  for (const Scenario& scenario : scenarios()) {
    if (std::string_view(scenario.name).starts_with(only)) run(scenario, every, total);
  }
  fmt::print("{} of {} failed allocations end well; {} end a question, {} leave blocks of JSON\n",
             total.trials - total.wrong, total.trials, total.failures, total.leaks);
  return total.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace apsp

int main(int count, char** words) { return apsp::run_all(count, words); }
