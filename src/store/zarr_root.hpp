// The zarr.json of a result (docs/stores.md). It is written last and so marks the result as
// complete.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace apsp::store {

/// Version 1: planes of all rows and columns. Version 2: also arrays or a selection. Version 3: the
/// graph is stored as a matrix.
inline constexpr std::int64_t kFormatVersion = 1, kWiderVersion = 2, kMatrixVersion = 3;

struct ZarrRoot {
  Layout layout{};  ///< `tile`: the longer side of a chunk; the selection is stored in arrays
  bool compress = false;
  std::optional<std::string> digest{};  ///< of the graph, if it is stored
  std::vector<std::string> vertex_values{};
  std::vector<Array> arrays{};
  std::string attributes = "{}";
  std::int64_t sources = 0;  ///< number of selected ones; 0: all
  std::int64_t targets = 0;
  bool matrix = false;  ///< the graph is stored as a matrix
};

std::string root_document(const ZarrRoot& root);
/// Throws `Error` (input), naming `path`, unless it is a complete result of a known version.
ZarrRoot parse_root_document(const std::string& text, const std::string& path);
/// Whether the text is the zarr.json of a result of any version.
bool is_root_document(const std::string& text);

}  // namespace apsp::store
