#include "io/attributed_graph.hpp"

#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/fail.hpp"

namespace apsp::io {
namespace {

constexpr std::string_view kWeight = "weight";

/// Puts integers into their order, and drops names that are just 0 … n−1 or 1 … n. Returns the new
/// place of each vertex, and sets the first id.
std::vector<Vertex> order_integers(std::vector<std::string>& names, Vertex& first_id) {
  std::vector<Vertex> place(names.size());
  std::iota(place.begin(), place.end(), Vertex{0});
  std::vector<std::int64_t> values;
  for (const std::string& name : names) {
    const auto value = integer_of(name);
    if (!value) return place;
    values.push_back(*value);
  }
  std::vector<Vertex> order = place;
  std::ranges::sort(order, std::less<>(), [&](Vertex v) { return values[v]; });
  std::vector<std::string> sorted(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<Vertex>(i);
    sorted[i] = std::move(names[order[i]]);
  }
  names = std::move(sorted);
  if (names.empty()) return place;
  const std::int64_t first = values[order.front()];
  const bool dense =
      (first == 0 || first == 1) && values[order.back()] - first == std::ssize(names) - 1;
  if (dense) {
    names.clear();
    first_id = static_cast<Vertex>(first);
  }
  return place;
}

}  // namespace

void AttributedGraph::fail_at(const char* at, const std::string& message) const {
  if (at != nullptr) cursor_.fail(at, "{}", message);
  throw Error::malformed({cursor_.source().name}, message);
}

void AttributedGraph::add_vertex(std::string_view id, std::string_view label, const char* at) {
  const Vertex vertex = ids_.intern(id, VertexNames::hash(id), at);
  declared_.resize(ids_.count());
  labels_.resize(ids_.count());
  if (declared_[vertex]) fail(at, "the vertex '{}' is declared twice", id);
  declared_[vertex] = true;
  labels_[vertex] = label;
}

void AttributedGraph::add_edge(std::string_view from, std::string_view to,
                               std::optional<bool> directed, const char* at) {
  const Vertex u = ids_.intern(from, VertexNames::hash(from), at);
  edges_.push_back({u, ids_.intern(to, VertexNames::hash(to), at), directed, at});
}

AttributedGraph::Attribute& AttributedGraph::attribute(std::string_view name) {
  const auto found = attributes_.find(name);
  return found != attributes_.end() ? found->second : attributes_[std::string(name)];
}

void AttributedGraph::set(std::string_view name, std::string_view value, const char* at) {
  Attribute& of = attribute(name);
  const char* from = value.data();
  const char* const end = from + value.size();
  double number = 0;
  if (read_number(from, end, number) == NumberFault::none && from == end) {
    of.values.emplace_back(edges_.size() - 1, number);
  } else if (of.fault_value.empty()) {
    of.fault = at;
    of.fault_value = value.empty() ? " " : value;
  }
}

void AttributedGraph::set_default(std::string_view name, std::string_view value) {
  Attribute& of = attribute(name);
  const char* at = value.data();
  double number = 0;
  if (read_number(at, at + value.size(), number) == NumberFault::none) of.otherwise = number;
}

bool AttributedGraph::every_id(bool (*holds)(std::string_view)) const {
  for (Vertex v = 0; v < ids_.count(); ++v) {
    if (!holds(ids_.text(v))) return false;
  }
  return true;
}

std::string AttributedGraph::edge_text(std::size_t edge) const {
  const End& end = edges_[edge];
  return fmt::format("the edge from '{}' to '{}'", ids_.text(end.from), ids_.text(end.to));
}

const AttributedGraph::Attribute* AttributedGraph::weight_attribute() {
  const std::string& asked = cursor_.source().options.weight;
  const auto wanted = attributes_.find(asked.empty() ? kWeight : std::string_view(asked));
  if (wanted != attributes_.end()) return &wanted->second;
  std::vector<std::string_view> all, numbers;
  for (const auto& [name, of] : attributes_) {
    all.push_back(name);
    if (of.fault_value.empty()) numbers.push_back(name);
  }
  if (asked == kNoWeight || (asked.empty() && all.empty())) return nullptr;
  if (!asked.empty()) {
    fail(nullptr, "no edge has the attribute '{}'; the attributes of edges are: {}", asked,
         all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", ")));
  }
  if (numbers.empty()) {
    remark("no attribute of the edges is a number: every edge has weight 1");
    return nullptr;
  }
  fail(nullptr,
       "edges have numbers, but no 'weight': say `weight={}`, or `weight=none` for paths of fewest "
       "edges",
       fmt::join(numbers, "`, or `weight="));
}

