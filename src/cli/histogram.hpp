// A histogram of distances as rows of bars, in eighths of a column where Unicode is at hand.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <apsp/statistics.hpp>

#include "cli/look.hpp"

namespace apsp::cli {

/// A bar of `fraction` (0 … 1) of `columns`. Anything above zero shows at least a sliver.
std::string bar(double fraction, std::size_t columns, bool unicode);

/// At most `most` bins: neighbours are joined, the same number each (the last may take fewer).
std::vector<HistogramBin> joined(std::span<const HistogramBin> bins, std::size_t most);

/// One row a bin: range, bar, pairs, share. `whole`: distances are integers, so a bin that holds
/// a single one is named by it alone. Empty without pairs.
std::string histogram_text(std::span<const HistogramBin> bins, bool whole, const Look& look);

}  // namespace apsp::cli
