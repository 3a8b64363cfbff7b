// Near pairs in a .zarr (docs/stores.md).
#pragma once

#include <string>

#include "store/store.hpp"

namespace apsp::api {

/// Throws `Error` (usage) for a store of near pairs, from which no distance of any pair is to be
/// had.
void require_all_pairs(const store::Store& stored, const std::string& path);

}  // namespace apsp::api
