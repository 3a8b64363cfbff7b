// The zarr.json of the group itself: what the result is, and by its mere presence the mark that it
// is complete. docs/stores.md lists the attributes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace apsp::store {

/// Of a result of planes alone, which every program reads; with arrays.
inline constexpr std::int64_t kFormatVersion = 1, kArraysVersion = 2;

struct ZarrRoot {
  Layout layout;  ///< its tile is the side of a chunk, at most n
  bool compress = false;
  std::optional<std::string> digest;       ///< of the graph; empty: none is kept
  std::vector<std::string> vertex_values;  ///< names of arrays
  std::vector<Array> arrays;               ///< `Store::arrays`
  std::string attributes = "{}";           ///< `Metadata::attributes`
};

std::string root_document(const ZarrRoot& root);
/// Throws `Error` (input), naming `path`, for anything but a complete result of a known version.
ZarrRoot parse_root_document(const std::string& text, const std::string& path);
/// Whether the text is the zarr.json of a result of this project, of any version.
bool is_root_document(const std::string& text);

}  // namespace apsp::store
