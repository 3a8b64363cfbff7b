/* The C interface of the library: graphs, plans, solves, distances, paths, statistics, nearest
 * places, errors.
 *
 * Functions that can fail return an `apsp_status`; 0 is success. After a failure
 * `apsp_error_message` returns the cause and the way out, for the calling thread, until its next
 * failure. Objects are freed by the `_free` function of their type, which accepts NULL. A failed
 * call sets `*out` to NULL. A graph that is NULL has no vertices and no edges. An array of 0 values
 * may be NULL. Vertices are numbered from 0. Reading a result is thread-safe, changing a builder or
 * options is not. Words such as "min-plus" are those of the command line. */
#ifndef APSP_APSP_H
#define APSP_APSP_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define APSP_C_API __attribute__((visibility("default")))
#else
#define APSP_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apsp_builder apsp_builder;
typedef struct apsp_graph apsp_graph;
typedef struct apsp_options apsp_options;
typedef struct apsp_plan apsp_plan;
typedef struct apsp_result apsp_result;
typedef struct apsp_cancellation apsp_cancellation;

typedef enum apsp_status {
  APSP_OK = 0,
  APSP_USAGE,          /* the call or a word is wrong */
  APSP_INPUT,          /* a graph or result is malformed */
  APSP_NEGATIVE_CYCLE, /* distances are undefined: `apsp_error_cycle` */
  APSP_DOES_NOT_FIT,   /* memory or value type too small; the message says what would fit */
  APSP_INPUT_OUTPUT,   /* the operating system refused */
  APSP_DEVICE,         /* a GPU failed */
  APSP_INTERRUPTED,    /* a callback or a cancellation asked for an early end */
  APSP_DEFECT          /* a fault of the library or of the machine */
} apsp_status;

/* "0.2.0" */
APSP_C_API const char* apsp_version(void);

/* --- errors of the calling thread */

/* "" before the first error. */
APSP_C_API const char* apsp_error_message(void);
/* "negative cycle"; "unknown status" for other numbers. */
APSP_C_API const char* apsp_status_name(apsp_status status);
/* The vertices of the last negative cycle, at most `capacity` of them; returns how many it has. */
APSP_C_API size_t apsp_error_cycle(uint32_t* vertices, size_t capacity);

/* --- an early end */

/* A flag that another thread or a signal handler may raise. */
APSP_C_API apsp_status apsp_cancellation_new(apsp_cancellation** out);
/* Raises the flag for good. Async-signal-safe. */
APSP_C_API void apsp_cancellation_request(apsp_cancellation* cancellation);
/* Later calls of this thread end with APSP_INTERRUPTED soon after `cancellation` is raised:
 * reading, writing, plans, solves, statistics, verification and nearest places. NULL: no flag ends
 * them. The flag may be freed while the thread uses it. */
APSP_C_API apsp_status apsp_cancellation_use(const apsp_cancellation* cancellation);
APSP_C_API void apsp_cancellation_free(apsp_cancellation* cancellation);

/* --- graphs */

/* Collects edges. `directed`: 0 takes every edge both ways. */
APSP_C_API apsp_status apsp_builder_new(int64_t vertices, int directed, apsp_builder** out);
APSP_C_API apsp_status apsp_builder_add_edge(apsp_builder* builder, uint32_t from, uint32_t to,
                                             double weight);
/* from, to, weights: [count]. `weights` may be NULL: 1. */
APSP_C_API apsp_status apsp_builder_add_edges(apsp_builder* builder, const uint32_t* from,
                                              const uint32_t* to, const double* weights,
                                              size_t count);
/* Empties the builder, also on failure. */
APSP_C_API apsp_status apsp_builder_build(apsp_builder* builder, apsp_graph** out);
APSP_C_API void apsp_builder_free(apsp_builder* builder);

/* Any format of docs/formats.md. */
APSP_C_API apsp_status apsp_graph_read(const char* path, apsp_graph** out);
/* The suffix chooses the format. The file appears when it is complete. */
APSP_C_API apsp_status apsp_graph_write(const apsp_graph* graph, const char* path);
APSP_C_API int64_t apsp_graph_vertices(const apsp_graph* graph);
/* Directed: arcs. Undirected: edges, each counted once. */
APSP_C_API int64_t apsp_graph_edges(const apsp_graph* graph);
APSP_C_API int apsp_graph_directed(const apsp_graph* graph);
APSP_C_API void apsp_graph_free(apsp_graph* graph);

/* --- options of a solve; those that are not set are chosen */

/* values: [rows, columns] distances, row-major, from sources[0 … rows); infinite without a path.
 * The arrays are valid until the call returns. Calls come one at a time, from any thread, with
 * every row once, in any order. A return value other than 0 ends the solve (APSP_INTERRUPTED). */
typedef int (*apsp_rows)(void* context, const uint32_t* sources, size_t rows, const double* values,
                         size_t columns);

