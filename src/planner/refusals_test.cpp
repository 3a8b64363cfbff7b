// Every refusal that concerns a GPU names a way out, and every way that it names is planned.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include <algorithm>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "planner/advice.hpp"
#include "planner/find_plan.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"

namespace apsp::planner {
namespace {

struct Case {
  std::string name;
  Graph graph;
};

std::vector<Case> problems() {
  std::vector<Case> all;
  const auto add = [&](std::string name, const RandomGraph& of) {
    all.push_back({std::move(name), random_graph(of)});
  };
  const auto generated = [&](std::string name, auto&& change) {
    GenerateOptions of{.kind = GraphKind::grid, .vertices = 400};
    change(of);
    all.push_back({std::move(name), generate(of)});
  };
  generated("grid", [](GenerateOptions&) {});
  generated("real grid", [](GenerateOptions& of) { of.real_weights = true; });
  generated("hops", [](GenerateOptions& of) { of.least_weight = of.greatest_weight = 1; });
  add("negative", {.n = 300, .arcs = 700, .greatest = 40, .potential = 100, .seed = 3});
  add("long negative", {.n = 300, .arcs = 700, .greatest = 4e6, .potential = 1e6, .seed = 4});
  add("acyclic", {.n = 300, .arcs = 700, .least = -30, .greatest = 40, .acyclic = true, .seed = 5});
  add("long acyclic",
      {.n = 300, .arcs = 700, .least = -3e6, .greatest = 4e6, .acyclic = true, .seed = 6});
  add("small", {.n = 40, .arcs = 90, .greatest = 40, .seed = 7});
  GraphBuilder builder(300);  // real weights of both signs
  for (Vertex v = 0; v + 1 < 300; ++v) builder.add_edge(v, v + 1, v % 2 == 0 ? 1.5 : -1.25);
  all.push_back({"real of both signs", std::move(builder).build()});
  return all;
}

/// A choice of a solve on a GPU, in words.
struct Choice {
  std::string words;
  SolveOptions options;
};

std::vector<Choice> choices(bool acyclic) {
  std::vector<Choice> all;
  for (const Algorithm algorithm :
       {Algorithm::automatic, Algorithm::floyd_warshall, Algorithm::nested_dissection,
        Algorithm::boundary, Algorithm::johnson, Algorithm::breadth_first}) {
    for (const Semiring semiring : all_semirings()) {
      if (semiring == Semiring::max_plus && !acyclic) continue;  // there is no longest path
      for (const auto& [what, change] :
           std::vector<std::pair<const char*, void (*)(SolveOptions&)>>{
               {"", [](SolveOptions&) {}},
               {"--predecessors", [](SolveOptions& o) { o.question.predecessors = true; }},
               {"--via", [](SolveOptions& o) { o.question.via = true; }},
               {"--keep matrix", [](SolveOptions& o) { o.storage.keep = Keep::matrix; }},
               {"--keep factor", [](SolveOptions& o) { o.storage.keep = Keep::factor; }},
               {"--device-memory 20KiB",
                [](SolveOptions& o) { o.machine.device_memory = 20 << 10; }}}) {
        SolveOptions options;
        options.machine.device = Device::cuda;
        options.method.algorithm = algorithm;
        options.question.semiring = semiring;
        options.storage.keep = Keep::statistics;
        options.machine.threads = 1;
        change(options);
        all.push_back({fmt::format("{} {} {}", name(algorithm), name(semiring), what), options});
      }
    }
  }
  return all;
}

/// A refusal, and its advice where it is that of a plan.
struct Refused {
  std::string message;
  std::vector<Advice> advice{};
};

Refused refusal(const Graph& graph, const SolveOptions& options) {
  try {
    make_plan(graph, options, one_device);
    return {};
  } catch (const RefusedSolve& refused) {
    return {refused.what(), refused.advice()};
  } catch (const Error& error) {
    return {error.what()};
  }
}

/// The options that a refusal leads to: those of its advice, or those that its message names.
std::vector<SolveOptions> alternatives(const Refused& refused, const SolveOptions& options,
                                       std::int64_t n) {
  std::vector<Advice> list = refused.advice;
  if (list.empty()) {
    static const std::regex kOption("`([a-z_]+)=([A-Za-z0-9:.-]+)`");
    const std::string& text = refused.message;
    for (std::sregex_iterator i(text.begin(), text.end(), kOption), end; i != end; ++i) {
      list.push_back({{(*i)[1], (*i)[2]}});
    }
  }
  std::vector<SolveOptions> all;
  for (const Advice& advice : list) all.push_back(with_advice(advice, options, n));
  return all;
}

TEST(Refusals, NameAWayOutThatIsPlanned) {
  int refused = 0;
  for (const Case& problem : problems()) {
    const bool acyclic = problem.name.find("acyclic") != std::string::npos;
    for (const Choice& choice : choices(acyclic)) {
      // A message names the ways out of one obstacle, and these have two.
      if (problem.name.starts_with("long") && choice.options.machine.device_memory > 0) continue;
      const Refused found = refusal(problem.graph, choice.options);
      if (found.message.empty()) continue;
      SCOPED_TRACE(problem.name + ": " + choice.words + ": " + found.message);
      ++refused;
      const std::vector<SolveOptions> others =
          alternatives(found, choice.options, problem.graph.vertex_count());
      EXPECT_FALSE(others.empty());
      for (const SolveOptions& other : others) {
        EXPECT_EQ(refusal(problem.graph, other).message, "");
      }
    }
  }
  EXPECT_GT(refused, 100);
}

/// What `auto` takes is never refused.
TEST(Refusals, AreNoneWhereTheDeviceIsLeftOpen) {
  for (const Case& problem : problems()) {
    const bool acyclic = problem.name.find("acyclic") != std::string::npos;
    for (const Choice& choice : choices(acyclic)) {
      SolveOptions options = choice.options;
      options.machine.device = Device::automatic;
      options.method.algorithm = Algorithm::automatic;
      if (options.storage.keep == Keep::factor) continue;  // has reasons of its own
      EXPECT_EQ(refusal(problem.graph, options).message, "")
          << problem.name << ": " << choice.words;
    }
  }
}

}  // namespace
}  // namespace apsp::planner
