// The zarr.json of a result (docs/stores.md), whose presence marks the result as complete.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace apsp::store {

/// Version 2 has arrays or a selection, version 3 a graph that is stored as a matrix.
inline constexpr std::int64_t kFormatVersion = 1, kWiderVersion = 2, kMatrixVersion = 3;

struct ZarrRoot {
  Layout layout{};  ///< `tile`: the longer side of a chunk; parsed without the selection
  bool compress = false;
  std::optional<std::string> digest{};  ///< of the graph, if it is stored
  std::vector<std::string> vertex_values{};
  std::vector<Array> arrays{};
  std::string attributes = "{}";
  std::int64_t sources = 0;  ///< number of selected ones; 0: all
  std::int64_t targets = 0;
  bool matrix = false;
};

std::string root_document(const ZarrRoot& root);
/// Throws `Error` (input), naming `path`, unless it is a complete result of a known version.
ZarrRoot parse_root_document(const std::string& text, const std::string& path);
bool is_root_document(const std::string& text);

}  // namespace apsp::store
