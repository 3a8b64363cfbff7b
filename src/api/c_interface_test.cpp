// The C interface beside the C++ one, its errors, and rows by callback.
#include <apsp/apsp.h>

#include <apsp/apsp.hpp>

#include "rates/machine_report.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::c_interface_test {
namespace {

/// What ends by itself.
struct Ends {
  void operator()(apsp_builder* held) const { apsp_builder_free(held); }
  void operator()(apsp_graph* held) const { apsp_graph_free(held); }
  void operator()(apsp_options* held) const { apsp_options_free(held); }
  void operator()(apsp_result* held) const { apsp_result_free(held); }
};
template <class T>
using Held = std::unique_ptr<T, Ends>;

Held<apsp_graph> graph_of(std::int64_t vertices, bool directed,
                          const std::vector<std::uint32_t>& from,
                          const std::vector<std::uint32_t>& to,
                          const std::vector<double>& weights) {
  apsp_builder* builder = nullptr;
  EXPECT_EQ(apsp_builder_new(vertices, directed, &builder), APSP_OK);
  const Held<apsp_builder> held(builder);
  EXPECT_EQ(apsp_builder_add_edges(builder, from.data(), to.data(), weights.data(), from.size()),
            APSP_OK);
  apsp_graph* graph = nullptr;
  EXPECT_EQ(apsp_builder_build(builder, &graph), APSP_OK) << apsp_error_message();
  return Held<apsp_graph>(graph);
}

/// 0 → 1 → 2 → 3, and 0 → 2 by a longer arc.
Held<apsp_graph> small() { return graph_of(4, true, {0, 1, 0, 2}, {1, 2, 2, 3}, {2, 3, 9, 1}); }

Held<apsp_options> options_of() {
  apsp_options* options = nullptr;
  EXPECT_EQ(apsp_options_new(&options), APSP_OK);
  return Held<apsp_options>(options);
}

Held<apsp_result> solved(const apsp_graph* graph, const apsp_options* options = nullptr) {
  apsp_result* result = nullptr;
  EXPECT_EQ(apsp_solve(graph, options, &result), APSP_OK) << apsp_error_message();
  return Held<apsp_result>(result);
}

TEST(CInterface, AnswersAsTheOneOfCpp) {
  const Held<apsp_graph> graph = small();
  EXPECT_EQ(apsp_graph_vertices(graph.get()), 4);
  EXPECT_EQ(apsp_graph_edges(graph.get()), 4);
  EXPECT_EQ(apsp_graph_directed(graph.get()), 1);
  const Held<apsp_result> result = solved(graph.get());
  EXPECT_EQ(apsp_result_vertices(result.get()), 4);
  EXPECT_TRUE(parse_algorithm(apsp_result_algorithm(result.get())));

  double distance = 0;
  ASSERT_EQ(apsp_result_distance(result.get(), 0, 3, &distance), APSP_OK);
  EXPECT_EQ(distance, 6);
  ASSERT_EQ(apsp_result_distance(result.get(), 3, 0, &distance), APSP_OK);
  EXPECT_TRUE(std::isinf(distance));

  const std::vector<std::uint32_t> from = {0, 1}, to = {2, 3};
  std::vector<double> distances(2), row(4);
  ASSERT_EQ(apsp_result_distances(result.get(), from.data(), to.data(), 2, distances.data()),
            APSP_OK);
  EXPECT_THAT(distances, ElementsAre(5, 4));
  ASSERT_EQ(apsp_result_row(result.get(), 0, row.data()), APSP_OK);
  EXPECT_THAT(row, ElementsAre(0, 2, 5, 6));

  std::vector<std::uint32_t> path(4);
  std::size_t length = 0;
  ASSERT_EQ(apsp_result_path(result.get(), 0, 3, path.data(), path.size(), &length), APSP_OK);
  EXPECT_EQ(length, 4);
  EXPECT_THAT(path, ElementsAre(0, 1, 2, 3));
  ASSERT_EQ(apsp_result_path(result.get(), 0, 3, nullptr, 0, &length), APSP_OK);
  EXPECT_EQ(length, 4);

  int passed = 0;
  ASSERT_EQ(apsp_result_verify(result.get(), &passed), APSP_OK);
  EXPECT_EQ(passed, 1);
}

TEST(CInterface, WritesReadsAndOpens) {
  const TemporaryFolder folder;
  const std::string file = folder / "small.gr", store = folder / "small.zarr";
  ASSERT_EQ(apsp_graph_write(small().get(), file.c_str()), APSP_OK) << apsp_error_message();
  apsp_graph* read = nullptr;
  ASSERT_EQ(apsp_graph_read(file.c_str(), &read), APSP_OK) << apsp_error_message();
  const Held<apsp_graph> graph(read);
  const Held<apsp_options> options = options_of();
  ASSERT_EQ(apsp_options_output(options.get(), store.c_str()), APSP_OK);
  ASSERT_EQ(apsp_options_value_type(options.get(), "f64"), APSP_OK);
  ASSERT_EQ(apsp_options_threads(options.get(), 1), APSP_OK);
  solved(graph.get(), options.get());
  apsp_result* opened = nullptr;
  ASSERT_EQ(apsp_open(store.c_str(), &opened), APSP_OK) << apsp_error_message();
  const Held<apsp_result> result(opened);
  double distance = 0;
  ASSERT_EQ(apsp_result_distance(result.get(), 0, 3, &distance), APSP_OK);
  EXPECT_EQ(distance, 6);
}

struct Rows {
  std::vector<std::vector<double>> rows = std::vector<std::vector<double>>(4);
  int answer = 0;

