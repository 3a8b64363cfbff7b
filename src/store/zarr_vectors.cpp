#include "store/zarr_vectors.hpp"

#include <cstring>
#include <limits>
#include <span>

#include "base/control.hpp"
#include "base/fail.hpp"

namespace apsp::store {
namespace {

constexpr const char *kSource = "source", *kTarget = "target";

ArraySpec selection_spec(const char* name, std::int64_t count) {
  return vector_spec(name, count, "uint32", sizeof(Vertex), 0, name);
}

void write_list(const ZarrGroup& group, const char* name, const VertexList& list) {
  if (list.is_all()) return;
  const std::span<const Vertex> listed(list.listed());
  group.write_vector(selection_spec(name, std::ssize(listed)), listed);
}

std::vector<Vertex> read_list(const ZarrGroup& group, const char* name, std::int64_t count,
                              std::int64_t n) {
  if (count == 0) return {};
  std::vector<Vertex> list = group.read_vector<Vertex>(selection_spec(name, count));
  base::of_file(group.path(name), [&] { require_distinct(list, n, name); });
  return list;
}

ArraySpec spec_of(const Array& array) {
  const nlohmann::json zero = array.type == ValueType::boolean ? nlohmann::json(false)
                              : array.type == ValueType::f32 || array.type == ValueType::f64
                                  ? nlohmann::json(0.0)
                                  : nlohmann::json(0);
  return vector_spec(array.name, array.length, zarr_type(array.type), size_of(array.type), zero,
                     array.dimension);
}

}  // namespace

void write_selection(const ZarrGroup& group, const Selection& selection) {
  write_list(group, kSource, selection.sources);
  write_list(group, kTarget, selection.targets);
}

Selection read_selection(const ZarrGroup& group, std::int64_t n, std::int64_t sources,
                         std::int64_t targets) {
  return {read_list(group, kSource, sources, n), read_list(group, kTarget, targets, n)};
}

bool is_vector(const Array& array) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 8;
  const std::size_t slash = array.name.find('/');
  return slash != std::string::npos && is_array_name(array.name.substr(0, slash)) &&
         is_array_name(array.name.substr(slash + 1)) && array.length >= 0 && array.length <= kMost;
}

Checksums write_vector(const ZarrGroup& group, const Array& array, const void* values) {
  const ArraySpec spec = spec_of(array);
  Checksums checksums =
      group.write_vector(spec, std::span(static_cast<const std::byte*>(values),
                                         static_cast<std::size_t>(array.length * spec.value_size)));
  const nlohmann::json folder = {{"zarr_format", 3},
                                 {"node_type", "group"},
                                 {"attributes", base::json_of(array.folder_attributes)}};
  group.write_text(parent_of(array.name) + "/zarr.json", base::json_text(folder, 2) + "\n");
  return checksums;
}

void require_vector(const ZarrGroup& group, const Array& array) {
  const ArraySpec spec = spec_of(array);
  group.require_array(spec);
  group.require_chunks(group.path(spec.name + "/c"),
                       (array.length + spec.chunk[0] - 1) / spec.chunk[0]);
}

void read_vector(const ZarrGroup& group, const Array& array, void* values) {
  auto* to = static_cast<std::byte*>(values);
  const std::int64_t bytes = kArrayChunk * size_of(array.type);
  for (std::int64_t index = 0; index * kArrayChunk < array.length; ++index, to += bytes) {
    base::check_cancelled();
    read_vector_chunk(group, array, index, to);
  }
}

void read_vector_chunk(const ZarrGroup& group, const Array& array, std::int64_t index,
                       void* values) {
  std::optional<std::uint32_t> checksum;
  if (!array.checksums.empty()) checksum = array.checksums.at(static_cast<std::size_t>(index));
  const Bytes chunk = group.read_vector_chunk(spec_of(array), index, checksum);
  const std::int64_t count = std::min(kArrayChunk, array.length - index * kArrayChunk);
  std::memcpy(values, chunk.data(), static_cast<std::size_t>(count * size_of(array.type)));
}

}  // namespace apsp::store
