#include "store/zarr_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace apsp::store {
namespace {

using nlohmann::json;

json codecs(const ArraySpec& spec) {
  json chain = json::array();
  if (spec.value_size == 0) {
    chain.push_back({{"name", "vlen-utf8"}});
  } else if (spec.value_size == 1) {
    chain.push_back({{"name", "bytes"}});  // bytes have no order
  } else {
    chain.push_back({{"name", "bytes"}, {"configuration", {{"endian", "little"}}}});
  }
  if (spec.compress) {
    chain.push_back({{"name", "zstd"}, {"configuration", {{"level", 1}, {"checksum", false}}}});
  }
  chain.push_back({{"name", "crc32c"}});
  return chain;
}

/// zarr-python adds empty configurations when it rewrites metadata.
json without_empty_configurations(json chain) {
  if (!chain.is_array()) return chain;
  for (json& codec : chain) {
    if (codec.is_object() && codec.contains("configuration") && codec["configuration"].empty()) {
      codec.erase("configuration");
    }
  }
  return chain;
}

}  // namespace

std::string zarr_type(ValueType type) {
  constexpr std::array<std::string_view, 5> kNames = {"float32", "float64", "int32", "uint16",
                                                      "bool"};
  return std::string(kNames[static_cast<std::size_t>(type)]);
}

json no_path_json(const Layout& layout) {
  const double value = no_path(layout.semiring, layout.type);
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (layout.type == ValueType::boolean) return false;
  return static_cast<std::int64_t>(value);
}

ArraySpec plane_spec(const Layout& layout, Plane plane, bool compress) {
  const bool distance = plane == Plane::distance;
  const auto side = [&](std::int64_t count) {
    return std::clamp<std::int64_t>(count, 1, layout.tile);
  };
  ArraySpec spec;
  spec.name = name(plane);
  spec.shape = {layout.rows(), layout.cols()};
  spec.chunk = {side(layout.rows()), side(layout.cols())};
  spec.data_type = zarr_type(distance ? layout.type : ValueType::i32);
  spec.value_size = value_size(layout, plane);
  spec.fill_value = distance ? no_path_json(layout) : json(-1);
  spec.dimensions = {"source", "target"};
  spec.compress = compress;
  return spec;
}

ArraySpec vector_spec(std::string name, std::int64_t count, std::string data_type, int value_size,
                      json fill_value, std::string dimension, bool compress) {
  ArraySpec spec;
  spec.name = std::move(name);
  spec.shape = {count};
  spec.chunk = {std::clamp<std::int64_t>(count, 1, kVectorChunk)};
  spec.data_type = std::move(data_type);
  spec.value_size = value_size;
  spec.fill_value = std::move(fill_value);
  spec.dimensions = {std::move(dimension)};
  spec.compress = compress;
  return spec;
}

json array_document(const ArraySpec& spec) {
  return {{"zarr_format", 3},
          {"node_type", "array"},
          {"shape", spec.shape},
          {"data_type", spec.data_type},
          {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", spec.chunk}}}}},
          {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "/"}}}}},
          {"fill_value", spec.fill_value},
          {"codecs", codecs(spec)},
          {"attributes", json::object()},
          {"dimension_names", spec.dimensions}};
}

void require_array_document(const json& found, const ArraySpec& spec, const std::string& path) {
  const json expected = array_document(spec);
  for (const char* field : {"zarr_format", "node_type", "shape", "data_type", "chunk_grid",
                            "chunk_key_encoding", "fill_value", "codecs"}) {
    const auto at = found.find(field);
    if (at == found.end()) {
      throw Error::malformed({path, 0, 0}, fmt::format("'{}' is missing", field));
    }
    if (without_empty_configurations(*at) == expected[field]) continue;
    throw Error::malformed({path, 0, 0},
                           fmt::format("'{}' is {}; here it should be {}", field,
                                       at->dump(-1, ' ', false, json::error_handler_t::replace),
                                       expected[field].dump()));
  }
  const auto transformers = found.find("storage_transformers");
  if (transformers != found.end() && !transformers->empty()) {
    throw Error::malformed({path, 0, 0}, "'storage_transformers' are not supported");
  }
}

}  // namespace apsp::store
