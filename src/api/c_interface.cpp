// The C interface (apsp.h): handles around the C++ types, exceptions as statuses.
#include <apsp/apsp.h>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <iterator>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/refusal.hpp"
#include "calibration/machine_report.hpp"
#include "query/paths.hpp"

struct apsp_builder {
  std::int64_t vertices;
  bool directed;
  std::vector<apsp::Edge> edges{};
};
struct apsp_graph {
  apsp::Graph graph;
};
struct apsp_options {
  apsp::SolveOptions solve{};
  apsp_rows rows = nullptr;
  void* context = nullptr;
};
struct apsp_result {
  apsp::Result result;
};

namespace apsp {
namespace {

struct LastError {
  std::string message;
  std::vector<std::uint32_t> cycle;
};
LastError& last_error() {
  thread_local LastError error;
  return error;
}

apsp_status failed(apsp_status status, const char* message, std::span<const Vertex> cycle = {}) {
  LastError& last = last_error();
  try {
    last.message = message;
    last.cycle.assign(cycle.begin(), cycle.end());
  } catch (const std::bad_alloc&) {
    last.message.clear();
    last.cycle.clear();
  }
  return status;
}

apsp_status status_of(ErrorKind kind) {
  return static_cast<apsp_status>(static_cast<int>(kind) + 1);  // in the same order
}
static_assert(APSP_USAGE == static_cast<int>(ErrorKind::usage) + 1 &&
              APSP_DEFECT == static_cast<int>(ErrorKind::defect) + 1);

/// work(), or what it throws as a status.
template <class Work>
apsp_status guarded(Work&& work) noexcept {
  try {
    work();
    return APSP_OK;
  } catch (const Error& error) {
    return failed(status_of(error.kind()), error.what(), error.cycle().vertices);
  } catch (const std::bad_alloc&) {
    return failed(APSP_DOES_NOT_FIT, "the memory of this process is exhausted");
  } catch (const std::exception& error) {
    return failed(APSP_DEFECT, error.what());
  } catch (...) {
    return failed(APSP_DEFECT, "an error of an unknown kind");
  }
}

/// The same of a call whose pointers must not be null.
template <class Work, class... Pointers>
apsp_status checked(Work&& work, const Pointers*... pointers) noexcept {
  const bool one_is_null = ((pointers == nullptr) || ...);
  if (one_is_null) {
    return failed(APSP_USAGE, "an argument is NULL that must not be");
  }
  return guarded(std::forward<Work>(work));
}

/// The same of a call that makes a handle: where it fails, there is none.
template <class Handle, class Work, class... Pointers>
apsp_status made(Handle** out, Work&& work, const Pointers*... pointers) noexcept {
  if (out != nullptr) *out = nullptr;
  return checked([&] { *out = work(); }, out, pointers...);
}

/// `target` ← the value of a word.
template <class Parse, class Target>
void take_word(const char* what, const char* word, Parse parse, Target& target) {
  const auto value = parse(word);
  if (!value) throw usage_error("'{}' is not {}", word, what);
  target = *value;
}

std::vector<Vertex> vertices_of(const std::uint32_t* vertices, std::size_t count) {
  if (count > 0 && vertices == nullptr) throw usage_error("the array of vertices is NULL");
  return {vertices, vertices + count};
}

/// The values of a block as f64, its rows without gaps.
std::vector<double> values_of(const RowBlock& block, Semiring semiring, std::size_t columns,
                              const std::vector<Vertex>& targets) {
  std::vector<double> values;
  values.reserve(block.sources.size() * columns);
  const auto size = static_cast<std::size_t>(size_of(block.type));
  const auto* row = static_cast<const std::byte*>(block.values);
  for (const Vertex source : block.sources) {
    for (std::size_t column = 0; column < columns; ++column) {
      const Vertex target = targets.empty() ? static_cast<Vertex>(column) : targets[column];
      values.push_back(
          query::as_double(semiring, block.type, row + column * size, source == target));
    }
    row += static_cast<std::size_t>(block.stride) * size;
  }
  return values;
}

/// The options of C++, whose rows go to the callback.
SolveOptions with_rows(const apsp_options& options, std::int64_t vertices) {
  SolveOptions solving = options.solve;
  if (options.rows == nullptr) return solving;
  const std::size_t columns =
      solving.targets.empty() ? static_cast<std::size_t>(vertices) : solving.targets.size();
  solving.on_rows = [&options, columns](const RowBlock& block) {
    const std::vector<double> values =
        values_of(block, options.solve.semiring, columns, options.solve.targets);
    if (options.rows(options.context, block.sources.data(), block.sources.size(), values.data(),
                     columns) != 0) {
      throw Error(ErrorKind::interrupted, "the callback for rows ended the solve");
    }
  };
  return solving;
}

}  // namespace
}  // namespace apsp

