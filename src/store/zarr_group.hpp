// Documents, chunks and one-dimensional arrays of a Zarr group. Reading builds the expected
// zarr.json from the group's attributes and compares the fields that matter.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "io/held_bytes.hpp"
#include "store/file_system.hpp"
#include "store/store.hpp"
#include "store/zarr_chunk.hpp"

namespace apsp::store {

inline constexpr std::int64_t kVectorChunk = kArrayChunk;

struct ArraySpec {
  std::string name;
  std::vector<std::int64_t> shape;  ///< [rows, columns] or [n]
  std::vector<std::int64_t> chunk;  ///< each ≥ 1, even if the shape is 0
  std::string data_type;
  int value_size = 0;  ///< bytes; 0: strings
  nlohmann::json fill_value;
  std::vector<std::string> dimensions;
};

/// The sides of an array and of its chunks, as in `ArraySpec`.
struct ChunkGrid {
  std::vector<std::int64_t> shape, chunk;
};
/// A chunk is never larger than the plane.
ChunkGrid plane_grid(const Layout& layout);
ChunkGrid vector_grid(std::int64_t count);

ArraySpec plane_spec(const Layout& layout, Plane plane);
ArraySpec vector_spec(std::string name, std::int64_t count, std::string data_type, int value_size,
                      nlohmann::json fill_value, std::string dimension);

std::string zarr_type(ValueType type);

/// "Infinity" or "-Infinity" for floats, as in Zarr v3.
nlohmann::json no_path_json(const Layout& layout);

class ZarrGroup {
 public:
  static constexpr auto kMostInMemory = static_cast<std::int64_t>(io::StreamedBytes::kMostInMemory);

  /// `held`: the files to read from; null: `files`.
  ZarrGroup(FileSystem& files, std::string root, bool compress,
            std::shared_ptr<const ReadableFiles> held = nullptr)
      : files_(&files), held_(std::move(held)), root_(std::move(root)), compress_(compress) {}
  /// Hard-links a chunk of a vector from the group at `root` if both are equal.
  void share_chunks_with(std::string root) { twin_ = std::move(root); }
  const std::string& twin() const { return twin_; }

  FileSystem& files() const { return *files_; }
  const ReadableFiles& reads() const { return held_ ? *held_ : *files_; }
  /// The same group with another compression, still read from `reads`.
  ZarrGroup with(bool compress) const { return {*files_, root_, compress, held_}; }
  bool compress() const { return compress_; }
  std::string path(const std::string& name) const { return join(root_, name); }

  void write_text(const std::string& name, const std::string& text) const;
  /// Throws `Error` (input) if it is missing or no JSON object.
  nlohmann::json read_document(const std::string& name) const;

  /// Also makes its folder.
  void write_array_document(const ArraySpec& spec) const;
  void require_array(const ArraySpec& spec) const;
  /// Throws `Error` (input) unless a folder has chunks 0 … count − 1. Readers of Zarr would
  /// silently take a missing chunk for fill values.
  void require_chunks(const std::string& folder, std::int64_t count) const;

  template <class T>
  Checksums write_vector(const ArraySpec& spec, std::span<const T> values) const {
    return write_plain(spec, std::as_bytes(values));
  }
  std::uint32_t write_vector_chunk(const ArraySpec& spec, std::int64_t index,
                                   std::span<const std::byte> values) const;
  Bytes read_vector_chunk(const ArraySpec& spec, std::int64_t index,
                          std::optional<std::uint32_t> checksum = std::nullopt) const;
  /// Keeps one chunk in memory.
  template <class Visit>
  void for_each_chunk(const ArraySpec& spec, const Visit& visit) const {
    for (std::int64_t first = 0; first < spec.shape[0]; first += spec.chunk[0]) {
      const std::int64_t count = std::min(spec.chunk[0], spec.shape[0] - first);
      visit(read_vector_chunk(spec, first / spec.chunk[0]).first(count * spec.value_size));
    }
  }
  template <class T, class Visit>
  void for_each_value(const ArraySpec& spec, const Visit& visit) const {
    require_array(spec);
    for_each_chunk(spec, [&](std::span<const std::byte> values) {
      for (std::size_t at = 0; at < values.size(); at += sizeof(T)) {
        T value;
        std::memcpy(&value, values.data() + at, sizeof(T));
        visit(value);
      }
    });
  }
  /// Memory grows with the chunks that exist, whatever length the metadata claim.
  template <class T>
  std::vector<T> read_vector(const ArraySpec& spec) const {
    std::vector<T> values;
    require_array(spec);
    for_each_chunk(spec, [&](std::span<const std::byte> chunk) {
      const std::size_t before = values.size();
      values.resize(before + chunk.size() / sizeof(T));
      std::memcpy(values.data() + before, chunk.data(), chunk.size());
    });
    return values;
  }

  /// Verifies each chunk. Uncompressed vectors of more than `most_in_memory` bytes are mapped,
  /// others are kept as in io/held_bytes.hpp.
  io::HeldBytes hold_vector(const ArraySpec& spec,
                            std::int64_t most_in_memory = kMostInMemory) const;
  void write_strings(const ArraySpec& spec, std::span<const std::string> values) const;
  std::vector<std::string> read_strings(const ArraySpec& spec) const;

 private:
  /// Returns no owner if the files cannot be mapped.
  io::HeldBytes map_vector(const ArraySpec& spec) const;
  Checksums write_plain(const ArraySpec& spec, std::span<const std::byte> values) const;
  std::uint32_t write_chunk(const ArraySpec& spec, std::int64_t index, Bytes values) const;
  bool shares(const std::string& name, const Bytes& chunk) const;

  FileSystem* files_;
  std::shared_ptr<const ReadableFiles> held_;
  std::string root_;
  std::string twin_{};
  bool compress_;
};

}  // namespace apsp::store
