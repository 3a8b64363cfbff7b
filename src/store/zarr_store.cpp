#include "store/zarr_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "semiring/dispatch.hpp"
#include "store/metadata_check.hpp"
#include "store/zarr_graph.hpp"
#include "store/zarr_selection.hpp"
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

/// Only what this project wrote, or an empty directory, is ever replaced.
void require_replaceable(const FileSystem& files, const std::string& path) {
  const FileKind kind = files.kind(path);
  if (kind == FileKind::none) return;
  if (kind == FileKind::directory) {
    const std::vector<std::string> names = files.list(path);
    const std::string document = join(path, "zarr.json");
    if (names.empty()) return;
    if (files.kind(document) == FileKind::file && is_root_document(files.read_text(document))) {
      return;
    }
  }
  throw Error(ErrorKind::usage,
              fmt::format("{}: something that is no result of apsp stands there; remove it, or "
                          "choose another name",
                          path));
}

ArraySpec vertex_spec(const std::string& name, std::int64_t n, bool compress) {
  return vector_spec(name, n, "float64", 8, "NaN", "vertex", compress);
}

}  // namespace

ZarrStore::ZarrStore(FileSystem& files, const std::string& path, const Layout& layout,
                     bool compress)
    : Store(layout), path_(path), group_(files, path, compress) {
  require_layout(layout);
  require_replaceable(files, path);
  cut();
  ledger_ = std::make_unique<TileLedger>(layout);
  base::Partial partial = claim_partial(files, path);
  claim_ = std::move(partial.claim);
  partial_ = std::move(partial.path);
  group_ = ZarrGroup(files, partial_, compress);
  try {
    files.make_directory(partial_);
    for (const Plane plane : layout.planes) prepare(plane_spec(layout, plane, compress));
  } catch (const Error&) {
    files.discard(partial_);
    throw;
  }
}

ZarrStore::ZarrStore(FileSystem& files, const std::string& path)
    : Store(Layout{}), path_(path), group_(files, path, false) {
  const std::string document = group_.path("zarr.json");
  if (files.kind(document) != FileKind::file) {
    throw Error::malformed({document, 0, 0},
                           "this file is missing: no result, or an incomplete one");
  }
  root_ = parse_root_document(files.read_text(document), document);
  layout_ = root_.layout;
  group_ = ZarrGroup(files, path, root_.compress);
  layout_.selection = read_selection(group_, layout_.n, root_.sources, root_.targets);
  cut();
  for (const Plane plane : layout_.planes) {
    group_.require_array(plane_spec(layout_, plane, root_.compress));
    require_chunks(plane);
  }
  for (const Array& array : root_.arrays) require_vector(group_, array);
}

ZarrStore::ZarrStore(FileSystem& files, const std::string& path, base::Partial partial,
                     const LedgerContents& contents, const Graph& graph)
    : Store(contents.head.layout),
      path_(path),
      claim_(std::move(partial.claim)),
      partial_(std::move(partial.path)),
      group_(files, partial_, contents.head.compress),
      ledger_(std::make_unique<TileLedger>(layout_)) {
  cut();
  try {
    require_replaceable(files, path);
    take_up(contents, graph);
  } catch (const Error&) {
    claim_->abandon();
    throw;
  }
}

ZarrStore::ZarrStore(Joined, FileSystem& files, const std::string& place, const Layout& layout,
                     bool compress)
    : Store(layout),
      path_(place),
      partial_(place),
      joined_(true),
      group_(files, place, compress),
      ledger_(std::make_unique<TileLedger>(layout)) {
  require_layout(layout);
  cut();
}

std::unique_ptr<ZarrStore> ZarrStore::joined(FileSystem& files, const std::string& place,
                                             const Layout& layout, bool compress) {
  return std::unique_ptr<ZarrStore>(new ZarrStore(Joined{}, files, place, layout, compress));
}

void ZarrStore::cut() {
  const std::vector<std::int64_t> chunk = plane_spec(layout_, Plane::distance, false).chunk;
  rows_ = {layout_.rows(), chunk.front()};
  cols_ = {layout_.cols(), chunk.back()};
}

ZarrStore::~ZarrStore() {
  if (partial_.empty() || joined_) return;
  if (row_ledger_ != nullptr && !row_ledger_->empty()) {
    claim_->abandon();
  } else {
    group_.files().discard(partial_);
  }
}

/// All but complete bands, the graph and the ledger is made anew: a run that was killed may have
/// left pieces anywhere.
void ZarrStore::take_up(const LedgerContents& contents, const Graph& graph) {
  FileSystem& files = group_.files();
  for (const std::string& name : files.list(partial_)) {
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
  group_.write_array_document(plane_spec(layout_, Plane::distance, group_.compress()));
  const std::set<std::int64_t> bands(contents.bands.begin(), contents.bands.end());
  for (std::int64_t ti = 0; ti < rows_.count(); ++ti) {
    if (!bands.contains(ti)) renew_band(Plane::distance, ti);
  }
  for (const std::int64_t ti : bands) {
    ledger_->mark(Plane::distance, {rows_.first(ti), 0, rows_.extent(ti), layout_.cols()});
  }
  for (const Plane plane : layout_.planes) {
    if (plane != Plane::distance) prepare(plane_spec(layout_, plane, group_.compress()));
  }
  take_up_graph(graph);
  row_ledger_ = std::make_unique<RowLedger>(files, partial_, contents);
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
  const LedgerHead head{layout_, group_.compress(), recipe};
  row_ledger_ = std::make_unique<RowLedger>(group_.files(), partial_, head);
}

bool ZarrStore::holds_band(std::int64_t band) const {
  return ledger_ != nullptr && ledger_->holds_band(Plane::distance, band);
}

void ZarrStore::note_band(std::int64_t band) {
  ledger_->mark(Plane::distance, {rows_.first(band), 0, rows_.extent(band), layout_.cols()});
}

void ZarrStore::forget_band(std::int64_t band) {
  ledger_->unmark(Plane::distance, band);
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
    const std::string row = band_path(plane, ti);
    std::set<std::string> names;
    if (group_.files().kind(row) == FileKind::directory) {
      for (std::string& entry : group_.files().list(row)) names.insert(std::move(entry));
    }
    for (std::int64_t tj = 0; tj < cols_.count(); ++tj) {
      if (names.contains(std::to_string(tj))) continue;
      throw Error::malformed({chunk_path(plane, ti, tj), 0, 0}, "this chunk is missing");
    }
  }
}