APSP_C_API apsp_status apsp_options_new(apsp_options** out);
/* "min-plus", "max-min", "min-max", "max-plus", "or-and" */
APSP_C_API apsp_status apsp_options_semiring(apsp_options* options, const char* word);
/* "auto", "floyd-warshall", "nested-dissection", "boundary", "johnson", "bfs" */
APSP_C_API apsp_status apsp_options_algorithm(apsp_options* options, const char* word);
/* "auto", "cpu", "cuda" */
APSP_C_API apsp_status apsp_options_device(apsp_options* options, const char* word);
/* "auto", "matrix", "factor", "statistics" */
APSP_C_API apsp_status apsp_options_keep(apsp_options* options, const char* word);
/* "f32", "f64", "i32", "u16" */
APSP_C_API apsp_status apsp_options_value_type(apsp_options* options, const char* word);
/* 0: all that the process may use. */
APSP_C_API apsp_status apsp_options_threads(apsp_options* options, int threads);
/* Bytes that the solve may take; 0: what is free. */
APSP_C_API apsp_status apsp_options_memory(apsp_options* options, int64_t bytes);
/* "x.zarr" or "x.npy"; "": in memory. */
APSP_C_API apsp_status apsp_options_output(apsp_options* options, const char* path);
/* Rows of these vertices only, [count]; 0 vertices: all. */
APSP_C_API apsp_status apsp_options_sources(apsp_options* options, const uint32_t* vertices,
                                            size_t count);
/* Columns of these vertices only, [count]; 0 vertices: all. */
APSP_C_API apsp_status apsp_options_targets(apsp_options* options, const uint32_t* vertices,
                                            size_t count);
/* NULL: no calls. */
APSP_C_API apsp_status apsp_options_rows(apsp_options* options, apsp_rows call, void* context);
APSP_C_API void apsp_options_free(apsp_options* options);

/* --- plans */

/* Plans a solve with these options and solves nothing. A plan that does not fit is no error.
 * `options` may be NULL. */
APSP_C_API apsp_status apsp_plan_solve(const apsp_graph* graph, const apsp_options* options,
                                       apsp_plan** out);
/* One line for people. The texts of a plan last until it is freed. */
APSP_C_API const char* apsp_plan_line(const apsp_plan* plan);
/* "floyd-warshall" */
APSP_C_API const char* apsp_plan_algorithm(const apsp_plan* plan);
/* A sentence that says what would fit; "" if this plan fits. */
APSP_C_API const char* apsp_plan_what_would_fit(const apsp_plan* plan);
/* Predicted seconds from the graph in memory to the result. */
APSP_C_API double apsp_plan_seconds(const apsp_plan* plan);
/* Bytes of the host's memory, the graph included. */
APSP_C_API int64_t apsp_plan_bytes(const apsp_plan* plan);
/* Bytes of a GPU's memory; 0: none is used. */
APSP_C_API int64_t apsp_plan_bytes_device(const apsp_plan* plan);
/* Bytes of the output, before any compression, and of scratch files. */
APSP_C_API int64_t apsp_plan_bytes_disk(const apsp_plan* plan);
APSP_C_API void apsp_plan_free(apsp_plan* plan);

/* --- results */

/* `options` may be NULL. The graph may be freed before the result. */
APSP_C_API apsp_status apsp_solve(const apsp_graph* graph, const apsp_options* options,
                                  apsp_result** out);
/* A result that a solve with an output wrote (.zarr). */
APSP_C_API apsp_status apsp_open(const char* path, apsp_result** out);
APSP_C_API int64_t apsp_result_vertices(const apsp_result* result);
/* "floyd-warshall"; "" for NULL */
APSP_C_API const char* apsp_result_algorithm(const apsp_result* result);
/* Infinite without a path. */
APSP_C_API apsp_status apsp_result_distance(const apsp_result* result, uint32_t from, uint32_t to,
                                            double* out);
/* from, to, out: [count] */
APSP_C_API apsp_status apsp_result_distances(const apsp_result* result, const uint32_t* from,
                                             const uint32_t* to, size_t count, double* out);
/* out: [vertices], the distances from one vertex. */
APSP_C_API apsp_status apsp_result_row(const apsp_result* result, uint32_t from, double* out);
/* One best path, both ends included, at most `capacity` vertices of it. `length`: how many it has;
 * 0: there is none. */
APSP_C_API apsp_status apsp_result_path(const apsp_result* result, uint32_t from, uint32_t to,
                                        uint32_t* vertices, size_t capacity, size_t* length);
/* `passed`: 1 if an independent check finds no error, else 0. */
APSP_C_API apsp_status apsp_result_verify(const apsp_result* result, int* passed);
/* A figure of the statistics by its name: "vertices", "pairs", "reachable_pairs", "connected" (0 or
 * 1), "least", "greatest", "mean", "median", "median_error", "diameter", "radius", and the others
 * that `apsp stats --json` prints as numbers (docs/schema.json). NaN: undefined for this
 * result. Computed at the first call if the solve did not gather them. */
APSP_C_API apsp_status apsp_result_statistic(const apsp_result* result, const char* name,
                                             double* out);
/* out: [vertices], "eccentricity", "closeness" or "harmonic" of each (apsp/statistics.hpp).
 * NaN: undefined for the vertex. */
APSP_C_API apsp_status apsp_result_vertex_values(const apsp_result* result, const char* name,
                                                 double* out);
/* Writes to a .zarr or .npy, complete or not at all. */
APSP_C_API apsp_status apsp_result_save(const apsp_result* result, const char* path);
APSP_C_API void apsp_result_free(apsp_result* result);

/* --- near places */

/* Computes the k nearest of some places, which are vertices, [count], for every vertex.
 * `towards_vertices`: 0 measures paths from a vertex to a place, other values paths from a place to
 * a vertex. indices: [vertices, k], indices into `places`, nearest first; -1: no further place.
 * distances: [vertices, k]; infinite if there is no further place. Either array may be NULL.
 * Weights must not be negative. */
APSP_C_API apsp_status apsp_nearest(const apsp_graph* graph, const uint32_t* places, size_t count,
                                    size_t k, int towards_vertices, int64_t* indices,
                                    double* distances);

#ifdef __cplusplus
}
#endif

#endif
