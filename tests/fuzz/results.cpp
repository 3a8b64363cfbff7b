#include <apsp/near.hpp>
#include <apsp/report.hpp>
#include <apsp/solve.hpp>

#include <array>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/checks.hpp"
#include "fuzz/damage.hpp"
#include "fuzz/held_folder.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::fuzz {
namespace {

constexpr std::int64_t kN = 9;

Graph make_graph(bool named, bool real) {
  GraphBuilder builder(kN, true);
  for (Vertex v = 0; v < kN; ++v) {
    builder.add_edge(v, (v + 1) % kN, real ? 0.1 + v : 2 + v);
    if (v % 3 == 0) builder.add_edge(v, (v + 4) % kN, real ? 1.7 : 3);
  }
  if (named) builder.set_labels({"a", "b c", "17", "x;y", "\"q\"", "<b>", "1,5", "", "h"});
  return std::move(builder).build();
}

struct Sample {
  HeldFolder folder;
  std::string name;              ///< of the result, in the folder
  std::optional<Graph> graph{};  ///< that an .npy needs
  Files files{};
};

/// A result of each kind that a file can hold.
std::deque<Sample> make_samples() {
  ::setenv("APSP_MEASURE", "never", 1);
  std::deque<Sample> all;
  const auto add = [&](const char* name, const Graph& graph, SolveOptions options) {
    Sample& sample = all.emplace_back();
    sample.name = name;
    options.storage.output = sample.folder / name;
    options.machine.threads = 1;
    options.machine.device = Device::cpu;
    solve(graph, options);
    if (options.storage.output.ends_with(".npy")) sample.graph = graph;
  };
  add("a.zarr", make_graph(false, false), {.question = {.predecessors = true}});
  add("a.zarr", make_graph(true, true),
      {.question = {.via = true, .hops = true}, .storage = {.compress = true}});
  add("a.zarr", make_graph(true, false),
      {.question = {.sources = {5, 1, 2}, .targets = {0, 6, 3, 4}}});
  add("a.zarr", make_graph(true, false),
      {.question = {.semiring = Semiring::max_min, .statistics = false}});
  add("a.npy", make_graph(false, true), {});
  add("a.zarr", make_graph(true, true),
      {.question = {.statistics = false}, .storage = {.stored = Keep::factor}});
  UpdateOptions metric{.threads = 1, .metric = "night"};
  update_stored(
      all.back().folder / "a.zarr", [](const Graph&) { return make_graph(true, false); }, metric);
  Sample& pairs = all.emplace_back();
  pairs.name = "a.zarr";
  const Graph graph = make_graph(true, true);
  write_zarr(within(graph, 4), graph, 4, {}, pairs.folder / "a.zarr");
  for (Sample& sample : all) sample.files = sample.folder.contents();
  return all;
}

Graph heavier(const Graph& graph) {
  std::vector<double> weights;
  graph.visit_all([&](Vertex u, Vertex, double weight) {
    weights.push_back(u == 2 ? weight / 2 : weight + 1);
  });
  return with_weights(graph, weights);
}

/// Places that a picture can hardly show.
Coordinates places_of(std::int64_t n, std::size_t from) {
  static constexpr double kTelling[] = {0, 180, -180, 1e300, -1.7e308, 1.7e308, 5e-324};
  Coordinates places;
  places.degrees = from % 3 == 0;
  for (std::int64_t v = 0; v < n; ++v) {
    places.x.push_back(kTelling[(from + static_cast<std::size_t>(v) % 4) % std::size(kTelling)]);
    places.y.push_back(kTelling[(from + static_cast<std::size_t>(v) % 3) % std::size(kTelling)]);
  }
  return places;
}

void ask(const Result& result, const std::string& output, Choices& choices) {
  const auto s = static_cast<Vertex>(choices.below(kN + 1)),
             t = static_cast<Vertex>(choices.below(kN + 1));
  switch (choices.below(14)) {
    case 0:
      result.distance(s, t);
      break;
    case 1:
      result.distances_from(s);
      break;
    case 2: {
      const std::vector<VertexPair> pairs = {{s, t}, {t, s}, {s, 0}};
      result.distances(pairs, PairsOptions{.threads = 1});
      break;
    }
    case 3:
      result.path(s, t);
      break;
    case 4:
      result.predecessors(s);
      break;
    case 5:
      result.via(s, t);
      result.hops(s, t);
      break;
    case 6:
      result.path_by_via(s, t);
      break;
    case 7:
      result.statistics();
      break;
    case 8:
      result.verify({.sources = 3});
      break;
    case 9: {
      ReportOptions options;
      if (s % 2 == 1) options.coordinates = places_of(result.vertex_count(), s + t);
      write_report(result, output + ".html", options);
      break;
    }
    case 10:
      result.save(output + ".npy");
      break;
    case 11:
      write_table(result, output + ".csv", {}, {.threads = 1});
      break;
    case 12:
      result.update(heavier(result.graph()), {.threads = 1});
      break;
    default:
      result.name(s);
      result.find("17");
      result.reachable(s, t);
  }
}

}  // namespace

void check_result(const std::uint8_t* data, std::size_t size) {
  static std::deque<Sample> samples = make_samples();
  static const TemporaryFolder outputs;
  Choices choices(data, size);
  Sample& sample = samples[choices.below(samples.size())];
  std::array<std::uint8_t, 9> questions{};
  for (std::uint8_t& question : questions) question = choices.byte();
  Files files = sample.files;
  damage(files, choices);
  sample.folder.hold(files);
  const std::string path = sample.folder / sample.name;
  Choices of_questions(questions.data(), questions.size());
  expect_an_error_at_most([&] {
    const Result result = open_result(path, sample.graph);
    while (!of_questions.empty()) {
      expect_an_error_at_most([&] { ask(result, outputs / "o", of_questions); });
    }
  });
  expect_an_error_at_most([&] {
    for (const std::string& metric : metrics(path)) open_result(metric_path(path, metric));
  });
}

}  // namespace apsp::fuzz
