// Several metrics over one stored order: each answers as a solve of its weights, and shares files.
#include <apsp/apsp.hpp>

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::api::metrics_test {
namespace {

const char* const kOrderFiles[] = {"factor/order/c/0",          "factor/width/c/0",
                                   "factor/structure_size/c/0", "factor/upper/c/0",
                                   "graph/indptr/c/0",          "graph/indices/c/0"};
const char* const kValueFiles[] = {"factor/closed/c/0", "factor/up/c/0", "graph/weights/c/0"};

void store(const Graph& graph, const std::string& path, Keep stored = Keep::factor) {
  SolveOptions options{.storage = {.output = path, .keep = Keep::statistics, .stored = stored}};
  solve(graph, options);
}

/// A weight of every edge, by a rule that `seed` changes.
std::vector<double> weights_of(const Graph& graph, std::uint64_t seed) {
  std::vector<double> weights;
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (!graph.directed() && from > to) return;
    weights.push_back(static_cast<double>(1 + (weights.size() * 2654435761U * seed) % 50));
  });
  return weights;
}

void add_metric(const std::string& path, const std::string& metric, std::uint64_t seed) {
  update_stored(path,
                [&](const Graph& graph) { return with_weights(graph, weights_of(graph, seed)); },
                {.metric = metric});
}

std::uintmax_t links(const std::string& path) { return std::filesystem::hard_link_count(path); }

class Metrics : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "a.zarr";
  const Graph graph_ = random_graph({.n = 150, .arcs = 360, .least = 1, .greatest = 40, .seed = 3});
};

TEST_F(Metrics, AnswerAsSolvesOfTheirWeightsAndTheOldOnesStay) {
  store(graph_, path_);
  EXPECT_THAT(metrics(path_), ElementsAre());
  add_metric(path_, "night", 1);
  add_metric(path_, "Day-2", 2);
  add_metric(path_, "night", 3);  // in place of the first one
  EXPECT_THAT(metrics(path_), ElementsAre("Day-2", "night"));
  EXPECT_EQ(open_result(path_).graph().digest(), graph_.digest());
  EXPECT_TRUE(open_result(path_).verify().passed);
  for (const auto& [name, seed] : {std::pair{"Day-2", 2}, std::pair{"night", 3}}) {
    const Result opened = open_result(metric_path(path_, name));
    const Result fresh = solve(with_weights(graph_, weights_of(graph_, seed)));
    for (Vertex v = 0; v < 150; v += 7) {
      EXPECT_EQ(opened.distances_from(v), fresh.distances_from(v));
    }
    EXPECT_TRUE(opened.verify().passed);
  }
}

TEST_F(Metrics, ShareTheFilesOfTheOrderAndNoOthers) {
  store(graph_, path_);
  add_metric(path_, "night", 1);
  const std::string metric = metric_path(path_, "night");
  for (const char* file : kOrderFiles) EXPECT_EQ(links(metric + "/" + file), 2) << file;
  for (const char* file : kValueFiles) EXPECT_EQ(links(metric + "/" + file), 1) << file;
  // An update in its place shares them still.
  update_stored(metric,
                [&](const Graph& graph) { return with_weights(graph, weights_of(graph, 5)); });
  for (const char* file : kOrderFiles) EXPECT_EQ(links(metric + "/" + file), 2) << file;
  EXPECT_TRUE(open_result(metric).verify().passed);
}

TEST_F(Metrics, AreWholeResultsWithoutTheOneThatHeldThem) {
  store(graph_, path_);
  add_metric(path_, "night", 1);
  std::filesystem::copy(metric_path(path_, "night"), folder_ / "b.zarr",
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(path_);
  EXPECT_TRUE(open_result(folder_ / "b.zarr").verify().passed);
}

TEST_F(Metrics, AreNotRemovedByAnUpdateInPlace) {
  store(graph_, path_);
  add_metric(path_, "night", 1);
  const auto same = [](const Graph& graph) { return graph; };
  EXPECT_ERROR(usage, update_stored(path_, same));
  update_stored(path_, same, {.output = folder_ / "b.zarr"});
  EXPECT_THAT(metrics(folder_ / "b.zarr"), ElementsAre());
  EXPECT_THAT(metrics(path_), ElementsAre("night"));
}

TEST_F(Metrics, AreRefusedWhereTheyCannotBe) {
  store(graph_, path_);
  store(graph_, folder_ / "m.zarr", Keep::matrix);
  const auto same = [](const Graph& graph) { return graph; };
  const auto error = [&](const std::string& path, const UpdateOptions& options) {
    EXPECT_ERROR(usage, update_stored(path, same, options));
  };
  error(folder_ / "m.zarr", {.metric = "night"});
  error(folder_ / "m.npy", {.metric = "night"});
  error(path_, {.metric = "a/b"});
  error(path_, {.output = "b.zarr", .metric = "night"});
  EXPECT_ERROR(usage, metric_path(path_, "night"));
  add_metric(path_, "night", 1);
  EXPECT_ERROR(usage, metric_path(path_, "nite"));
  error(metric_path(path_, "night"), {.metric = "more"});
}

}  // namespace
}  // namespace apsp::api::metrics_test