using namespace apsp;

extern "C" {

const char* apsp_version(void) { return calibration::version().data(); }

const char* apsp_error_message(void) { return last_error().message.c_str(); }

const char* apsp_status_name(apsp_status status) {
  constexpr const char* kNames[] = {"ok",           "usage",           "input",  "negative cycle",
                                    "does not fit", "input or output", "device", "interrupted",
                                    "defect"};
  const auto at = static_cast<std::size_t>(status);
  return at < std::size(kNames) ? kNames[at] : "unknown status";
}

size_t apsp_error_cycle(uint32_t* vertices, size_t capacity) {
  const std::vector<std::uint32_t>& cycle = last_error().cycle;
  if (vertices != nullptr) std::copy_n(cycle.begin(), std::min(capacity, cycle.size()), vertices);
  return cycle.size();
}

apsp_status apsp_builder_new(int64_t vertices, int directed, apsp_builder** out) {
  return made(out, [&] {
    [[maybe_unused]] const GraphBuilder fits(vertices, directed != 0);  // or throws
    return new apsp_builder{vertices, directed != 0};
  });
}

apsp_status apsp_builder_add_edge(apsp_builder* builder, uint32_t from, uint32_t to,
                                  double weight) {
  return checked([&] { builder->edges.push_back({from, to, weight}); }, builder);
}

apsp_status apsp_builder_add_edges(apsp_builder* builder, const uint32_t* from, const uint32_t* to,
                                   const double* weights, size_t count) {
  return checked(
      [&] {
        builder->edges.reserve(builder->edges.size() + count);
        for (std::size_t i = 0; i < count; ++i) {
          builder->edges.push_back({from[i], to[i], weights == nullptr ? 1 : weights[i]});
        }
      },
      builder, from, to);
}

apsp_status apsp_builder_build(apsp_builder* builder, apsp_graph** out) {
  return made(
      out,
      [&] {
        GraphBuilder building(builder->vertices, builder->directed);
        building.add_edges(std::exchange(builder->edges, {}));
        return new apsp_graph{std::move(building).build()};
      },
      builder);
}

void apsp_builder_free(apsp_builder* builder) { delete builder; }

apsp_status apsp_graph_read(const char* path, apsp_graph** out) {
  return made(
      out, [&] { return new apsp_graph{read_graph(path)}; }, path);
}

apsp_status apsp_graph_write(const apsp_graph* graph, const char* path) {
  return checked([&] { write_graph(graph->graph, path); }, graph, path);
}

int64_t apsp_graph_vertices(const apsp_graph* graph) {
  return graph == nullptr ? 0 : graph->graph.vertex_count();
}
int64_t apsp_graph_edges(const apsp_graph* graph) {
  return graph == nullptr ? 0 : graph->graph.edge_count();
}
int apsp_graph_directed(const apsp_graph* graph) {
  return graph != nullptr && graph->graph.directed() ? 1 : 0;
}
void apsp_graph_free(apsp_graph* graph) { delete graph; }

apsp_status apsp_options_new(apsp_options** out) {
  return made(out, [] { return new apsp_options; });
}

apsp_status apsp_options_semiring(apsp_options* options, const char* word) {
  return checked([&] { take_word("a semiring", word, parse_semiring, options->solve.semiring); },
                 options, word);
}

apsp_status apsp_options_algorithm(apsp_options* options, const char* word) {
  return checked(
      [&] { take_word("an algorithm", word, parse_algorithm, options->solve.algorithm); }, options,
      word);
}

apsp_status apsp_options_device(apsp_options* options, const char* word) {
  return checked([&] { take_word("a device", word, parse_device, options->solve.device); }, options,
                 word);
}

apsp_status apsp_options_keep(apsp_options* options, const char* word) {
  return checked([&] { take_word("what a result keeps", word, parse_keep, options->solve.keep); },
                 options, word);
}

apsp_status apsp_options_value_type(apsp_options* options, const char* word) {
  return checked(
      [&] { take_word("a type of values", word, parse_value_type, options->solve.value_type); },
      options, word);
}

apsp_status apsp_options_threads(apsp_options* options, int threads) {
  return checked([&] { options->solve.threads = threads; }, options);
}

apsp_status apsp_options_memory(apsp_options* options, int64_t bytes) {
  return checked([&] { options->solve.memory = bytes; }, options);
}

apsp_status apsp_options_output(apsp_options* options, const char* path) {
  return checked([&] { options->solve.output = path; }, options, path);
}

apsp_status apsp_options_sources(apsp_options* options, const uint32_t* vertices, size_t count) {
  return checked([&] { options->solve.sources = vertices_of(vertices, count); }, options);
}

apsp_status apsp_options_targets(apsp_options* options, const uint32_t* vertices, size_t count) {
  return checked([&] { options->solve.targets = vertices_of(vertices, count); }, options);
}

apsp_status apsp_options_rows(apsp_options* options, apsp_rows call, void* context) {
  return checked(
      [&] {
        options->rows = call;
        options->context = context;
      },
      options);
}

void apsp_options_free(apsp_options* options) { delete options; }

apsp_status apsp_solve(const apsp_graph* graph, const apsp_options* options, apsp_result** out) {
  return made(
      out,
      [&] {
        const apsp_options defaults;
        const apsp_options& asked = options == nullptr ? defaults : *options;
        const std::int64_t n = graph->graph.vertex_count();
        return new apsp_result{solve(graph->graph, with_rows(asked, n))};
      },
      graph);
}

apsp_status apsp_open(const char* path, apsp_result** out) {
  return made(
      out, [&] { return new apsp_result{open_result(path)}; }, path);
}

int64_t apsp_result_vertices(const apsp_result* result) {
  return result == nullptr ? 0 : result->result.vertex_count();
}

const char* apsp_result_algorithm(const apsp_result* result) {
  return result == nullptr ? "" : name(result->result.report().algorithm).data();
}

apsp_status apsp_result_distance(const apsp_result* result, uint32_t from, uint32_t to,
                                 double* out) {
  return checked([&] { *out = result->result.distance(from, to); }, result, out);
}

apsp_status apsp_result_distances(const apsp_result* result, const uint32_t* from,
                                  const uint32_t* to, size_t count, double* out) {
  return checked(
      [&] {
        std::vector<VertexPair> pairs(count);
        for (std::size_t i = 0; i < count; ++i) pairs[i] = {from[i], to[i]};
        const std::vector<double> distances = result->result.distances(pairs);
        std::copy(distances.begin(), distances.end(), out);
      },
      result, from, to, out);
}

apsp_status apsp_result_row(const apsp_result* result, uint32_t from, double* out) {
  return checked(
      [&] {
        const std::vector<double> row = result->result.distances_from(from);
        std::copy(row.begin(), row.end(), out);
      },
      result, out);
}

apsp_status apsp_result_path(const apsp_result* result, uint32_t from, uint32_t to,
                             uint32_t* vertices, size_t capacity, size_t* length) {
  return checked(
      [&] {
        const std::vector<Vertex> path = result->result.path(from, to);
        *length = path.size();
        if (vertices != nullptr) {
          std::copy_n(path.begin(), std::min(capacity, path.size()), vertices);
        }
      },
      result, length);
}

apsp_status apsp_result_verify(const apsp_result* result, int* passed) {
  return checked([&] { *passed = result->result.verify().passed ? 1 : 0; }, result, passed);
}

void apsp_result_free(apsp_result* result) { delete result; }

}  // extern "C"
