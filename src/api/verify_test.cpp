// Stored statistics are checked with the rows: right ones pass, and an error in any figure is
// found.
#include <apsp/apsp.hpp>

#include "api/result.hpp"
#include "api/stored_result.hpp"
#include "store/store.hpp"
#include "support/graph_of.hpp"
#include "support/memory_file_system.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "verifier/verifier.hpp"

namespace apsp::verify_test {
namespace {

const VerifyCheck& statistics_check(const VerifyReport& report) {
  const auto found = std::ranges::find(report.checks, "statistics", &VerifyCheck::name);
  EXPECT_NE(found, report.checks.end());
  return *found;
}

VerifyReport verify_claim(const Result& result, const Statistics& claimed,
                          const VerifyOptions& options = {}) {
  return verifier::verify(result.graph(), result.state().matrix(), options, &claimed);
}

TEST(VerifiedStatistics, PassWhereTheyAreRight) {
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_min, Semiring::min_max, Semiring::or_and}) {
    for (const bool directed : {false, true}) {
      for (const bool real : {false, true}) {
        for (const std::int64_t arcs : {0, 60, 400}) {
          const Graph graph = random_graph(80, arcs, semiring == Semiring::min_plus ? 0.0 : 1.0,
                                           3000, {.real = real, .directed = directed});
          const Result result = solve(graph, {.question = {.semiring = semiring}});
          const VerifyReport report = result.verify();
          EXPECT_TRUE(report.passed) << statistics_check(report).first_failure;
          EXPECT_GT(statistics_check(report).tested, 5);
        }
      }
    }
  }
  const Graph some = random_graph({.n = 80, .arcs = 130, .directed = true});
  const VerifyReport of_some = solve(some, {.question = {.sources = {3, 9, 20}}}).verify();
  EXPECT_TRUE(of_some.passed) << statistics_check(of_some).first_failure;
  const Graph signs = random_graph({.n = 60, .arcs = 200, .real = true, .potential = 9});
  const VerifyReport of_signs = solve(signs).verify();
  EXPECT_TRUE(of_signs.passed) << statistics_check(of_signs).first_failure;
}

