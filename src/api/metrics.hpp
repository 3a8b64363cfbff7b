// Metrics inside the .zarr of a factor: where they are, and what keeps them from getting lost.
#pragma once

#include <string>

namespace apsp::api {

/// Where a metric goes, which may be there or not. Throws `Error` (usage): a name that cannot be a
/// part of a file's, a result that is no .zarr or a metric itself.
std::string metric_to_write(const std::string& result, const std::string& metric);
/// Makes the folder of all metrics, a group of Zarr. Throws `Error` (input_output).
void make_metric_group(const std::string& result);

}  // namespace apsp::api
