// Which vertices' rows and columns a .zarr holds: the arrays `source` and `target` beside its
// planes.
#pragma once

#include <cstdint>

#include "store/selection.hpp"
#include "store/zarr_group.hpp"

namespace apsp::store {

/// Nothing is written for all vertices.
void write_selection(const ZarrGroup& group, const Selection& selection);

/// `sources`, `targets`: how many there are; 0: all. `n`: vertices. Throws `Error` (input) if the
/// arrays are damaged, or name a vertex twice or one that there is not.
Selection read_selection(const ZarrGroup& group, std::int64_t n, std::int64_t sources,
                         std::int64_t targets);

}  // namespace apsp::store
