#include "store/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <array>

#include "store/file_system.hpp"
#include "store/npy_store.hpp"
#include "store/resumable.hpp"
#include "store/tiling.hpp"
#include "store/zarr_store.hpp"

namespace apsp::store {
namespace {

FileSystem& choose(FileSystem* file_system) {
  return file_system != nullptr ? *file_system : posix_file_system();
}

}  // namespace

bool Store::holds(Plane plane) const {
  return std::find(layout_.planes.begin(), layout_.planes.end(), plane) != layout_.planes.end();
}

void Store::write_tile(Plane, std::int64_t, std::int64_t, std::byte*) {
  throw Error(ErrorKind::defect, "this store takes no single tiles");
}

void Store::write_array(const Array& array, const void*) {
  throw Error(ErrorKind::usage,
              fmt::format("{}: kept in a .zarr alone; other results hold a matrix", array.name));
}

void Store::read_array(const Array& array, void*) const {
  throw Error(ErrorKind::usage, fmt::format("this result holds no array {}", array.name));
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
  const std::string target = files.resolve(without_last_slashes(path));
  // By the name that was given: a link's target may be called anything.
  const bool npy = path.ends_with(".npy");
  if (!npy && !is_zarr(path)) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a result is kept in a .zarr or an .npy; this is neither", path));
  }
  if (files.kind(parent_of(target)) != FileKind::directory) {
    throw Error(ErrorKind::input_output,
                fmt::format("{}: there is no directory {}", path, parent_of(target)));
  }
  if (npy) return std::make_unique<NpyStore>(files, target, layout);
  return std::make_unique<ZarrStore>(files, target, layout, options.compress, options.in_place_of);
}

std::unique_ptr<Store> join_store(const std::string& place, const Layout& layout,
                                  const CreateOptions& options) {
  FileSystem& files = choose(options.file_system);
  const FileKind kind = files.kind(place);
  if (kind == FileKind::none) throw not_shared(place);
  if (kind == FileKind::file) return NpyStore::joined(files, place, layout);
  return ZarrStore::joined(files, place, layout, options.compress);
}

std::unique_ptr<Store> open_store(const std::string& path, Semiring semiring,
                                  FileSystem* file_system, const Layout* about) {
  FileSystem& files = choose(file_system);
  const std::string target = without_last_slashes(path);
  switch (files.kind(target)) {
    case FileKind::none:
      throw Error(ErrorKind::input_output, fmt::format("{}: there is no such result", path));
    case FileKind::directory:
      return std::make_unique<ZarrStore>(files, target);
    default:
      return std::make_unique<NpyStore>(files, target, semiring, about);
  }
}

}  // namespace apsp::store
