// Documents, chunks and one-dimensional arrays of one Zarr group on disk. Everything is written
// under a temporary name and renamed.
//
// All about an array follows from the group's attributes, so reading does not interpret its
// zarr.json: it builds the one that must be there and compares what matters. An array that another
// program laid out differently is refused by the name of the field.
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

/// Elements in a chunk of a one-dimensional array: 8 MiB of f64.
inline constexpr std::int64_t kVectorChunk = kArrayChunk;

/// The content of an array's zarr.json.
struct ArraySpec {
  std::string name;                 ///< its directory in the group, "graph/weights"
  std::vector<std::int64_t> shape;  ///< [rows, columns] or [n]
  std::vector<std::int64_t> chunk;  ///< ≥ 1 each, though the shape may be 0
  std::string data_type;            ///< of Zarr: "float32", …, "string"
  int value_size = 0;               ///< bytes; 0: strings
  nlohmann::json fill_value;
  std::vector<std::string> dimensions;
};

/// The sides of an array and of its chunks, as in `ArraySpec`.
struct ChunkGrid {
  std::vector<std::int64_t> shape, chunk;
};
/// `layout.tile` may exceed a side; the chunk does not.
ChunkGrid plane_grid(const Layout& layout);
ChunkGrid vector_grid(std::int64_t count);

ArraySpec plane_spec(const Layout& layout, Plane plane);
ArraySpec vector_spec(std::string name, std::int64_t count, std::string data_type, int value_size,
                      nlohmann::json fill_value, std::string dimension);

/// The name that Zarr has for a type.
std::string zarr_type(ValueType type);

/// "Infinity" and "-Infinity" for floats, as Zarr v3 writes them; numbers; false.
nlohmann::json no_path_json(const Layout& layout);

class ZarrGroup {
 public:
  static constexpr auto kMostInMemory = static_cast<std::int64_t>(io::StreamedBytes::kMostInMemory);

  /// `held`: where all that is read comes from; null: from `files`, as it is there then.
  ZarrGroup(FileSystem& files, std::string root, bool compress,
            std::shared_ptr<const ReadableFiles> held = nullptr)
      : files_(&files), held_(std::move(held)), root_(std::move(root)), compress_(compress) {}
  /// From now on a chunk of a vector that is equal to the one of that name in the group at `root`
  /// becomes a link to its file.
  void share_chunks_with(std::string root) { twin_ = std::move(root); }
  const std::string& twin() const { return twin_; }

  FileSystem& files() const { return *files_; }
  const ReadableFiles& reads() const { return held_ ? *held_ : *files_; }
  /// The same folder, as `reads` has it.
  ZarrGroup with(bool compress) const { return {*files_, root_, compress, held_}; }
  bool compress() const { return compress_; }
  std::string path(const std::string& name) const { return join(root_, name); }

  void write_text(const std::string& name, const std::string& text) const;
  /// A zarr.json. Throws `Error` (input) if it is missing or no JSON object.
  nlohmann::json read_document(const std::string& name) const;

  /// The array's directory and zarr.json; `make_directories` where they are missing.
  void write_array_document(const ArraySpec& spec) const;
  void require_array(const ArraySpec& spec) const;
  /// Throws `Error` (input) unless chunks 0 … count − 1 are in a folder by name: readers of Zarr
  /// take one that is not for values that were never written.
  void require_chunks(const std::string& folder, std::int64_t count) const;

  /// Returns the checksums of its chunks.
  template <class T>
  Checksums write_vector(const ArraySpec& spec, std::span<const T> values) const {
    return write_plain(spec, std::as_bytes(values));
  }
  /// One chunk of a vector, full or its last. Returns its checksum.
  std::uint32_t write_vector_chunk(const ArraySpec& spec, std::int64_t index,
                                   std::span<const std::byte> values) const;
  /// `checksum`: the one that it must have, where known.
  Bytes read_vector_chunk(const ArraySpec& spec, std::int64_t index,
                          std::optional<std::uint32_t> checksum = std::nullopt) const;
  /// Calls visit(values) for the bytes of every chunk of a vector, one in memory at a time.
  template <class Visit>
  void for_each_chunk(const ArraySpec& spec, const Visit& visit) const {
    for (std::int64_t first = 0; first < spec.shape[0]; first += spec.chunk[0]) {
      const std::int64_t count = std::min(spec.chunk[0], spec.shape[0] - first);
      visit(read_vector_chunk(spec, first / spec.chunk[0]).first(count * spec.value_size));
    }
  }
  /// Calls visit(value) for every value of a vector.
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
  /// Grows with the chunks that are there, whatever length the metadata claim.
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

  /// The values of a vector, each chunk checked. A large one that is not compressed stays in its
  /// files, mapped; another one is kept as the bytes of a stream are (io/held_bytes.hpp).
  /// `most_in_memory`: bytes; small in tests.
  io::HeldBytes hold_vector(const ArraySpec& spec,
                            std::int64_t most_in_memory = kMostInMemory) const;
  void write_strings(const ArraySpec& spec, std::span<const std::string> values) const;
  std::vector<std::string> read_strings(const ArraySpec& spec) const;

 private:
  /// No owner: the files cannot be mapped.
  io::HeldBytes map_vector(const ArraySpec& spec) const;
  Checksums write_plain(const ArraySpec& spec, std::span<const std::byte> values) const;
  std::uint32_t write_chunk(const ArraySpec& spec, std::int64_t index, Bytes values) const;
  bool shares(const std::string& name, const Bytes& chunk) const;

  FileSystem* files_;
  std::shared_ptr<const ReadableFiles> held_;
  std::string root_;
  std::string twin_{};  // empty: none
  bool compress_;
};

}  // namespace apsp::store
