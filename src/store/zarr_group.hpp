// Documents, chunks and one-dimensional arrays of one Zarr group on disk. Everything is written
// under a temporary name and renamed.
#pragma once

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "io/held_bytes.hpp"
#include "store/file_system.hpp"
#include "store/zarr_array.hpp"
#include "store/zarr_chunk.hpp"

namespace apsp::store {

class ZarrGroup {
 public:
  static constexpr auto kMostInMemory = static_cast<std::int64_t>(io::StreamedBytes::kMostInMemory);

  /// `held`: where all that is read comes from; null: from `files`, as it is there then.
  ZarrGroup(FileSystem& files, std::string root, bool compress,
            std::shared_ptr<const ReadableFiles> held = nullptr)
      : files_(&files), held_(std::move(held)), root_(std::move(root)), compress_(compress) {}

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

  template <class T>
  void write_vector(const ArraySpec& spec, std::span<const T> values) const {
    write_plain(spec, std::as_bytes(values));
  }
  /// One chunk of a vector, full or its last.
  void write_vector_chunk(const ArraySpec& spec, std::int64_t index,
                          std::span<const std::byte> values) const;
  Bytes read_vector_chunk(const ArraySpec& spec, std::int64_t index) const;
  /// Calls visit(value) for every value of a vector, a chunk in memory at a time.
  template <class T, class Visit>
  void for_each_value(const ArraySpec& spec, const Visit& visit) const {
    require_array(spec);
    for (std::int64_t first = 0; first < spec.shape[0]; first += spec.chunk[0]) {
      const Bytes chunk = read_vector_chunk(spec, first / spec.chunk[0]);
      const auto count = std::min(spec.chunk[0], spec.shape[0] - first);
      for (std::int64_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, chunk.data() + i * std::int64_t{sizeof(T)}, sizeof(T));
        visit(value);
      }
    }
  }
  /// Grows with the chunks that are there, whatever length the metadata claim.
  template <class T>
  std::vector<T> read_vector(const ArraySpec& spec) const {
    std::vector<T> values;
    require_array(spec);
    for (std::int64_t first = 0; first < spec.shape[0]; first += spec.chunk[0]) {
      const Bytes chunk = read_vector_chunk(spec, first / spec.chunk[0]);
      const auto count = std::min(spec.chunk[0], spec.shape[0] - first);
      const std::size_t before = values.size();
      values.resize(before + static_cast<std::size_t>(count));
      std::memcpy(values.data() + before, chunk.data(),
                  static_cast<std::size_t>(count) * sizeof(T));
    }
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
  void write_plain(const ArraySpec& spec, std::span<const std::byte> values) const;
  void write_chunk(const ArraySpec& spec, std::int64_t index, Bytes values) const;

  FileSystem* files_;
  std::shared_ptr<const ReadableFiles> held_;
  std::string root_;
  bool compress_;
};

}  // namespace apsp::store