  static int take(void* context, const std::uint32_t* sources, std::size_t count,
                  const double* values, std::size_t columns) {
    auto& held = *static_cast<Rows*>(context);
    for (std::size_t i = 0; i < count; ++i, values += columns) {
      held.rows[sources[i]].assign(values, values + columns);
    }
    return held.answer;
  }
};

TEST(CInterface, GivesRowsToACallback) {
  for (const char* algorithm : {"floyd-warshall", "johnson"}) {
    const Held<apsp_options> options = options_of();
    Rows taken;
    const std::uint32_t targets[] = {3, 1};
    ASSERT_EQ(apsp_options_algorithm(options.get(), algorithm), APSP_OK);
    ASSERT_EQ(apsp_options_targets(options.get(), targets, 2), APSP_OK);
    ASSERT_EQ(apsp_options_rows(options.get(), &Rows::take, &taken), APSP_OK);
    solved(small().get(), options.get());
    EXPECT_THAT(taken.rows[0], ElementsAre(6, 2));
    EXPECT_THAT(taken.rows[1], ElementsAre(4, 0));
    EXPECT_THAT(taken.rows[3], ElementsAre(0, INFINITY));
  }
}

TEST(CInterface, EndsWhereTheCallbackSaysSo) {
  const Held<apsp_options> options = options_of();
  Rows taken;
  taken.answer = 1;
  ASSERT_EQ(apsp_options_rows(options.get(), &Rows::take, &taken), APSP_OK);
  apsp_result* result = nullptr;
  EXPECT_EQ(apsp_solve(small().get(), options.get(), &result), APSP_INTERRUPTED);
  EXPECT_EQ(result, nullptr);
  EXPECT_THAT(apsp_error_message(), HasSubstr("callback"));
}

TEST(CInterface, TakesSourcesAndSemirings) {
  const Held<apsp_options> options = options_of();
  const std::uint32_t sources[] = {1};
  ASSERT_EQ(apsp_options_semiring(options.get(), "max-min"), APSP_OK);
  ASSERT_EQ(apsp_options_device(options.get(), "cpu"), APSP_OK);
  ASSERT_EQ(apsp_options_keep(options.get(), "matrix"), APSP_OK);
  ASSERT_EQ(apsp_options_memory(options.get(), std::int64_t{1} << 30), APSP_OK);
  ASSERT_EQ(apsp_options_sources(options.get(), sources, 1), APSP_OK);
  const Held<apsp_result> result = solved(small().get(), options.get());
  double width = 0;
  ASSERT_EQ(apsp_result_distance(result.get(), 1, 3, &width), APSP_OK);
  EXPECT_EQ(width, 1);
  EXPECT_EQ(apsp_result_distance(result.get(), 0, 3, &width), APSP_USAGE);
}

TEST(CInterface, SaysWhatIsWrong) {
  const Held<apsp_options> options = options_of();
  EXPECT_EQ(apsp_options_semiring(options.get(), "plus"), APSP_USAGE);
  EXPECT_STREQ(apsp_error_message(), "'plus' is not a semiring");
  EXPECT_EQ(apsp_options_sources(options.get(), nullptr, 2), APSP_USAGE);
  EXPECT_EQ(apsp_solve(nullptr, nullptr, nullptr), APSP_USAGE);
  EXPECT_THAT(apsp_error_message(), HasSubstr("NULL"));
  apsp_graph* graph = nullptr;
  EXPECT_EQ(apsp_graph_read("no/such/graph.gr", &graph), APSP_INPUT_OUTPUT);
  EXPECT_THAT(apsp_error_message(), HasSubstr("no/such/graph.gr"));
  apsp_builder* builder = nullptr;
  EXPECT_NE(apsp_builder_new(-1, 1, &builder), APSP_OK);
  ASSERT_EQ(apsp_builder_new(2, 1, &builder), APSP_OK);
  const Held<apsp_builder> held(builder);
  ASSERT_EQ(apsp_builder_add_edge(builder, 0, 7, 1), APSP_OK);
  EXPECT_EQ(apsp_builder_build(builder, &graph), APSP_USAGE);
  EXPECT_EQ(graph, nullptr);
  graph = reinterpret_cast<apsp_graph*>(&builder);
  EXPECT_EQ(apsp_graph_read("/no/such/file", &graph), APSP_INPUT_OUTPUT);
  EXPECT_EQ(graph, nullptr) << "what a failed call leaves can be freed";
  EXPECT_STREQ(apsp_status_name(APSP_NEGATIVE_CYCLE), "negative cycle");
  EXPECT_STREQ(apsp_status_name(static_cast<apsp_status>(15)), "unknown status");
  EXPECT_EQ(apsp_version(), rates::version());
  apsp_graph_free(nullptr);
  apsp_result_free(nullptr);
}

TEST(CInterface, NullHasNoVertices) {
  EXPECT_EQ(apsp_graph_vertices(nullptr), 0);
  EXPECT_EQ(apsp_graph_edges(nullptr), 0);
  EXPECT_EQ(apsp_graph_directed(nullptr), 0);
  EXPECT_EQ(apsp_result_vertices(nullptr), 0);
  EXPECT_STREQ(apsp_result_algorithm(nullptr), "");
}

TEST(CInterface, NamesANegativeCycle) {
  const Held<apsp_graph> graph = graph_of(3, true, {0, 1, 2}, {1, 2, 0}, {1, 1, -3});
  apsp_result* result = nullptr;
  EXPECT_EQ(apsp_solve(graph.get(), nullptr, &result), APSP_NEGATIVE_CYCLE);
  std::vector<std::uint32_t> cycle(2);
  EXPECT_EQ(apsp_error_cycle(cycle.data(), cycle.size()), 3);
  EXPECT_NE(cycle[0], cycle[1]);
}

}  // namespace
}  // namespace apsp::c_interface_test