TEST(VerifiedStatistics, FailWhereAnyFigureIsWrong) {
  using Plant = std::function<void(Statistics&)>;
  const std::vector<std::pair<std::string, Plant>> plants = {
      {"vertices", [](Statistics& s) { ++s.vertices; }},
      {"pairs", [](Statistics& s) { ++s.pairs; }},
      {"reachable", [](Statistics& s) { --s.reachable_pairs; }},
      {"connected", [](Statistics& s) { s.connected = !s.connected; }},
      {"least", [](Statistics& s) { *s.least += 1; }},
      {"greatest", [](Statistics& s) { *s.greatest += 1; }},
      {"mean", [](Statistics& s) { *s.mean *= 1 + 1e-9; }},
      {"no mean", [](Statistics& s) { s.mean.reset(); }},
      {"median", [](Statistics& s) { *s.median += 1; }},
      {"median error", [](Statistics& s) { s.median_error = 1; }},
      {"bar", [](Statistics& s) { ++s.histogram[2].pairs; }},
      {"end of a bar",
       [](Statistics& s) { s.histogram[1].high = s.histogram[2].low = s.histogram[2].high; }},
      {"last bar", [](Statistics& s) { s.histogram.pop_back(); }},
      {"diameter", [](Statistics& s) { *s.diameter += 1; }},
      {"from", [](Statistics& s) { s.diameter_pair->from ^= 1; }},
      {"to", [](Statistics& s) { s.diameter_pair->to ^= 1; }},
      {"radius", [](Statistics& s) { *s.radius -= 1; }},
      {"centre", [](Statistics& s) { s.radius_pair->from ^= 1; }},
      {"to of radius", [](Statistics& s) { s.radius_pair->to ^= 1; }},
      {"eccentricity", [](Statistics& s) { s.eccentricity[7] += 1; }},
      {"closeness", [](Statistics& s) { s.closeness[s.radius_pair->to] *= 1 + 1e-9; }},
      {"harmonic", [](Statistics& s) { s.harmonic[s.radius_pair->to] *= 1 - 1e-9; }},
      {"characteristic", [](Statistics& s) { *s.characteristic_path_length *= 1 + 1e-9; }},
      {"efficiency", [](Statistics& s) { *s.global_efficiency *= 1 + 1e-9; }},
      {"harmonic mean", [](Statistics& s) { *s.harmonic_mean_distance *= 1 - 1e-9; }},
      {"Wiener index",
       [](Statistics& s) { s.wiener_index = *s.mean * static_cast<double>(s.reachable_pairs); }},
      {"effective diameter", [](Statistics& s) { *s.effective_diameter *= 1.5; }},
      {"average eccentricity", [](Statistics& s) { *s.average_eccentricity += 1e-6; }},
      {"components", [](Statistics& s) { ++s.component->components; }},
      {"no component", [](Statistics& s) { s.component.reset(); }},
      {"its vertices", [](Statistics& s) { ++s.component->vertices; }},
      {"its pairs", [](Statistics& s) { ++s.component->pairs; }},
      {"its mean", [](Statistics& s) { *s.component->mean += 1e-6; }},
      {"its diameter", [](Statistics& s) { *s.component->diameter += 1; }},
      {"its pair", [](Statistics& s) { s.component->diameter_pair->to ^= 1; }},
  };
  for (const bool directed : {false, true}) {
    const Graph graph = random_graph(
        {.n = 80, .arcs = directed ? 140 : 70, .least = 1, .greatest = 90, .directed = directed});
    const Result result = solve(graph);
    const Statistics right = result.statistics();
    ASSERT_TRUE(right.component && right.radius && right.histogram.size() > 3);
    for (const auto& [what, plant] : plants) {
      Statistics wrong = right;
      plant(wrong);
      const VerifyReport report = verify_claim(result, wrong);
      EXPECT_FALSE(report.passed) << what;
      EXPECT_GT(statistics_check(report).failed, 0) << what;
      EXPECT_NE(statistics_check(report).first_failure, "") << what;
    }
  }
}

TEST(VerifiedStatistics, OfASampleAreCheckedAsFarAsItTells) {
  const Graph graph = random_graph({.n = 80, .arcs = 300, .least = 1, .greatest = 90});
  const Result result = solve(graph);
  const VerifyReport report = verify_claim(result, result.statistics(), {.sources = 20});
  EXPECT_TRUE(report.passed);
  EXPECT_THAT(report.meaning, HasSubstr("statistics as far as"));
  Statistics wrong = result.statistics();
  *wrong.diameter = 1;
  EXPECT_FALSE(verify_claim(result, wrong, {.sources = 20}).passed);
  wrong = result.statistics();
  for (double& eccentricity : wrong.eccentricity) eccentricity += 1;
  EXPECT_FALSE(verify_claim(result, wrong, {.sources = 20}).passed);
}

TEST(VerifiedStatistics, AreThoseOfTheFile) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 90, .arcs = 150});
  for (const Algorithm algorithm : {Algorithm::floyd_warshall, Algorithm::nested_dissection}) {
    SolveOptions options{.method = {.algorithm = algorithm},
                         .storage = {.output = folder / std::string(name(algorithm)) + ".zarr"}};
    if (algorithm == Algorithm::nested_dissection) options.storage.stored = Keep::factor;
    solve(graph, options);
    const VerifyReport report = open_result(options.storage.output).verify();
    EXPECT_TRUE(report.passed) << statistics_check(report).first_failure;
    EXPECT_EQ(report.meaning, "proof");
  }
}

