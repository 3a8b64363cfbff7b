/* Four places and the roads between them: distances, a path, an error. Exits 1 where an answer is
 * not the expected one.
 *
 *   cc roads.c $(pkg-config --cflags --libs apsp) && ./a.out */
#include <apsp/apsp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(apsp_status status) {
  if (status == APSP_OK) return;
  fprintf(stderr, "%s: %s\n", apsp_status_name(status), apsp_error_message());
  exit(1);
}

/* Prints a block of rows; the solve goes on. */
static int print_rows(void* context, const uint32_t* sources, size_t rows, const double* values,
                      size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    printf("from %u:", (unsigned)sources[row]);
    for (size_t column = 0; column < columns; ++column) {
      printf(" %g", values[row * columns + column]);
    }
    printf("\n");
  }
  *(size_t*)context += rows;
  return 0;
}

int main(void) {
  const uint32_t from[] = {0, 1, 0, 2}, to[] = {1, 2, 2, 3};
  const double kilometres[] = {2, 3, 9, 1};
  apsp_builder* builder = NULL;
  apsp_graph* roads = NULL;
  must(apsp_builder_new(4, 0, &builder));
  must(apsp_builder_add_edges(builder, from, to, kilometres, 4));
  must(apsp_builder_build(builder, &roads));
  apsp_builder_free(builder);

  apsp_options* options = NULL;
  apsp_result* result = NULL;
  size_t rows = 0;
  must(apsp_options_new(&options));
  must(apsp_options_rows(options, print_rows, &rows));
  must(apsp_solve(roads, options, &result));
  apsp_options_free(options);
  apsp_graph_free(roads);

  double distance = NAN;
  uint32_t path[4];
  size_t length = 0;
  must(apsp_result_distance(result, 0, 3, &distance));
  must(apsp_result_path(result, 0, 3, path, 4, &length));
  printf("0 to 3: %g km over %zu places\n", distance, length);

  const apsp_status wrong = apsp_result_distance(result, 0, 4, &distance);
  printf("0 to 4: %s: %s\n", apsp_status_name(wrong), apsp_error_message());
  apsp_result_free(result);
  return rows == 4 && distance == 6 && length == 4 && path[2] == 2 && wrong == APSP_USAGE ? 0 : 1;
}
