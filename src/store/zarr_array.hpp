// What an array of our groups looks like: the content of its zarr.json.
//
// Everything about an array follows from the group's attributes, so reading does not interpret
// zarr.json: it builds the one that must be there and compares what matters. An array that any
// other program laid out differently is refused by the name of the field.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace apsp::store {

/// Elements in a chunk of a one-dimensional array: 8 MiB of f64.
inline constexpr std::int64_t kVectorChunk = std::int64_t{1} << 20;

struct ArraySpec {
  std::string name;                 ///< its directory in the group, "graph/weights"
  std::vector<std::int64_t> shape;  ///< [rows, columns] or [n]
  std::vector<std::int64_t> chunk;  ///< ≥ 1 each, though the shape may be 0
  std::string data_type;            ///< of Zarr: "float32", …, "string"
  int value_size = 0;               ///< bytes; 0: strings
  nlohmann::json fill_value;
  std::vector<std::string> dimensions;
  bool compress = false;
};

/// `layout.tile` may exceed a side; the chunk does not.
ArraySpec plane_spec(const Layout& layout, Plane plane, bool compress);
ArraySpec vector_spec(std::string name, std::int64_t count, std::string data_type, int value_size,
                      nlohmann::json fill_value, std::string dimension, bool compress);

/// The name that Zarr has for a type.
std::string zarr_type(ValueType type);

/// "Infinity" and "-Infinity" for floats, as Zarr v3 writes them; numbers; false.
nlohmann::json no_path_json(const Layout& layout);

nlohmann::json array_document(const ArraySpec& spec);
/// Throws `Error` (input) naming `path` and the first field that differs.
void require_array_document(const nlohmann::json& found, const ArraySpec& spec,
                            const std::string& path);

}  // namespace apsp::store
