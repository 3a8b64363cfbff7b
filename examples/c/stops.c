/* Bus stops: a plan before the solve, statistics and a file after it, the nearest stop of every
 * place, and an alarm that ends what takes too long. Exits 1 where an answer is not the expected
 * one.
 *
 *   cc stops.c $(pkg-config --cflags --libs apsp) && ./a.out FOLDER */
#include <apsp/apsp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static apsp_cancellation* late = NULL;

static void ring(int number) {
  (void)number;
  apsp_cancellation_request(late); /* allowed in a signal handler */
}

static void must(apsp_status status) {
  if (status == APSP_OK) return;
  fprintf(stderr, "%s: %s\n", apsp_status_name(status), apsp_error_message());
  exit(1);
}

int main(int count, char** words) {
  /* Five places in a row, a minute apart. */
  apsp_builder* builder = NULL;
  apsp_graph* street = NULL;
  must(apsp_builder_new(5, 0, &builder));
  for (uint32_t place = 0; place < 4; ++place)
    must(apsp_builder_add_edge(builder, place, place + 1, 1));
  must(apsp_builder_build(builder, &street));
  apsp_builder_free(builder);

  must(apsp_cancellation_new(&late));
  must(apsp_cancellation_use(late));
  signal(SIGINT, ring);

  apsp_plan* plan = NULL;
  must(apsp_plan_solve(street, NULL, &plan));
  printf("%s\n", apsp_plan_line(plan));
  apsp_plan_free(plan);

  apsp_result* result = NULL;
  double diameter = 0;
  must(apsp_solve(street, NULL, &result));
  must(apsp_result_statistic(result, "diameter", &diameter));
  printf("the ends are %g minutes apart\n", diameter);
  if (count > 1) {
    char path[4096];
    snprintf(path, sizeof path, "%s/street.zarr", words[1]);
    must(apsp_result_save(result, path));
  }
  apsp_result_free(result);

  const uint32_t stops[] = {0, 3};
  int64_t nearest[5];
  double minutes[5];
  must(apsp_nearest(street, stops, 2, 1, 0, nearest, minutes));
  printf("from place 4 stop %d is %g minute away\n", (int)nearest[4], minutes[4]);

  raise(SIGINT);
  const apsp_status ended = apsp_nearest(street, stops, 2, 1, 0, nearest, minutes);
  printf("after the alarm: %s\n", apsp_status_name(ended));
  apsp_cancellation_free(late);
  apsp_graph_free(street);
  return diameter == 4 && nearest[4] == 1 && minutes[4] == 1 && ended == APSP_INTERRUPTED ? 0 : 1;
}
