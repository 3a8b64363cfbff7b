#include "io/matrix_file.hpp"

#include <filesystem>
#include <system_error>

#include "io/formats.hpp"
#include "io/graph_header.hpp"
#include "io/held_bytes.hpp"
#include "io/npy_header.hpp"

namespace apsp::io {

std::optional<MatrixInFile> map_matrix(const std::string& path, const ReadOptions& options) {
  std::error_code failure;
  const bool otherwise = options.format && *options.format != GraphFormat::numpy;
  if (otherwise || !options.coordinates.empty() || path == "-" ||
      !std::filesystem::is_regular_file(path, failure)) {
    return std::nullopt;
  }
  HeldBytes held = hold_input(path, {});
  if (!held.mapped || !has_npy_magic(held.bytes)) return std::nullopt;
  require_useful(options, GraphFormat::numpy, path);
  if (options.on_header) {
    if (const auto header = peek_header(held.bytes, path, options)) options.on_header(*header);
  }
  MatrixInFile matrix = locate_matrix(held.bytes, path);
  if (!held_as_they_are(matrix)) {
    ReadProgress progress(options.control, held.bytes.size());
    return converted(matrix, path, progress);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(matrix.data);
  if (address % static_cast<std::uintptr_t>(size_of(matrix.type)) != 0) return std::nullopt;
  matrix.owner = std::move(held.owner);
  matrix.mapped = true;
  return matrix;
}

}  // namespace apsp::io
