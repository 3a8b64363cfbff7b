// The C interface (apsp.h).
#include "api/c_interface.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

#include "api/json.hpp"
#include "base/refusal.hpp"
#include "paths/paths.hpp"
#include "rates/machine_report.hpp"

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

/// Ends long calls of this thread; null: nothing does.
std::shared_ptr<const Cancellation>& cancellation_in_use() {
  thread_local std::shared_ptr<const Cancellation> flag;
  return flag;
}

template <class Parse, class Target>
void take_word(const char* what, const char* word, Parse parse, Target& target) {
  const auto value = parse(word);
  if (!value) throw usage_error("'{}' is not {}", word, what);
  target = *value;
}

/// The values of a block as f64, without gaps between rows.
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
          paths::as_double(semiring, block.type, row + column * size, source == target));
    }
    row += static_cast<std::size_t>(block.stride) * size;
  }
  return values;
}

SolveOptions with_rows(const apsp_options& options, std::int64_t vertices) {
  SolveOptions solving = api::c_solving(&options);
  if (options.rows == nullptr) return solving;
  const std::size_t columns = solving.question.targets.empty() ? static_cast<std::size_t>(vertices)
                                                               : solving.question.targets.size();
  solving.consumer.on_rows = [&options, columns](const RowBlock& block) {
    const std::vector<double> values =
        values_of(block, options.solve.question.semiring, columns, options.solve.question.targets);
    if (options.rows(options.context, block.sources.data(), block.sources.size(), values.data(),
                     columns) != 0) {
      throw Error(ErrorKind::interrupted, "the callback for rows ended the solve");
    }
  };
  return solving;
}

}  // namespace

apsp_status api::c_failure(apsp_status status, const char* message,
                           std::span<const Vertex> cycle) noexcept {
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

apsp_status api::c_status(ErrorKind kind) {
  return static_cast<apsp_status>(static_cast<int>(kind) + 1);
}
static_assert(APSP_USAGE == static_cast<int>(ErrorKind::usage) + 1 &&
              APSP_DEFECT == static_cast<int>(ErrorKind::defect) + 1);

Control api::c_control() { return {.cancellation = cancellation_in_use().get()}; }

SolveOptions api::c_solving(const apsp_options* options) {
  SolveOptions solving = options == nullptr ? SolveOptions{} : options->solve;
  solving.control = c_control();
  return solving;
}

void api::require_array(const char* what, const void* values, std::size_t count) {
  refuse_if(count > 0 && values == nullptr, "{} is NULL, but has {} values", what, count);
}

std::vector<Vertex> api::c_vertices(const std::uint32_t* vertices, std::size_t count) {
  require_array("the array of vertices", vertices, count);
  return {vertices, vertices + count};
}

}  // namespace apsp

using namespace apsp;
using namespace apsp::api;

extern "C" {

const char* apsp_version(void) { return rates::version().data(); }

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

apsp_status apsp_cancellation_new(apsp_cancellation** out) {
  return made(out, [] { return new apsp_cancellation; });
}

void apsp_cancellation_request(apsp_cancellation* cancellation) {
  if (cancellation != nullptr) cancellation->flag->request();
}

apsp_status apsp_cancellation_use(const apsp_cancellation* cancellation) {
  cancellation_in_use() = cancellation == nullptr ? nullptr : cancellation->flag;
  return APSP_OK;
}

void apsp_cancellation_free(apsp_cancellation* cancellation) { delete cancellation; }

apsp_status apsp_builder_new(int64_t vertices, int directed, apsp_builder** out) {
  return made(out, [&] {
    [[maybe_unused]] const GraphBuilder fits(vertices, directed != 0);  // throws
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
        require_array("from", from, count);
        require_array("to", to, count);
        builder->edges.reserve(builder->edges.size() + count);
        for (std::size_t i = 0; i < count; ++i) {
          builder->edges.push_back({from[i], to[i], weights == nullptr ? 1 : weights[i]});
        }
      },
      builder);
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
      out, [&] { return new apsp_graph{read_graph(path, {.control = c_control()})}; }, path);
}

apsp_status apsp_graph_write(const apsp_graph* graph, const char* path) {
  return checked([&] { write_graph(graph->graph, path, std::nullopt, c_control()); }, graph, path);
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
  return checked(
      [&] { take_word("a semiring", word, parse_semiring, options->solve.question.semiring); },
      options, word);
}

apsp_status apsp_options_algorithm(apsp_options* options, const char* word) {
  return checked(
      [&] { take_word("an algorithm", word, parse_algorithm, options->solve.method.algorithm); },
      options, word);
}

apsp_status apsp_options_device(apsp_options* options, const char* word) {
  return checked([&] { take_word("a device", word, parse_device, options->solve.machine.device); },
                 options, word);
}

apsp_status apsp_options_keep(apsp_options* options, const char* word) {
  return checked(
      [&] { take_word("what a result keeps", word, parse_keep, options->solve.storage.keep); },
      options, word);
}

