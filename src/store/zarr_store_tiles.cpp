// Chunks and bands of a .zarr: how values go in and out of them, and how it is filled over several
// runs.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cstring>
#include <set>

#include "semiring/dispatch.hpp"
#include "store/zarr_graph.hpp"
#include "store/zarr_store.hpp"
#include "store/zarr_vectors.hpp"

namespace apsp::store {
namespace {

/// The bytes of the value that stands for "nothing" in a plane.
std::array<std::byte, 8> fill_bytes(const Layout& layout, Plane plane) {
  std::array<std::byte, 8> bytes = {};
  const auto put = [&](auto value) { std::memcpy(bytes.data(), &value, sizeof(value)); };
  if (plane == Plane::distance) {
    semiring::dispatch(layout.semiring, layout.type, [&]<class S>() { put(S::zero()); });
  } else {
    put(std::int32_t{-1});
  }
  return bytes;
}

void fill(std::byte* to, std::int64_t count, const std::array<std::byte, 8>& value, int size) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * size, value.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

/// All but complete bands, the graph and the ledger is made anew: a run that was killed may have
/// left pieces anywhere.
void ZarrStore::take_up(const JournalContents& contents, const Graph& graph) {
  FileSystem& files = group_.files();
  row_ledger_ = std::make_unique<Journal>(files, partial_.path, contents);
  for (const std::string& name : files.list(partial_.path)) {
    if (!std::set<std::string>{"distance", "graph", "label", "source", "target", kLedgerName}
             .contains(name)) {
      files.remove_all(group_.path(name));
    }
  }
  if (files.kind(group_.path("distance")) == FileKind::directory) {
    for (const std::string& name : files.list(group_.path("distance"))) {
      if (name != "c") files.remove_all(group_.path("distance/" + name));
    }
  }
  group_.write_array_document(plane_spec(layout_, Plane::distance));
  const std::set<std::int64_t> bands(contents.bands.begin(), contents.bands.end());
  for (std::int64_t ti = 0; ti < rows_.count(); ++ti) {
    if (!bands.contains(ti)) renew_band(Plane::distance, ti);
  }
  for (const std::int64_t ti : bands) ledger_->mark_band(Plane::distance, ti);
  for (const Plane plane : layout_.planes) {
    if (plane != Plane::distance) prepare(plane_spec(layout_, plane));
  }
  take_up_graph(graph);
}

void ZarrStore::take_up_graph(const Graph& graph) {
  try {
    read_graph_digest(group_, layout_.n, graph.digest());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    for (const char* name : {"graph", "label"}) group_.files().remove_all(group_.path(name));
    write_graph(group_, graph);
  }
}

void ZarrStore::keep_ledger(const Graph& graph, const Recipe& recipe) {
  write_graph(group_, graph);
  write_selection(group_, layout_.selection);
  const JournalHead head{layout_, group_.compress(), recipe};
  row_ledger_ = std::make_unique<Journal>(group_.files(), partial_.path, head);
}

bool ZarrStore::holds_band(std::int64_t band) const {
  return ledger_ != nullptr && ledger_->holds_band(Plane::distance, band);
}

void ZarrStore::note_band(std::int64_t band) {
  for (const Plane plane : layout_.planes) ledger_->mark_band(plane, band);
  if (row_ledger_ != nullptr) row_ledger_->note(band);
}

void ZarrStore::forget_band(std::int64_t band) {
  ledger_->mark_band(Plane::distance, band, false);
  renew_band(Plane::distance, band);
}

std::string ZarrStore::band_path(Plane plane, std::int64_t ti) const {
  return group_.path(fmt::format("{}/c/{}", name(plane), ti));
}

std::string ZarrStore::chunk_path(Plane plane, std::int64_t ti, std::int64_t tj) const {
  return join(band_path(plane, ti), std::to_string(tj));
}

void ZarrStore::prepare(const ArraySpec& spec) {
  group_.write_array_document(spec);
  for (std::int64_t ti = 0; ti < rows_.count(); ++ti) {
    group_.files().make_directory(group_.path(fmt::format("{}/c/{}", spec.name, ti)));
  }
}

/// An empty folder for the band's chunks, whatever is there.
void ZarrStore::renew_band(Plane plane, std::int64_t ti) {
  group_.files().remove_all(band_path(plane, ti));
  group_.files().make_directory(band_path(plane, ti));
}

/// Every chunk must be there by name: otherwise readers of Zarr silently take it for "no path", and
/// an n without the files to match it is a promise that nothing may be allocated for.
void ZarrStore::require_chunks(Plane plane) const {
  for (std::int64_t ti = 0; ti < rows_.count(); ++ti) {
    group_.require_chunks(band_path(plane, ti), cols_.count());
  }
}

ZarrStore::Chunk ZarrStore::load(Plane plane, std::int64_t ti, std::int64_t tj, bool keep) const {
  const ChunkCache::Key key{plane, ti, tj};
  if (Chunk chunk = cache_.find(key)) return chunk;
  const std::int64_t bytes = rows_.tile * cols_.tile * value_size(layout_, plane);
  auto chunk = std::make_shared<const Bytes>(
      read_chunk(group_.reads(), chunk_path(plane, ti, tj), bytes, group_.compress()));
  if (keep) cache_.insert(key, chunk);
  return chunk;
}

void ZarrStore::read(Plane plane, Block block, void* out, std::int64_t stride) const {
  require_readable(*this, plane, block);
  if (block.rows == 0 || block.cols == 0) return;
  const std::int64_t size = value_size(layout_, plane);
  const std::int64_t height = rows_.tile, width = cols_.tile;
  auto* to = static_cast<std::byte*>(out);
  for (std::int64_t ti = block.row / height; ti * height < block.row + block.rows; ++ti) {
    const std::int64_t top = std::max(block.row, ti * height);
    const std::int64_t bottom = std::min(block.row + block.rows, (ti + 1) * height);
    const bool whole_band = bottom - top == rows_.extent(ti);
    for (std::int64_t tj = block.col / width; tj * width < block.col + block.cols; ++tj) {
      const std::int64_t left = std::max(block.col, tj * width);
      const std::int64_t right = std::min(block.col + block.cols, (tj + 1) * width);
      const Chunk chunk = load(plane, ti, tj, !whole_band);
      copy_rows(to + ((top - block.row) * stride + left - block.col) * size, stride * size,
                chunk->data() + ((top - ti * height) * width + left - tj * width) * size,
                width * size, bottom - top, (right - left) * size);
    }
  }
}

std::optional<Store::TileForm> ZarrStore::tile_form(Plane plane) const {
  const std::int64_t values = rows_.tile * cols_.tile * value_size(layout_, plane);
  return TileForm{rows_.tile, cols_.tile, values + kChecksumBytes};
}

/// Whether the distances are so many that the system's cache would hold them for nobody: copies of
/// them into it took more of a core than all sweeps of a road network.
bool ZarrStore::past_cache() const {
  constexpr double kMany = 1 << 30;  // bytes
  const double rows = static_cast<double>(rows_.n), cols = static_cast<double>(cols_.n);
  return rows * cols * value_size(layout_, Plane::distance) >= kMany;
}

/// Zarr wants chunks at the edges full-sized, too.
void ZarrStore::fill_edges(Plane plane, std::int64_t ti, std::int64_t tj, std::byte* tile) const {
  const std::int64_t width = cols_.tile, rows = rows_.extent(ti), cols = cols_.extent(tj);
  const int size = value_size(layout_, plane);
  const std::array<std::byte, 8> nothing = fill_bytes(layout_, plane);
  for (std::int64_t i = 0; cols < width && i < rows; ++i) {
    fill(tile + (i * width + cols) * size, width - cols, nothing, size);
  }
  fill(tile + rows * width * size, (rows_.tile - rows) * width, nothing, size);
}

void ZarrStore::write_tile(Plane plane, std::int64_t ti, std::int64_t tj, std::byte* tile) {
  fill_edges(plane, ti, tj, tile);
  const std::span<std::byte> chunk(tile, static_cast<std::size_t>(tile_form(plane)->bytes));
  const std::string path = chunk_path(plane, ti, tj);
  if (group_.compress()) {
    group_.files().write_atomically(path, compressed_chunk(chunk).all());
  } else {
    seal_chunk(chunk);
    group_.files().write_atomically(path, chunk, past_cache());
  }
  cache_.forget({plane, ti, tj});
  ledger_->mark(plane, {rows_.first(ti), cols_.first(tj), rows_.extent(ti), cols_.extent(tj)});
  if (row_ledger_ != nullptr && plane == Plane::distance && holds_band(ti)) row_ledger_->note(ti);
}

void ZarrStore::write(Plane plane, Block block, const void* in, std::int64_t stride) {
  if (partial_.path.empty()) throw Error(ErrorKind::usage, path_ + ": open for reading only");
  require_writable(*this, plane, block);
  const std::int64_t size = value_size(layout_, plane), bytes = tile_form(plane)->bytes;
  const auto* from = static_cast<const std::byte*>(in);
  for (std::int64_t row = 0; row < block.rows; row += rows_.tile) {
    for (std::int64_t col = 0; col < block.cols; col += cols_.tile) {
      const std::int64_t ti = (block.row + row) / rows_.tile, tj = (block.col + col) / cols_.tile;
      buffers_.lend([&](Bytes& tile) {
        if (tile.size() != bytes) tile = Bytes(bytes);
        copy_rows(tile.data(), cols_.tile * size, from + (row * stride + col) * size, stride * size,
                  rows_.extent(ti), cols_.extent(tj) * size);
        write_tile(plane, ti, tj, tile.data());
      });
    }
  }
}

}  // namespace apsp::store
