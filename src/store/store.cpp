#include "store/store.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <set>

#include "base/fail.hpp"
#include "base/json.hpp"
#include "base/rounded_up.hpp"
#include "store/file_system.hpp"
#include "store/leftovers.hpp"
#include "store/npy_store.hpp"
#include "store/tiling.hpp"
#include "store/zarr_store.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::store {
namespace {

FileSystem& choose(FileSystem* file_system) {
  return file_system != nullptr ? *file_system : posix_file_system();
}

}  // namespace

bool Store::holds(Plane plane) const {
  return std::ranges::find(layout_.planes, plane) != layout_.planes.end();
}

void Store::write_tile(Plane, std::int64_t, std::int64_t, std::byte*) {
  throw Error(ErrorKind::defect, "this store takes no single tiles");
}

void ArrayStore::write_array(const Array& array, const void*) {
  base::fail(ErrorKind::usage, "{}: kept only in a .zarr; other results hold a matrix", array.name);
}

void ArrayStore::read_array(const Array& array, void*) const {
  base::fail(ErrorKind::usage, "this result holds no array {}", array.name);
}

void ArrayStore::read_array_chunk(const Array& array, std::int64_t, void* values) const {
  read_array(array, values);
}

int value_size(const Layout& layout, Plane plane) {
  return plane == Plane::distance ? size_of(layout.type) : size_of(ValueType::i32);
}

std::string_view name(Plane plane) {
  constexpr std::array<std::string_view, 4> kNames = {"distance", "predecessor", "via", "hops"};
  return kNames[static_cast<std::size_t>(plane)];
}

bool is_zarr(const std::string& path) { return without_last_slashes(path).ends_with(".zarr"); }

std::unique_ptr<Store> create_store(const std::string& path, const Layout& layout,
                                    const CreateOptions& options) {
  require_layout(layout);
  FileSystem& files = choose(options.file_system);
  if (files.kind(path) == FileKind::other) {
    base::fail(ErrorKind::usage,
               "{}: a result is a file or a folder, and this is a device, a pipe or a socket; name "
               "another output",
               path);
  }
  const std::string target = files.resolve(without_last_slashes(path));
  // The given name decides, since the target of a link may have any name.
  const bool npy = path.ends_with(".npy");
  if (!npy && !is_zarr(path)) {
    base::fail(ErrorKind::usage, "{}: a result is kept in a .zarr or an .npy; this is neither",
               path);
  }
  if (files.kind(parent_of(target)) != FileKind::directory) {
    base::fail(ErrorKind::input_output, "{}: directory {} does not exist", path, parent_of(target));
  }
  if (npy) return std::make_unique<NpyStore>(files, target, layout);
  auto store =
      std::make_unique<ZarrStore>(files, target, layout, options.compress, options.in_place_of);
  if (!options.shares_with.empty()) {
    store->share_chunks_with(files.resolve(without_last_slashes(options.shares_with)));
  }
  return store;
}

std::unique_ptr<Store> join_store(const std::string& place, const Layout& layout,
                                  const CreateOptions& options) {
  FileSystem& files = choose(options.file_system);
  const FileKind kind = files.kind(place);
  if (kind == FileKind::none) throw not_shared(place);
  if (kind == FileKind::file) return std::make_unique<NpyStore>(Joined{}, files, place, layout);
  return std::make_unique<ZarrStore>(Joined{}, files, place, layout, options.compress);
}

std::unique_ptr<Store> open_store(const std::string& path, Semiring semiring,
                                  FileSystem* file_system, const Layout* about) {
  FileSystem& files = choose(file_system);
  const std::string target = without_last_slashes(path);
  switch (files.kind(target)) {
    case FileKind::none:
      base::fail(ErrorKind::input_output, "{}: this result does not exist", path);
    case FileKind::directory:
      return std::make_unique<ZarrStore>(files, target);
    default:
      return std::make_unique<NpyStore>(files, target, semiring, about);
  }
}

bool is_array_name(const std::string& text) {
  constexpr std::array<std::string_view, 10> kTaken = {"distance", "predecessor", "via", "hops",
                                                       "graph",    "label",       "c",   "source",
                                                       "target",   "metric"};
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto allowed = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && text.size() <= 64 && letter(text.front()) &&
         std::ranges::all_of(text, allowed) && std::ranges::find(kTaken, text) == kTaken.end();
}