TEST(VerifiedStatistics, OfAFactorMayBeRoundedInAnotherOrder) {
  for (const bool directed : {false, true}) {
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      const Graph graph =
          random_graph(300, directed ? 900 : 330, 0.1, 3, {.real = true, .directed = directed});
      SolveOptions options{.method = {.algorithm = Algorithm::nested_dissection}};
      options.method.value_type = type;
      options.storage.keep = Keep::factor;
      const Result result = solve(graph, options);
      const VerifyReport report = result.verify();
      EXPECT_TRUE(report.passed) << statistics_check(report).first_failure;
      Statistics wrong = result.statistics();
      *wrong.radius *= 1.01;
      const VerifyReport found = verifier::verify(graph, result.state().matrix(), {}, &wrong,
                                                  verifier::ClaimedRows::recomputed);
      EXPECT_GT(statistics_check(found).failed, 0);
    }
  }
}

TEST(NamedTolerance, IsNeverCalledAProof) {
  const Result result = solve(random_graph({.n = 40, .arcs = 150, .real = true}));
  EXPECT_EQ(result.verify({.tolerance = 0.25}).meaning, "within the tolerance of 0.25");
  EXPECT_EQ(result.verify({.sources = 10, .tolerance = 0.25}).meaning,
            "within the tolerance of 0.25 for the sampled sources; statistics as far as these rows "
            "tell");
  EXPECT_THAT(result.verify({.tolerance = 0}).meaning, Not(HasSubstr("proof")));
  EXPECT_THAT(result.verify().meaning, HasSubstr("proof"));
}

}  // namespace
}  // namespace apsp::verify_test

namespace apsp::api::verify_test {
namespace {

using store::Plane;

/// Distances along 0 → 1 → 2 with weights 5 and 7, and their planes, written by hand.
class VerifyStored : public testing::Test {
 protected:
  VerifyStored() {
    graph_ = graph_of(3, {{0, 1, 5}, {1, 2, 7}});
    files_.make_directory("out");
  }

  void write(const std::string& path, std::int32_t far = 12) {
    const auto none = static_cast<std::int32_t>(no_path(Semiring::min_plus, ValueType::i32));
    const bool npy = path.ends_with(".npy");
    store::Layout layout{3, ValueType::i32, Semiring::min_plus, 2, {Plane::distance}};
    if (!npy) layout.planes = {Plane::distance, Plane::predecessor, Plane::via, Plane::hops};
    const auto target = store::create_store(path, layout, {false, &files_});
    const auto put = [&](Plane plane, const std::array<std::int32_t, 9>& values) {
      if (target->holds(plane)) target->write(plane, {0, 0, 3, 3}, values.data(), 3);
    };
    put(Plane::distance, {0, 5, far, none, 0, 7, none, none, 0});
    put(Plane::predecessor, {-1, 0, 1, -1, -1, 1, -1, -1, -1});
    put(Plane::via, {-1, -1, 1, -1, -1, -1, -1, -1, -1});
    put(Plane::hops, {0, 1, 2, -1, 0, 1, -1, -1, 0});
    target->commit(graph_, {});
  }
  VerifyReport verify(const std::string& path) {
    return verify_stored(path, graph_, Semiring::min_plus, {}, &files_);
  }
  void failure(const std::string& path) { EXPECT_ERROR(input, verify(path)); }
  /// Calls work(path) for every chunk of a plane, one bit of it flipped.
  void with_damage(Plane plane, const std::function<void(const std::string&)>& work) {
    const std::string part = "/" + std::string(store::name(plane)) + "/c/";
    int damaged = 0;
    for (const auto& [path, good] : files_.contents()) {
      if (path.find(part) == std::string::npos || path.ends_with('/')) continue;
      std::string bad = good;
      bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 16);
      replace(path, bad);
      work(path);
      replace(path, good);
      ++damaged;
    }
    EXPECT_EQ(damaged, 4) << part;
  }
  void replace(const std::string& path, const std::string& content) {
    files_.remove_all(path);
    files_.write_atomically(path, std::as_bytes(std::span(content)));
  }

