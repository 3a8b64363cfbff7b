// Distances of many pairs from labels (labels.hpp).
#pragma once

#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <functional>
#include <span>

#include "sparse/labels.hpp"

namespace apsp::sparse {

/// Receives values[i], of the factor's type: the distance of pairs[first + numbers[i]]. Called from
/// any thread.
using TakePairs = std::function<void(std::size_t first, std::span<const std::uint32_t> numbers,
                                     const void* values)>;

/// Computes each pair once, with the labels of one run of supernodes for sources and one for
/// targets at a time. Distances do not depend on runs and threads, to the last bit. Floats may
/// differ by rounding from rows and queries, which sum in another order. Throws `Error`:
/// interrupted, does_not_fit.
void distances_by_labels(const Factor& factor, kernels::Sign sign,
                         std::span<const VertexPair> pairs, const LabelPlan& plan,
                         std::span<const SupernodeRun> runs, int threads, const Control& control,
                         const TakePairs& take);

}  // namespace apsp::sparse
