/* The C interface from C11: plans, statistics, saving, nearest places, an early end, and arrays of
 * no values. Exits 1 at the first answer that is not the expected one, and names its line.
 *
 *   calls FOLDER      a folder for the files that it writes */
#include <apsp/apsp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, apsp_error_message()); \
      exit(1);                                                                           \
    }                                                                                    \
  } while (0)

/* 0 - 1 - 2 - 3 with weights 2, 3, 1, and a vertex 4 without edges. */
static apsp_graph* five_vertices(void) {
  const uint32_t from[] = {0, 1, 2}, to[] = {1, 2, 3};
  const double weights[] = {2, 3, 1};
  apsp_builder* builder = NULL;
  apsp_graph* graph = NULL;
  EXPECT(apsp_builder_new(5, 0, &builder) == APSP_OK);
  EXPECT(apsp_builder_add_edges(builder, NULL, NULL, NULL, 0) == APSP_OK);
  EXPECT(apsp_builder_add_edges(builder, NULL, to, weights, 3) == APSP_USAGE);
  EXPECT(apsp_builder_add_edges(builder, from, NULL, weights, 3) == APSP_USAGE);
  EXPECT(apsp_builder_add_edges(builder, from, to, weights, 3) == APSP_OK);
  EXPECT(apsp_builder_build(builder, &graph) == APSP_OK);
  apsp_builder_free(builder);
  return graph;
}

static double statistic(const apsp_result* result, const char* name) {
  double value = -1;
  EXPECT(apsp_result_statistic(result, name, &value) == APSP_OK);
  return value;
}

static void plans(const apsp_graph* graph) {
  apsp_plan* plan = NULL;
  apsp_options* options = NULL;
  EXPECT(apsp_plan_solve(graph, NULL, &plan) == APSP_OK);
  EXPECT(strlen(apsp_plan_line(plan)) > 0);
  EXPECT(strlen(apsp_plan_algorithm(plan)) > 0);
  EXPECT(strcmp(apsp_plan_what_would_fit(plan), "") == 0);
  EXPECT(apsp_plan_seconds(plan) > 0);
  EXPECT(apsp_plan_bytes(plan) > 0);
  EXPECT(apsp_plan_bytes_device(plan) == 0);
  EXPECT(apsp_plan_bytes_disk(plan) == 0);
  apsp_plan_free(plan);

  EXPECT(apsp_options_new(&options) == APSP_OK);
  EXPECT(apsp_options_algorithm(options, "floyd-warshall") == APSP_OK);
  EXPECT(apsp_options_memory(options, 1) == APSP_OK);
  EXPECT(apsp_plan_solve(graph, options, &plan) == APSP_OK);
  EXPECT(strcmp(apsp_plan_algorithm(plan), "floyd-warshall") == 0);
  EXPECT(strlen(apsp_plan_what_would_fit(plan)) > 0);
  apsp_plan_free(plan);
  apsp_options_free(options);

  EXPECT(apsp_plan_solve(NULL, NULL, &plan) == APSP_USAGE);
  EXPECT(plan == NULL);
  EXPECT(strcmp(apsp_plan_line(NULL), "") == 0);
  EXPECT(apsp_plan_bytes(NULL) == 0);
  apsp_plan_free(NULL);
}

static void statistics(const apsp_graph* graph) {
  apsp_result* result = NULL;
  apsp_graph* nothing = NULL;
  apsp_builder* builder = NULL;
  double values[5];
  EXPECT(apsp_solve(graph, NULL, &result) == APSP_OK);
  EXPECT(statistic(result, "vertices") == 5);
  EXPECT(statistic(result, "reachable_pairs") == 12);
  EXPECT(statistic(result, "connected") == 0);
  EXPECT(statistic(result, "diameter") == 6);
  EXPECT(statistic(result, "radius") == 4);
  EXPECT(statistic(result, "mean") == (2 + 5 + 6 + 3 + 4 + 1) / 6.0);
  EXPECT(isnan(statistic(result, "diameter_at_least")));
  EXPECT(apsp_result_statistic(result, "histogram", values) == APSP_USAGE);
  EXPECT(apsp_result_statistic(result, "no such figure", values) == APSP_USAGE);
  EXPECT(apsp_result_statistic(result, NULL, values) == APSP_USAGE);
  EXPECT(apsp_result_vertex_values(result, "eccentricity", values) == APSP_OK);
  EXPECT(values[0] == 6 && values[1] == 4 && values[2] == 5 && values[3] == 6);
  EXPECT(apsp_result_vertex_values(result, "harmonic", values) == APSP_OK);
  EXPECT(values[4] == 0);
  EXPECT(apsp_result_vertex_values(result, "diameter", values) == APSP_USAGE);

  EXPECT(apsp_result_distances(result, NULL, NULL, 0, NULL) == APSP_OK);
  EXPECT(apsp_result_distances(result, NULL, NULL, 1, values) == APSP_USAGE);
  apsp_result_free(result);

  EXPECT(apsp_builder_new(0, 1, &builder) == APSP_OK);
  EXPECT(apsp_builder_build(builder, &nothing) == APSP_OK);
  EXPECT(apsp_solve(nothing, NULL, &result) == APSP_OK);
  EXPECT(isnan(statistic(result, "diameter")));
  EXPECT(apsp_result_vertex_values(result, "closeness", NULL) == APSP_OK);
  apsp_result_free(result);
  apsp_graph_free(nothing);
  apsp_builder_free(builder);
}

