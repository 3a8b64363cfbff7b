#include "store/zarr_group.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "system/memory_limit.hpp"

namespace apsp::store {
namespace {

using nlohmann::json;

json codecs(const ArraySpec& spec, bool compress) {
  json chain = json::array();
  if (spec.value_size == 0) {
    chain.push_back({{"name", "vlen-utf8"}});
  } else if (spec.value_size == 1) {
    chain.push_back({{"name", "bytes"}});  // bytes have no endianness
  } else {
    chain.push_back({{"name", "bytes"}, {"configuration", {{"endian", "little"}}}});
  }
  if (compress) {
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

json array_document(const ArraySpec& spec, bool compress) {
  return {{"zarr_format", 3},
          {"node_type", "array"},
          {"shape", spec.shape},
          {"data_type", spec.data_type},
          {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", spec.chunk}}}}},
          {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "/"}}}}},
          {"fill_value", spec.fill_value},
          {"codecs", codecs(spec, compress)},
          {"attributes", json::object()},
          {"dimension_names", spec.dimensions}};
}

std::string chunk_name(const ArraySpec& spec, std::int64_t index) {
  return fmt::format("{}/c/{}", spec.name, index);
}

void append(std::byte*& to, const void* from, std::size_t size) {
  if (size > 0) std::memcpy(to, from, size);
  to += size;
}

/// The codec vlen-utf8: u32 count, then for each string u32 length and its bytes.
Bytes encode_strings(std::span<const std::string> strings, std::int64_t padded_count) {
  std::int64_t size = 4 + 4 * padded_count;
  for (const std::string& text : strings) size += static_cast<std::int64_t>(text.size());
  Bytes bytes(size + kChecksumBytes);
  std::byte* at = bytes.data();
  const auto append_number = [&](std::size_t number) {
    const auto word = static_cast<std::uint32_t>(number);
    append(at, &word, sizeof(word));
  };
  append_number(static_cast<std::size_t>(padded_count));
  for (const std::string& text : strings) {
    append_number(text.size());
    append(at, text.data(), text.size());
  }
  for (auto i = static_cast<std::int64_t>(strings.size()); i < padded_count; ++i) append_number(0);
  return bytes;
}

void decode_strings(std::span<const std::byte> bytes, std::int64_t wanted,
                    std::int64_t padded_count, const std::string& path,
                    std::vector<std::string>& strings) {
  const auto take_number = [&] {
    std::uint32_t number = 0;
    if (bytes.size() < sizeof(number)) base::fail_input(path, "strings end early");
    std::memcpy(&number, bytes.data(), sizeof(number));
    bytes = bytes.subspan(sizeof(number));
    return number;
  };
  if (take_number() != padded_count) {
    base::fail_input(path, "does not hold {} strings", padded_count);
  }
  for (std::int64_t i = 0; i < wanted; ++i) {
    const std::uint32_t length = take_number();
    if (bytes.size() < length) base::fail_input(path, "strings end early");
    strings.emplace_back(reinterpret_cast<const char*>(bytes.data()), length);
    bytes = bytes.subspan(length);
  }
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

ChunkGrid plane_grid(const Layout& layout) {
  const auto side = [&](std::int64_t count) {
    return std::clamp<std::int64_t>(count, 1, layout.tile);
  };
  return {{layout.rows(), layout.cols()}, {side(layout.rows()), side(layout.cols())}};
}

ChunkGrid vector_grid(std::int64_t count) {
  return {{count}, {std::clamp<std::int64_t>(count, 1, kVectorChunk)}};
}

ArraySpec plane_spec(const Layout& layout, Plane plane) {
  const bool distance = plane == Plane::distance;
  ChunkGrid grid = plane_grid(layout);
  return {.name = std::string(name(plane)),
          .shape = std::move(grid.shape),
          .chunk = std::move(grid.chunk),
          .data_type = zarr_type(distance ? layout.type : ValueType::i32),
          .value_size = value_size(layout, plane),
          .fill_value = distance ? no_path_json(layout) : json(-1),
          .dimensions = {"source", "target"}};
}

ArraySpec vector_spec(std::string name, std::int64_t count, std::string data_type, int value_size,
                      json fill_value, std::string dimension) {
  ChunkGrid grid = vector_grid(count);
  return {.name = std::move(name),
          .shape = std::move(grid.shape),
          .chunk = std::move(grid.chunk),
          .data_type = std::move(data_type),
          .value_size = value_size,
          .fill_value = std::move(fill_value),
          .dimensions = {std::move(dimension)}};
}

void ZarrGroup::write_text(const std::string& name, const std::string& text) const {
  files_->write_atomically(path(name), std::as_bytes(std::span(text)));
}

nlohmann::json ZarrGroup::read_document(const std::string& name) const {
  if (reads().kind(path(name)) != FileKind::file) {
    base::fail_input(path(name), "this file is missing");
  }
  nlohmann::json document = base::parsed_json(reads().read_text(path(name)));
  if (!document.is_object()) base::fail_input(path(name), "this is not a JSON object");
  return document;
}

void ZarrGroup::write_array_document(const ArraySpec& spec) const {
  files_->make_directories(path(spec.name + "/c"));
  write_text(spec.name + "/zarr.json", base::json_text(array_document(spec, compress_), 2) + "\n");
}

void ZarrGroup::require_array(const ArraySpec& spec) const {
  const std::string path = this->path(spec.name + "/zarr.json");
  const json found = read_document(spec.name + "/zarr.json");
  const json expected = array_document(spec, compress_);
  for (const char* field : {"zarr_format", "node_type", "shape", "data_type", "chunk_grid",
                            "chunk_key_encoding", "fill_value", "codecs"}) {
    const auto at = found.find(field);
    if (at == found.end()) base::fail_input(path, "'{}' is missing", field);
    if (without_empty_configurations(*at) == expected[field]) continue;
    base::fail_input(path, "'{}' is {}; here it should be {}", field,
                     at->dump(-1, ' ', false, json::error_handler_t::replace),
                     base::json_text(expected[field]));
  }
  const auto transformers = found.find("storage_transformers");
  if (transformers != found.end() && !transformers->empty()) {
    base::fail_input(path, "'storage_transformers' are not supported");
  }
}

void ZarrGroup::require_chunks(const std::string& folder, std::int64_t count) const {
  std::set<std::string> names;
  if (reads().kind(folder) == FileKind::directory) {
    for (std::string& entry : reads().list(folder)) names.insert(std::move(entry));
  }
  for (std::int64_t index = 0; index < count; ++index) {
    if (names.contains(std::to_string(index))) continue;
    base::fail_input(join(folder, std::to_string(index)), "this chunk is missing");
  }
}

/// Links the twin's chunk. Compares the link itself, in case the twin is replaced meanwhile.
bool ZarrGroup::shares(const std::string& name, const Bytes& chunk) const {
  if (twin_.empty() || !files_->link(join(twin_, name), path(name))) return false;
  const auto file = files_->open(path(name));
  if (file->size() == chunk.size()) {
    Bytes found(chunk.size());
    file->read(0, found.all());
    if (std::ranges::equal(found.all(), chunk.all())) return true;
  }
  files_->remove_all(path(name));
  return false;
}

std::uint32_t ZarrGroup::write_chunk(const ArraySpec& spec, std::int64_t index,
                                     Bytes values) const {
  const Bytes chunk = encode_chunk(std::move(values), compress_);
  const std::string name = chunk_name(spec, index);
  if (!shares(name, chunk)) files_->write_atomically(path(name), chunk.all());
  return checksum_of(chunk);
}

Checksums ZarrGroup::write_plain(const ArraySpec& spec, std::span<const std::byte> values) const {
  write_array_document(spec);
  Checksums checksums;
  const auto chunk_bytes = static_cast<std::size_t>(spec.chunk[0] * spec.value_size);
  for (std::int64_t index = 0; !values.empty(); ++index) {
    const std::size_t size = std::min(chunk_bytes, values.size());
    checksums.push_back(write_vector_chunk(spec, index, values.first(size)));
    values = values.subspan(size);
  }
  return checksums;
}

std::uint32_t ZarrGroup::write_vector_chunk(const ArraySpec& spec, std::int64_t index,
                                            std::span<const std::byte> values) const {
  const auto chunk_bytes = static_cast<std::size_t>(spec.chunk[0] * spec.value_size);
  Bytes chunk(static_cast<std::int64_t>(chunk_bytes) + kChecksumBytes);
  std::memcpy(chunk.data(), values.data(), values.size());
  // Values beyond the end are never read.
  std::memset(chunk.data() + values.size(), 0, chunk_bytes - values.size());
  return write_chunk(spec, index, std::move(chunk));
}

Bytes ZarrGroup::read_vector_chunk(const ArraySpec& spec, std::int64_t index,
                                   std::optional<std::uint32_t> checksum) const {
  return read_chunk(reads(), path(chunk_name(spec, index)), spec.chunk[0] * spec.value_size,
                    compress_, checksum);
}

io::HeldBytes ZarrGroup::map_vector(const ArraySpec& spec) const {
  std::vector<std::string> paths;
  for (std::int64_t first = 0; first < spec.shape[0]; first += spec.chunk[0]) {
    base::check_cancelled();
    const std::int64_t index = first / spec.chunk[0];
    read_vector_chunk(spec, index);  // throws if damaged
    paths.push_back(path(chunk_name(spec, index)));
  }
  const auto mapping = reads().map(paths, spec.chunk[0] * spec.value_size);
  const auto bytes = static_cast<std::size_t>(spec.shape[0] * spec.value_size);
  return {{reinterpret_cast<const char*>(mapping.get()), bytes}, mapping, true};
}

io::HeldBytes ZarrGroup::hold_vector(const ArraySpec& spec, std::int64_t most_in_memory) const {
  require_array(spec);
  const std::int64_t bytes = spec.shape[0] * spec.value_size;
  const bool small = bytes <= most_in_memory;
  if (!compress_ && !small) {
    io::HeldBytes held = map_vector(spec);
    if (held.owner != nullptr) return held;
  }
  // A chunk, its frame, and what is held of the vector.
  const std::int64_t chunk = spec.chunk[0] * spec.value_size;
  system::require_memory(static_cast<double>(2 * chunk + (small ? bytes : chunk)),
                         "reading this result", "give it more memory");
  io::StreamedBytes stream({}, small ? static_cast<std::size_t>(bytes) : 0);
  for_each_chunk(spec, [&](std::span<const std::byte> values) {
    std::memcpy(stream.spare(values.size()).data(), values.data(), values.size());
    stream.added(values.size());
  });
  return stream.finish();
}

void ZarrGroup::write_strings(const ArraySpec& spec, std::span<const std::string> values) const {
  write_array_document(spec);
  for (std::int64_t index = 0; !values.empty(); ++index) {
    const std::size_t count = std::min(static_cast<std::size_t>(spec.chunk[0]), values.size());
    Bytes chunk = encode_strings(values.first(count), spec.chunk[0]);
    if (chunk.size() > most_bytes_of_names(static_cast<std::int64_t>(count))) {
      base::fail(ErrorKind::usage, "{}: names of more than 1000 bytes each are not kept",
                 path(spec.name));
    }
    write_chunk(spec, index, std::move(chunk));
    values = values.subspan(count);
  }
}

std::vector<std::string> ZarrGroup::read_strings(const ArraySpec& spec) const {
  require_array(spec);
  std::vector<std::string> strings;
  for (std::int64_t first = 0; first < spec.shape[0]; first += spec.chunk[0]) {
    const std::string chunk_path = path(chunk_name(spec, first / spec.chunk[0]));
    const Bytes chunk = read_chunk(reads(), chunk_path, std::nullopt, compress_);
    decode_strings(chunk.all(), std::min(spec.chunk[0], spec.shape[0] - first), spec.chunk[0],
                   chunk_path, strings);
  }
  return strings;
}

}  // namespace apsp::store
