// Where a distance matrix rests.
//
// A store holds planes, matrices over the same vertices: `distance`, and others where asked for;
// or, where distances are to be had from something else, arrays of one dimension. A plane has a row
// and a column for every vertex, or for those of a selection. Writers fill blocks in any order,
// from several threads as long as no two share a tile, and end with one `commit`; a store that is
// dropped before leaves no trace at its path, and what stood there stays. Readers may read any
// block from any thread.
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

// Where rows are to be written so that nobody need copy them: a matrix in memory, or the chunks of
// a file that are being filled.

/// Columns of a row lie in groups of `group`, the last one perhaps shorter; each begins `apart`
/// bytes behind the one before.
struct RowView {
  std::vector<std::byte*> rows{};  ///< where each row begins
  std::int64_t group = 1;          ///< columns
  std::int64_t apart = 0;          ///< bytes
};

struct Recipe;

enum class Plane {
  distance,     ///< `Layout::type`; `no_path` of semiring and type where there is none
  predecessor,  ///< i32; −1: none
  via,          ///< i32; an intermediate vertex, −1: none
  hops,         ///< i32; edges of the path, −1: no path
};

struct Layout {
  std::int64_t n = 0;  ///< vertices
  ValueType type = ValueType::f32;
  Semiring semiring = Semiring::min_plus;
  std::int64_t tile = 1024;                       ///< side of a tile (a chunk of a .zarr)
  std::vector<Plane> planes = {Plane::distance};  ///< which are held; none: arrays alone (.zarr)
  Selection selection{};                          ///< whose rows and columns are held

  std::int64_t rows() const { return selection.sources.size(n); }
  std::int64_t cols() const { return selection.targets.size(n); }
  /// The vertex whose row, or column, is at this place.
  Vertex source(std::int64_t row) const { return selection.sources.at(row); }
  Vertex target(std::int64_t col) const { return selection.targets.at(col); }
};

/// Rows [row, row + rows) × columns [col, col + cols), counted as the store holds them.
struct Block {
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// What is kept beside the planes. Stores that cannot hold it (.npy) drop it.
struct Metadata {
  struct VertexValues {
    std::string name;            ///< "eccentricity", …
    std::vector<double> values;  ///< [n]
  };
  std::string attributes = "{}";  ///< a JSON object
  std::vector<VertexValues> vertex_values;
};

using Checksums = std::vector<std::uint32_t>;

/// A one-dimensional array beside the planes, or in their place. The store gives it no meaning: its
/// writer does.
struct Array {
  std::string name;  ///< "folder/name", each as `is_array_name` wants it
  ValueType type = ValueType::i32;
  std::int64_t length = 0;  ///< values
  std::string dimension{};  ///< for readers of Zarr; not read back
  /// Of its chunks, as the store that was read names them; empty: it names none.
  Checksums checksums{};
  /// Attributes of its folder, a JSON object, for readers of Zarr; not read back. Those of the last
  /// array of a folder count.
  std::string folder_attributes = "{}";
};

/// Values in a chunk of an array, at most: what `Store::read_array_chunk` reads at once.
inline constexpr std::int64_t kArrayChunk = std::int64_t{1} << 20;

class Store {
 public:
  virtual ~Store() = default;
  const Layout& layout() const { return layout_; }
  bool holds(Plane plane) const;

  /// Copies a block out. `out`: [rows, stride] values, row-major. Throws `Error`: input (a chunk's
  /// checksum fails; names the chunk), input_output.
  virtual void read(Plane plane, Block block, void* out, std::int64_t stride) const = 0;

  /// Copies a block in. Requires: it begins on a tile boundary in both directions and ends on one
  /// or at the matrix's edge. Throws `Error` (input_output).
  virtual void write(Plane plane, Block block, const void* in, std::int64_t stride) = 0;

  /// A tile as `write_tile` takes it: [rows, cols] values, then bytes for the store's own use.
  struct TileForm {
    std::int64_t rows = 0, cols = 0;
    std::int64_t bytes = 0;  ///< of both together
  };
  /// The form in which `write_tile` takes tiles without copying them; none: the store takes none.
  /// All tiles have the same form: at the matrix's edges, rows and columns beyond it hold anything.
  virtual std::optional<TileForm> tile_form(Plane) const { return std::nullopt; }
  /// Writes tile (ti, tj), aligned to 8 bytes; the store may change all of it but distances.
  /// Requires: `tile_form`. Throws as `write`.
  virtual void write_tile(Plane plane, std::int64_t ti, std::int64_t tj, std::byte* tile);

  /// Keeps an array, all of it. Throws `Error`: usage (the store holds no arrays, or has this one),
  /// input_output.
  virtual void write_array(const Array& array, const void* values);
  /// The arrays that are held, in the order in which they were written.
  virtual std::vector<Array> arrays() const { return {}; }
  /// `values` ← the values of an array that is held. Throws as `read`.
  virtual void read_array(const Array& array, void* values) const;
  /// `values` ← those from `chunk` × `kArrayChunk` on, up to as many. Throws as `read`.
  virtual void read_array_chunk(const Array& array, std::int64_t chunk, void* values) const;
  /// Whether what is read is still what stands at its path; another run may have replaced it.
  virtual bool in_place() const { return true; }
  /// Where it rests, for messages.
  virtual std::string array_path(const std::string& name) const { return name; }