std::optional<Graph> graph_to_keep(const Layout& layout, const Graph& graph) {
  if (graph.vertex_count() != layout.n) return std::nullopt;
  return graph;
}

void require_metadata(const Layout& layout, const Graph& graph, const Metadata& metadata) {
  if (graph.vertex_count() != layout.n && graph.vertex_count() != 0) {
    base::fail(ErrorKind::usage, "the graph has {} vertices, the matrix {}", graph.vertex_count(),
               layout.n);
  }
  if (!base::parsed_json(metadata.attributes).is_object()) {
    base::fail(ErrorKind::usage, "the attributes of a result are not a JSON object");
  }
  std::set<std::string> names;
  for (const auto& [name, values] : metadata.vertex_values) {
    if (!is_array_name(name)) base::fail(ErrorKind::usage, "'{}' cannot name vertex values", name);
    if (!names.insert(name).second)
      base::fail(ErrorKind::usage, "vertex values '{}' given twice", name);
    if (static_cast<std::int64_t>(values.size()) != layout.n) {
      base::fail(ErrorKind::usage, "{} values of {} for {} vertices", values.size(), name,
                 layout.n);
    }
  }
}

// Rows are aligned to 64 bytes: a cache line and the widest vector register.

namespace {

constexpr std::int64_t kRowAlignment = 64;

/// All planes share one stride in values, so the narrowest type determines it.
std::int64_t padded_stride(const Layout& layout) {
  std::int64_t narrowest = kRowAlignment;
  for (const Plane plane : layout.planes) {
    narrowest = std::min<std::int64_t>(narrowest, value_size(layout, plane));
  }
  return base::rounded_up(std::max<std::int64_t>(1, layout.cols()), kRowAlignment / narrowest);
}

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(const Layout& layout) : Store(layout) {
    require_layout(layout);
    if (layout.planes.empty()) throw Error(ErrorKind::usage, "a matrix in memory without planes");
    stride_ = padded_stride(layout);
    for (const Plane plane : layout.planes) {
      const std::int64_t row_bytes = stride_ * value_size(layout, plane);
      // An empty matrix has an address too.
      matrices_.emplace_back(matrix_bytes(std::max<std::int64_t>(1, layout.rows()), row_bytes));
    }
  }

  void read(Plane plane, Block block, void* out, std::int64_t stride) const override {
    require_readable(*this, plane, block);
    const std::int64_t size = value_size(layout_, plane);
    const std::byte* from = matrices_[position(plane)].data();
    copy_rows(static_cast<std::byte*>(out), stride * size,
              from + (block.row * stride_ + block.col) * size, stride_ * size, block.rows,
              block.cols * size);
  }
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override {
    require_writable(*this, plane, block);
    const std::int64_t size = value_size(layout_, plane);
    std::byte* to = matrices_[position(plane)].data();
    copy_rows(to + (block.row * stride_ + block.col) * size, stride_ * size,
              static_cast<const std::byte*>(in), stride * size, block.rows, block.cols * size);
  }
  void commit(const Graph& graph, const Metadata& metadata) override {
    require_metadata(layout_, graph, metadata);
    graph_ = graph_to_keep(layout_, graph);
    metadata_ = metadata;
  }
  std::optional<Graph> graph() const override { return graph_; }
  Metadata metadata() const override { return metadata_; }
  using Store::data;
  void* data(Plane plane) override {
    return holds(plane) ? matrices_[position(plane)].data() : nullptr;
  }
  std::int64_t stride() const override { return stride_; }

 private:
  std::size_t position(Plane plane) const {
    const auto at = std::ranges::find(layout_.planes, plane);
    return static_cast<std::size_t>(at - layout_.planes.begin());
  }

  std::int64_t stride_;
  std::vector<system::AlignedMemory> matrices_;  // [rows, stride_] each
  std::optional<Graph> graph_;
  Metadata metadata_;
};

}  // namespace

std::int64_t bytes_in_memory(const Layout& layout) {
  std::int64_t row_bytes = 0;
  for (const Plane plane : layout.planes) {
    row_bytes += padded_stride(layout) * value_size(layout, plane);
  }
  return std::max<std::int64_t>(1, layout.rows()) * row_bytes;
}

std::unique_ptr<Store> make_memory_store(const Layout& layout) {
  return std::make_unique<MemoryStore>(layout);
}

}  // namespace apsp::store
