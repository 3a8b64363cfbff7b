#include "store/metrics.hpp"

#include <fmt/format.h>

#include "base/joined.hpp"
#include "base/refusal.hpp"

namespace apsp::store {

std::string metric_folder(const std::string& result) {
  return join(without_last_slashes(result), std::string(kMetricFolder));
}

std::vector<std::string> metrics_of(const ReadableFiles& files, const std::string& result) {
  const std::string folder = metric_folder(result);
  std::vector<std::string> names;
  if (files.kind(folder) != FileKind::directory) return names;
  for (const std::string& entry : files.list(folder)) {
    if (!entry.ends_with(kMetricSuffix) || entry.starts_with('.')) continue;
    names.push_back(entry.substr(0, entry.size() - kMetricSuffix.size()));
  }
  return names;
}

void require_no_metrics(const ReadableFiles& files, const std::string& result) {
  const std::vector<std::string> all = metrics_of(files, result);
  refuse_if(!all.empty(),
            "a new result at {} would remove its metrics ({}): choose another output such as "
            "`output=OUT.zarr`, or keep new weights by an update with `metric=NAME`",
            result, base::joined(all, ", "));
}

}  // namespace apsp::store
