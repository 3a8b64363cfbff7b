#include "graph/lengths.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cmath>
#include <vector>

namespace apsp {
namespace {

constexpr std::array kAllLengths = {EdgeLengths::inverse, EdgeLengths::log, EdgeLengths::one_minus};
constexpr std::array<std::string_view, 3> kLengthNames = {"inverse", "log", "one-minus"};
constexpr std::array<std::string_view, 3> kLengthFormulas = {"1 / strength", "-ln(strength)",
                                                             "1 - strength"};

bool has_length(double strength, EdgeLengths lengths) {
  return strength > 0 && (lengths == EdgeLengths::inverse || strength <= 1);
}

double length_of(double strength, EdgeLengths lengths) {
  switch (lengths) {
    case EdgeLengths::inverse:
      return 1 / strength;
    case EdgeLengths::log:
      return std::abs(std::log(strength));  // no −0 for strength 1
    case EdgeLengths::one_minus:
      return 1 - strength;
  }
  return strength;
}

}  // namespace

std::optional<Edge> graph::first_without_length(const Graph& graph, EdgeLengths lengths) {
  const WeightFacts& facts = graph.weight_facts();
  if (graph.arc_count() == 0 ||
      (has_length(facts.least, lengths) && has_length(facts.greatest, lengths))) {
    return std::nullopt;
  }
  std::optional<Edge> found;
  for (Vertex from = 0; from < graph.vertex_count() && !found; ++from) {
    graph.for_each_arc(from, [&](Vertex to, double strength) {
      if (!found && !has_length(strength, lengths)) found = Edge{from, to, strength};
    });
  }
  return found;
}

std::string graph::why_no_length(const Graph& graph, const Edge& edge, EdgeLengths lengths) {
  return fmt::format(
      "the strength of the edge {} → {} is {}, and `lengths={}` takes strengths above 0{}: leave "
      "the "
      "edge out, or give it another strength",
      graph.name(edge.from), graph.name(edge.to), edge.weight, name(lengths),
      lengths == EdgeLengths::inverse ? "" : " up to 1");
}

Graph with_lengths(const Graph& graph, EdgeLengths lengths) {
  if (const auto bad = graph::first_without_length(graph, lengths)) {
    throw Error(ErrorKind::usage, graph::why_no_length(graph, *bad, lengths));
  }
  std::vector<double> found;
  found.reserve(static_cast<std::size_t>(graph.edge_count()));
  graph.visit_all([&](Vertex from, Vertex to, double strength) {
    if (graph.directed() || from <= to) found.push_back(length_of(strength, lengths));
  });
  Graph changed = with_weights(graph, found);
  for (const std::string& remark : graph.remarks()) changed = changed.with_remark(remark);
  return changed.with_remark(
      fmt::format("lengths are {}", kLengthFormulas[static_cast<std::size_t>(lengths)]));
}

std::span<const EdgeLengths> all_lengths() { return kAllLengths; }

std::string_view name(EdgeLengths lengths) {
  return kLengthNames[static_cast<std::size_t>(lengths)];
}

std::optional<EdgeLengths> parse_lengths(std::string_view text) {
  const auto at = std::ranges::find(kLengthNames, text);
  if (at == kLengthNames.end()) return std::nullopt;
  return kAllLengths[static_cast<std::size_t>(at - kLengthNames.begin())];
}

}  // namespace apsp
