// Statistics, and what is near.
#include <algorithm>
#include <apsp/near.hpp>
#include <cmath>
#include <map>

#include "differential/case.hpp"

namespace apsp::campaign {
namespace {

std::vector<Vertex> all_or(const std::vector<Vertex>& list, Vertex n) {
  if (!list.empty()) return list;
  std::vector<Vertex> all(n);
  for (Vertex v = 0; v < n; ++v) all[v] = v;
  return all;
}

bool about(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

void require_value(const std::optional<double>& found, std::optional<double> expected,
                   const char* name) {
  require(found.has_value() == expected.has_value(), "{} is there or not", name);
  if (found) require(*found == *expected, "{} is {}, not {}", name, *found, *expected);
}

/// Over pairs of distinct vertices.
struct Counted {
  std::vector<double> distances;      // ascending
  std::map<Vertex, double> farthest;  // by source
  double sum = 0;
};

Counted count(Case& c, const std::vector<Vertex>& sources, const std::vector<Vertex>& targets) {
  Counted counted;
  for (const Vertex u : sources) {
    for (const Vertex v : targets) {
      if (u == v || !c.truth().reachable(u, v)) continue;
      const auto d = static_cast<double>(c.truth().value(u, v));
      counted.distances.push_back(d);
      counted.sum += d;
      const auto [at, first] = counted.farthest.emplace(u, d);
      if (!first) at->second = std::max(at->second, d);
    }
  }
  std::sort(counted.distances.begin(), counted.distances.end());
  return counted;
}

void check_histogram(const Statistics& found, const Counted& counted) {
  std::int64_t pairs = 0;
  for (std::size_t i = 0; i < found.histogram.size(); ++i) {
    const HistogramBin& bin = found.histogram[i];
    const bool last = i + 1 == found.histogram.size();
    const auto inside = std::count_if(
        counted.distances.begin(), counted.distances.end(),
        [&](double d) { return d >= bin.low && (d < bin.high || (last && d == bin.high)); });
    require(bin.pairs == inside, "the bar from {} to {} counts {}, not {}", bin.low, bin.high,
            bin.pairs, inside);
    pairs += bin.pairs;
  }
  require(pairs == found.reachable_pairs, "the histogram counts {} pairs", pairs);
}

void check_centralities(Case& c, const Statistics& found, const std::vector<Vertex>& targets,
                        bool negative) {
  require(found.closeness.empty() == (negative || c.n() == 0), "closeness is there or not");
  for (const Vertex v : targets) {
    if (negative) break;
    double sum = 0, reached_by = 0, reciprocals = 0;
    for (Vertex u = 0; u < c.n(); ++u) {
      if (u == v || !c.truth().reachable(u, v)) continue;
      const auto d = static_cast<double>(c.truth().value(u, v));
      sum += d;
      reached_by += 1;
      if (d > 0) reciprocals += 1 / d;
    }
    const double closeness = sum > 0 ? reached_by / sum * reached_by / (c.n() - 1.0) : 0;
    require(about(found.closeness[v], closeness), "closeness of {} is {}, not {}", v,
            found.closeness[v], closeness);
    require(about(found.harmonic[v], reciprocals), "harmonic of {} is {}, not {}", v,
            found.harmonic[v], reciprocals);
  }
}

/// The vertices that reach the most others and are reached by them, from the first such vertex on.
std::vector<Vertex> largest_component_of(Case& c) {
  std::vector<Vertex> largest;
  for (Vertex u = 0; u < c.n(); ++u) {
    std::vector<Vertex> mine;
    for (Vertex v = 0; v < c.n(); ++v) {
      if (u == v || (c.truth().reachable(u, v) && c.truth().reachable(v, u))) mine.push_back(v);
    }
    if (mine.size() > largest.size()) largest = mine;
  }
  return largest;
}

void check_component(Case& c, const Statistics& found) {
  const std::vector<Vertex> component = largest_component_of(c);
  std::optional<double> radius, diameter;
  double sum = 0;
  for (const Vertex u : component) {
    std::optional<double> farthest;
    for (const Vertex v : component) {
      if (u == v) continue;
      const auto d = static_cast<double>(c.truth().value(u, v));
      farthest = std::max(d, farthest.value_or(d));
      sum += d;
    }
    if (!farthest) continue;
    radius = std::min(*farthest, radius.value_or(*farthest));
    diameter = std::max(*farthest, diameter.value_or(*farthest));
  }
  require_value(found.radius, radius, "radius");
  require(found.component.has_value() == !found.connected, "a component is told of, or none");
  if (!found.component) return;
  const auto size = static_cast<double>(component.size());
  require(found.component->vertices == std::ssize(component), "the component has {} vertices",
          found.component->vertices);
  require_value(found.component->diameter, diameter, "diameter of the component");
  if (size < 2) return;
  const double mean = sum / (size * (size - 1));
  require(about(*found.component->mean, mean), "the component's mean is {}, not {}",
          *found.component->mean, mean);
}

void check_eccentricities(Case& c, const Statistics& found, const Counted& counted,
                          const std::vector<Vertex>& sources) {
  std::optional<double> greatest;
  for (const auto& [vertex, farthest] : counted.farthest) {
    greatest = std::max(farthest, greatest.value_or(farthest));
  }
  for (const Vertex u : sources) {
    const auto at = counted.farthest.find(u);
    const double expected = at == counted.farthest.end() ? 0 : at->second;
    require(found.eccentricity.at(u) == expected, "eccentricity of {} is {}, not {}", u,
            found.eccentricity.at(u), expected);
  }
  if (!found.of_all()) return;
  require_value(found.diameter, greatest, "diameter");
  check_component(c, found);
}

}  // namespace

void ask_statistics(Case& c) {
  SolveOptions options = c.options();
  options.question.statistics = true;
  options.question.sources = c.problem.sources;
  options.question.targets = c.problem.targets;
  options.storage.keep = c.random.below(2) == 0 ? Keep::statistics : Keep::automatic;
  const Result result = c.solve(options);
  judge_statistics(c, options, result.statistics(), result.report());
}

void judge_statistics(Case& c, const SolveOptions& options, const Statistics& found,
                      const SolveReport& report) {
  const std::vector<Vertex> sources = all_or(options.question.sources, c.n());
  const std::vector<Vertex> targets = all_or(options.question.targets, c.n());
  const Counted counted = count(c, sources, targets);
  const auto reachable = static_cast<std::int64_t>(counted.distances.size());
  require(found.reachable_pairs == reachable, "{} reachable pairs, not {}", found.reachable_pairs,
          reachable);
  std::int64_t pairs = 0;
  for (const Vertex u : sources) {
    pairs += static_cast<std::int64_t>(targets.size()) -
             (std::count(targets.begin(), targets.end(), u) > 0 ? 1 : 0);
  }
  require(found.pairs == pairs, "{} pairs, not {}", found.pairs, pairs);
  require(found.connected == (pairs == reachable), "connected is wrong");
  if (options.question.semiring == Semiring::or_and) return;
  if (report.unit_roundoff != 0) return;
  const bool any = reachable > 0;
  const auto or_none = [&](double value) { return any ? std::optional(value) : std::nullopt; };
  require_value(found.least, or_none(any ? counted.distances.front() : 0), "least");
  require_value(found.greatest, or_none(any ? counted.distances.back() : 0), "greatest");
  require(found.mean.has_value() == any, "the mean is there or not");
  if (any) {
    const double mean = counted.sum / static_cast<double>(reachable);
    require(about(*found.mean, mean), "the mean is {}, not {}", *found.mean, mean);
    const double median = counted.distances[static_cast<std::size_t>(reachable - 1) / 2];
    require(std::abs(*found.median - median) <= std::abs(median) * found.median_error * (1 + 1e-12),
            "the median is {}, not {}", *found.median, median);
    check_histogram(found, counted);
  }
  if (options.question.semiring != Semiring::min_plus) return;
  if (options.question.targets.empty()) check_eccentricities(c, found, counted, sources);
  const bool negative = any && counted.distances.front() < 0;
  if (options.question.sources.empty()) check_centralities(c, found, targets, negative);
}

void ask_within(Case& c) {
  NearOptions options;
  options.sources = c.problem.sources;
  options.algorithm = c.problem.algorithm;
  options.threads = c.problem.threads;
  const SparseDistances found = within(c.graph, c.problem.limit, options);
  const std::vector<Vertex> sources = all_or(options.sources, c.n());
  require(found.row_begin.size() == sources.size() + 1, "{} rows", found.row_begin.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto at = static_cast<std::size_t>(found.row_begin[i]);
    for (Vertex v = 0; v < c.n(); ++v) {
      const Vertex u = sources[i];
      if (u == v || !c.truth().reachable(u, v) || c.truth().value(u, v) > c.problem.limit) continue;
      require(at < found.targets.size() && found.targets[at] == v, "{} to {} is missing", u, v);
      const auto expected = static_cast<double>(c.truth().value(u, v));
      require(found.distances[at] == expected, "{} to {} is {}, not {}", u, v, found.distances[at],
              expected);
      ++at;
    }
    require(at == static_cast<std::size_t>(found.row_begin[i + 1]), "row {} has more", i);
  }
}

void ask_nearest(Case& c) {
  std::vector<Vertex> places = c.problem.targets;
  if (c.n() == 0) return;
  if (places.size() > 1 && c.random.below(3) == 0) places.push_back(places.front());
  const Towards towards = c.random.below(2) == 0 ? Towards::places : Towards::vertices;
  const std::int64_t k = c.problem.count;
  const NearestPlaces found = nearest(c.graph, places, k, towards);
  for (Vertex v = 0; v < c.n(); ++v) {
    std::vector<std::pair<long double, std::size_t>> near;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Vertex from = towards == Towards::places ? v : places[i];
      const Vertex to = towards == Towards::places ? places[i] : v;
      if (c.truth().reachable(from, to)) near.emplace_back(c.truth().value(from, to), i);
    }
    std::sort(near.begin(), near.end());
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
      const std::size_t at = v * static_cast<std::size_t>(k) + i;
      const std::int64_t place =
          i < near.size() ? static_cast<std::int64_t>(near[i].second) : NearestPlaces::kNone;
      require(found.places[at] == place, "place {} of {} is {}, not {}", i, v, found.places[at],
              place);
      if (place == NearestPlaces::kNone) continue;
      require(found.distances[at] == static_cast<double>(near[i].first), "it is {} away, not {}",
              found.distances[at], static_cast<double>(near[i].first));
    }
  }
}

