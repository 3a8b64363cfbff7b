// A result as a Zarr v3 group: distances, further planes, graph, labels, per-vertex values and
// attributes in one directory that zarr-python, xarray and dask read too. docs/stores.md fixes
// every byte.
//
// The whole group is built in a hidden directory beside its final place and swapped in by `commit`,
// so that the path always holds either the old result or the new one. One tile is one chunk, one
// file: a write gathers it, adds the checksum and makes one system call. Reading a band of whole
// tiles decodes each chunk once; reading single rows goes through a cache of up to 256 MiB.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/pool.hpp"
#include "store/file_system.hpp"
#include "store/journal.hpp"
#include "store/store.hpp"
#include "store/tiling.hpp"
#include "store/zarr_chunk.hpp"
#include "store/zarr_group.hpp"
#include "store/zarr_root.hpp"

namespace apsp::store {

class ZarrStore final : public Store {
 public:
  /// To be written. `in_place_of`: see `CreateOptions`. Throws `Error`: usage (something at `path`
  /// that is no result), input_output.
  ZarrStore(FileSystem& files, const std::string& path, const Layout& layout, bool compress,
            const Store* in_place_of = nullptr);
  /// Read-only. Throws `Error`: input (no complete result of this project, a chunk is missing),
  /// input_output.
  ZarrStore(FileSystem& files, const std::string& path);
  /// To be written on, from what an earlier run left: its claim, its ledger, and `graph`, which is
  /// written again where it is damaged. Throws `Error` (input_output).
  ZarrStore(FileSystem& files, const std::string& path, base::Partial partial,
            const JournalContents& contents, const Graph& graph);
  /// What another process builds at `place`, to write tiles of it; never committed here. `process`
  /// > 0: the other one keeps a ledger, and bands that are complete here are named in one of
  /// process `process`. `held`: bands that an earlier run has left.
  ZarrStore(Joined, FileSystem& files, const std::string& place, const Layout& layout,
            bool compress, int process = 0, std::span<const std::int64_t> held = {});
  /// Unless committed, what was written is removed; but stays, to be resumed, if a ledger names a
  /// complete band.
  ~ZarrStore() override;

  /// As `ZarrGroup::share_chunks_with`.
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
  void keep_ledger(const Graph& graph, const Recipe& recipe) override;
  std::string shared_place() const override { return partial_.path; }
  void note_band(std::int64_t band) override;
  /// Both are read from the disk at each call.
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
  // Where the group is built. No path: committed, or read-only; no claim: another process's.
  base::Partial partial_;
  const Store* in_place_of_ = nullptr;
  ZarrGroup group_;
  ZarrRoot root_;
  Tiling rows_, cols_;
  std::unique_ptr<TileLedger> ledger_;
  std::unique_ptr<Journal> row_ledger_;  // null: nothing of this run can be resumed
  mutable ChunkCache cache_;
  // Chunks that are gathered: fresh pages for each take the system as long as a copy.
  base::Pool<Bytes> buffers_{[] { return std::make_unique<Bytes>(); }};
};

}  // namespace apsp::store
