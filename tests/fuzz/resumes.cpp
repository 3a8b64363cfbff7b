#include <apsp/solve.hpp>

#include <cstdlib>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/checks.hpp"
#include "fuzz/damage.hpp"
#include "fuzz/held_folder.hpp"
#include "support/recorded_progress.hpp"

namespace apsp::fuzz {
namespace {

constexpr std::int64_t kN = 20;

Graph make_graph(double more, bool directed) {
  GraphBuilder builder(kN, directed);
  for (Vertex v = 0; v < kN; ++v) {
    builder.add_edge(v, (v + 1) % kN, 2 + v % 5 + more);
    if (v % 3 == 0) builder.add_edge(v, (v + 7) % kN, 4);
  }
  return std::move(builder).build();
}

/// What ends a solve.
struct Enough {};

/// What an interrupted solve left, and the whole of it.
struct Sample {
  HeldFolder folder;
  Graph graph;
  SolveOptions options;
  std::vector<std::vector<double>> distances;  // [sources, targets]
  Files files;
};

std::vector<std::vector<double>> all_distances(const Result& result) {
  std::vector<std::vector<double>> rows;
  for (Vertex s = 0; s < kN; ++s) rows.push_back(result.distances_from(s));
  return rows;
}

void end_early(Sample& sample) {
  SolveOptions options = sample.options;
  RecordedProgress progress;
  progress.cancel_when = [&] {
    return progress.task == "Floyd-Warshall" && progress.done > 0.6 * progress.total;
  };
  if (options.method.algorithm == Algorithm::floyd_warshall) {
    options.control = {&progress, &progress.cancellation};
  } else {
    std::int64_t rows = kN / 2;
    options.consumer.on_rows = [rows](const RowBlock& block) mutable {
      rows -= std::ssize(block.sources);
      if (rows < 0) throw Enough();
    };
  }
  try {
    solve(sample.graph, options);
  } catch (const Enough&) {
    return;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) return;
    throw;
  }
  report("a solve that was to end early did not");
}

std::deque<Sample> make_samples() {
  ::setenv("APSP_MEASURE", "never", 1);
  std::deque<Sample> all;
  const auto add = [&](const char* name, bool directed, SolveOptions options) {
    Sample& sample = all.emplace_back();
    sample.graph = make_graph(0, directed);
    options.machine.threads = 1;
    options.machine.device = Device::cpu;
    options.method.tile = 4;
    sample.distances = all_distances(solve(sample.graph, options));
    options.storage.output = sample.folder / name;
    options.storage.keep = Keep::statistics;
    if (options.method.algorithm == Algorithm::floyd_warshall) {
      options.machine.memory = plan_solve(sample.graph, options).bytes - 1;
    }
    sample.options = options;
    end_early(sample);
    sample.files = sample.folder.contents();
  };
  add("a.zarr", true, {.method = {.algorithm = Algorithm::johnson}});
  add("a.zarr", false,
      {.question = {.predecessors = true},
       .method = {.algorithm = Algorithm::nested_dissection},
       .storage = {.compress = true}});
  add("a.npy", true,
      {.method = {.algorithm = Algorithm::floyd_warshall, .value_type = ValueType::u16}});
  add("a.zarr", false,
      {.question = {.predecessors = true},
       .method = {.algorithm = Algorithm::floyd_warshall, .value_type = ValueType::f32}});
  return all;
}

}  // namespace

void check_resume(const std::uint8_t* data, std::size_t size) {
  static std::deque<Sample> samples = make_samples();
  Choices choices(data, size);
  Sample& sample = samples[choices.below(samples.size())];
  const bool another_graph = choices.below(4) == 3;
  SolveOptions options = sample.options;
  options.storage.resume = true;
  if (choices.below(2) == 1) options.method.algorithm = Algorithm::automatic;
  if (choices.below(4) == 3) options.method.tile = 8;
  if (choices.below(4) == 3) options.storage.compress = !options.storage.compress;
  Files files = sample.files;
  if (choices.below(4) != 0) damage(files, choices);
  sample.folder.hold(files);
  const bool whole = files == sample.files;
  const Graph graph = another_graph ? make_graph(1, sample.graph.directed()) : sample.graph;
  expect_an_error_at_most([&] {
    solve(graph, options);
    const Result result = open_result(options.storage.output, graph);
    const bool passed = result.verify({.sources = 3}).passed;
    if (!whole) return;
    if (!passed) report("a resumed result fails its verification");
    if (!another_graph && all_distances(result) != sample.distances) {
      report("a resumed result differs");
    }
  });
}

}  // namespace apsp::fuzz