static void saving(const apsp_graph* graph, const char* folder) {
  char path[4096];
  apsp_result *result = NULL, *opened = NULL;
  double distance = 0;
  EXPECT(apsp_solve(graph, NULL, &result) == APSP_OK);
  snprintf(path, sizeof path, "%s/saved.zarr", folder);
  EXPECT(apsp_result_save(result, path) == APSP_OK);
  EXPECT(apsp_open(path, &opened) == APSP_OK);
  EXPECT(apsp_result_distance(opened, 0, 3, &distance) == APSP_OK);
  EXPECT(distance == 6);
  snprintf(path, sizeof path, "%s/saved.txt", folder);
  EXPECT(apsp_result_save(result, path) == APSP_USAGE);
  EXPECT(apsp_result_save(result, NULL) == APSP_USAGE);
  apsp_result_free(opened);
  apsp_result_free(result);
}

static void nearest_places(const apsp_graph* graph) {
  const uint32_t places[] = {3, 0}, outside[] = {5};
  int64_t indices[10];
  double distances[10];
  EXPECT(apsp_nearest(graph, places, 2, 2, 0, indices, distances) == APSP_OK);
  EXPECT(indices[2] == 1 && distances[2] == 2 && indices[3] == 0 && distances[3] == 4);
  EXPECT(indices[8] == -1 && isinf(distances[8]));
  EXPECT(apsp_nearest(graph, places, 1, 1, 1, indices, NULL) == APSP_OK);
  EXPECT(indices[1] == 0);
  EXPECT(apsp_nearest(graph, places, 2, 0, 0, indices, distances) == APSP_USAGE);
  EXPECT(apsp_nearest(graph, NULL, 0, 1, 0, indices, distances) == APSP_USAGE);
  EXPECT(apsp_nearest(graph, NULL, 1, 1, 0, indices, distances) == APSP_USAGE);
  EXPECT(apsp_nearest(graph, outside, 1, 1, 0, indices, distances) == APSP_USAGE);
  EXPECT(strstr(apsp_error_message(), "5") != NULL);
}

/* A solve that gives no rows ends too. */
static void early_end(const apsp_graph* graph) {
  apsp_cancellation* cancellation = NULL;
  apsp_result* result = NULL;
  int64_t index[5];
  const uint32_t place = 0;
  EXPECT(apsp_cancellation_new(&cancellation) == APSP_OK);
  EXPECT(apsp_cancellation_use(cancellation) == APSP_OK);
  EXPECT(apsp_solve(graph, NULL, &result) == APSP_OK);
  apsp_result_free(result);
  apsp_cancellation_request(cancellation);
  EXPECT(apsp_solve(graph, NULL, &result) == APSP_INTERRUPTED);
  EXPECT(result == NULL);
  apsp_cancellation_free(cancellation);
  EXPECT(apsp_nearest(graph, &place, 1, 1, 0, index, NULL) == APSP_INTERRUPTED);
  EXPECT(apsp_cancellation_use(NULL) == APSP_OK);
  EXPECT(apsp_nearest(graph, &place, 1, 1, 0, index, NULL) == APSP_OK);
  apsp_cancellation_request(NULL);
  apsp_cancellation_free(NULL);
}

static void no_sources(const apsp_graph* graph) {
  apsp_options* options = NULL;
  EXPECT(apsp_options_new(&options) == APSP_OK);
  EXPECT(apsp_options_sources(options, NULL, 0) == APSP_OK);
  EXPECT(apsp_options_targets(options, NULL, 0) == APSP_OK);
  EXPECT(apsp_options_targets(options, NULL, 1) == APSP_USAGE);
  apsp_result* result = NULL;
  EXPECT(apsp_solve(graph, options, &result) == APSP_OK);
  apsp_result_free(result);
  apsp_options_free(options);
}

int main(int count, char** words) {
  if (count != 2) return 2;
  apsp_graph* graph = five_vertices();
  plans(graph);
  statistics(graph);
  saving(graph, words[1]);
  nearest_places(graph);
  early_end(graph);
  no_sources(graph);
  apsp_graph_free(graph);
  return 0;
}
