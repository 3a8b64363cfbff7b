// Near pairs in a .zarr (docs/stores.md).
#pragma once

#include <string>

#include "store/store.hpp"

namespace apsp::api {

/// Whether it holds near pairs, from which no distance of any pair is to be had.
bool holds_near_pairs(const store::Store& stored);
/// Throws `Error` (usage) for such a store.
void require_all_pairs(const store::Store& stored, const std::string& path);

}  // namespace apsp::api
