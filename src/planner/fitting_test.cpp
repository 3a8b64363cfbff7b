// Every advice is taken: what a refusal names must work at once.
#include "planner/fitting.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include <cstdlib>
#include <numeric>
#include <optional>
#include <regex>

#include "base/machine.hpp"
#include "base/units.hpp"
#include "support/error_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"

namespace apsp::planner {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// What an option in an advice changes.
void take(const std::string& name, const std::string& value, SolveOptions& options) {
  const auto bytes = [&] { return base::parse_bytes(value).value(); };
  if (name == "--memory") options.memory = bytes();
  if (name == "--device-memory") options.device_memory = bytes();
  if (name == "--threads") options.threads = std::stoi(value);
  if (name == "--algorithm") options.algorithm = Algorithm::automatic;
  if (name == "--dtype") options.value_type = parse_value_type(value).value();
  if (name == "--predecessors") options.predecessors = false;
  if (name == "--via" || name == "--hops") options.via = options.hops = false;
  if (name == "--no-statistics") options.statistics = false;
  if (name == "--keep") options.stored = Keep::factor;
  if (name == "-o" && value == "OUT.zarr") options.output = "OUT.zarr";
  if (name == "-o" || name == "--keep") options.keep = Keep::statistics;
  if (name == "--sources") {
    const std::size_t digits = value.find(':') + 1;
    options.sources.resize(std::stoul(value.substr(digits)));
    std::iota(options.sources.begin(), options.sources.end(), Vertex{0});
  }
  if (name != "--device") return;
  options.device = value == "cpu"    ? Device::cpu
                   : value == "auto" ? Device::automatic
                                     : Device::cuda;
  options.device_ordinals.clear();
  if (value.starts_with("cuda:")) options.device_ordinals = {std::stoi(value.substr(5))};
}

/// Each advice of a refusal, and the options that it leads to.
std::vector<std::pair<std::string, SolveOptions>> advices(const std::string& text,
                                                          const SolveOptions& options) {
  static const std::regex kOption("(-o|--[a-z-]+)( ([A-Za-z0-9:.]+))?");
  std::vector<std::string> parts;
  const std::string fits = "What would fit: ", memory = "--memory ";
  if (const std::size_t at = text.find(fits); at != std::string::npos) {
    std::string list = text.substr(at + fits.size(), text.find(". ", at) - at - fits.size());
    for (std::size_t end = 0; end != std::string::npos;
         list = list.substr(std::min(list.size(), end + 5))) {
      end = list.find(", or ");
      parts.push_back(list.substr(0, end));
      if (end == std::string::npos) break;
    }
  }
  if (const std::size_t at = text.find(memory); at != std::string::npos) {
    parts.push_back(text.substr(at, text.find(' ', at + memory.size()) - at));
  }
  std::vector<std::pair<std::string, SolveOptions>> found;
  for (const std::string& part : parts) {
    if (part.starts_with("-o on a disk")) continue;
    SolveOptions other = options;
    for (std::sregex_iterator at(part.begin(), part.end(), kOption), end; at != end; ++at) {
      take((*at)[1], (*at)[3], other);
    }
    found.emplace_back(part, other);
  }
  return found;
}

/// Takes every advice of the refusal, if it is one; how many there were.
std::size_t take_all(const Graph& graph, const SolveOptions& options, const FindDevices& find) {
  std::string text;
  try {
    make_plan(graph, options, find);
    return 0;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::does_not_fit) return 0;
    text = error.what();
  }
  const auto all = advices(text, options);
  for (const auto& [words, other] : all) {
    EXPECT_NO_THROW(make_plan(graph, other, find)) << words << "\nof: " << text;
  }
  EXPECT_TRUE(!all.empty() || text.find("achine has") != std::string::npos ||
              text.find("Nothing else") != std::string::npos)
      << text;
  return all.size();
}

