// The storage of a distance matrix.
//
// A store holds planes (matrices over the same vertices), one-dimensional arrays, or both. A plane
// has a row and a column for each selected vertex. Several threads may write blocks if no two share
// a tile; one `commit` ends the writing. A store destroyed before `commit` leaves its path
// unchanged. Any thread may read. Every function that uses the disk may throw `Error`
// (input_output).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/selection.hpp"

namespace apsp::store {

/// Memory that producers write rows into directly, by groups of columns. The last group may be
/// shorter.
struct RowView {
  std::vector<std::byte*> rows{};
  std::int64_t group = 1;  ///< columns of a group
  std::int64_t apart = 0;  ///< bytes from one group to the next
};

struct Recipe;

enum class Plane {
  distance,     ///< `Layout::type`; without a path `no_path` of semiring and type
  predecessor,  ///< i32; −1: none
  via,          ///< i32; an intermediate vertex, −1: none
  hops,         ///< i32; edges of the path, −1: no path
};

struct Layout {
  std::int64_t n = 0;  ///< vertices
  ValueType type = ValueType::f32;
  Semiring semiring = Semiring::min_plus;
  std::int64_t tile = 1024;                       ///< side of a tile, and of a chunk of a .zarr
  std::vector<Plane> planes = {Plane::distance};  ///< empty: only arrays (.zarr)
  Selection selection{};

  std::int64_t rows() const { return selection.sources.size(n); }
  std::int64_t cols() const { return selection.targets.size(n); }
  Vertex source(std::int64_t row) const { return selection.sources.at(row); }
  Vertex target(std::int64_t col) const { return selection.targets.at(col); }
};

struct Block {
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// Stores that cannot hold metadata (.npy) drop it.
struct Metadata {
  struct VertexValues {
    std::string name;            ///< "eccentricity", …
    std::vector<double> values;  ///< [n]
  };
  std::string attributes = "{}";  ///< a JSON object
  std::vector<VertexValues> vertex_values;
};

using Checksums = std::vector<std::uint32_t>;

/// A one-dimensional array. Its writer defines its meaning.
struct Array {
  std::string name;  ///< "folder/name"; both satisfy `is_array_name`
  ValueType type = ValueType::i32;
  std::int64_t length = 0;
  std::string dimension{};  ///< for readers of Zarr; not read back
  /// Checksums of the chunks; only in a store that was read.
  Checksums checksums{};
  /// A JSON object for readers of Zarr; not read back. The last array of a folder decides.
  std::string folder_attributes = "{}";
};

inline constexpr std::int64_t kArrayChunk = std::int64_t{1} << 20;

/// The arrays of a store: a factor, near pairs. A store without arrays refuses them.
class ArrayStore {
 public:
  virtual ~ArrayStore() = default;

  /// Throws `Error` (usage) if the store takes no arrays or has this one already.
  virtual void write_array(const Array& array, const void* values);
  /// Returns the arrays in the order of writing.
  virtual std::vector<Array> arrays() const { return {}; }
  virtual void read_array(const Array& array, void* values) const;
  /// Reads one chunk of an array, at most `kArrayChunk` values. Throws as `read`.
  virtual void read_array_chunk(const Array& array, std::int64_t chunk, void* values) const;
  /// Returns a path for messages.
  virtual std::string array_path(const std::string& name) const { return name; }
};

/// The bands of a store, and its journal of those that are complete. A store without a journal
/// holds none.
class BandStore {
 public:
  virtual ~BandStore() = default;

  /// Whether all distances of a band are written, by this run or the one that it resumes.
  virtual bool holds_band(std::int64_t) const { return false; }
  /// Marks a band as damaged, so that it is written again.
  virtual void forget_band(std::int64_t) {}

  /// Stores `graph` and begins a journal of complete bands (journal.hpp), if the store can have
  /// one. Called before the first `write`.
  virtual void keep_journal(const Graph&, const Recipe&) {}

  /// Returns the path at which other processes may write bands (`join_store`); empty: they cannot.
  virtual std::string shared_place() const { return {}; }
  /// Notes that another process has written and flushed a band of all planes.
  virtual void note_band(std::int64_t) {}
};

class Store : public ArrayStore, public BandStore {
 public:
  const Layout& layout() const { return layout_; }
  bool holds(Plane plane) const;

  /// Copies a block to `out`: [rows, stride] values, row-major. Throws `Error` (input) that names a
  /// damaged chunk.
  virtual void read(Plane plane, Block block, void* out, std::int64_t stride) const = 0;

  /// Requires: the block begins and ends on tile boundaries or at the edges of the matrix.
  virtual void write(Plane plane, Block block, const void* in, std::int64_t stride) = 0;