  /// Returns when what was written so far has reached the disk. `commit` does so in any case; this
  /// lets the disk work while the caller does something else.
  virtual void flush() {}
  /// Whether writes of several threads wait for each other; then one thread that writes whole rows
  /// is as quick as many.
  virtual bool writes_in_turn() const { return false; }

  /// Whether all distances from the vertices of a band of tiles, [band × tile, (band + 1) × tile),
  /// were written: now, or by an earlier run that this store goes on from (leftovers.hpp).
  virtual bool holds_band(std::int64_t) const { return false; }
  /// Treats what was written of a band as damaged, so that it will be written again.
  virtual void forget_band(std::int64_t) {}

  /// Keeps `graph` and, from now on, a ledger of complete bands, so that another run can go on from
  /// them (leftovers.hpp), where the store can do so. Once, before the first `write`. Throws
  /// `Error` (input_output).
  virtual void keep_ledger(const Graph&, const Recipe&) {}

  /// Where other processes may write bands of this store's tiles meanwhile (`join_store`); empty:
  /// they cannot.
  virtual std::string shared_place() const { return {}; }
  /// Another process has written all tiles of a band of all planes, and its `flush` is complete.
  virtual void note_band(std::int64_t) {}

  /// Makes the result visible, complete, under its name, replacing what stood there. `graph` is
  /// kept where the store can hold one; one without vertices means "not known". Throws `Error`:
  /// input_output; usage (a tile of a store on disk was never written; metadata that cannot be
  /// kept, see `require_metadata`).
  virtual void commit(const Graph& graph, const Metadata& metadata) = 0;

  /// What `commit` was given; empty where the store cannot hold it.
  virtual std::optional<Graph> graph() const { return std::nullopt; }
  /// The fingerprint of that graph, from what is stored and checked as it is read, without building
  /// it: a chunk of memory, whatever its size.
  virtual std::optional<std::string> graph_digest() const {
    const std::optional<Graph> held = graph();
    if (!held) return std::nullopt;
    return held->digest();
  }
  /// The number that its first vertex has; empty: its vertices have names, or it is not known.
  virtual std::optional<Vertex> first_number() const { return std::nullopt; }
  virtual Metadata metadata() const { return {}; }

  /// The plane itself, [rows, stride()] in memory, for stores that rest there; nullptr otherwise.
  virtual void* data(Plane) { return nullptr; }
  const void* data(Plane plane) const { return const_cast<Store*>(this)->data(plane); }
  virtual std::int64_t stride() const { return layout_.cols(); }

 protected:
  explicit Store(Layout layout) : layout_(std::move(layout)) {}

  Layout layout_;
};

/// For constructors: the store is built by another process, and parts of it are written here.
struct Joined {};

/// Bytes of one value of a plane.
int value_size(const Layout& layout, Plane plane);
std::string_view name(Plane plane);

class FileSystem;

struct CreateOptions {
  bool compress = false;              ///< zstd chunks (.zarr)
  FileSystem* file_system = nullptr;  ///< nullptr: the operating system's
  /// What was read to make the new result, and is replaced by it: a `commit` after another run has
  /// replaced it is an `Error` (input_output). Must live until then.
  const Store* in_place_of = nullptr;
  /// A .zarr: equal chunks of vectors become links to its files, where the system can.
  std::string shares_with{};
};

/// Throws `Error`: usage (see `require_layout`), does_not_fit.
std::unique_ptr<Store> make_memory_store(const Layout& layout);
/// Bytes of all planes of a layout in such a store.
std::int64_t bytes_in_memory(const Layout& layout);
/// Whether a path names a .zarr, by its suffix; slashes behind it do not matter.
bool is_zarr(const std::string& path);

/// By suffix: ".npy" or ".zarr" (anything else: Error, usage). Throws `Error` (usage,
/// input_output).
std::unique_ptr<Store> create_store(const std::string& path, const Layout& layout,
                                    const CreateOptions& options = {});
/// Another process's store, to write bands of tiles into; the one who created it commits.
/// `place`: its `shared_place`. Throws `Error` (usage, input_output).
std::unique_ptr<Store> join_store(const std::string& place, const Layout& layout,
                                  const CreateOptions& options = {});
/// By content: a directory is a .zarr, a file an .npy. Read-only. For an .npy the semiring is the
/// caller's word, and so is what it is about where it is no square: `about`, of which vertices and
/// selection are used. Throws `Error`: input, input_output.
std::unique_ptr<Store> open_store(const std::string& path, Semiring semiring = Semiring::min_plus,
                                  FileSystem* file_system = nullptr, const Layout* about = nullptr);

// What may be committed beside the planes: the same rules for every store, so that a result that
// was solved in memory can always be saved.

/// Throws `Error` (usage): a graph of another size, attributes that are no JSON object, vertex
/// values of another length, a name twice or one that cannot name an array (see
/// `is_array_name`).
void require_metadata(const Layout& layout, const Graph& graph, const Metadata& metadata);

/// A graph without vertices beside a matrix with some means "not known": nothing is kept.
std::optional<Graph> graph_to_keep(const Layout& layout, const Graph& graph);

/// Lower-case letters, digits and "_", beginning with a letter, and no name that the store uses
/// itself ("distance", "graph", "label", …).
bool is_array_name(const std::string& text);

}  // namespace apsp::store