std::vector<double> AttributedGraph::weights() {
  const Attribute* const of = weight_attribute();
  std::vector<double> weights(edges_.size(), 1);
  if (of == nullptr) return weights;
  if (!of->fault_value.empty()) {
    const char* at = of->fault_value.data();
    double number = 0;
    const NumberFault fault = read_number(at, at + of->fault_value.size(), number);
    fail(of->fault, "the weight '{}' {}", of->fault_value, describe(of->fault_value, fault));
  }
  std::ranges::fill(weights, of->otherwise);
  for (const auto& [edge, weight] : of->values) weights[edge] = weight;
  const auto none = std::ranges::find_if(weights, [](double weight) { return std::isnan(weight); });
  if (none == weights.end()) return weights;
  const auto edge = static_cast<std::size_t>(none - weights.begin());
  fail(edges_[edge].at, "{} has no weight, and other edges have one", edge_text(edge));
}

void AttributedGraph::require_declared() const {
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    for (const Vertex end : {edges_[i].from, edges_[i].to}) {
      if (end < declared_.size() && declared_[end]) continue;
      fail(edges_[i].at, "{} ends at a vertex that the file does not declare: '{}'", edge_text(i),
           ids_.text(end));
    }
  }
}

bool AttributedGraph::resolve_direction(bool directed) {
  bool any_directed = false, any_undirected = false;
  for (End& edge : edges_) {
    edge.directed = edge.directed.value_or(directed);
    (*edge.directed ? any_directed : any_undirected) = true;
  }
  const auto& asked = cursor_.source().options.directed;
  if (any_directed && any_undirected && !asked) {
    remark("the file has directed and undirected edges: undirected ones are taken both ways");
  }
  return asked.value_or(any_directed || (directed && !any_undirected));
}

std::vector<std::string> AttributedGraph::names_of_vertices(Names names) {
  std::vector<std::string> ids;
  for (Vertex v = 0; v < ids_.count(); ++v) ids.emplace_back(ids_.text(v));
  const std::set<std::string_view> distinct(labels_.begin(), labels_.end());
  const bool some = distinct.size() > 1 || !distinct.contains("");
  if (names == Names::ids || !some) return ids;
  if (distinct.size() == labels_.size() && !distinct.contains("")) return std::move(labels_);
  remark("vertices are named by their ids: their labels are not distinct, or some have none");
  return ids;
}

Graph AttributedGraph::build(bool directed, Names names) {
  require_declared();
  const std::vector<double> weight = weights();
  const bool one_way = resolve_direction(directed);
  std::vector<std::string> labels = names_of_vertices(names);
  Vertex first_id = 0;
  const std::vector<Vertex> place = order_integers(labels, first_id);
  GraphBuilder builder(static_cast<std::int64_t>(ids_.count()), one_way);
  builder.set_threads(cursor_.source().options.threads);
  builder.reserve(std::ssize(edges_));
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Vertex u = place[edges_[i].from], v = place[edges_[i].to];
    builder.add_edge(u, v, weight[i]);
    if (one_way && !*edges_[i].directed && u != v) builder.add_edge(v, u, weight[i]);
  }
  builder.set_first_id(first_id);
  if (!labels.empty()) builder.set_labels(std::move(labels));
  Graph graph = base::of_file(cursor_.source().name, [&] { return std::move(builder).build(); });
  for (std::string& text : remarks_) graph = graph.with_remark(std::move(text));
  cursor_.source().progress.reached(cursor_.source().bytes.size());
  return graph;
}

}  // namespace apsp::io