  store::MemoryFileSystem files_;
  Graph graph_;
};

TEST_F(VerifyStored, WhatIsRightPasses) {
  write("out/x.zarr");
  write("out/x.npy");
  EXPECT_EQ(verify("out/x.zarr").checks.size(), 8u);
  EXPECT_TRUE(verify("out/x.zarr").passed);
  EXPECT_TRUE(verify("out/x.npy").passed);
}

TEST_F(VerifyStored, AFlippedBitInAnyChunkOfAnyPlaneIsFound) {
  write("out/x.zarr");
  for (const Plane plane : {Plane::distance, Plane::predecessor, Plane::via, Plane::hops}) {
    with_damage(plane, [&](const std::string&) { failure("out/x.zarr"); });
  }
  EXPECT_TRUE(verify("out/x.zarr").passed);
}

TEST_F(VerifyStored, WrongNumbersUnderRightChecksumsAreFound) {
  write("out/x.zarr", 11);
  EXPECT_FALSE(verify("out/x.zarr").passed);
  write("out/x.npy", 11);
  EXPECT_FALSE(verify("out/x.npy").passed);
}

TEST_F(VerifyStored, AnNpyHasNoChecksumsAndIsCheckedByItsNumbers) {
  write("out/x.npy");
  std::string content = files_.contents().at("out/x.npy");
  content[content.size() - 28] ^= 1;  // the value from 0 to 2, 12 → 13
  replace("out/x.npy", content);
  EXPECT_FALSE(verify("out/x.npy").passed);
}

TEST_F(VerifyStored, AnotherGraphBesideTheDistancesIsFound) {
  write("out/x.zarr");
  GraphBuilder builder(3, true);
  builder.add_edge(0, 1, 5);
  builder.add_edge(1, 2, 7);
  builder.add_edge(0, 2, 90);  // of no use, so that the distances are the same
  graph_ = std::move(builder).build();
  failure("out/x.zarr");
}

TEST_F(VerifyStored, AFileThatIsGoneIsAnError) { EXPECT_THROW(verify("out/x.zarr"), Error); }

}  // namespace
}  // namespace apsp::api::verify_test

