#include "store/metadata_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace apsp::store {

bool is_array_name(const std::string& text) {
  constexpr std::array<std::string_view, 9> kTaken = {
      "distance", "predecessor", "via", "hops", "graph", "label", "c", "source", "target"};
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto allowed = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && text.size() <= 64 && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), allowed) &&
         std::find(kTaken.begin(), kTaken.end(), text) == kTaken.end();
}

std::optional<Graph> graph_to_keep(const Layout& layout, const Graph& graph) {
  if (graph.vertex_count() != layout.n) return std::nullopt;
  return graph;
}

void require_metadata(const Layout& layout, const Graph& graph, const Metadata& metadata) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::usage, message); };
  if (graph.vertex_count() != layout.n && graph.vertex_count() != 0) {
    refuse(fmt::format("a graph of {} vertices beside a matrix of {}", graph.vertex_count(),
                       layout.n));
  }
  if (!nlohmann::json::parse(metadata.attributes, nullptr, false).is_object()) {
    refuse("the attributes of a result are no JSON object");
  }
  std::set<std::string> names;
  for (const auto& [name, values] : metadata.vertex_values) {
    if (!is_array_name(name)) refuse(fmt::format("'{}' cannot name vertex values", name));
    if (!names.insert(name).second) refuse(fmt::format("vertex values '{}' given twice", name));
    if (static_cast<std::int64_t>(values.size()) != layout.n) {
      refuse(fmt::format("{} values of {} for {} vertices", values.size(), name, layout.n));
    }
  }
}

}  // namespace apsp::store
