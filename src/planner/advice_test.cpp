// Every advice is taken: what a refusal names must work at once.
#include <fmt/format.h>
#include <apsp/graph.hpp>

#include <omp.h>
#include <regex>

#include "planner/advice.hpp"

#include "planner/find_plan.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "system/machine.hpp"

namespace apsp::planner::advice_test {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// The advice of a refusal; none where it is none.
std::vector<Advice> advice_of(const Graph& graph, const SolveOptions& options,
                              const FindDevices& find = no_device) {
  try {
    make_plan(graph, options, find);
    return {};
  } catch (const RefusedSolve& refused) {
    return refused.advice();
  }
}

/// Whether the refusal advises this alone.
bool advises(const std::vector<Advice>& list, const Advice& advice) {
  return std::find(list.begin(), list.end(), advice) != list.end();
}

/// The number in the advice about an option; 0: there is none.
std::int64_t number_of(const std::vector<Advice>& list, const std::string& option) {
  for (const Advice& advice : list) {
    if (advice.size() != 1 || advice.front().option != option) continue;
    const std::string& value = advice.front().value;
    return std::stoll(value.substr(value.find(':') == std::string::npos ? 0 : value.find(':') + 1));
  }
  return 0;
}

/// Takes all advice of the refusal, if it is one; returns how much there was.
std::size_t take_all(const Graph& graph, const SolveOptions& options, const FindDevices& find) {
  try {
    make_plan(graph, options, find);
    return 0;
  } catch (const RefusedSolve& refused) {
    if (refused.kind() != ErrorKind::does_not_fit) return 0;
    const std::string text = refused.what();
    for (const Advice& advice : refused.advice()) {
      const SolveOptions other = with_advice(advice, options, graph.vertex_count());
      EXPECT_NO_THROW(make_plan(graph, other, find)) << advice.front().option << "\nof: " << text;
    }
    EXPECT_TRUE(!refused.advice().empty() || text.find("achine has") != std::string::npos ||
                text.find("No alternative") != std::string::npos)
        << text;
    return refused.advice().size();
  }
}

/// Options of every kind.
std::vector<SolveOptions> kinds() {
  std::vector<SolveOptions> all(12);
  all[1].method.algorithm = Algorithm::floyd_warshall;
  all[2].method.algorithm = Algorithm::johnson;
  all[3].method.value_type = ValueType::f64;
  all[4].question.via = true;
  all[5].storage.output = "a.zarr";
  all[6].storage.output = "a.zarr";
  all[6].question.predecessors = all[6].storage.compress = true;
  all[7].storage.keep = Keep::matrix;
  all[7].question.verify = true;
  all[8].storage.keep = Keep::factor;
  all[9].question.sources = {1, 2, 3};
  all[10].question.semiring = Semiring::or_and;
  all[11].question.hops = true;
  all[11].storage.output = "a.zarr";
  for (SolveOptions& options : all) {
    options.machine.device = Device::cpu;
    if (options.storage.keep == Keep::automatic) options.storage.keep = Keep::statistics;
  }
  return all;
}

TEST(WhatWouldFit, IsTrueOfEveryMemoryThatIsNamed) {
  std::size_t taken = 0;
  for (const std::int64_t n : {1, 3, 100, 300, 1000}) {
    const Graph graph = random_graph({.n = n, .arcs = 4 * n, .least = 1});
    for (SolveOptions options : kinds()) {
      if (n < 4 && !options.question.sources.empty()) continue;
      for (const std::int64_t memory : {std::int64_t{1}, 20 * kMiB / 1024, 9 * kMiB, 23 * kMiB}) {
        options.machine.memory = memory;
        options.machine.threads = 2;
        taken += take_all(graph, options, no_device);
      }
    }
  }
  EXPECT_GT(taken, 200U);
}

TEST(WhatWouldFit, IsTrueOfThreadsDisksAndPairsOfOptions) {
  const Graph graph = random_graph({.n = 2000, .arcs = 8000, .least = 1});
  std::size_t taken = 0;
  for (SolveOptions options : kinds()) {
    for (const int threads : {1, 40, 100'000}) {
      options.machine.threads = threads;
      options.machine.memory = 60 * kMiB;
      options.storage.disk = options.storage.output.empty() || threads == 1 ? 0 : 3 * kMiB;
      taken += take_all(graph, options, no_device);
    }
  }
  EXPECT_GT(taken, 20U);
}

TEST(WhatWouldFit, IsTrueOfGpus) {
  const auto two = [] { return invented_devices({invented_h200(0, 1000), invented_h200(1)}); };
  const Graph graph = random_graph({.n = 600, .arcs = 2400, .least = 1, .directed = false});
  std::size_t taken = 0;
  for (SolveOptions options : kinds()) {
    options.machine.threads = 1;
    options.machine.device = Device::cuda;
    for (const std::int64_t there : {std::int64_t{0}, std::int64_t{2000}}) {
      for (const std::int64_t memory : {std::int64_t{0}, 1 * kMiB}) {
        options.machine.device_memory = there;
        options.machine.memory = memory;
        taken += take_all(graph, options, one_device) + take_all(graph, options, two);
      }
    }
  }
  EXPECT_GT(taken, 60U);
}

std::int64_t bytes_of(const Graph& graph, SolveOptions options) {
  options.machine.memory = std::int64_t{1} << 40;
  return make_plan(graph, options, no_device).bytes;
}

/// The advice where memory lies halfway between what two solves need.
std::vector<Advice> advice_between(const Graph& graph, const SolveOptions& less,
                                   SolveOptions more) {
  const std::int64_t few = bytes_of(graph, less), many = bytes_of(graph, more);
  EXPECT_GT(many, few + 1);
  more.machine.memory = (few + many) / 2;
  return advice_of(graph, more);
}

TEST(WhatWouldFit, NamesEveryOptionThatHelpsByItself) {
  const Graph graph = random_graph({.n = 1000, .arcs = 4000, .least = 1});
  SolveOptions options{.machine = {.device = Device::cpu, .threads = 1}};
  options.storage.keep = Keep::factor;
  SolveOptions less = options;
  less.question.statistics = false;
  EXPECT_TRUE(advises(advice_between(graph, less, options), {{"statistics", "false"}}));
  EXPECT_FALSE(advises(advice_between(graph, less, options), {{"stored", "factor"}}));

  options = {.method = {.algorithm = Algorithm::floyd_warshall},
             .machine = {.device = Device::cpu, .threads = 1}};
  options.method.value_type = ValueType::f64;
  less = options;
  less.method.value_type = ValueType::u16;
  EXPECT_TRUE(advises(advice_between(graph, less, options), {{"value_type", "u16"}}));
  less = options;
  options.question.predecessors = true;
  EXPECT_TRUE(advises(advice_between(graph, less, options), {{"predecessors", "false"}}));
  less.question.via = true;
  options = less;
  options.question.hops = true;
  less.question.via = false;
  EXPECT_TRUE(advises(advice_between(graph, less, options), {{"hops", "false"}}));
}

TEST(WhatWouldFit, NamesNearlyAllThreadsThatFit) {
  const Graph graph = random_graph({.n = 300, .arcs = 1200, .least = 1});
  SolveOptions options{.machine = {.device = Device::cpu, .threads = 1}};
  for (const int most : {2, 3}) {
    SolveOptions less = options, more = options;
    less.machine.threads = most - 1;
    more.machine.threads = most;
    EXPECT_EQ(number_of(advice_between(graph, less, more), "threads"),
              std::min(most - 1, system::offered_threads()));
  }
}

TEST(WhatWouldFit, NamesNearlyAllSourcesThatFit) {
  const Graph graph = random_graph({.n = 3000, .arcs = 12000, .least = 1});
  SolveOptions options{.method = {.algorithm = Algorithm::johnson},
                       .machine = {.device = Device::cpu, .threads = 1}};
  options.storage.keep = Keep::matrix;
  options.question.statistics = false;
  for (const std::int64_t sources : {2, 30, 700, 3000}) {
    const auto first = [&](std::int64_t count) {
      SolveOptions some = options;
      some.question.sources.resize(static_cast<std::size_t>(count));
      std::iota(some.question.sources.begin(), some.question.sources.end(), Vertex{0});
      return some;
    };
    const std::int64_t named =
        number_of(advice_between(graph, first(1 + (sources - 1) / 2), first(sources)), "sources");
    const std::int64_t fits = 1 + (sources - 1) * 3 / 4;
    EXPECT_GE(named, fits * 9 / 10) << sources;
    EXPECT_LE(named, fits + 1) << sources;
  }
}

/// The processors that this process is offered while this lives, whatever the machine has.
class OfferedThreads {
 public:
  explicit OfferedThreads(int threads) {
    setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
    omp_set_num_threads(threads);
  }
  ~OfferedThreads() {
    omp_set_num_threads(threads_);
    named_ ? setenv("OMP_NUM_THREADS", named_->c_str(), 1) : unsetenv("OMP_NUM_THREADS");
  }
  OfferedThreads(const OfferedThreads&) = delete;
  OfferedThreads& operator=(const OfferedThreads&) = delete;

 private:
  const int threads_ = omp_get_max_threads();
  const std::optional<std::string> named_ =
      std::getenv("OMP_NUM_THREADS") ? std::optional<std::string>(std::getenv("OMP_NUM_THREADS"))
                                     : std::nullopt;
};

TEST(WhatWouldFit, NamesSoManyThreadsOfManyAsFit) {
  const OfferedThreads offered(16);
  const Graph graph = random_graph({.n = 300, .arcs = 1200, .least = 1});
  for (const int fit : {1, 2, 3, 7, 12}) {
    SolveOptions options{.machine = {.device = Device::cpu, .threads = fit}};
    options.machine.memory = bytes_of(graph, options);
    options.machine.threads = 14;
    const std::vector<Advice> list = advice_of(graph, options);
    EXPECT_EQ(number_of(list, "threads"), fit);
    EXPECT_EQ(std::count_if(list.begin(), list.end(),
                            [](const Advice& of) { return of.front().option == "threads"; }),
              1);
  }
}

/// Searches take little but much a thread; a matrix takes much but little a thread. With all
/// threads it is the matrix that takes least, and so what lies between is above a straight line.
TEST(WhatWouldFit, NamesOneThreadWhereTwoTakeMoreThanTheirShare) {
  constexpr int kThreads = 200;
  const OfferedThreads offered(kThreads);
  const Graph graph = random_graph({.n = 3000, .arcs = 12000, .least = 1});
  SolveOptions options{.machine = {.device = Device::cpu}};
  options.storage.keep = Keep::statistics;
  const auto least_bytes = [&](int threads) {
    SolveOptions other = options;
    other.machine.threads = threads;
    other.machine.memory = 1;
    return find_plan(graph, other, no_device).bytes;
  };
  const std::int64_t one = least_bytes(1), all = least_bytes(kThreads);
  options.machine.threads = kThreads;
  options.machine.memory = least_bytes(2) - 1;
  EXPECT_GT(options.machine.memory, one + (all - one) / (kThreads - 1));
  EXPECT_EQ(number_of(advice_of(graph, options), "threads"), 1);
}

/// A path, which is sparse.
Graph long_path(std::int64_t n) {
  GraphBuilder builder(n, false);
  for (Vertex v = 0; v + 1 < static_cast<Vertex>(n); ++v) builder.add_edge(v, v + 1, 1000);
  return std::move(builder).build();
}

/// Whether some advice has this option among its steps.
bool names(const std::vector<Advice>& list, const std::string& option, const std::string& value) {
  return std::any_of(list.begin(), list.end(), [&](const Advice& advice) {
    return std::any_of(advice.begin(), advice.end(), [&](const auto& step) {
      return step.option == option && step.value == value;
    });
  });
}

TEST(WhatWouldFit, NamesWhatHelpsAndNothingElse) {
  const Graph dense = random_graph({.n = 3000, .arcs = 400'000, .least = 1});
  const Graph sparse = random_graph({.n = 6000, .arcs = 12'000, .least = 1});
  const Graph path = long_path(6000);
  const auto least = [&](SolveOptions options) {  // a byte less than it needs
    options.machine.threads = 1;
    return bytes_of(path, options) - 1;
  };
  SolveOptions by_johnson{.question = {.statistics = false},
                          .method = {.algorithm = Algorithm::johnson},
                          .storage = {.keep = Keep::matrix}};
  by_johnson.machine.memory = least(by_johnson);
  SolveOptions by_dissection = by_johnson;
  by_dissection.method.algorithm = Algorithm::nested_dissection;
  constexpr auto kFloydWarshall = Algorithm::floyd_warshall;
  struct Row {
    const Graph& graph;
    SolveOptions options;
    const char* option;
    const char* value;
    bool named = true;
  };
  const Row rows[] = {
      {dense,
       {.method = {.algorithm = kFloydWarshall, .value_type = ValueType::f64},
        .machine = {.memory = 60 * kMiB}},
       "value_type",
       "u16"},
      {sparse,
       {.method = {.algorithm = kFloydWarshall}, .machine = {.memory = 40 * kMiB}},
       "algorithm",
       "auto"},
      {sparse,
       {.question = {.via = true},
        .machine = {.memory = 40 * kMiB},
        .storage = {.keep = Keep::statistics}},
       "via",
       "false"},
      {sparse,
       {.machine = {.memory = 75 * kMiB}, .storage = {.keep = Keep::matrix}},
       "keep",
       "statistics"},
      {sparse,
       {.machine = {.memory = 75 * kMiB}, .storage = {.keep = Keep::matrix}},
       "stored",
       "factor"},
      {sparse,
       {.method = {.algorithm = kFloydWarshall}, .machine = {.memory = kMiB}},
       "algorithm",
       "auto",
       false},
      // Johnson's rows may pass to the disk as they come, but they are no factor.
      {path, by_johnson, "stored", "factor", false},
      {path, by_dissection, "stored", "factor"},
  };
  for (const Row& row : rows) {
    SolveOptions options = row.options;
    options.machine.device = Device::cpu;
    options.machine.threads = 1;
    EXPECT_EQ(names(advice_of(row.graph, options), row.option, row.value), row.named)
        << row.option << " " << row.value << " of " << row.graph.vertex_count();
  }
}

TEST(WhatWouldFit, NamesTheFirstOtherGpuThatIsLargeEnoughOrTheCpu) {
  const Graph graph = random_graph({.n = 3000, .arcs = 12000, .least = 1});
  SolveOptions options{.question = {.statistics = false},
                       .method = {.algorithm = Algorithm::floyd_warshall},
                       .machine = {.device = Device::cuda, .threads = 1}};
  options.storage.keep = Keep::statistics;
  const auto advice = [&](std::initializer_list<std::int64_t> free) {
    std::vector<DeviceFacts> list;
    for (const std::int64_t bytes : free) {
      list.push_back(invented_h200(static_cast<int>(list.size()), bytes));
    }
    return advice_of(graph, options, [&] { return invented_devices(list); });
  };
  constexpr std::int64_t kLittle = 1000, kMuch = std::int64_t{1} << 36;
  EXPECT_TRUE(advises(advice({kLittle, kMuch, kMuch}), {{"device", "cuda:1"}}));
  EXPECT_FALSE(names(advice({kLittle, kMuch, kMuch}), "device", "cuda:2"));
  EXPECT_TRUE(advises(advice({kLittle, kLittle, kMuch}), {{"device", "cuda:2"}}));
  options.machine.memory = 12 * kMiB;  // and the matrix takes 17
  EXPECT_TRUE(advises(advice({kLittle}), {{"algorithm", "auto"}, {"device", "cpu"}}));
  options.machine.memory = 100 * kMiB;
  EXPECT_TRUE(advises(advice({kLittle}), {{"device", "cpu"}}));
}

/// A factor is kept or stored by nested dissection alone, and has no intermediate vertices.
TEST(WhatWouldFit, OfAFactorNamesWhoMakesOne) {
  const Graph graph = random_graph({.n = 300, .arcs = 1200, .least = 1});
  const MachineOptions cpu{.device = Device::cpu};
  EXPECT_TRUE(advises(advice_of(graph, {.method = {.algorithm = Algorithm::johnson},
                                        .machine = cpu,
                                        .storage = {.keep = Keep::factor}}),
                      {{"algorithm", "nested-dissection"}}));
  EXPECT_TRUE(advises(advice_of(graph, {.question = {.via = true},
                                        .machine = cpu,
                                        .storage = {.output = "a.zarr", .keep = Keep::factor}}),
                      {{"keep", "auto"}, {"stored", "matrix"}}));
}

TEST(WhatWouldFit, OfASolveThatGoesOnKeepsWhatWasBegun) {
  const Graph graph = random_graph({.n = 3000, .arcs = 12000, .least = 1});
  SolveOptions options{
      .method = {.algorithm = Algorithm::floyd_warshall, .value_type = ValueType::f64},
      .machine = {.device = Device::cpu, .threads = 1, .memory = 80 * kMiB}};
  options.question.via = true;
  options.storage.output = "a.zarr";
  EXPECT_TRUE(advises(advice_of(graph, options), {{"value_type", "u16"}}));
  options.storage.resume = true;
  EXPECT_FALSE(names(advice_of(graph, options), "value_type", "u16"));
}

/// 12 bytes a pair of 1,000², and 12 an arc of the graph beside them, on a disk of so many bytes.
TEST(WhatWouldFit, NamesWhatADiskThatIsTooSmallHasRoomFor) {
  const Graph dense = random_graph({.n = 1000, .arcs = 100'000, .least = 1});
  SolveOptions options{.question = {.predecessors = true},
                       .method = {.value_type = ValueType::f64},
                       .machine = {.device = Device::cpu, .threads = 1, .memory = 1024 * kMiB},
                       .storage = {.output = "a.zarr", .keep = Keep::statistics, .disk = 9 * kMiB}};
  EXPECT_TRUE(advises(advice_of(dense, options), {{"value_type", "u16"}}));
  EXPECT_TRUE(advises(advice_of(dense, options), {{"predecessors", "false"}}));
  EXPECT_GT(number_of(advice_of(dense, options), "sources"), 0);
  const std::int64_t bytes = find_plan(dense, options, no_device).disk.output;
  EXPECT_GT(bytes, 12'000'000 + 12 * 100'000);
  options.storage.disk = bytes;
  EXPECT_EQ(make_plan(dense, options, no_device).disk.output, bytes);
  options.storage.disk = bytes - 1;
  EXPECT_ERROR(does_not_fit, make_plan(dense, options, no_device));
  options.storage.disk = kMiB;
  EXPECT_FALSE(names(advice_of(dense, options), "value_type", "u16")) << "6 MB with predecessors";
  EXPECT_FALSE(advises(advice_of(dense, options), {{"predecessors", "false"}})) << "8 MB in f64";
  options.question.predecessors = false;
  options.storage.stored = Keep::matrix;
  options.storage.disk = 4'100'000;  // 330 rows of 8,000 bytes, and the graph
  EXPECT_EQ(number_of(advice_of(dense, options), "sources"), 330);
  options.storage.disk = 7'999;
  EXPECT_EQ(number_of(advice_of(dense, options), "sources"), 0) << "not even one row";
}

// Every refusal that concerns a GPU names a way out, and every way that it names is planned.

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
      if (options.method.algorithm != Algorithm::automatic) continue;
      if (options.storage.keep == Keep::factor) continue;  // has reasons of its own
      options.machine.device = Device::automatic;
      EXPECT_EQ(refusal(problem.graph, options).message, "")
          << problem.name << ": " << choice.words;
    }
  }
}

}  // namespace
}  // namespace apsp::planner::advice_test
