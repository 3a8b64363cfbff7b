// The zarr.json of the group itself: what the result is, and by its mere presence the mark that it
// is complete. docs/stores.md lists the attributes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace apsp::store {

/// Of a result of planes with all rows and columns, which every program reads; with arrays, or of a
/// selection; with a graph that is stored as a matrix.
inline constexpr std::int64_t kFormatVersion = 1, kWiderVersion = 2, kMatrixVersion = 3;

struct ZarrRoot {
  Layout layout{};  ///< its tile is the longer side of a chunk; its selection is in arrays
  bool compress = false;
  std::optional<std::string> digest{};       ///< of the graph; empty: none is kept
  std::vector<std::string> vertex_values{};  ///< names of arrays
  std::vector<Array> arrays{};               ///< `Store::arrays`
  std::string attributes = "{}";             ///< `Metadata::attributes`
  std::int64_t sources = 0;                  ///< that were read, of the selection in arrays; 0: all
  std::int64_t targets = 0;
  bool matrix = false;  ///< the graph is stored as a matrix (zarr_graph.hpp)
};

std::string root_document(const ZarrRoot& root);
/// Throws `Error` (input), naming `path`, for anything but a complete result of a known version.
ZarrRoot parse_root_document(const std::string& text, const std::string& path);
/// Whether the text is the zarr.json of a result of this project, of any version.
bool is_root_document(const std::string& text);

}  // namespace apsp::store
