#include "store/zarr_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <chrono>
#include <thread>
#include <utility>

#include "store/metadata_check.hpp"
#include "store/zarr_graph.hpp"
#include "store/zarr_selection.hpp"
#include "store/zarr_vectors.hpp"

namespace apsp::store {
namespace {

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

/// Results take the place of one that stands there one after another, so that who looks at what it
/// replaces does replace that. A lock is held for some system calls.
std::unique_ptr<base::Lock> turn_to_swap(FileSystem& files, const std::string& path) {
  constexpr std::chrono::milliseconds kPause(1);
  for (;;) {
    if (auto lock = files.try_lock(join(path, "zarr.json"))) return lock;
    std::this_thread::sleep_for(kPause);
  }
}

ArraySpec vertex_spec(const std::string& name, std::int64_t n, bool compress) {
  return vector_spec(name, n, "float64", 8, "NaN", "vertex", compress);
}

}  // namespace

ZarrStore::ZarrStore(FileSystem& files, const std::string& path, const Layout& layout,
                     bool compress, const Store* in_place_of)
    : Store(layout), path_(path), in_place_of_(in_place_of), group_(files, path, compress) {
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
    : Store(Layout{}), path_(path), group_(files, path, false, files.hold(path, path)) {
  const std::string document = group_.path("zarr.json");
  if (group_.reads().kind(document) != FileKind::file) {
    throw Error::malformed({document, 0, 0},
                           "this file is missing: no result, or an incomplete one");
  }
  root_ = parse_root_document(group_.reads().read_text(document), document);
  layout_ = root_.layout;
  group_ = group_.with(root_.compress);
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

std::unique_ptr<ZarrStore> ZarrStore::joined(FileSystem& files, const std::string& place,
                                             const Layout& layout, bool compress, int process,
                                             std::span<const std::int64_t> held) {
  std::unique_ptr<ZarrStore> store = joined(files, place, layout, compress);
  for (const std::int64_t band : held) store->mark_band(band);
  store->row_ledger_ = std::make_unique<RowLedger>(files, place, process);
  return store;
}

void ZarrStore::cut() {
  const std::vector<std::int64_t> chunk = plane_spec(layout_, Plane::distance, false).chunk;
  rows_ = {layout_.rows(), chunk.front()};
  cols_ = {layout_.cols(), chunk.back()};
}

ZarrStore::~ZarrStore() {
  if (partial_.empty() || joined_) return;
  if (leaves_bands()) {
    claim_->abandon();
  } else {
    group_.files().discard(partial_);
  }
}

/// For another run to go on from. Where that cannot be told, what is there is kept.
bool ZarrStore::leaves_bands() const {
  try {
    return row_ledger_ != nullptr && !row_ledger_->empty();
  } catch (const Error&) {
    return true;
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

/// Returns whether something stood there, which is now where the new result was built.
bool ZarrStore::take_place() {
  FileSystem& files = group_.files();
  const std::unique_ptr<base::Lock> turn = turn_to_swap(files, path_);
  if (in_place_of_ != nullptr && !in_place_of_->in_place()) {
    throw Error(ErrorKind::input_output,
                fmt::format("{}: another run replaced this result after it was read, and nothing "
                            "was written; run this again",
                            path_));
  }
  if (files.kind(path_) == FileKind::none) {
    try {
      files.rename(partial_, path_);
      return false;
    } catch (const Error&) {  // another run was faster
      if (files.kind(path_) == FileKind::none) throw;
    }
  }
  // A run that was killed just below has left its ledger there.
  const std::string stray = join(path_, kLedgerName);
  if (files.kind(stray) != FileKind::none) files.remove_all(stray);
  files.exchange(partial_, path_);
  return true;
}

void ZarrStore::swap_in() {
  FileSystem& files = group_.files();
  require_replaceable(files, path_);
  ZarrGroup complete(files, path_, group_.compress(), files.hold(partial_, path_));
  const bool replaces = take_place();
  group_ = std::move(complete);
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
  if (row_ledger_ != nullptr) row_ledger_->remove_others();
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
