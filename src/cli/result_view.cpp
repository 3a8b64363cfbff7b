#include "cli/result_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <optional>
#include <vector>

#include "api/json.hpp"
#include "api/near.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/arguments.hpp"
#include "cli/graph_options.hpp"
#include "cli/table.hpp"
#include "sparse/stored_factor.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

using nlohmann::json;

std::string kept_by(const store::Store& stored) {
  if (sparse::holds_factor(stored)) return "factor";
  return api::holds_near_pairs(stored) ? "near pairs" : "matrix";
}

/// Metrics with their bytes that the result does not share.
json metric_facts(const std::string& path) {
  json all = json::array();
  for (const std::string& metric : metrics(path)) {
    all.push_back({{"name", metric}, {"bytes", bytes_of_its_own(metric_path(path, metric))}});
  }
  return all;
}

std::string word_list(const json& words) {
  return words.empty() ? "none"
                       : fmt::format("{}", fmt::join(words.get<std::vector<std::string>>(), ", "));
}

}  // namespace

json result_facts(const std::string& path) {
  const std::unique_ptr<store::Store> stored = store::open_store(path);
  const store::Layout& layout = stored->layout();
  const store::Metadata metadata = stored->metadata();
  const json attributes = base::parsed_json(metadata.attributes);
  json planes = json::array(), values = json::array();
  for (const store::Plane plane : layout.planes) planes.push_back(store::name(plane));
  for (const auto& [name, numbers] : metadata.vertex_values) values.push_back(name);
  const std::optional<Graph> graph = stored->graph();
  json facts = {{"file", path},
                {"kept", kept_by(*stored)},
                {"semiring", name(layout.semiring)},
                {"value_type", name(layout.type)},
                {"vertices", layout.n},
                {"sources", layout.rows()},
                {"targets", layout.cols()},
                {"planes", planes},
                {"statistics", attributes.is_object() && attributes.contains("statistics")},
                {"vertex_values", values},
                {"plan", nullptr},
                {"graph", nullptr},
                {"metrics", metric_facts(path)},
                {"bytes", bytes_on_disk(path)}};
  if (graph) facts["graph"] = api::to_json(*graph);
  if (attributes.is_object() && attributes.contains("report")) {
    facts["plan"] = api::report_from_json(attributes["report"]).plan;
  }
  return facts;
}

std::string result_text(const json& facts, const TerminalStyle& look) {
  Table table({Align::left, Align::left}, kWidestTable);
  const auto count = [&](const char* key) { return facts[key].get<std::int64_t>(); };
  table.row({"kept", facts["kept"]});
  table.row({"distances", fmt::format("{}, {}", facts["semiring"].get<std::string>(),
                                      facts["value_type"].get<std::string>())});
  table.row({"vertices", base::format_count(count("vertices"))});
  if (count("sources") != count("vertices") || count("targets") != count("vertices")) {
    table.row({"sources, targets",
               base::format_count(count("sources")) + ", " + base::format_count(count("targets"))});
  }
  if (const json& graph = facts["graph"]; graph.is_object()) {
    const bool directed = graph["directed"];
    table.row({directed ? "arcs" : "edges", base::format_count(graph["edges"])});
    table.row({"direction", directed ? "directed" : "undirected"});
  } else {
    table.row({"graph", "not stored"});
  }
  if (!facts["planes"].empty()) table.row({"planes", word_list(facts["planes"])});
  table.row({"statistics", facts["statistics"].get<bool>() ? "stored" : "not stored"});
  if (!facts["vertex_values"].empty())
    table.row({"of vertices", word_list(facts["vertex_values"])});
  if (facts["plan"].is_string()) table.row({"plan", printable(facts["plan"].get<std::string>())});
  table.row({"size", base::format_bytes(count("bytes"))});
  for (const json& metric : facts["metrics"]) {
    table.row({"metric", fmt::format("{}, {} of its own", metric["name"].get<std::string>(),
                                     base::format_bytes(metric["bytes"]))});
  }
  return heading(look, shown_path(facts["file"])) + table.text(look);
}

}  // namespace apsp::cli
