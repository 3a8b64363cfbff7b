#include "store/zarr_store.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/fail.hpp"
#include "store/metrics.hpp"
#include "store/zarr_graph.hpp"
#include "store/zarr_vectors.hpp"

namespace apsp::store {
namespace {

/// Only what this project wrote, or an empty directory, is ever replaced.
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

/// Results take the place of one that stands there one after another, so that who looks at what it
/// replaces does replace that. A lock is held for some system calls.
std::unique_ptr<base::Lock> turn_to_swap(FileSystem& files, const std::string& path) {
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
  ledger_ = std::make_unique<TileLedger>(layout);
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

ZarrStore::ZarrStore(FileSystem& files, const std::string& path, base::Partial partial,
                     const JournalContents& contents, const Graph& graph)
    : Store(contents.head.layout),
      path_(path),
      partial_(std::move(partial)),
      group_(files, partial_.path, contents.head.compress),
      ledger_(std::make_unique<TileLedger>(layout_)) {
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
      ledger_(std::make_unique<TileLedger>(layout)) {
  require_layout(layout);
  cut();
  for (const std::int64_t band : held) ledger_->mark_band(Plane::distance, band);
  if (process > 0) row_ledger_ = std::make_unique<Journal>(files, place, process);
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

/// For another run to go on from. Where that cannot be told, what is there is kept.
bool ZarrStore::leaves_bands() const {
  try {
    return row_ledger_ != nullptr && !row_ledger_->empty();
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
    if (row_ledger_ == nullptr) write_graph(group_, graph);
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

/// Returns whether something stood there, which is now where the new result was built.
bool ZarrStore::take_place() {
  FileSystem& files = group_.files();
  const std::unique_ptr<base::Lock> turn = turn_to_swap(files, path_);
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
  // A run that was killed just below has left its ledger there.
  const std::string stray = join(path_, kLedgerName);
  if (files.kind(stray) != FileKind::none) files.remove_all(stray);
  files.exchange(partial_.path, path_);
  return true;
}

/// Takes the permissions of the result that is replaced, or of the one whose files are shared.
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
  const std::string folder = parent_of(path_), ledger = complete.path(kLedgerName);
  const bool replaces = take_place();
  group_ = std::move(complete);
  base::Partial old = std::exchange(partial_, {});
  const bool has_ledger = std::exchange(row_ledger_, nullptr) != nullptr;
  const auto clear = [&] {
    bool gone = !has_ledger || files.discard(ledger);
    if (replaces && !files.discard(old.path)) gone = false;
    gone ? old.claim.reset() : old.claim->abandon();  // else a later run removes the rest
  };
  try {
    // A power cut may keep any of what follows: the names come first.
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
  ledger_->require_complete(path_);
  if (layout_.planes.empty() && root_.arrays.empty()) {
    throw Error(ErrorKind::usage, path_ + ": a result without distances");
  }
  write_metadata(graph, metadata);
  if (row_ledger_ != nullptr) row_ledger_->remove_others();
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

}  // namespace apsp::store
