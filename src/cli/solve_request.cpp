#include "cli/solve_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

#include "cli/graph_options.hpp"
#include "cli/option_values.hpp"
#include "io/compression.hpp"
#include "io/held_bytes.hpp"
#include "planner/describe_problem.hpp"
#include "rates/measured_rates.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

Choices<std::optional<ValueType>> types() {
  Choices<std::optional<ValueType>> choices = {{"auto", std::nullopt}};
  for (const ValueType type : {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
    choices.emplace_back(name(type), type);
  }
  return choices;
}

void check_output(const std::string& output) {
  if (output.empty()) return;
  refuse_if(!store::is_zarr(output) && !output.ends_with(".npy"),
            "{}: a result is kept in a .zarr or an .npy; call it {}", output,
            std::filesystem::path(output).replace_extension(".zarr").string());
  const std::string folder = std::filesystem::path(output).parent_path().string();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw Error(ErrorKind::input_output,
                fmt::format("{}: directory {} does not exist", output, folder));
  }
}

void check_kept(const SolveRequest& request) {
  const SolveOptions& options = request.solving;
  const bool to_file = !options.storage.output.empty();
  refuse_if(options.question.predecessors && !to_file,
            "--predecessors stores a matrix, so it needs -o OUT.zarr");
  refuse_if((options.question.via || options.question.hops) && !to_file,
            "--{} stores a matrix, so it needs -o OUT.zarr", options.question.via ? "via" : "hops");
  refuse_if((options.question.predecessors || options.question.via || options.question.hops) &&
                options.storage.output.ends_with(".npy"),
            "{}: an .npy file holds only distances; a .zarr holds all", options.storage.output);
  const Keep stored = options.storage.stored;
  refuse_if((stored == Keep::matrix || stored == Keep::factor) && !to_file,
            "--keep {} needs -o OUT.zarr", name(stored));
  refuse_if(request.no_statistics && !to_file, "--no-statistics needs -o OUT.zarr");
  refuse_if(options.storage.compress && !store::is_zarr(options.storage.output),
            "--compress is for a .zarr: add -o OUT.zarr");
}

void check_selection(const SolveRequest& request) {
  const std::string why = planner::why_wrong(known_options(request), 0);
  refuse_if(!why.empty(), "{}", why);
  const SolveOptions& options = request.solving;
  refuse_if(
      request.verify && (!request.targets.empty() || !options.question.targets.empty()),
      "--verify checks whole rows, and --targets leaves columns out: leave one of the two out");
  const int from_input =
      (request.graph == "-") + (request.sources == "@-") + (request.targets == "@-");
  refuse_if(from_input > 1,
            "standard input can hold only one of graph, sources and targets: name files for the "
            "others");
}

}  // namespace

void declare_planes(Arguments& arguments, SolveOptions& options) {
  const auto keeps = named_choices(
      std::initializer_list<Keep>{Keep::automatic, Keep::matrix, Keep::factor, Keep::statistics});
  choice(arguments, "--keep", keeps, options.storage.stored,
         "content of OUT. matrix: all distances; factor: the factor of nested dissection, "
         "megabytes from which every verb computes distances (.zarr); statistics: for a solve "
         "without OUT; auto (the default): the matrix, or the factor if the matrix does not fit");
  arguments.rare();
  arguments.flag("--predecessors", options.question.predecessors,
                 "store the predecessor matrix too (.zarr)");
  arguments.flag(
      "--via", options.question.via,
      "store an intermediate vertex of every path too (.zarr); solving takes about twice as long");
  arguments.flag("--hops", options.question.hops,
                 "--via, and the number of edges of every path (.zarr)");
}

void declare_method(Arguments& arguments, SolveRequest& request) {
  arguments.section("Method");
  choice(
      arguments, "--semiring", semiring_choices(), request.solving.question.semiring,
      "which path is best. min-plus (the default): least sum; max-min: widest; min-max: smallest "
      "largest edge; max-plus: longest (acyclic); or-and: reachable");
  declare_algorithm(arguments, request.solving);
  arguments.rare();
  parsed(arguments, "--tile", "N", at_least<1>, request.solving.method.tile,
         "vertices along a side of the tiles of floyd-warshall, and of the chunks of OUT.zarr; "
         "default: tiles that fit the processor's caches or the GPU, and chunks of 1024");
}

