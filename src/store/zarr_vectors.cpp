#include "store/zarr_vectors.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <cstring>
#include <limits>
#include <set>

#include "store/metadata_check.hpp"

namespace apsp::store {
namespace {

std::string folder_of(const Array& array) { return array.name.substr(0, array.name.find('/')); }

ArraySpec spec_of(const ZarrGroup& group, const Array& array) {
  const nlohmann::json zero = array.type == ValueType::boolean ? nlohmann::json(false)
                              : array.type == ValueType::f32 || array.type == ValueType::f64
                                  ? nlohmann::json(0.0)
                                  : nlohmann::json(0);
  return vector_spec(array.name, array.length, zarr_type(array.type), size_of(array.type), zero,
                     array.dimension, group.compress());
}

}  // namespace

bool is_vector(const Array& array) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 8;
  const std::size_t slash = array.name.find('/');
  return slash != std::string::npos && is_array_name(array.name.substr(0, slash)) &&
         is_array_name(array.name.substr(slash + 1)) && array.length >= 0 && array.length <= kMost;
}

void write_vector(const ZarrGroup& group, const Array& array, const void* values) {
  const ArraySpec spec = spec_of(group, array);
  group.write_vector(spec, std::span(static_cast<const std::byte*>(values),
                                     static_cast<std::size_t>(array.length * spec.value_size)));
  const nlohmann::json folder = {
      {"zarr_format", 3}, {"node_type", "group"}, {"attributes", nlohmann::json::object()}};
  group.write_text(folder_of(array) + "/zarr.json", folder.dump(2) + "\n");
}

void require_vector(const ZarrGroup& group, const Array& array) {
  const ArraySpec spec = spec_of(group, array);
  group.require_array(spec);
  const std::string folder = group.path(spec.name + "/c");
  std::set<std::string> names;
  if (group.reads().kind(folder) == FileKind::directory) {
    for (std::string& entry : group.reads().list(folder)) names.insert(std::move(entry));
  }
  for (std::int64_t first = 0, index = 0; first < array.length; first += spec.chunk[0], ++index) {
    if (names.contains(std::to_string(index))) continue;
    throw Error::malformed({join(folder, std::to_string(index)), 0, 0}, "this chunk is missing");
  }
}

void read_vector(const ZarrGroup& group, const Array& array, void* values) {
  const ArraySpec spec = spec_of(group, array);
  auto* to = static_cast<std::byte*>(values);
  for (std::int64_t first = 0; first < array.length; first += spec.chunk[0]) {
    const Bytes chunk = group.read_vector_chunk(spec, first / spec.chunk[0]);
    const std::int64_t bytes = std::min(spec.chunk[0], array.length - first) * spec.value_size;
    std::memcpy(to, chunk.data(), static_cast<std::size_t>(bytes));
    to += bytes;
  }
}

}  // namespace apsp::store
