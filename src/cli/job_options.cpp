// The options of a solve by several processes (distributed/solve_job.hpp).

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "cli/option_values.hpp"
#include "cli/solve_request.hpp"

namespace apsp::cli {
namespace {

/// "2x3": rows and columns of processes.
std::pair<int, int> sides(const char* option, const std::string& text) {
  const std::size_t cross = text.find('x');
  refuse_if(cross == std::string::npos,
            "{} takes ROWSxCOLUMNS of processes, such as 2x3, not "
            "'{}'",
            option, text);
  return {count_value(option, text.substr(0, cross)), count_value(option, text.substr(cross + 1))};
}

/// "plain", "blocked" or a block's sides.
void take_placement(const std::string& text, distributed::JobOptions& job) {
  std::pair<int, int> block = {1, 1};
  if (text == "blocked") {
    block = {0, 0};
  } else if (text != "plain") {
    block = sides("--ranks", text);
  }
  std::tie(job.block_rows, job.block_columns) = block;
}

places::Variant variant_named(const std::string& option, const std::string& text) {
  const places::Variant* const found = places::find_variant(text);
  refuse_if(found == nullptr,
            "{} takes baseline, pipelined, reordering, async, offload or own, not '{}'", option,
            text);
  return *found;
}

double minutes_value(const std::string& option, const std::string& text) {
  double minutes = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), minutes);
  refuse_if(failure != std::errc() || end != text.data() + text.size() || !(minutes >= 0),
            "{} takes minutes, such as 30, not '{}'", option, text);
  return minutes;
}

}  // namespace

void declare_grid(Arguments& arguments, distributed::JobOptions& job) {
  arguments.value(
      "--grid", "ROWSxCOLUMNS",
      [&job](const std::string& text) {
        std::tie(job.grid_rows, job.grid_columns) = sides("--grid", text);
      },
      "how the processes share the matrix; default: as near a square as their number allows");
  parsed(
      arguments, "--variant", "NAME", variant_named, job.variant,
      "the solve of Sao 2021 (section 5.1.2) by its name: baseline, pipelined, reordering, async, "
      "offload (parts stay in host memory and stream through their GPUs); own: this program's, "
      "the default. The options below change parts of it");
  choice(arguments, "--broadcast",
         Choices<places::Broadcast>{{"ring", places::Broadcast::ring},
                                    {"binomial", places::Broadcast::binomial},
                                    {"library", places::Broadcast::library},
                                    {"nccl", places::Broadcast::direct}},
         job.variant.broadcasts.panels,
         "how panels go from one process to the others of its row or column; default: ring. nccl: "
         "from GPU to GPU, closed tiles too; each process needs a GPU, and apsp must be built with "
         "NCCL");
  choice(arguments, "--broadcast-diagonal",
         Choices<places::Broadcast>{{"ring", places::Broadcast::ring},
                                    {"binomial", places::Broadcast::binomial},
                                    {"library", places::Broadcast::library}},
         job.variant.broadcasts.diagonal, "the same of closed tiles; default: ring");
  arguments.flag("--cuda-aware", job.cuda_aware,
                 "MPI itself reads and writes panels in GPU memory, not through the host's memory; "
                 "needs an MPI that reports that it can");
  choice(arguments, "--schedule",
         Choices<places::Schedule>{{"overlapped", places::Schedule::overlapped},
                                   {"pipelined", places::Schedule::pipelined},
                                   {"baseline", places::Schedule::baseline}},
         job.variant.schedule,
         "which part of the next step begins before a step has ended. overlapped (the default): "
         "its panels, sent while the step continues; pipelined: its panels, sent before that; "
         "baseline: nothing");
  arguments.value(
      "--ranks", "blocked|plain|ROWSxCOLUMNS",
      [&job](const std::string& text) { take_placement(text, job); },
      "how processes are placed in the grid. blocked: those of a machine form a block; "
      "ROWSxCOLUMNS: blocks of this size; plain: row by row. Default: blocked, where blocks fill "
      "the grid");
}

void declare_job(Arguments& arguments, SolveRequest& request) {
  arguments.section("Several processes (mpirun -n 4 apsp solve …)");
  declare_grid(arguments, request.job);
  parsed(arguments, "--checkpoint", "MINUTES", minutes_value, request.job.checkpoint_minutes,
         "save the state of floyd-warshall next to OUT every so many minutes; it takes twice the "
         "matrix on that disk. --resume continues from there, on any grid");
}

bool gave_job_options(const Context& context) {
  constexpr const char* kOptions[] = {
      "--grid",     "--variant", "--broadcast",  "--broadcast-diagonal",
      "--schedule", "--ranks",   "--cuda-aware", "--checkpoint"};
  return std::any_of(std::begin(kOptions), std::end(kOptions),
                     [&](const char* option) { return context.gave(option); });
}

}  // namespace apsp::cli
