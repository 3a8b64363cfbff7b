// The C interface (apsp.h): results, their statistics, nearest places.
#include <algorithm>
#include <limits>
#include <string_view>

#include "api/c_handles.hpp"
#include "api/json.hpp"
#include "base/json.hpp"
#include "base/refusal.hpp"

namespace apsp {
namespace {

/// A number of the statistics as `apsp stats --json` names it.
double figure_of(const Statistics& statistics, const Graph& graph, const char* called) {
  const nlohmann::json figures = api::to_json(statistics, graph, 0);
  const auto found = figures.find(called);
  if (found != figures.end()) {
    if (found->is_number()) return found->get<double>();
    if (found->is_boolean()) return found->get<bool>() ? 1 : 0;
    if (found->is_null()) return std::numeric_limits<double>::quiet_NaN();
  }
  throw usage_error("'{}' is no number of the statistics: take one such as diameter or mean",
                    called);
}

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
        *out = figure_of(result->result.statistics(c_control()), result->result.graph(), called);
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
