#include "store/npy_store.hpp"

#include <algorithm>
#include <array>

#include "base/fail.hpp"
#include "base/joined.hpp"
#include "io/npy.hpp"

namespace apsp::store {
namespace {

struct NpyType {
  ValueType type;
  char kind;
  int item_size;
  std::string_view descr;
};
constexpr std::array<NpyType, 5> kTypes = {{{ValueType::f32, 'f', 4, "<f4"},
                                            {ValueType::f64, 'f', 8, "<f8"},
                                            {ValueType::i32, 'i', 4, "<i4"},
                                            {ValueType::u16, 'u', 2, "<u2"},
                                            {ValueType::boolean, 'b', 1, "|b1"}}};

Layout checked_layout(const io::NpyHeader& header, std::int64_t file_bytes, Semiring semiring,
                      const Layout* about, const std::string& path) {
  const auto same = [&](const NpyType& row) {
    return row.kind == header.kind && row.item_size == header.item_size;
  };
  const auto type = std::ranges::find_if(kTypes, same);
  if (type == kTypes.end()) {
    base::fail_input(path, "values of type {}{}; distances are f4, f8, i4, u2 or b1", header.kind,
                     header.item_size);
  }
  if (header.swapped)
    base::fail_input(path, "the values are big-endian; save them with .astype of a type '<'");
  if (header.fortran_order) {
    base::fail_input(path, "the matrix is in Fortran order; save it with numpy.ascontiguousarray");
  }
  Layout layout;
  if (about != nullptr) {
    layout.n = about->n;
    layout.selection = about->selection;
  } else if (!header.shape.empty()) {
    layout.n = header.shape[0];
  }
  if (header.shape.size() != 2 || header.shape[0] != layout.rows() ||
      header.shape[1] != layout.cols()) {
    const std::string expected =
        about != nullptr ? fmt::format("but ({}, {}) was to be here", layout.rows(), layout.cols())
                         : "not a square matrix";
    const char* const hint =
        about == nullptr && header.shape.size() == 2
            ? "; of some sources or targets, a .zarr knows which they are, an .npy does not"
            : "";
    base::fail_input(path, "the shape is ({}), {}{}", base::joined(header.shape, ", "), expected,
                     hint);
  }
  layout.type = type->type;
  layout.semiring = layout.type == ValueType::boolean ? Semiring::or_and : semiring;
  std::int64_t promised = 0;
  std::int64_t row_bytes = 0;
  if (__builtin_mul_overflow(layout.cols(), std::int64_t{header.item_size}, &row_bytes) ||
      __builtin_mul_overflow(layout.rows(), row_bytes, &promised) ||
      promised != file_bytes - static_cast<std::int64_t>(header.data_offset)) {
    base::fail_input(path,
                     "the header promises {} × {} values of {} bytes, the file holds {} bytes "
                     "of values",
                     layout.rows(), layout.cols(), header.item_size,
                     file_bytes - static_cast<std::int64_t>(header.data_offset));
  }
  return layout;
}

}  // namespace

NpyStore::NpyStore(FileSystem& files, const std::string& path, const Layout& layout)
    : Store(layout), files_(files), path_(path) {
  require_layout(layout);
  if (layout.planes.size() != 1) {
    base::fail(ErrorKind::usage, "{}: an .npy file holds only distances; a .zarr holds all", path);
  }
  if (files.kind(path) == FileKind::directory) {
    base::fail(ErrorKind::usage, "{}: the path is a directory", path);
  }
  const std::string header = io::format_npy_header(
      std::ranges::find(kTypes, layout.type, &NpyType::type)->descr, layout.rows(), layout.cols());
  data_offset_ = static_cast<std::int64_t>(header.size());
  const std::int64_t bytes = matrix_bytes(layout.rows(), layout.cols() * size_of(layout.type));
  written_ = std::make_unique<WrittenTiles>(layout);
  partial_ = claim_partial(files, path);
  try {
    output_ = files.create(partial_.path);
    if (files.kind(path) != FileKind::none) files.restrict_to_owner(partial_.path);
    output_->reserve(matrix_bytes(1, data_offset_) + bytes);
    output_->write(0, std::as_bytes(std::span(header)));
    input_ = files.open(partial_.path);
  } catch (...) {
    discard_partial(files, std::move(partial_));
    throw;
  }
}

NpyStore::NpyStore(FileSystem& files, const std::string& path, Semiring semiring,
                   const Layout* about)
    : Store(Layout{}), files_(files), path_(path), input_(files.open(path)) {
  std::vector<char> first(static_cast<std::size_t>(
      std::min<std::int64_t>(input_->size(), static_cast<std::int64_t>(io::kNpyHeaderBytes))));
  input_->read(0, std::as_writable_bytes(std::span(first)));
  const io::NpyHeader header = io::parse_npy_header(first, path);
  data_offset_ = static_cast<std::int64_t>(header.data_offset);
  layout_ = checked_layout(header, input_->size(), semiring, about, path);
  require_layout(layout_);
}

NpyStore::NpyStore(Joined, FileSystem& files, const std::string& place, const Layout& layout)
    : Store(layout),
      files_(files),
      path_(place),
      partial_{place, nullptr},
      input_(files.open(place)),
      written_(std::make_unique<WrittenTiles>(layout)) {
  require_layout(layout);
  data_offset_ = input_->size() - layout.rows() * layout.cols() * size_of(layout.type);
  output_ = files.reopen(place, input_->size());
}

NpyStore::~NpyStore() {
  if (partial_.claim != nullptr) discard_partial(files_, std::move(partial_));
}

std::int64_t NpyStore::offset(std::int64_t row, std::int64_t col) const {
  return data_offset_ + (row * layout_.cols() + col) * size_of(layout_.type);
}

void NpyStore::read(Plane plane, Block block, void* out, std::int64_t stride) const {
  require_readable(*this, plane, block);
  const std::int64_t size = size_of(layout_.type);
  auto* to = static_cast<std::byte*>(out);
  if (block.cols == layout_.cols() && stride == layout_.cols()) {
    input_->read(offset(block.row, 0), {to, static_cast<std::size_t>(block.rows * stride * size)});
    return;
  }
  for (std::int64_t i = 0; i < block.rows; ++i) {
    input_->read(offset(block.row + i, block.col),
                 {to + i * stride * size, static_cast<std::size_t>(block.cols * size)});
  }
}

void NpyStore::write(Plane plane, Block block, const void* in, std::int64_t stride) {
  if (output_ == nullptr) throw Error(ErrorKind::usage, path_ + ": open for reading only");
  require_writable(*this, plane, block);
  const std::int64_t size = size_of(layout_.type);
  const auto* from = static_cast<const std::byte*>(in);
  if (block.cols == layout_.cols()) {
    output_->write_rows(offset(block.row, 0), from, stride * size, layout_.cols() * size,
                        block.rows);
  } else {
    for (std::int64_t i = 0; i < block.rows; ++i) {
      output_->write(offset(block.row + i, block.col),
                     {from + i * stride * size, static_cast<std::size_t>(block.cols * size)});
    }
  }
  written_->mark(plane, block);
}

void NpyStore::flush() {
  if (output_ != nullptr) output_->sync();
}

void NpyStore::commit(const Graph& graph, const Metadata& metadata) {
  if (partial_.claim == nullptr) {
    throw Error(ErrorKind::usage, path_ + ": another process commits this result");
  }
  require_metadata(layout_, graph, metadata);
  written_->require_complete(path_);
  if (files_.kind(path_) != FileKind::none) files_.copy_permissions(path_, partial_.path);
  output_->sync();
  output_->close();
  output_.reset();
  files_.rename(partial_.path, path_);
  partial_ = {};
  files_.sync_names(parent_of(path_));
}

}  // namespace apsp::store
