// Metrics: other weights for the graph of a stored factor, inside its .zarr (docs/stores.md).
#pragma once

#include <string>

namespace apsp::api {

/// Returns the path of a metric that an update of `result` writes. Throws `Error` (usage): invalid
/// name; `result` is no .zarr, or is a metric itself.
std::string metric_to_write(const std::string& result, const std::string& metric);
/// Makes the Zarr group of all metrics. Throws `Error` (input_output).
void make_metric_group(const std::string& result);

}  // namespace apsp::api
