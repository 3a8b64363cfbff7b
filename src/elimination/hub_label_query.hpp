// Distances of many pairs from labels (labels.hpp).
#pragma once

#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <functional>
#include <span>

#include "elimination/labels.hpp"

namespace apsp::elimination {

/// values[i], of the factor's type, is the distance of pairs[first + numbers[i]]. From any thread.
using TakePairs = std::function<void(std::size_t first, std::span<const std::uint32_t> numbers,
                                     const void* values)>;

/// Each pair once. Labels of one run of supernodes are made for sources, and for each of them those
/// of every run for targets. What they hold does not depend on runs and threads: neither do
/// distances, to the last bit. Floats may be summed in another order than in rows and queries: they
/// differ by rounding. Throws `Error`: interrupted, does_not_fit.
void distances_by_labels(const Factor& factor, kernels::Sign sign,
                         std::span<const VertexPair> pairs, const LabelPlan& plan,
                         std::span<const SupernodeRun> runs, int threads, const Control& control,
                         const TakePairs& take);

}  // namespace apsp::elimination
