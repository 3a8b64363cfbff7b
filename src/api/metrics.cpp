#include "api/metrics.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/solve.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "base/joined.hpp"
#include "base/json.hpp"
#include "base/refusal.hpp"
#include "store/metrics.hpp"
#include "store/store.hpp"

namespace apsp {
namespace {

constexpr std::size_t kLongestName = 64;

void require_name(std::string_view metric) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  refuse_if(metric.empty() || metric.size() > kLongestName || !std::ranges::all_of(metric, allowed),
            "'{}' cannot name a metric: take up to {} letters, digits, _ and -", metric,
            kLongestName);
}

std::string place_of(const std::string& result, std::string_view metric) {
  return store::join(store::metric_folder(result),
                     std::string(metric) + std::string(store::kMetricSuffix));
}

}  // namespace

std::vector<std::string> metrics(const std::string& result) {
  return store::metrics_of(store::posix_file_system(), result);
}

std::string metric_path(const std::string& result, std::string_view metric) {
  require_name(metric);
  const std::vector<std::string> all = metrics(result);
  if (std::ranges::find(all, metric) != all.end()) return place_of(result, metric);
  throw usage_error("{} has no metric '{}'{}; an update with `metric={}` makes one", result, metric,
                    all.empty() ? "" : ", but " + base::joined(all, ", "), metric);
}

std::string api::metric_to_write(const std::string& result, const std::string& metric) {
  require_name(metric);
  refuse_if(!store::is_zarr(result), "{}: metrics are kept inside a .zarr", result);
  const std::string folder = store::parent_of(store::without_last_slashes(result));
  refuse_if(store::name_of(folder) == store::kMetricFolder,
            "{} is a metric itself: name the result that holds it, or use `output=OUT.zarr`",
            result);
  return place_of(result, metric);
}

void api::make_metric_group(const std::string& result) {
  store::FileSystem& files = store::posix_file_system();
  const std::string folder = store::metric_folder(result);
  files.make_directories(folder);
  const std::string document = store::join(folder, "zarr.json");
  if (files.kind(document) == store::FileKind::file) return;
  const nlohmann::json group = {
      {"zarr_format", 3}, {"node_type", "group"}, {"attributes", nlohmann::json::object()}};
  const std::string text = base::json_text(group, 2) + "\n";
  files.write_atomically(document, std::as_bytes(std::span(text)));
  files.copy_permissions(result, folder);
}

}  // namespace apsp
