// A result as a Zarr v3 group (docs/stores.md).
//
// It is built in a hidden folder and swapped in by `commit`, so the path always has either the old
// or the new result. A tile is a chunk and a file. Reading whole bands decodes each chunk once;
// reading single rows uses a cache.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "store/file_system.hpp"
#include "store/journal.hpp"
#include "store/store.hpp"
#include "store/tiling.hpp"
#include "store/zarr_chunk.hpp"
#include "store/zarr_group.hpp"
#include "store/zarr_root.hpp"
#include "system/pool.hpp"

namespace apsp::store {

class ZarrStore final : public Store {
 public:
  /// Creates a result. Throws `Error` (usage) if `path` has something other than a result.
  ZarrStore(FileSystem& files, const std::string& path, const Layout& layout, bool compress,
            const Store* in_place_of = nullptr);
  /// Opens a result to read. Throws `Error` (input) if it is incomplete or a chunk is missing.
  ZarrStore(FileSystem& files, const std::string& path);
  /// Resumes an unfinished result. Writes `graph` again if the stored one is damaged.
  ZarrStore(FileSystem& files, const std::string& path, system::Partial partial,
            const JournalContents& contents, const Graph& graph);
  /// Opens another process's result to write tiles; never committed here. `process` > 0: keeps a
  /// journal of this process. `held`: the bands that an earlier run completed.
  ZarrStore(Joined, FileSystem& files, const std::string& place, const Layout& layout,
            bool compress, int process = 0, std::span<const std::int64_t> held = {});
  /// An unfinished result with complete bands in a journal is kept, others are removed.
  ~ZarrStore() override;

  void share_chunks_with(std::string root) {
    group_.files().restrict_to_owner(partial_.path);
    group_.share_chunks_with(std::move(root));
  }
  void read(Plane plane, Block block, void* out, std::int64_t stride) const override;
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override;
  std::optional<TileForm> tile_form(Plane plane) const override;
  void write_tile(Plane plane, std::int64_t ti, std::int64_t tj, std::byte* tile) override;
  void commit(const Graph& graph, const Metadata& metadata) override;
  void write_array(const Array& array, const void* values) override;
  std::vector<Array> arrays() const override { return root_.arrays; }
  void read_array(const Array& array, void* values) const override;
  void read_array_chunk(const Array& array, std::int64_t chunk, void* values) const override;
  std::string array_path(const std::string& name) const override { return group_.path(name); }
  bool in_place() const override { return group_.reads().in_place(); }
  void flush() override;
  bool holds_band(std::int64_t band) const override;
  void forget_band(std::int64_t band) override;
  void keep_journal(const Graph& graph, const Recipe& recipe) override;
  std::string shared_place() const override { return partial_.path; }
  void note_band(std::int64_t band) override;
  std::optional<Graph> graph() const override;
  std::optional<std::string> graph_digest() const override;
  std::optional<Vertex> first_number() const override;
  Metadata metadata() const override;

 private:
  using Chunk = ChunkCache::Chunk;

  void cut();
  bool leaves_bands() const;
  std::string chunk_path(Plane plane, std::int64_t ti, std::int64_t tj) const;
  void prepare(const ArraySpec& spec);
  std::string band_path(Plane plane, std::int64_t ti) const;
  void renew_band(Plane plane, std::int64_t ti);
  void take_up(const JournalContents& contents, const Graph& graph);
  void take_up_graph(const Graph& graph);
  void require_chunks(Plane plane) const;
  Chunk load(Plane plane, std::int64_t ti, std::int64_t tj, bool keep) const;
  bool past_cache() const;
  void fill_edges(Plane plane, std::int64_t ti, std::int64_t tj, std::byte* tile) const;
  void write_metadata(const Graph& graph, const Metadata& metadata);
  void keep_permissions();
  void swap_in();
  bool take_place();

  std::string path_;
  // The unfinished group. No path: not writing; no lock: another process's.
  system::Partial partial_;
  const Store* in_place_of_ = nullptr;
  ZarrGroup group_;
  ZarrRoot root_;
  Tiling rows_, cols_;
  std::unique_ptr<WrittenTiles> written_;
  std::unique_ptr<Journal> journal_;  // null: cannot be resumed
  mutable ChunkCache cache_;
  // Fresh pages for each chunk would cost as much as a copy.
  system::Pool<Bytes> buffers_{[] { return std::make_unique<Bytes>(); }};
};

}  // namespace apsp::store