ZarrStore::Chunk ZarrStore::load(Plane plane, std::int64_t ti, std::int64_t tj, bool keep) const {
  const ChunkCache::Key key{plane, ti, tj};
  if (Chunk chunk = cache_.find(key)) return chunk;
  const std::int64_t bytes = rows_.tile * cols_.tile * value_size(layout_, plane);
  auto chunk = std::make_shared<const Bytes>(
      read_chunk(group_.files(), chunk_path(plane, ti, tj), bytes, group_.compress()));
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
  if (partial_.empty()) throw Error(ErrorKind::usage, path_ + ": open for reading only");
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

void ZarrStore::write_array(const Array& array, const void* values) {
  if (partial_.empty()) throw Error(ErrorKind::usage, path_ + ": open for reading only");
  const auto same = [&](const Array& other) { return other.name == array.name; };
  if (!is_vector(array) || std::any_of(root_.arrays.begin(), root_.arrays.end(), same)) {
    throw Error(ErrorKind::usage, fmt::format("'{}' cannot name one more array", array.name));
  }
  write_vector(group_, array, values);
  root_.arrays.push_back(array);
}

void ZarrStore::read_array(const Array& array, void* values) const {
  read_vector(group_, array, values);
}

void ZarrStore::write_metadata(const Graph& graph, const Metadata& metadata) {
  root_ = ZarrRoot{.layout = layout_,
                   .compress = group_.compress(),
                   .arrays = std::move(root_.arrays),
                   .attributes = metadata.attributes,
                   .sources = std::ssize(layout_.selection.sources),
                   .targets = std::ssize(layout_.selection.targets)};
  write_selection(group_, layout_.selection);
  if (graph_to_keep(layout_, graph)) {
    if (row_ledger_ == nullptr) write_graph(group_, graph);
    root_.digest = graph.digest();
  }
  for (const auto& [name, values] : metadata.vertex_values) {
    if (std::any_of(
            root_.arrays.begin(), root_.arrays.end(),
            [folder = name + "/"](const Array& array) { return array.name.starts_with(folder); })) {
      throw Error(ErrorKind::usage, fmt::format("'{}' is a folder of arrays already", name));
    }
    group_.write_vector(vertex_spec(name, layout_.n, group_.compress()), std::span(values));
    root_.vertex_values.push_back(name);
  }
  group_.write_text("zarr.json", root_document(root_));
}

void ZarrStore::swap_in() {
  FileSystem& files = group_.files();
  require_replaceable(files, path_);
  const bool replaces = files.kind(path_) != FileKind::none;
  if (replaces) {
    // A run that was killed just below has left its ledger there.
    const std::string stray = join(path_, kLedgerName);
    if (files.kind(stray) != FileKind::none) files.remove_all(stray);
    files.exchange(partial_, path_);
  } else {
    files.rename(partial_, path_);
  }
  group_ = ZarrGroup(files, path_, group_.compress());
  const std::string old = std::exchange(partial_, {});
  if (replaces) files.discard(old);
  if (row_ledger_ != nullptr) files.discard(group_.path(kLedgerName));
  row_ledger_.reset();
  claim_.reset();
  files.sync_names(parent_of(path_));
}

void ZarrStore::flush() {
  if (!partial_.empty()) group_.files().sync_tree(partial_);
}

void ZarrStore::commit(const Graph& graph, const Metadata& metadata) {
  if (partial_.empty() || joined_) {
    throw Error(ErrorKind::usage, path_ + ": not this process's to commit");
  }
  require_metadata(layout_, graph, metadata);
  ledger_->require_complete(path_);
  if (layout_.planes.empty() && root_.arrays.empty()) {
    throw Error(ErrorKind::usage, path_ + ": a result without distances");
  }
  write_metadata(graph, metadata);
  group_.files().sync_tree(partial_);
  swap_in();
}

std::optional<Graph> ZarrStore::graph() const {
  if (!root_.digest || !partial_.empty()) return std::nullopt;
  return read_graph(group_, layout_.n, *root_.digest);
}

std::optional<std::string> ZarrStore::graph_digest() const {
  if (!root_.digest || !partial_.empty()) return std::nullopt;
  return read_graph_digest(group_, layout_.n, *root_.digest);
}

Metadata ZarrStore::metadata() const {
  Metadata metadata;
  if (!partial_.empty()) return metadata;
  metadata.attributes = root_.attributes;
  for (const std::string& name : root_.vertex_values) {
    metadata.vertex_values.push_back(
        {name, group_.read_vector<double>(vertex_spec(name, layout_.n, group_.compress()))});
  }
  return metadata;
}

}  // namespace apsp::store
