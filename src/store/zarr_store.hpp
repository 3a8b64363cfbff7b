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
#include <string>

#include "base/lender.hpp"
#include "store/chunk_cache.hpp"
#include "store/file_system.hpp"
#include "store/store.hpp"
#include "store/tiling.hpp"
#include "store/zarr_group.hpp"
#include "store/zarr_root.hpp"

namespace apsp::store {

class ZarrStore final : public Store {
 public:
  /// To be written. Throws `Error`: usage (something at `path` that is no result), input_output.
  ZarrStore(FileSystem& files, const std::string& path, const Layout& layout, bool compress);
  /// Read-only. Throws `Error`: input (no complete result of this project, a chunk is missing),
  /// input_output.
  ZarrStore(FileSystem& files, const std::string& path);
  ~ZarrStore() override;

  void read(Plane plane, Block block, void* out, std::int64_t stride) const override;
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override;
  void commit(const Graph& graph, const Metadata& metadata) override;
  void flush() override;
  /// Both are read from the disk at each call.
  std::optional<Graph> graph() const override;
  std::optional<std::string> graph_digest() const override;
  Metadata metadata() const override;

 private:
  using Chunk = ChunkCache::Chunk;

  void cut();
  void read_selection();
  void write_selection();
  std::string chunk_path(Plane plane, std::int64_t ti, std::int64_t tj) const;
  void prepare(const ArraySpec& spec);
  void require_chunks(Plane plane) const;
  Chunk load(Plane plane, std::int64_t ti, std::int64_t tj, bool keep) const;
  void write_tile(Plane plane, std::int64_t ti, std::int64_t tj, const std::byte* in,
                  std::int64_t stride_bytes);
  void write_metadata(const Graph& graph, const Metadata& metadata);
  void swap_in();

  std::string path_;
  std::unique_ptr<base::Claim> claim_;  // on `partial_`
  std::string partial_;  // where the group is built; empty once committed, or if read-only
  ZarrGroup group_;
  ZarrRoot root_;
  Tiling rows_, cols_;
  std::unique_ptr<TileLedger> ledger_;
  mutable ChunkCache cache_;
  // Chunks that are gathered: fresh pages for each take the system as long as a copy.
  base::Lender<Bytes> buffers_{[] { return std::make_unique<Bytes>(); }};
};

}  // namespace apsp::store
