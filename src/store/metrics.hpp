// The metrics of a result: results for other weights of its graph, in a folder of its .zarr.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/file_system.hpp"

namespace apsp::store {

inline constexpr std::string_view kMetricFolder = "metric", kMetricSuffix = ".zarr";

std::string metric_folder(const std::string& result);
/// Returns the names, sorted.
std::vector<std::string> metrics_of(const ReadableFiles& files, const std::string& result);
/// Throws `Error` (usage) if there are any.
void require_no_metrics(const ReadableFiles& files, const std::string& result);

}  // namespace apsp::store