apsp_status apsp_options_value_type(apsp_options* options, const char* word) {
  return checked(
      [&] {
        take_word("a type of values", word, parse_value_type, options->solve.method.value_type);
      },
      options, word);
}

apsp_status apsp_options_threads(apsp_options* options, int threads) {
  return checked([&] { options->solve.machine.threads = threads; }, options);
}

apsp_status apsp_options_memory(apsp_options* options, int64_t bytes) {
  return checked([&] { options->solve.machine.memory = bytes; }, options);
}

apsp_status apsp_options_output(apsp_options* options, const char* path) {
  return checked([&] { options->solve.storage.output = path; }, options, path);
}

apsp_status apsp_options_sources(apsp_options* options, const uint32_t* vertices, size_t count) {
  return checked([&] { options->solve.question.sources = c_vertices(vertices, count); }, options);
}

apsp_status apsp_options_targets(apsp_options* options, const uint32_t* vertices, size_t count) {
  return checked([&] { options->solve.question.targets = c_vertices(vertices, count); }, options);
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

apsp_status apsp_plan_solve(const apsp_graph* graph, const apsp_options* options, apsp_plan** out) {
  return made(
      out, [&] { return new apsp_plan{plan_solve(graph->graph, c_solving(options))}; }, graph);
}

const char* apsp_plan_line(const apsp_plan* plan) {
  return plan == nullptr ? "" : plan->report.line.c_str();
}
const char* apsp_plan_algorithm(const apsp_plan* plan) {
  return plan == nullptr ? "" : name(plan->report.algorithm).data();
}
const char* apsp_plan_what_would_fit(const apsp_plan* plan) {
  return plan == nullptr ? "" : plan->report.what_would_fit.c_str();
}
double apsp_plan_seconds(const apsp_plan* plan) {
  return plan == nullptr ? 0 : plan->report.predicted.seconds;
}
int64_t apsp_plan_bytes(const apsp_plan* plan) { return plan == nullptr ? 0 : plan->report.bytes; }
int64_t apsp_plan_bytes_device(const apsp_plan* plan) {
  return plan == nullptr ? 0 : plan->report.bytes_device;
}
int64_t apsp_plan_bytes_disk(const apsp_plan* plan) {
  return plan == nullptr ? 0 : plan->report.bytes_disk;
}
void apsp_plan_free(apsp_plan* plan) { delete plan; }

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

}  // extern "C"

namespace apsp {
namespace {

const std::vector<double>& vertex_values(const Statistics& statistics, std::string_view called) {
  if (called == "eccentricity") return statistics.eccentricity;
  if (called == "closeness") return statistics.closeness;
  if (called == "harmonic") return statistics.harmonic;
  throw usage_error("'{}' is no figure of vertices: take eccentricity, closeness or harmonic",
                    called);
}

}  // namespace
}  // namespace apsp

using namespace apsp;
using namespace apsp::api;

extern "C" {

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
        require_array("from", from, count);
        require_array("to", to, count);
        require_array("out", out, count);
        std::vector<VertexPair> pairs(count);
        for (std::size_t i = 0; i < count; ++i) pairs[i] = {from[i], to[i]};
        const std::vector<double> distances = result->result.distances(pairs, c_control());
        std::copy(distances.begin(), distances.end(), out);
      },
      result);
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
  return checked([&] { *passed = result->result.verify({.control = c_control()}).passed ? 1 : 0; },
                 result, passed);
}

apsp_status apsp_result_statistic(const apsp_result* result, const char* called, double* out) {
  return checked(
      [&] {
        *out =
            api::figure_of(result->result.statistics(c_control()), result->result.graph(), called);
      },
      result, called, out);
}

apsp_status apsp_result_vertex_values(const apsp_result* result, const char* called, double* out) {
  return checked(
      [&] {
        const auto n = static_cast<std::size_t>(result->result.vertex_count());
        require_array("out", out, n);
        const std::vector<double>& values =
            vertex_values(result->result.statistics(c_control()), called);
        if (values.empty()) std::fill_n(out, n, std::numeric_limits<double>::quiet_NaN());
        std::copy(values.begin(), values.end(), out);
      },
      result, called);
}

apsp_status apsp_result_save(const apsp_result* result, const char* path) {
  return checked([&] { result->result.save(path, false, c_control()); }, result, path);
}

void apsp_result_free(apsp_result* result) { delete result; }

apsp_status apsp_nearest(const apsp_graph* graph, const uint32_t* places, size_t count, size_t k,
                         int towards_vertices, int64_t* indices, double* distances) {
  return checked(
      [&] {
        const auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
        const NearestPlaces found = nearest(
            graph->graph, c_vertices(places, count), static_cast<std::int64_t>(std::min(k, most)),
            towards_vertices != 0 ? Towards::vertices : Towards::places, c_control());
        if (indices != nullptr) std::ranges::copy(found.places, indices);
        if (distances != nullptr) std::ranges::copy(found.distances, distances);
      },
      graph);
}

}  // extern "C"
