#include "cli/memory_use.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "api/result.hpp"
#include "api/stored_result.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/option_values.hpp"
#include "io/held_bytes.hpp"
#include "planner/memory.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp::cli {
namespace {

constexpr std::int64_t kVertexHeld = 8;  // bytes of a stored vertex

constexpr const char* kWayOut = "give it more with --memory, or fewer --threads";

/// The number of lines of a file, estimated from its beginning; empty if it cannot be read.
struct Lines {
  double count = 0;
  std::string begin{};
};
Lines lines_of(const std::string& path) {
  std::error_code failure;
  const auto size = static_cast<double>(std::filesystem::file_size(path, failure));
  if (failure) return {};
  std::string begin(std::size_t{64} << 10, ' ');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), std::ssize(begin));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  const auto lines =
      static_cast<double>(std::max<std::ptrdiff_t>(1, std::ranges::count(begin, '\n')));
  return {size / static_cast<double>(begin.size() + 1) * lines, std::move(begin)};
}

double bytes_of_reading(double arcs) {
  constexpr double kMost = 0x1p52;
  const auto count = static_cast<std::int64_t>(std::min(arcs, kMost));
  return static_cast<double>(count * planner::kArcHeld +
                             planner::bytes_beside_reading(count, system::thread_count(0)));
}

double bytes_of_factor(const Result::State& state) {
  if (!state.is_partial()) return 0;
  const std::vector<store::Array> arrays = state.opened->stored().arrays();
  constexpr double kTree = 1.25;  // sums of sizes, parents, and the order both ways
  return kTree * std::accumulate(
                     arrays.begin(), arrays.end(), 0.0, [](double sum, const store::Array& array) {
                       return sum + static_cast<double>(array.length) * size_of(array.type);
                     });
}

}  // namespace

void declare_plan_flag(Arguments& arguments) {
  system::only_plan(false);
  arguments.section("Machine");
  arguments.flag(
      "--plan", [] { system::only_plan(true); },
      "say what memory this would take, and stop; exit 5 if it may not take so much");
}

void declare_memory(Arguments& arguments) {
  system::limit_memory(0);
  arguments.section("Machine");
  arguments.value(
      "--memory", "SIZE",
      [](const std::string& text) { system::limit_memory(byte_value("--memory", text)); },
      "most memory that the whole process may take, such as 8GiB; what needs more is refused "
      "before it begins; default: all that is free");
  declare_plan_flag(arguments);
}

void require_reading(const GraphHeader& header) {
  if (system::memory_limit() == 0 || header.matrix) return;
  system::require_memory(bytes_of_reading(static_cast<double>(header.arcs)) +
                             static_cast<double>(header.vertices) * kVertexHeld,
                         "reading this graph", "give it more with --memory");
}

void require_reading_of_list(const std::string& path, const ReadOptions& options) {
  constexpr std::string_view kLists[] = {".txt", ".csv", ".tsv", ".el", ".edges"};
  const bool list =
      std::ranges::any_of(kLists, [&](auto suffix) { return path.ends_with(suffix); });
  if (system::memory_limit() == 0 || !list) return;
  const auto [lines, begin] = lines_of(path);
  const bool directed = options.directed.value_or(begin.starts_with("# directed"));
  system::require_memory(bytes_of_reading(lines * (directed ? 1 : 2)), "reading this list of edges",
                         "give it more with --memory");
}

void require_reading_of_pairs(const std::string& path, std::int64_t bytes_of_pair) {
  if (system::memory_limit() == 0 || path == "-") return;
  constexpr double kPairInArray = 16;  // bytes of a pair in an .npy
  std::error_code failure;
  const auto size = static_cast<double>(std::filesystem::file_size(path, failure));
  if (failure) return;
  const double pairs = path.ends_with(".npy") ? size / kPairInArray : lines_of(path).count;
  system::require_memory(pairs * static_cast<double>(bytes_of_pair), "reading these pairs",
                         "give it more with --memory");
}

void note_reading(const Graph& graph, std::int64_t kept_before) {
  if (graph.matrix() != nullptr) return;
  const std::int64_t taken =
      kept_before + graph.memory_bytes() +
      planner::bytes_beside_reading(graph.arc_count(), system::thread_count(0));
  system::require_memory(static_cast<double>(taken - system::kept_memory()), "reading this graph",
                         "give it more with --memory");
}

void plan_question(const Result& result, const ResultQuestion& asked) {
  const Result::State& state = result.state();
  const int threads = system::thread_count(0);
  const auto n = static_cast<double>(result.vertex_count());
  double bytes = static_cast<double>(asked.bytes) + bytes_of_factor(state);
  bytes += n * static_cast<double>(sizeof(double)) * static_cast<double>(asked.rows);
  constexpr double kVertexOfTree = 150;
  bytes += n * kVertexOfTree * static_cast<double>(asked.trees);
  const bool computes = asked.statistics && !state.statistics;
  const WeightFacts facts = state.is_partial() ? WeightFacts() : state.graph.weight_facts();
  if (computes) {
    const double greatest = result.value_type() == ValueType::u16 ? 1 << 15 : 1 << 30;
    bytes += static_cast<double>(planner::statistics_bytes(result.vertex_count(),
                                                           result.value_type(), facts.integral,
                                                           facts.least < 0, greatest, threads));
    bytes +=
        n * std::min(n, static_cast<double>(planner::kStoreChunk)) * size_of(result.value_type());
  }
  if (asked.verified) {
    constexpr double kRows = 256 << 20;
    const double row = n * size_of(result.value_type());
    bytes += static_cast<double>(planner::row_checks_bytes(result.vertex_count(), result.semiring(),
                                                           facts.least < 0, threads)) +
             std::min({n * row, kRows, static_cast<double>(system::available_memory()) / 4});
  }
  const bool reads = computes || asked.verified || asked.rows > 0 || asked.trees > 0;
  if (reads) bytes += api::reading_bytes(result, threads);
  system::plan_memory(bytes, asked.what, kWayOut);
}

nlohmann::json memory_json() {
  const system::MemoryUse use = system::planned_memory();
  if (use.planned == 0) return nullptr;
  nlohmann::json memory = {{"bytes", use.planned}, {"bytes_allowed", use.allowed}};
  if (const auto most = io::temporary_bytes().most; most > 0) memory["bytes_disk"] = most;
  return memory;
}

int tell_memory_plan(const Context& context) {
  const system::MemoryUse use = system::planned_memory();
  context.print(fmt::format("memory: {} of {} allowed\n", base::format_bytes(use.planned),
                            base::format_bytes(use.allowed)));
  if (const auto most = io::temporary_bytes().most; most > 0)
    context.print(fmt::format("temporary files: {}\n", base::format_bytes(most)));
  context.print_json(nlohmann::json::object());
  return use.planned <= use.allowed ? kExitOk : kExitDoesNotFit;
}

}  // namespace apsp::cli