namespace apsp::verify_test {
namespace {

// Near pairs and nearest places are checked by their properties.
std::string failures(const VerifyReport& report) {
  std::string text;
  for (const VerifyCheck& check : report.checks) text += check.first_failure;
  return text;
}

std::vector<Graph> near_graphs() {
  std::vector<Graph> graphs;
  for (const bool directed : {false, true}) {
    for (const bool real : {false, true}) {
      graphs.push_back(random_graph(
          {.n = 120, .arcs = 300, .least = 0, .greatest = 5, .real = real, .directed = directed}));
    }
  }
  return graphs;
}

TEST(VerifyNearPairs, PassWhereTheyAreRight) {
  for (const Graph& graph : near_graphs()) {
    for (const double limit : {0.0, 3.7, 1e9}) {
      const VerifyReport report = verify(within(graph, limit), graph, limit);
      EXPECT_TRUE(report.passed) << failures(report);
      EXPECT_EQ(report.meaning,
                graph.weight_facts().integral ? "proof" : "proof, within tolerance");
      const std::vector<Vertex> sources = {7, 3, 100};
      EXPECT_TRUE(verify(within(graph, limit, {.sources = sources}), graph, limit, sources).passed);
    }
  }
}

TEST(VerifyNearPairs, FailWhereAnyIsWrong) {
  const Graph graph = near_graphs()[2];
  const double limit = 4;
  const SparseDistances right = within(graph, limit);
  const auto fails = [&](const std::function<void(SparseDistances&)>& plant) {
    SparseDistances wrong = right;
    plant(wrong);
    const VerifyReport report = verify(wrong, graph, limit);
    EXPECT_FALSE(report.passed);
    EXPECT_NE(failures(report), "");
  };
  const std::size_t middle = right.targets.size() / 2;
  fails([&](SparseDistances& pairs) { pairs.distances[middle] += 1; });
  fails([&](SparseDistances& pairs) { pairs.distances[middle] = -1; });
  fails([&](SparseDistances& pairs) { pairs.distances[middle] = std::nan(""); });
  fails([&](SparseDistances& pairs) { pairs.targets[middle] = pairs.targets[middle + 1]; });
  fails([&](SparseDistances& pairs) { pairs.targets[middle] = 4'000'000; });
  fails([&](SparseDistances& pairs) {  // a pair is left out
    pairs.targets.erase(pairs.targets.begin());
    pairs.distances.erase(pairs.distances.begin());
    for (std::int64_t& begin : pairs.row_begin) begin -= begin > 0 ? 1 : 0;
  });
  EXPECT_FALSE(verify(right, graph, limit + 1).passed);
  SparseDistances torn = right;
  torn.row_begin.pop_back();
  EXPECT_ERROR(usage, verify(torn, graph, limit));
  EXPECT_EQ(verify(right, graph, limit, {}, {.tolerance = 0.5}).meaning,
            "within the tolerance of 0.5");
}

TEST(VerifyNearestPlaces, PassWhereTheyAreRight) {
  for (const Graph& graph : near_graphs()) {
    const std::vector<Vertex> places = {5, 60, 60, 7, 119, 33};
    for (const std::int64_t k : {1, 3, 10}) {
      for (const Towards towards : {Towards::places, Towards::vertices}) {
        const VerifyReport report =
            verify(nearest(graph, places, k, towards), graph, places, towards);
        EXPECT_TRUE(report.passed) << failures(report);
      }
    }
  }
}

TEST(VerifyNearestPlaces, FailWhereAnyIsWrong) {
  const Graph graph = near_graphs()[2];
  const std::vector<Vertex> places = {5, 60, 7, 119, 33};
  const NearestPlaces right = nearest(graph, places, 2);
  const auto fails = [&](const std::function<void(NearestPlaces&)>& plant) {
    NearestPlaces wrong = right;
    plant(wrong);
    const VerifyReport report = verify(wrong, graph, places);
    EXPECT_FALSE(report.passed);
    EXPECT_NE(failures(report), "");
  };
  std::size_t at = 0;  // a list of two places at different distances
  while (!(right.distances[at] > 0 && right.distances[at + 1] > right.distances[at] &&
           right.distances[at + 1] < 1e9)) {
    at += 2;
  }
  fails([&](NearestPlaces& found) { found.distances[at] /= 2; });
  fails([&](NearestPlaces& found) { found.distances[at + 1] += 1; });
  fails([&](NearestPlaces& found) { std::swap(found.places[at], found.places[at + 1]); });
  fails([&](NearestPlaces& found) { found.places[at] = found.places[at + 1]; });
  fails([&](NearestPlaces& found) { found.places[at] = 77; });
  fails([&](NearestPlaces& found) {
    found.places[at + 1] = NearestPlaces::kNone;
    found.distances[at + 1] = std::numeric_limits<double>::infinity();
  });
  EXPECT_FALSE(verify(right, graph, places, Towards::vertices).passed);
}

TEST(VerifyNearestPlaces, FindCirclesThatCostNothing) {
  // 2 and 3 claim to be 1 from the place, each by the other, but no arc leads to them.
  const std::vector<Edge> edges = {{0, 1, 1}, {2, 3, 0}, {3, 2, 0}};
  const Graph graph = graph_of(4, edges, false);
  NearestPlaces found = nearest(graph, std::vector<Vertex>{0}, 1);
  for (const std::size_t v : {2, 3}) {
    found.places[v] = 0;
    found.distances[v] = 1;
  }
  EXPECT_FALSE(verify(found, graph, std::vector<Vertex>{0}).passed);
}

}  // namespace
}  // namespace apsp::verify_test