void declare_algorithm(Arguments& arguments, SolveOptions& options) {
  arguments.section("Method");
  choice(arguments, "--dtype", types(), options.method.value_type,
         "values of the matrix. auto (the default): the narrowest integer type that holds "
         "every distance; for reals f32 or, beyond --tolerance, f64");
  choice(arguments, "--algorithm", named_choices(std::span(kAlgorithms)), options.method.algorithm,
         "how to solve. auto (the default): what is predicted to be fastest and fits; "
         "floyd-warshall is for dense and small graphs, the others are for sparse ones");
  arguments.rare();
  parsed(arguments, "--tolerance", "X", tolerance_value, options.method.tolerance,
         "largest relative error of f32 that --dtype auto accepts; default: 1e-5");
}

void declare_place(Arguments& arguments, SolveOptions& options) {
  arguments.section("Machine");
  parsed(arguments, "--memory", "SIZE", byte_value, options.machine.memory,
         "most memory to take, such as 8GiB; default: nine tenths of the free memory, and half of "
         "it for the labels of pairs of a stored factor");
  declare_device(
      arguments, options.machine,
      "where to solve. auto (the default): on GPUs if the graph is large enough to gain; cuda: on "
      "the first GPU; cuda:1: on the second; cuda:0,1: on both; cuda:all: on every one");
  arguments.rare();
  parsed(
      arguments, "--device-memory", "SIZE", byte_value, options.machine.device_memory,
      "most memory of each GPU to take, such as 4GiB; default: all that is free. A larger matrix "
      "streams through it");
}

void declare_solving(Arguments& arguments, SolveRequest& request, bool needs_graph) {
  arguments.positional("GRAPH", request.graph, "a graph's file, or - for standard input",
                       needs_graph);
  arguments.section("Result");
  arguments.text("-o,--output", "OUT", request.solving.storage.output,
                 "keep the distances: OUT.zarr (everything in one place) or OUT.npy (only the "
                 "matrix); without it only the statistics are shown");
  arguments.flag(
      "--overwrite", request.solving.storage.overwrite,
      "start from the beginning, and remove what an earlier run left next to OUT for --resume");
  declare_vertices(arguments, request.sources, request.targets);
  arguments.rare();
  declare_component(arguments, request.largest_component);
  arguments.flag("--compress", request.solving.storage.compress,
                 "compress every chunk of a .zarr with zstd");
  arguments.section("Result");
  arguments.flag("--no-statistics", request.no_statistics,
                 "only store the result; apsp stats computes statistics later. With --keep factor "
                 "no distance is computed then");
  arguments.flag(
      "--verify", request.verify,
      "check the result independently, with -o the file as it was written; exit 1 if it fails");
  parsed(arguments, "--seed", "N", seed_value, request.seed,
         "which vertices random:K draws, and which rows --verify checks where all are too many; "
         "default: 1");
  declare_threads(arguments, &request.solving.machine.threads);
  declare_place(arguments, request.solving);
  arguments.rare();
  parsed(
      arguments, "--disk", "SIZE", byte_value, request.solving.storage.disk,
      "most that OUT may take, before any compression, and temporary files with it; default: all "
      "that is free on its disk");
}

SolveOptions known_options(const SolveRequest& request) {
  SolveOptions known = request.solving;
  if (!request.sources.empty()) known.question.sources = {0};
  if (!request.targets.empty()) known.question.targets = {0};
  if (known.storage.output.empty()) known.storage.stored = Keep::automatic;
  known.question.verify = request.verify;
  known.question.statistics = !request.no_statistics;
  return known;
}

bool names_output_alone(const SolveRequest& request) {
  return request.solving.storage.resume && request.solving.storage.output.empty();
}

void refuse_idle_options(const Context& context, const SolveRequest& request) {
  const bool resumed = names_output_alone(request);
  const bool kept = resumed || !request.solving.storage.output.empty();
  const bool draws = request.sources.starts_with("random:") ||
                     request.targets.starts_with("random:") || request.verify;
  const IdleOption options[] = {
      {"--overwrite", !kept,
       "removes what an earlier run left next to OUT, and OUT is not named: add -o OUT.zarr"},
      {"--disk",
       !kept && request.graph != "-" && io::without_compression(request.graph) == request.graph,
       "limits the size of OUT and of temporary files, and there are none: add -o OUT.zarr"},
      {"--checkpoint", !kept, "keeps its files next to OUT, which is not named: add -o OUT.zarr"},
      {"--top", request.no_statistics,
       "lists the most central vertices of the statistics: leave --top or --no-statistics out"},
      {"--seed", !draws && !request.solving.storage.resume,
       "is for random:K and --verify, and neither is used: leave it out"}};
  context.refuse_idle(options);
}