/// Options of every kind.
std::vector<SolveOptions> kinds() {
  std::vector<SolveOptions> all(12);
  all[1].algorithm = Algorithm::floyd_warshall;
  all[2].algorithm = Algorithm::johnson;
  all[3].value_type = ValueType::f64;
  all[4].via = true;
  all[5].output = "a.zarr";
  all[6].output = "a.zarr";
  all[6].predecessors = all[6].compress = true;
  all[7].keep = Keep::matrix;
  all[7].verify = true;
  all[8].keep = Keep::factor;
  all[9].sources = {1, 2, 3};
  all[10].semiring = Semiring::or_and;
  all[11].hops = true;
  all[11].output = "a.zarr";
  for (SolveOptions& options : all) {
    options.device = Device::cpu;
    if (options.keep == Keep::automatic) options.keep = Keep::statistics;
  }
  return all;
}

TEST(WhatWouldFit, IsTrueOfEveryMemoryThatIsNamed) {
  std::size_t taken = 0;
  for (const std::int64_t n : {1, 3, 100, 300, 1000}) {
    const Graph graph = random_graph({.n = n, .arcs = 4 * n, .least = 1});
    for (SolveOptions options : kinds()) {
      if (n < 4 && !options.sources.empty()) continue;
      for (const std::int64_t memory : {std::int64_t{1}, 20 * kMiB / 1024, 9 * kMiB, 23 * kMiB}) {
        options.memory = memory;
        options.threads = 2;
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
      options.threads = threads;
      options.memory = 60 * kMiB;
      options.disk = options.output.empty() || threads == 1 ? 0 : 3 * kMiB;
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
    options.threads = 1;
    options.device = Device::cuda;
    for (const std::int64_t there : {std::int64_t{0}, std::int64_t{2000}}) {
      for (const std::int64_t memory : {std::int64_t{0}, 1 * kMiB}) {
        options.device_memory = there;
        options.memory = memory;
        taken += take_all(graph, options, one_device) + take_all(graph, options, two);
      }
    }
  }
  EXPECT_GT(taken, 60U);
}

std::string refusal(const Graph& graph, const SolveOptions& options,
                    const FindDevices& find = no_device) {
  const Error error = error_of([&] { make_plan(graph, options, find); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  return error.what();
}

std::int64_t bytes_of(const Graph& graph, SolveOptions options) {
  options.memory = std::int64_t{1} << 40;
  return make_plan(graph, options, no_device).bytes;
}

TEST(WhatWouldFit, NamesThreadsThatTakeTheMemory) {
  const Graph graph = random_graph({.n = 3, .arcs = 4, .least = 1});
  const std::string text = refusal(graph, {.threads = 100'000, .memory = 1024 * kMiB});
  const std::int64_t others =
      bytes_of(graph, {.threads = 100'000}) - bytes_of(graph, {.threads = 1});
  EXPECT_THAT(text, HasSubstr(base::format_bytes(others) + " of that are for 100,000 threads"));
  EXPECT_THAT(text, HasSubstr("What would fit: --threads "));
  EXPECT_THAT(text, Not(HasSubstr("smaller graph")));
}

TEST(WhatWouldFit, NamesTheBytesOfThreadsWhereTheyAreMoreThanHalf) {
  const Graph graph = random_graph({.n = 300, .arcs = 1200, .least = 1});
  SolveOptions options{.device = Device::cpu, .memory = 1, .statistics = false};
  options.keep = Keep::statistics;
  std::int64_t one = 0;
  for (const int threads : {1, 2, 10, 14, 18, 19, 30}) {
    options.threads = threads;
    const std::int64_t all = find_plan(graph, options, no_device).bytes;
    if (threads == 1) one = all;
    const std::string words = fmt::format("of that are for {} threads", threads);
    EXPECT_EQ(refusal(graph, options).find(words) != std::string::npos, 2 * (all - one) > all)
        << threads;
  }
}

/// The refusal where memory lies halfway between what two solves need.
std::string refusal_between(const Graph& graph, const SolveOptions& less, SolveOptions more) {
  const std::int64_t few = bytes_of(graph, less), many = bytes_of(graph, more);
  EXPECT_GT(many, few + 1);
  more.memory = (few + many) / 2;
  return refusal(graph, more);
}

TEST(WhatWouldFit, NamesEveryOptionThatHelpsByItself) {
  const Graph graph = random_graph({.n = 1000, .arcs = 4000, .least = 1});
  SolveOptions options{.device = Device::cpu, .threads = 1};
  options.keep = Keep::factor;
  SolveOptions less = options;
  less.statistics = false;
  EXPECT_THAT(refusal_between(graph, less, options), HasSubstr("--no-statistics"));
  EXPECT_THAT(refusal_between(graph, less, options), Not(HasSubstr("--keep factor")));

  options = {.algorithm = Algorithm::floyd_warshall, .device = Device::cpu, .threads = 1};
  options.value_type = ValueType::f64;
  less = options;
  less.value_type = ValueType::u16;
  EXPECT_THAT(refusal_between(graph, less, options), HasSubstr("--dtype u16"));
  less = options;
  options.predecessors = true;
  EXPECT_THAT(refusal_between(graph, less, options), HasSubstr("leaving --predecessors out"));
  less.via = true;
  options = less;
  options.hops = true;
  less.via = false;
  EXPECT_THAT(refusal_between(graph, less, options), HasSubstr("leaving --hops out"));
}

/// The number behind some words of a refusal.
std::int64_t number_behind(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  EXPECT_NE(at, std::string::npos) << text;
  return at == std::string::npos ? 0 : std::stoll(text.substr(at + words.size()));
}

/// A factor is kept or stored by nested dissection alone.
TEST(WhatWouldFit, OfAFactorNamesWhoseItIs) {
  const Graph graph = random_graph({.n = 300, .arcs = 1200, .least = 1});
  SolveOptions options{.algorithm = Algorithm::johnson, .device = Device::cpu};
  const auto text = [&] {
    return std::string(error_of([&] { make_plan(graph, options, no_device); }).what());
  };
  options.keep = Keep::factor;
  EXPECT_THAT(text(), HasSubstr("; --algorithm nested-dissection does"));
  options.keep = Keep::statistics;
  options.stored = Keep::factor;
  options.output = "a.zarr";
  EXPECT_THAT(text(), HasSubstr("; --algorithm nested-dissection does"));
}

/// A factor has no intermediate vertices, and the matrix has.
TEST(WhatWouldFit, OfAFactorNamesTheMatrixWhereNoFactorDoes) {
  const Graph graph = random_graph({.n = 300, .arcs = 1200, .least = 1});
  SolveOptions options{.device = Device::cpu};
  options.via = true;
  const auto text = [&] {
    return std::string(error_of([&] { make_plan(graph, options, no_device); }).what());
  };
  options.keep = Keep::factor;
  EXPECT_THAT(text(), HasSubstr("; --keep matrix does"));
  options.output = "a.zarr";
  EXPECT_THAT(text(), HasSubstr("; --keep matrix does"));
  options.keep = Keep::statistics;
  options.stored = Keep::factor;
  EXPECT_THAT(text(), HasSubstr("; --keep matrix does"));
  options.algorithm = Algorithm::johnson;
  EXPECT_THAT(text(), HasSubstr("; --keep matrix with --algorithm auto does"));
}

TEST(WhatWouldFit, SaysHowFarThisMemoryReaches) {
  const Graph graph = random_graph({.n = 1000, .arcs = 400'000, .least = 1});
  SolveOptions options{.algorithm = Algorithm::floyd_warshall, .device = Device::cpu, .threads = 2};
  options.memory = 10 * kMiB;
  const std::string text = refusal(graph, options);
  EXPECT_THAT(text, HasSubstr(". This memory is enough for a matrix of about "));
  EXPECT_THAT(text, Not(HasSubstr("of that are for"))) << "two threads take little";
}

TEST(WhatWouldFit, NamesTheFirstOtherGpuThatIsLargeEnough) {
  const Graph graph = random_graph({.n = 600, .arcs = 2400, .least = 1});
  const auto text = [&](std::initializer_list<std::int64_t> free) {
    std::vector<DeviceFacts> list;
    for (const std::int64_t bytes : free) {
      list.push_back(invented_h200(static_cast<int>(list.size()), bytes));
    }
    return refusal(graph, {.algorithm = Algorithm::floyd_warshall, .device = Device::cuda},
                   [&] { return invented_devices(list); });
  };
  constexpr std::int64_t kLittle = 1000, kMuch = std::int64_t{1} << 36;
  EXPECT_THAT(text({kLittle, kMuch, kMuch}), HasSubstr("--device cuda:1"));
  EXPECT_THAT(text({kLittle, kMuch, kMuch}), Not(HasSubstr("cuda:2")));
  EXPECT_THAT(text({kLittle, kMuch}), Not(HasSubstr("--algorithm auto with"))) << "one is enough";
  EXPECT_THAT(text({kLittle, kLittle, kMuch}), HasSubstr("--device cuda:2"));
}

TEST(WhatWouldFit, OfAGpuThatIsTooSmallNamesTheCpuWithAnyAlgorithm) {
  const Graph graph = random_graph({.n = 3000, .arcs = 12000, .least = 1});
  SolveOptions options{.algorithm = Algorithm::floyd_warshall,
                       .device = Device::cuda,
                       .threads = 1,
                       .memory = 12 * kMiB,  // and the matrix takes 17
                       .statistics = false};
  options.keep = Keep::statistics;
  const auto small = [] { return invented_devices({invented_h200(0, 1000)}); };
  EXPECT_THAT(refusal(graph, options, small),
              HasSubstr("What would fit: --algorithm auto with --device cpu"));
  options.memory = 100 * kMiB;
  EXPECT_THAT(refusal(graph, options, small), HasSubstr("What would fit: --device cpu"));
}

TEST(WhatWouldFit, NamesNearlyAllThreadsThatFit) {
  const Graph graph = random_graph({.n = 300, .arcs = 1200, .least = 1});
  SolveOptions options{.device = Device::cpu, .threads = 1};
  for (const int most : {2, 3}) {
    SolveOptions less = options, more = options;
    less.threads = most - 1;
    more.threads = most;
    EXPECT_EQ(number_behind(refusal_between(graph, less, more), "--threads "),
              std::min(most - 1, base::offered_threads()));
  }
}

TEST(WhatWouldFit, NamesNearlyAllSourcesThatFit) {
  const Graph graph = random_graph({.n = 3000, .arcs = 12000, .least = 1});
  SolveOptions options{.algorithm = Algorithm::johnson, .device = Device::cpu, .threads = 1};
  options.keep = Keep::matrix;
  options.statistics = false;
  for (const std::int64_t sources : {2, 30, 700, 3000}) {
    const auto first = [&](std::int64_t count) {
      SolveOptions some = options;
      some.sources.resize(static_cast<std::size_t>(count));
      std::iota(some.sources.begin(), some.sources.end(), Vertex{0});
      return some;
    };
    const std::string text = refusal_between(graph, first(1 + (sources - 1) / 2), first(sources));
    const std::int64_t named = number_behind(text, "--sources random:");
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
    SolveOptions options{.device = Device::cpu, .threads = fit};
    options.memory = bytes_of(graph, options);
    options.threads = 14;
    const std::string text = refusal(graph, options);
    EXPECT_EQ(number_behind(text, "--threads "), fit);
    EXPECT_EQ(text.find("--threads"), text.rfind("--threads")) << text;
  }
}

/// Searches take little but much a thread; a matrix takes much but little a thread. With all
/// threads it is the matrix that takes least, and so what lies between is above a straight line.
TEST(WhatWouldFit, NamesOneThreadWhereTwoTakeMoreThanTheirShare) {
  constexpr int kThreads = 200;
  const OfferedThreads offered(kThreads);
  const Graph graph = random_graph({.n = 3000, .arcs = 12000, .least = 1});
  SolveOptions options{.device = Device::cpu};
  options.keep = Keep::statistics;
  const auto least_bytes = [&](int threads) {
    SolveOptions other = options;
    other.threads = threads;
    other.memory = 1;
    return find_plan(graph, other, no_device).bytes;
  };
  const std::int64_t one = least_bytes(1), all = least_bytes(kThreads);
  options.threads = kThreads;
  options.memory = least_bytes(2) - 1;
  EXPECT_GT(options.memory, one + (all - one) / (kThreads - 1));
  EXPECT_EQ(number_behind(refusal(graph, options), "--threads "), 1);
}

TEST(WhatWouldFit, NamesTheDiskForAMatrixThatIsKept) {
  const Graph graph = random_graph({.n = 4000, .arcs = 400'000, .least = 1});
  SolveOptions options{.algorithm = Algorithm::floyd_warshall,
                       .device = Device::cpu,
                       .threads = 1,
                       .memory = 36 * kMiB,
                       .output = "a.zarr"};
  options.keep = Keep::matrix;  // of 31 MiB
  EXPECT_THAT(refusal(graph, options), HasSubstr("the matrix on disk"));
  options.keep = Keep::statistics;
  EXPECT_NO_THROW(make_plan(graph, options, no_device));
  options.memory = kMiB;
  EXPECT_THAT(refusal(graph, options), Not(HasSubstr("the matrix on disk")));
}

/// A path, which is sparse.
Graph long_path(std::int64_t n) {
  GraphBuilder builder(n, false);
  for (Vertex v = 0; v + 1 < static_cast<Vertex>(n); ++v) builder.add_edge(v, v + 1, 1000);
  return std::move(builder).build();
}

/// Johnson's rows may pass to the disk as they come, but they are no factor.
TEST(WhatWouldFit, NamesTheFactorOnlyWhereTheAlgorithmMakesOne) {
  const Graph graph = long_path(6000);
  SolveOptions options{
      .algorithm = Algorithm::johnson, .device = Device::cpu, .threads = 1, .statistics = false};
  options.keep = Keep::matrix;
  options.memory = bytes_of(graph, options) - 1;
  EXPECT_THAT(refusal(graph, options), HasSubstr("the matrix on disk"));
  EXPECT_THAT(refusal(graph, options), Not(HasSubstr("--keep factor")));
  options.algorithm = Algorithm::nested_dissection;
  EXPECT_THAT(refusal(graph, options), HasSubstr("--keep factor -o OUT.zarr"));
}

TEST(WhatWouldFit, NamesTheLimitOfAGpuBeforeTheBytesOfAMatrix) {
  const Graph graph = long_path(393'217);
  SolveOptions options{.device = Device::cuda, .threads = 1, .memory = 900 * kMiB};
  options.keep = Keep::statistics;
  options.semiring = Semiring::or_and;
  options.predecessors = true;
  const std::string text = refusal(graph, options, one_device);
  EXPECT_THAT(text,
              HasSubstr("nested-dissection looks for reachability only on the CPU. As a matrix "
                        "393,217 vertices need "));
  EXPECT_THAT(text, HasSubstr("What would fit: "));
}

TEST(WhatWouldFit, OfASolveThatGoesOnKeepsWhatWasBegun) {
  const Graph graph = random_graph({.n = 3000, .arcs = 12000, .least = 1});
  SolveOptions options{.algorithm = Algorithm::floyd_warshall,
                       .device = Device::cpu,
                       .value_type = ValueType::f64,
                       .threads = 1,
                       .memory = 80 * kMiB};
  options.via = true;
  options.output = "a.zarr";
  EXPECT_THAT(refusal(graph, options), HasSubstr("--dtype u16"));
  options.resume = true;
  EXPECT_THAT(refusal(graph, options), Not(HasSubstr("What would fit")));
  EXPECT_THAT(refusal(graph, options), HasSubstr("--memory "));
}

}  // namespace
}  // namespace apsp::planner