  /// A tile for `write_tile`: [rows, cols] values, then bytes that the store uses.
  struct TileForm {
    std::int64_t rows = 0, cols = 0;
    std::int64_t bytes = 0;  ///< values and the store's bytes together
  };
  /// Returns the form for `write_tile`, or nothing if the store takes no tiles. Values beyond the
  /// edges of the matrix are arbitrary.
  virtual std::optional<TileForm> tile_form(Plane) const { return std::nullopt; }
  /// Writes tile (ti, tj), aligned to 8 bytes. Requires: `tile_form`. The store may overwrite all
  /// but the distances.
  virtual void write_tile(Plane plane, std::int64_t ti, std::int64_t tj, std::byte* tile);

  /// Returns false if another run has replaced this result at its path.
  virtual bool in_place() const { return true; }

  /// Returns when everything written so far is on the disk. Optional before `commit`.
  virtual void flush() {}
  /// Whether writes exclude each other, so that one thread is as fast as many.
  virtual bool writes_in_turn() const { return false; }

  /// Publishes the result at its path. A graph without vertices means "not known". Throws `Error`
  /// (usage) if a tile on disk was never written; see `require_metadata`.
  virtual void commit(const Graph& graph, const Metadata& metadata) = 0;

  /// The committed graph; empty if the store cannot hold one.
  virtual std::optional<Graph> graph() const { return std::nullopt; }
  /// The digest of that graph, computed from the stored arrays with one chunk in memory.
  virtual std::optional<std::string> graph_digest() const {
    const std::optional<Graph> held = graph();
    if (!held) return std::nullopt;
    return held->digest();
  }
  /// The number of the first vertex; empty if the vertices have names or the number is not known.
  virtual std::optional<Vertex> first_number() const { return std::nullopt; }
  virtual Metadata metadata() const { return {}; }

  /// The plane, [rows, stride()], if it is in memory; else nullptr.
  virtual void* data(Plane) { return nullptr; }
  const void* data(Plane plane) const { return const_cast<Store*>(this)->data(plane); }
  virtual std::int64_t stride() const { return layout_.cols(); }

 protected:
  explicit Store(Layout layout) : layout_(std::move(layout)) {}

  Layout layout_;
};

/// Constructor tag: another process creates and commits the store, this one writes parts of it.
struct Joined {};

int value_size(const Layout& layout, Plane plane);
std::string_view name(Plane plane);

class FileSystem;

struct CreateOptions {
  bool compress = false;              ///< zstd chunks (.zarr)
  FileSystem* file_system = nullptr;  ///< nullptr: the operating system's
  /// The result that was read to make the new one and is replaced by it. `commit` throws `Error`
  /// (input_output) if another run has replaced it meanwhile. Must live until then.
  const Store* in_place_of = nullptr;
  /// A .zarr whose vector chunks are hard-linked instead of written again if they are equal.
  std::string shares_with{};
};

/// Throws `Error`: usage (see `require_layout`), does_not_fit.
std::unique_ptr<Store> make_memory_store(const Layout& layout);
std::int64_t bytes_in_memory(const Layout& layout);
bool is_zarr(const std::string& path);

/// Creates a .npy or .zarr, by the suffix of `path`. Throws `Error` (usage) for others.
std::unique_ptr<Store> create_store(const std::string& path, const Layout& layout,
                                    const CreateOptions& options = {});
/// Opens another process's store at its `shared_place` to write bands; the creator commits.
std::unique_ptr<Store> join_store(const std::string& place, const Layout& layout,
                                  const CreateOptions& options = {});
/// Opens a result to read: a directory is a .zarr, a file an .npy. The caller knows the semiring of
/// an .npy and, if it is not square, its vertices and selection (`about`). Throws `Error` (input).
std::unique_ptr<Store> open_store(const std::string& path, Semiring semiring = Semiring::min_plus,
                                  FileSystem* file_system = nullptr, const Layout* about = nullptr);

/// Throws `Error` (usage) if `commit` would refuse these: a graph or vertex values of another size,
/// attributes that are no JSON object, a repeated or invalid name (see `is_array_name`).
void require_metadata(const Layout& layout, const Graph& graph, const Metadata& metadata);

/// Returns nothing if the graph has no vertices but the matrix has some: it is not known then.
std::optional<Graph> graph_to_keep(const Layout& layout, const Graph& graph);

/// Whether `text` is lower-case letters, digits and "_", begins with a letter and is no name of the
/// store itself ("distance", "graph", "label", …).
bool is_array_name(const std::string& text);

}  // namespace apsp::store
