// The folder of a .zarr that holds further results, other weights of its graph by their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/file_system.hpp"

namespace apsp::store {

inline constexpr std::string_view kMetricFolder = "metric", kMetricSuffix = ".zarr";

/// The folder that holds the metrics of a result.
std::string metric_folder(const std::string& result);
/// The names of all metrics of a result, sorted.
std::vector<std::string> metrics_of(const ReadableFiles& files, const std::string& result);
/// Throws `Error` (usage) that names the metrics of a result, which a new one in its place would
/// remove.
void require_no_metrics(const ReadableFiles& files, const std::string& result);

}  // namespace apsp::store
