#include "api/near_store.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/near.hpp>
#include <limits>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "base/json.hpp"
#include "base/refusal.hpp"

namespace apsp {
namespace {

constexpr const char *kIndptr = "within/indptr", *kIndices = "within/indices",
                     *kData = "within/data";

/// Encoding of a sparse matrix in compressed rows, by AnnData.
nlohmann::json encoding(std::int64_t rows, std::int64_t columns, double limit) {
  return {{"encoding-type", "csr_matrix"},
          {"encoding-version", "0.1.0"},
          {"shape", {rows, columns}},
          {"limit", limit}};
}

store::Layout layout_of(const Graph& graph, std::span<const Vertex> sources) {
  constexpr std::int64_t kTile = 1024;
  store::Layout layout{.n = graph.vertex_count(), .type = ValueType::f64, .planes = {}};
  layout.tile = std::clamp<std::int64_t>(layout.n, 1, kTile);
  layout.selection.sources = std::vector<Vertex>(sources.begin(), sources.end());
  return layout;
}

}  // namespace

std::optional<api::StoredPairs> api::read_near_pairs(const std::string& path) {
  const std::unique_ptr<store::Store> stored = store::open_store(path);
  const std::vector<store::Array> arrays = stored->arrays();
  const auto read = [&]<class T>(const char* name, std::vector<T>& values) {
    const auto array = std::ranges::find(arrays, name, &store::Array::name);
    if (array == arrays.end()) return false;
    values.resize(static_cast<std::size_t>(array->length));
    stored->read_array(*array, values.data());
    return true;
  };
  std::vector<std::int32_t> begins, targets;
  StoredPairs found;
  const std::optional<Graph> graph = stored->graph();
  if (!graph || !read(kIndptr, begins) || !read(kIndices, targets) ||
      !read(kData, found.pairs.distances)) {
    return std::nullopt;
  }
  const auto attributes = base::parsed_json(stored->metadata().attributes);
  if (!attributes.contains("within")) return std::nullopt;
  found.graph = *graph;
  found.limit = attributes["within"].value("limit", 0.0);
  found.sources = stored->layout().selection.sources.listed();
  found.pairs.vertices = graph->vertex_count();
  found.pairs.row_begin.assign(begins.begin(), begins.end());
  found.pairs.targets.assign(targets.begin(), targets.end());
  return found;
}

bool api::holds_near_pairs(const store::Store& stored) {
  const std::vector<store::Array> arrays = stored.arrays();
  return std::ranges::count(arrays, kData, &store::Array::name) > 0;
}

void api::require_all_pairs(const store::Store& stored, const std::string& path) {
  refuse_if(holds_near_pairs(stored),
            "{} holds near pairs, not all distances: read its group 'within' "
            "as a sparse matrix",
            path);
}

void write_zarr(const SparseDistances& pairs, const Graph& graph, double limit,
                std::span<const Vertex> sources, const std::string& path, const Control& control) {
  const std::int64_t count = std::ssize(pairs.targets), rows = std::ssize(pairs.row_begin) - 1;
  refuse_if(!store::is_zarr(path), "{}: near pairs go to a .zarr here", path);
  refuse_if(count > std::numeric_limits<std::int32_t>::max() ||
                pairs.vertices > std::numeric_limits<std::int32_t>::max(),
            "{}: a .zarr takes fewer than 2^31 near pairs and vertices: name an .npz or a .parquet",
            path);
  const auto target = store::create_store(path, layout_of(graph, sources));
  const std::vector<std::int32_t> begins(pairs.row_begin.begin(), pairs.row_begin.end());
  const std::string attributes = base::json_text(encoding(rows, pairs.vertices, limit));
  const auto put = [&](const char* name, ValueType type, std::int64_t length, const char* dimension,
                       const void* values) {
    base::check_cancelled(control);
    target->write_array({.name = name,
                         .type = type,
                         .length = length,
                         .dimension = dimension,
                         .folder_attributes = attributes},
                        values);
  };
  put(kIndptr, ValueType::i32, rows + 1, "row_boundary", begins.data());
  put(kIndices, ValueType::i32, count, "pair", pairs.targets.data());
  put(kData, ValueType::f64, count, "pair", pairs.distances.data());
  const nlohmann::json about = {{"limit", limit}, {"algorithm", name(pairs.algorithm)}};
  target->commit(graph, {base::json_text(nlohmann::json{{"within", about}}), {}});
}

}  // namespace apsp