void check(const SolveRequest& request) {
  check_output(request.solving.storage.output);
  require_apart(request.solving.storage.output,
                std::vector{request.graph_left ? "" : request.graph, request.reading.coordinates,
                            file_of(request.sources), file_of(request.targets)});
  io::limit_temporary_bytes(request.solving.storage.disk);
  rates::rate_policy();  // reports errors in APSP_MEASURE before the graph is read
  check_kept(request);
  check_selection(request);
}

namespace {

/// Refuses questions that a graph of turn states cannot answer.
void check_turns(const SolveRequest& request) {
  const SolveOptions& asked = request.solving;
  const Semiring semiring = asked.question.semiring;
  refuse_if(semiring != Semiring::min_plus && semiring != Semiring::or_and,
            "turn costs are added to shortest paths: leave them out with {}", name(semiring));
  refuse_if(asked.question.predecessors || asked.question.via || asked.question.hops,
            "a result with turns finds paths without stored ones: leave out --predecessors, --via "
            "and --hops");
  refuse_if(asked.storage.stored == Keep::factor && !request.no_statistics,
            "a solve would count the states of turns: add --no-statistics, and `apsp stats` counts "
            "the vertices of the factor");
}

}  // namespace

SolveOptions solve_options(Context& context, const SolveRequest& request, const Graph& graph) {
  SolveOptions options = known_options(request);
  options.question.sources = request.solving.question.sources;
  options.question.targets = request.solving.question.targets;
  options.control = context.control();
  const bool has_turns = TurnStates::of(graph).has_value();
  const bool keeps_factor = options.storage.stored == Keep::factor;
  if (has_turns) check_turns(request);
  const auto choose = [&](const char* option, const std::string& words, std::vector<Vertex>& to) {
    // A resumed run has its vertices already; of a graph with turns, all vertices are a list.
    if (words.empty() && (keeps_factor || !has_turns)) return;
    to = chosen_vertices({option, words}, graph, request.seed, &context);
  };
  choose("--sources", request.sources, options.question.sources);
  choose("--targets", request.targets, options.question.targets);
  options.storage.keep =
      request.verify && options.storage.output.empty() ? Keep::automatic : Keep::statistics;
  return options;
}

