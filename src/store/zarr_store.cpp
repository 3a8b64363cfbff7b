#include "store/zarr_store.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <chrono>
#include <cstring>
#include <set>
#include <thread>
#include <utility>

#include "base/fail.hpp"
#include "semiring/dispatch.hpp"
#include "store/metrics.hpp"
#include "store/zarr_graph.hpp"
#include "store/zarr_vectors.hpp"

namespace apsp::store {
namespace {

/// Throws `Error` (usage) unless `path` has nothing, an empty folder or a result without metrics.
void require_replaceable(const FileSystem& files, const std::string& path) {
  const FileKind kind = files.kind(path);
  if (kind == FileKind::none) return;
  if (kind == FileKind::directory) {
    if (files.list(path).empty()) return;
    const std::string document = join(path, "zarr.json");
    if (files.kind(document) == FileKind::file && is_root_document(files.read_text(document))) {
      return require_no_metrics(files, path);
    }
  }
  base::fail(ErrorKind::usage,
             "{}: the path exists and is not an apsp result; remove it, or choose another name",
             path);
}

/// Serializes swaps at one path, so that the check and the replacement see the same result.
std::unique_ptr<system::Lock> turn_to_swap(FileSystem& files, const std::string& path) {
  constexpr std::chrono::milliseconds kPause(1);
  for (;;) {
    if (auto lock = files.try_lock(join(path, "zarr.json"))) return lock;
    std::this_thread::sleep_for(kPause);
  }
}

ArraySpec vertex_spec(const std::string& name, std::int64_t n) {
  return vector_spec(name, n, "float64", 8, "NaN", "vertex");
}

}  // namespace

ZarrStore::ZarrStore(FileSystem& files, const std::string& path, const Layout& layout,
                     bool compress, const Store* in_place_of)
    : Store(layout), path_(path), in_place_of_(in_place_of), group_(files, path, compress) {
  require_layout(layout);
  require_replaceable(files, path);
  cut();
  written_ = std::make_unique<WrittenTiles>(layout);
  partial_ = claim_partial(files, path);
  group_ = ZarrGroup(files, partial_.path, compress);
  try {
    files.make_directory(partial_.path);
    if (files.kind(path) != FileKind::none) files.restrict_to_owner(partial_.path);
    for (const Plane plane : layout.planes) prepare(plane_spec(layout, plane));
  } catch (...) {
    discard_partial(files, std::move(partial_));
    throw;
  }
}

ZarrStore::ZarrStore(FileSystem& files, const std::string& path)
    : Store(Layout{}), path_(path), group_(files, path, false, files.hold(path, path)) {
  const std::string document = group_.path("zarr.json");
  if (group_.reads().kind(document) != FileKind::file) {
    base::fail_input(document, "this file is missing: not a result, or an incomplete one");
  }
  root_ = parse_root_document(group_.reads().read_text(document), document);
  layout_ = root_.layout;
  group_ = group_.with(root_.compress);
  layout_.selection = read_selection(group_, layout_.n, root_.sources, root_.targets);
  cut();
  for (const Plane plane : layout_.planes) {
    group_.require_array(plane_spec(layout_, plane));
    require_chunks(plane);
  }
  for (const Array& array : root_.arrays) require_vector(group_, array);
}

ZarrStore::ZarrStore(FileSystem& files, const std::string& path, system::Partial partial,
                     const JournalContents& contents, const Graph& graph)
    : Store(contents.head.layout),
      path_(path),
      partial_(std::move(partial)),
      group_(files, partial_.path, contents.head.compress),
      written_(std::make_unique<WrittenTiles>(layout_)) {
  cut();
  try {
    require_replaceable(files, path);
    take_up(contents, graph);
  } catch (...) {
    partial_.claim->abandon();
    throw;
  }
}

ZarrStore::ZarrStore(Joined, FileSystem& files, const std::string& place, const Layout& layout,
                     bool compress, int process, std::span<const std::int64_t> held)
    : Store(layout),
      path_(place),
      partial_{place, nullptr},
      group_(files, place, compress),
      written_(std::make_unique<WrittenTiles>(layout)) {
  require_layout(layout);
  cut();
  for (const std::int64_t band : held) written_->mark_band(Plane::distance, band);
  if (process > 0) journal_ = std::make_unique<Journal>(files, place, process);
}

void ZarrStore::cut() {
  const std::vector<std::int64_t> chunk = plane_grid(layout_).chunk;
  rows_ = {layout_.rows(), chunk.front()};
  cols_ = {layout_.cols(), chunk.back()};
}

ZarrStore::~ZarrStore() {
  if (partial_.claim == nullptr) return;
  if (leaves_bands()) {
    partial_.claim->abandon();
  } else {
    discard_partial(group_.files(), std::move(partial_));
  }
}

/// If that cannot be told, everything is kept.
bool ZarrStore::leaves_bands() const {
  try {
    return journal_ != nullptr && !journal_->empty();
  } catch (const std::exception&) {
    return true;
  }
}

void ZarrStore::write_array(const Array& array, const void* values) {
  if (partial_.path.empty()) throw Error(ErrorKind::usage, path_ + ": open for reading only");
  if (!is_vector(array) || std::ranges::count(root_.arrays, array.name, &Array::name) > 0) {
    base::fail(ErrorKind::usage, "'{}' cannot name one more array", array.name);
  }
  Array written = array;
  written.checksums = write_vector(group_, array, values);
  root_.arrays.push_back(std::move(written));
}

void ZarrStore::read_array(const Array& array, void* values) const {
  read_vector(group_, array, values);
}

void ZarrStore::read_array_chunk(const Array& array, std::int64_t chunk, void* values) const {
  read_vector_chunk(group_, array, chunk, values);
}

void ZarrStore::write_metadata(const Graph& graph, const Metadata& metadata) {
  root_ = ZarrRoot{.layout = layout_,
                   .compress = group_.compress(),
                   .arrays = std::move(root_.arrays),
                   .attributes = metadata.attributes};
  write_selection(group_, layout_.selection);
  if (graph_to_keep(layout_, graph)) {
    if (journal_ == nullptr) write_graph(group_, graph);
    root_.digest = graph.digest();
    root_.matrix = is_stored_as_matrix(graph);
  }
  for (const auto& [name, values] : metadata.vertex_values) {
    if (std::ranges::any_of(root_.arrays, [folder = name + "/"](const Array& array) {
          return array.name.starts_with(folder);
        })) {
      base::fail(ErrorKind::usage, "'{}' is a folder of arrays already", name);
    }
    group_.write_vector(vertex_spec(name, layout_.n), std::span(values));
    root_.vertex_values.push_back(name);
  }
  group_.write_text("zarr.json", root_document(root_));
}

/// Returns whether an old result was there; it is then at the path of the partial.
bool ZarrStore::take_place() {
  FileSystem& files = group_.files();
  const std::unique_ptr<system::Lock> turn = turn_to_swap(files, path_);
  if (in_place_of_ != nullptr && !in_place_of_->in_place()) {
    base::fail(ErrorKind::input_output,
               "{}: another run replaced this result after it was read, and nothing "
               "was written; run this again",
               path_);
  }
  if (files.kind(path_) == FileKind::none) {
    try {
      files.rename(partial_.path, path_);
      return false;
    } catch (const Error&) {  // another run was faster
      if (files.kind(path_) == FileKind::none) throw;
    }
  }
  // A run killed right after the exchange has left its journal there.
  const std::string stray = join(path_, kJournalName);
  if (files.kind(stray) != FileKind::none) files.remove_all(stray);
  files.exchange(partial_.path, path_);
  return true;
}

void ZarrStore::keep_permissions() {
  FileSystem& files = group_.files();
  if (files.kind(path_) != FileKind::none) {
    files.copy_permissions(path_, partial_.path);
  } else if (!group_.twin().empty()) {
    files.copy_permissions(group_.twin(), partial_.path);
  }
}

void ZarrStore::swap_in() {
  FileSystem& files = group_.files();
  require_replaceable(files, path_);
  ZarrGroup complete(files, path_, group_.compress(), files.hold(partial_.path, path_));
  const std::string folder = parent_of(path_), journal = complete.path(kJournalName);
  const bool replaces = take_place();
  group_ = std::move(complete);
  system::Partial old = std::exchange(partial_, {});
  const bool has_journal = std::exchange(journal_, nullptr) != nullptr;
  const auto clear = [&] {
    bool gone = !has_journal || files.discard(journal);
    if (replaces && !files.discard(old.path)) gone = false;
    gone ? old.claim.reset() : old.claim->abandon();  // else a later run removes them
  };
  try {
    // The new names must be on the disk before anything is removed: a power cut may undo either.
    files.sync_names(folder);
  } catch (...) {
    clear();
    throw;
  }
  clear();
}

void ZarrStore::flush() {
  if (!partial_.path.empty()) group_.files().sync_tree(partial_.path);
}

void ZarrStore::commit(const Graph& graph, const Metadata& metadata) {
  if (partial_.claim == nullptr) {
    throw Error(ErrorKind::usage, path_ + ": another process commits this result");
  }
  require_metadata(layout_, graph, metadata);
  written_->require_complete(path_);
  if (layout_.planes.empty() && root_.arrays.empty()) {
    throw Error(ErrorKind::usage, path_ + ": a result without distances");
  }
  write_metadata(graph, metadata);
  if (journal_ != nullptr) journal_->remove_others();
  keep_permissions();
  group_.files().sync_tree(partial_.path);
  swap_in();
}

std::optional<Graph> ZarrStore::graph() const {
  if (!root_.digest || !partial_.path.empty()) return std::nullopt;
  return read_graph(group_, layout_.n, *root_.digest);
}

std::optional<Vertex> ZarrStore::first_number() const {
  if (!root_.digest) return std::nullopt;
  return read_first_number(group_);
}

std::optional<std::string> ZarrStore::graph_digest() const {
  if (!root_.digest || !partial_.path.empty()) return std::nullopt;
  return read_graph_digest(group_, layout_.n, *root_.digest);
}

Metadata ZarrStore::metadata() const {
  Metadata metadata;
  if (!partial_.path.empty()) return metadata;
  metadata.attributes = root_.attributes;
  for (const std::string& name : root_.vertex_values) {
    metadata.vertex_values.push_back(
        {name, group_.read_vector<double>(vertex_spec(name, layout_.n))});
  }
  return metadata;
}

namespace {

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

/// Rebuilds all but complete bands, graph and journal: a killed run may have left pieces anywhere.
void ZarrStore::take_up(const JournalContents& contents, const Graph& graph) {
  FileSystem& files = group_.files();
  journal_ = std::make_unique<Journal>(files, partial_.path, contents);
  for (const std::string& name : files.list(partial_.path)) {
    if (!std::set<std::string>{"distance", "graph", "label", "source", "target", kJournalName}
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
  for (const std::int64_t ti : bands) written_->mark_band(Plane::distance, ti);
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

void ZarrStore::keep_journal(const Graph& graph, const Recipe& recipe) {
  write_graph(group_, graph);
  write_selection(group_, layout_.selection);
  const JournalHead head{layout_, group_.compress(), recipe};
  journal_ = std::make_unique<Journal>(group_.files(), partial_.path, head);
}

bool ZarrStore::holds_band(std::int64_t band) const {
  return written_ != nullptr && written_->holds_band(Plane::distance, band);
}

void ZarrStore::note_band(std::int64_t band) {
  for (const Plane plane : layout_.planes) written_->mark_band(plane, band);
  if (journal_ != nullptr) journal_->note(band);
}

void ZarrStore::forget_band(std::int64_t band) {
  written_->mark_band(Plane::distance, band, false);
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

void ZarrStore::renew_band(Plane plane, std::int64_t ti) {
  group_.files().remove_all(band_path(plane, ti));
  group_.files().make_directory(band_path(plane, ti));
}

/// Readers of Zarr would silently take a missing chunk for "no path", and a large n without files
/// must not cause allocations.
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

/// Large outputs bypass the page cache: copies into it took more of a core than all sweeps of a
/// road network.
bool ZarrStore::past_cache() const {
  constexpr double kMany = 1 << 30;
  const double rows = static_cast<double>(rows_.n), cols = static_cast<double>(cols_.n);
  return rows * cols * value_size(layout_, Plane::distance) >= kMany;
}

/// Zarr requires full-sized chunks at the edges.
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
  written_->mark(plane, {rows_.first(ti), cols_.first(tj), rows_.extent(ti), cols_.extent(tj)});
  if (journal_ != nullptr && plane == Plane::distance && holds_band(ti)) journal_->note(ti);
}

void ZarrStore::write(Plane plane, Block block, const void* in, std::int64_t stride) {
  if (partial_.path.empty()) throw Error(ErrorKind::usage, path_ + ": open for reading only");
  require_writable(*this, plane, block);
  const std::int64_t size = value_size(layout_, plane), bytes = tile_form(plane)->bytes;
  const auto* from = static_cast<const std::byte*>(in);
  for (std::int64_t row = 0; row < block.rows; row += rows_.tile) {
    for (std::int64_t col = 0; col < block.cols; col += cols_.tile) {
      const std::int64_t ti = (block.row + row) / rows_.tile, tj = (block.col + col) / cols_.tile;
      buffers_.use([&](Bytes& tile) {
        if (tile.size() != bytes) tile = Bytes(bytes);
        copy_rows(tile.data(), cols_.tile * size, from + (row * stride + col) * size, stride * size,
                  rows_.extent(ti), cols_.extent(tj) * size);
        write_tile(plane, ti, tj, tile.data());
      });
    }
  }
}

}  // namespace apsp::store
