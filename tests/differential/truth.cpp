#include "differential/truth.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "base/units.hpp"

namespace apsp::campaign {
namespace {

/// Sums of two paths stay below 2^62.
bool in_64_bits(const WeightFacts& facts) { return facts.integral && facts.longest_path < 0x1p60; }

double as_printed(double bound) {
  return bound > 0 ? std::strtod(base::format_error(bound).c_str(), nullptr) : 0;
}

Graph with_ones(const Graph& graph) {
  GraphBuilder builder(graph.vertex_count(), true);
  graph.visit_all([&](Vertex u, Vertex v, double) { builder.add_edge(u, v, 1); });
  return std::move(builder).build();
}

std::variant<BestValues<std::int64_t>, ExactDistances> values_of(const Graph& graph,
                                                                 Semiring semiring) {
  // The narrowest of ones is one: reachability.
  if (semiring == Semiring::or_and) semiring = Semiring::max_min;
  if (in_64_bits(graph.weight_facts())) return BestValues<std::int64_t>(graph, semiring);
  return ExactDistances(graph, semiring);
}

bool sums(Semiring semiring) {
  return semiring == Semiring::min_plus || semiring == Semiring::max_plus;
}

}  // namespace

Bound bound_of(const SolveReport& report) {
  return {as_printed(report.unit_roundoff), as_printed(report.absolute_error)};
}

double told_no_path(Semiring semiring) {
  return no_path(semiring, semiring == Semiring::or_and ? ValueType::boolean : ValueType::f64);
}
double told_empty_path(Semiring semiring) {
  return empty_path(semiring, semiring == Semiring::or_and ? ValueType::boolean : ValueType::f64);
}

Truth::Truth(const Graph& graph, Semiring semiring)
    : graph_(semiring == Semiring::or_and ? with_ones(graph) : graph),
      semiring_(semiring),
      values_(values_of(graph_, semiring)) {}

bool Truth::cyclic() const {
  return std::visit([](const auto& values) { return values.cyclic(); }, values_);
}

bool Truth::reachable(Vertex u, Vertex v) const {
  if (u == v) return true;
  return std::visit([&](const auto& values) { return values(u, v).has_value(); }, values_);
}

long double Truth::value(Vertex u, Vertex v) const {
  if (u == v) return told_empty_path(semiring_);
  if (!reachable(u, v)) return told_no_path(semiring_);
  if (whole()) return static_cast<long double>(*std::get<0>(values_)(u, v));
  return std::get<1>(values_)(u, v)->rounded();
}

long double Truth::error(Vertex u, Vertex v, double found) const {
  if (whole()) return std::abs(static_cast<long double>(found) - value(u, v));
  return (Exact(found) - *std::get<1>(values_)(u, v)).magnitude().rounded();
}

std::size_t Truth::most_edges(Vertex u, Vertex v, long double slack) const {
  const auto at_most = static_cast<double>(slack);
  if (whole()) {
    return std::get<0>(values_).most_edges(graph_, u, v, static_cast<std::int64_t>(at_most));
  }
  return std::get<1>(values_).most_edges(graph_, u, v, Exact(at_most));
}

std::string Truth::judge(Vertex u, Vertex v, double found, const Bound& bound) const {
  const auto wrong = [&](std::string_view what) {
    return fmt::format("{} to {} is {:.17g}, {} {:.17g}", u, v, found, what,
                       static_cast<double>(value(u, v)));
  };
  if (u == v || !reachable(u, v)) {
    return found == static_cast<double>(value(u, v)) ? std::string() : wrong("not");
  }
  if (semiring_ == Semiring::or_and) return found == 1 ? std::string() : wrong("not");
  if (!std::isfinite(found)) return wrong("not");
  const long double off = error(u, v, found);
  if (off == 0) return {};
  if (bound.absolute > 0) return off <= bound.absolute ? std::string() : wrong("too far off");
  const long double an_edge = bound.an_edge * std::abs(value(u, v));
  if (off <= an_edge) return {};
  if (an_edge == 0 || !sums(semiring_)) return wrong("not");
  const auto n = static_cast<long double>(graph_.vertex_count());
  if (off > n * an_edge) return wrong("too far off");
  const std::size_t edges = most_edges(u, v, 2 * n * an_edge);
  return off <= an_edge * static_cast<long double>(edges) ? std::string() : wrong("too far off");
}

}  // namespace apsp::campaign