void ask_access(Case& c) {
  NearOptions options;
  options.sources = c.problem.sources;
  options.algorithm = c.problem.algorithm;
  options.threads = c.problem.threads;
  const std::size_t columns = 1 + c.random.below(3);
  std::vector<double> quantities(columns * c.n());
  for (double& quantity : quantities) quantity = static_cast<double>(c.random.below(1000));
  const std::vector<double> limits = {c.problem.limit, 2 * c.problem.limit + 1};
  const std::vector<double> found = access(c.graph, quantities, limits, {}, options);
  const std::vector<Vertex> sources = all_or(options.sources, c.n());
  require(found.size() == sources.size() * limits.size() * columns, "{} sums", found.size());
  std::size_t at = 0;
  for (const Vertex u : sources) {
    for (const double limit : limits) {
      for (std::size_t column = 0; column < columns; ++column, ++at) {
        double sum = 0;
        for (Vertex v = 0; v < c.n(); ++v) {
          const bool counts =
              u == v || (c.truth().reachable(u, v) && c.truth().value(u, v) <= limit);
          if (counts) sum += quantities[column * c.n() + v];
        }
        require(found[at] == sum, "{} has {} within {}, not {}", u, found[at], limit, sum);
      }
    }
  }
}

}  // namespace apsp::campaign