namespace {

std::pair<int, int> sides(const std::string& option, const std::string& text) {
  const std::size_t cross = text.find('x');
  refuse_if(cross == std::string::npos,
            "{} takes ROWSxCOLUMNS of processes, such as 2x3, not "
            "'{}'",
            option, text);
  return {count_value(option, text.substr(0, cross)), count_value(option, text.substr(cross + 1))};
}

using Broadcasts = Choices<dense::Broadcast>;
const Broadcasts& broadcast_choices() {
  static const Broadcasts choices = {{"ring", dense::Broadcast::ring},
                                     {"binomial", dense::Broadcast::binomial},
                                     {"library", dense::Broadcast::library}};
  return choices;
}

struct Tuning {
  std::string_view key, values, about;
  void (*take)(const std::string& option, const std::string& text, cluster::JobOptions& job);
};

/// A variant comes before the keys that change parts of it.
constexpr Tuning kTunings[] = {
    {"grid", "ROWSxCOLUMNS",
     "how the processes share the matrix; default: as near a square as their number allows",
     [](const std::string& option, const std::string& text, cluster::JobOptions& job) {
       std::tie(job.grid_rows, job.grid_columns) = sides(option, text);
     }},
    {"variant", "NAME",
     "the solve of Sao 2021 (section 5.1.2) by its name: baseline, pipelined, reordering, async, "
     "offload (parts stay in host memory and stream through their GPUs); own: this program's, the "
     "default. The keys below change parts of it",
     [](const std::string& option, const std::string& text, cluster::JobOptions& job) {
       const dense::Variant* const found = dense::find_variant(text);
       refuse_if(found == nullptr,
                 "{} takes baseline, pipelined, reordering, async, offload or own, not '{}'",
                 option, text);
       job.variant = *found;
     }},
    {"broadcast", "ring|binomial|library|nccl",
     "how panels go from one process to the others of its row or column; default: ring. nccl: from "
     "GPU to GPU, closed tiles too; each process needs a GPU, and apsp must be built with NCCL",
     [](const std::string& option, const std::string& text, cluster::JobOptions& job) {
       Broadcasts choices = broadcast_choices();
       choices.emplace_back("nccl", dense::Broadcast::direct);
       job.variant.broadcasts.panels = choose(option, text, choices);
     }},
    {"broadcast-diagonal", "ring|binomial|library", "the same of closed tiles; default: ring",
     [](const std::string& option, const std::string& text, cluster::JobOptions& job) {
       job.variant.broadcasts.diagonal = choose(option, text, broadcast_choices());
     }},
    {"schedule", "overlapped|pipelined|baseline",
     "which part of the next step begins before a step has ended. overlapped (the default): its "
     "panels, sent while the step continues; pipelined: its panels, sent before that; baseline: "
     "nothing",
     [](const std::string& option, const std::string& text, cluster::JobOptions& job) {
       job.variant.schedule =
           choose(option, text,
                  Choices<dense::Schedule>{{"overlapped", dense::Schedule::overlapped},
                                           {"pipelined", dense::Schedule::pipelined},
                                           {"baseline", dense::Schedule::baseline}});
     }},
    {"ranks", "blocked|plain|ROWSxCOLUMNS",
     "how processes are placed in the grid. blocked: those of a machine form a block; "
     "ROWSxCOLUMNS: blocks of this size; plain: row by row. Default: blocked, where blocks fill "
     "the grid",
     [](const std::string& option, const std::string& text, cluster::JobOptions& job) {
       std::pair<int, int> block = {1, 1};
       if (text == "blocked") {
         block = {0, 0};
       } else if (text != "plain") {
         block = sides(option, text);
       }
       std::tie(job.block_rows, job.block_columns) = block;
     }},
    {"cuda-aware", "yes|no",
     "yes: MPI itself reads and writes panels in GPU memory, not through the host's memory; needs "
     "an MPI that reports that it can; default: no",
     [](const std::string& option, const std::string& text, cluster::JobOptions& job) {
       job.cuda_aware = choose(option, text, Choices<bool>{{"yes", true}, {"no", false}});
     }}};

/// `text`: "grid=2x3,broadcast=nccl". The last value of a key counts.
void tune(const std::string& text, cluster::JobOptions& job) {
  std::map<std::string, std::string> given;
  std::istringstream list(text);
  for (std::string one; std::getline(list, one, ',');) {
    const std::size_t equals = std::min(one.find('='), one.size());
    given[one.substr(0, equals)] = equals < one.size() ? one.substr(equals + 1) : "";
  }
  std::vector<std::string> keys;
  for (const Tuning& one : kTunings) {
    keys.emplace_back(one.key);
    const auto found = given.find(keys.back());
    if (found == given.end()) continue;
    one.take("--tuning " + keys.back(), found->second, job);
    given.erase(found);
  }
  if (given.empty()) return;
  const std::string& other = given.begin()->first;
  throw usage_error("--tuning has no key '{}'{}; it takes {}: apsp help tuning", other,
                    did_you_mean(other, keys), alternatives(keys));
}

double minutes_value(const std::string& option, const std::string& text) {
  double minutes = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), minutes);
  refuse_if(failure != std::errc() || end != text.data() + text.size() || !(minutes >= 0),
            "{} takes minutes, such as 30, not '{}'", option, text);
  return minutes;
}

}  // namespace

void declare_tuning(Arguments& arguments, cluster::JobOptions& job) {
  arguments.list(
      "--tuning", "KEY=VALUE,…", [&job](const std::string& text) { tune(text, job); },
      "how processes share a matrix and send its parts, such as grid=2x3,broadcast=nccl: apsp "
      "help tuning");
}

void declare_job(Arguments& arguments, SolveRequest& request) {
  arguments.section("Several processes (mpirun -n 4 apsp solve …)");
  declare_tuning(arguments, request.job);
  parsed(arguments, "--checkpoint", "MINUTES", minutes_value, request.job.checkpoint_minutes,
         "save the state of floyd-warshall next to OUT every so many minutes; it takes twice the "
         "matrix on that disk. --resume continues from there, on any grid");
}

std::string tuning_text() {
  std::string text =
      "Tuning of several processes, as in mpirun -n 6 apsp solve g.gr --tuning grid=2x3:\n";
  for (const Tuning& one : kTunings) {
    text += help_entry(fmt::format("{}={}", one.key, one.values), std::string(one.about));
  }
  return text + "More: docs/scaling.md.\n";
}

bool gave_job_options(const Context& context) {
  return context.gave("--tuning") || context.gave("--checkpoint");
}

}  // namespace apsp::cli
