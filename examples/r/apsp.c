/* What R calls: distances between all vertices of an undirected graph, as a matrix.
 *
 *   R CMD SHLIB apsp.c, with PKG_CPPFLAGS and PKG_LIBS from pkg-config --cflags and --libs apsp */
#include <apsp/apsp.h>

#include <R.h>
#include <Rinternals.h>

/* Rf_error jumps out of the function, so everything is freed before it. */
static apsp_status solve(int n, SEXP from, SEXP to, SEXP weight, apsp_result** result) {
  apsp_builder* builder = NULL;
  apsp_graph* graph = NULL;
  apsp_status status = apsp_builder_new(n, 0, &builder);
  for (R_xlen_t i = 0; status == APSP_OK && i < XLENGTH(from); ++i) {
    status = apsp_builder_add_edge(builder, (uint32_t)(INTEGER(from)[i] - 1),
                                   (uint32_t)(INTEGER(to)[i] - 1), REAL(weight)[i]);
  }
  if (status == APSP_OK) status = apsp_builder_build(builder, &graph);
  if (status == APSP_OK) status = apsp_solve(graph, NULL, result);
  apsp_graph_free(graph);
  apsp_builder_free(builder);
  return status;
}

/* from, to: integer vectors, counted from 1; weight: numeric, as long. Row i: from vertex i. */
SEXP apsp_distances(SEXP vertices, SEXP from, SEXP to, SEXP weight) {
  const int n = Rf_asInteger(vertices);
  apsp_result* result = NULL;
  SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, n, n));
  apsp_status status = solve(n, from, to, weight, &result);
  /* R lays columns one after the other; the graph is undirected, so a row is a column. */
  for (int i = 0; status == APSP_OK && i < n; ++i) {
    status = apsp_result_row(result, (uint32_t)i, REAL(matrix) + (R_xlen_t)i * n);
  }
  apsp_result_free(result);
  UNPROTECT(1);
  if (status != APSP_OK) Rf_error("%s", apsp_error_message());
  return matrix;
}
