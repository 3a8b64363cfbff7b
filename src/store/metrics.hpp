// The folder of a .zarr that holds further results, other weights of its graph by their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/file_system.hpp"

namespace apsp::store {

inline constexpr std::string_view kMetricFolder = "metric", kMetricSuffix = ".zarr";

/// Where the metrics of a result are.
std::string metric_folder(const std::string& result);
/// Their names, sorted.
std::vector<std::string> metrics_of(const ReadableFiles& files, const std::string& result);
/// Before a result is replaced. Throws `Error` (usage) that names its metrics, which would go.
void require_no_metrics(const ReadableFiles& files, const std::string& result);

}  // namespace apsp::store
