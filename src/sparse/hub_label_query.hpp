// Distances of many pairs from labels (labels.hpp).
#pragma once

#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>

#include "sparse/labels.hpp"
#include "sparse/pair_ends.hpp"

namespace apsp::sparse {

/// The end of pairs whose labels are stored, in so many blocks.
struct StoredLabels {
  End end = End::source;
  std::int64_t blocks = 1;
};

/// Calls take once for each pair. Labels of one end are stored, a block of vertices at a time.
/// Those of the other end are made for every block, each for all of its pairs, and stay in a cache.
/// Distances do not depend on blocks and threads, to the last bit. Floats may differ by rounding
/// from rows and queries, which sum in another order. Requires: fewer than 2^32 pairs. Throws
/// `Error`: interrupted, does_not_fit.
void distances_by_labels(const Factor& factor, kernels::Sign sign,
                         std::span<const VertexPair> pairs, StoredLabels stored, int threads,
                         const Control& control, const TakePair& take);

}  // namespace apsp::sparse
