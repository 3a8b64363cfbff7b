// Near pairs, accessibility, nearest places, betweenness, counts of paths.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <apsp/near.hpp>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"
#include "describe.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

std::vector<Vertex> vertices_of(const Values<std::int64_t>& numbers) {
  const auto given = span_of(numbers);
  return {given.begin(), given.end()};
}

struct Asked {
  Values<std::int64_t> sources;  // none: all
  std::string algorithm, device;
  int threads;
  std::int64_t memory;  // 0: what is free

  NearOptions with(const Control& control) const {
    NearOptions options{.sources = vertices_of(sources),
                        .algorithm = algorithm_of(algorithm),
                        .threads = threads,
                        .control = control,
                        .memory = memory};
    options.device = device_of(device, options.device_ordinals);
    return options;
  }
};

/// (row_begin, targets, distances).
nb::tuple find_within(const Graph& graph, double limit, const Values<std::int64_t>& sources,
                      const std::string& algorithm, const std::string& device, int threads,
                      std::int64_t memory, const nb::object& progress) {
  const Asked asked{sources, algorithm, device, threads, memory};
  SparseDistances found = call(
      [&](const Control& control) { return within(graph, limit, asked.with(control)); }, progress);
  return nb::make_tuple(array_of(std::move(found.row_begin)), array_of(std::move(found.targets)),
                        array_of(std::move(found.distances)));
}

/// Verifies near pairs in compressed sparse rows.
nb::dict verify_near(const Values<std::int64_t>& begins, const Values<std::int64_t>& targets,
                     const Values<double>& distances, const Graph& graph, double limit,
                     const Values<std::int64_t>& sources, std::int64_t rows, std::uint64_t seed,
                     std::optional<double> tolerance, const nb::object& progress) {
  VerifyOptions options{.sources = rows, .seed = seed, .tolerance = tolerance};
  return describe(call(
      [&](const Control& control) {
        options.control = control;
        SparseDistances pairs;
        pairs.vertices = graph.vertex_count();
        const auto all = span_of(distances);
        const auto begin = span_of(begins);
        pairs.row_begin = {begin.begin(), begin.end()};
        pairs.targets = vertices_of(targets);
        pairs.distances = {all.begin(), all.end()};
        return verify(pairs, graph, limit, vertices_of(sources), options);
      },
      progress));
}

Decay decay_of(const std::string& kind, double scale) {
  return {kind == "exp"        ? Decay::Kind::exponential
          : kind == "gaussian" ? Decay::Kind::gaussian
          : kind == "power"    ? Decay::Kind::power
          : kind == "linear"   ? Decay::Kind::linear
                               : Decay::Kind::none,
          scale};
}

/// [sources · limits · columns]. `decay`: "none", "linear", "exp".
nb::object find_access(const Graph& graph, const Values<double>& quantities,
                       const Values<double>& limits, const std::string& decay, double scale,
                       const Values<std::int64_t>& sources, const std::string& algorithm,
                       int threads, std::int64_t memory, const nb::object& progress) {
  const Asked asked{sources, algorithm, "cpu", threads, memory};
  return array_of(call(
      [&](const Control& control) {
        return access(graph, span_of(quantities), span_of(limits), decay_of(decay, scale),
                      asked.with(control));
      },
      progress));
}

Reach find_reach(const Graph& graph, double limit, bool distances,
                 const Values<std::int64_t>& sources, const std::string& algorithm, int threads,
                 std::int64_t memory, const nb::object& progress) {
  const Asked asked{sources, algorithm, "cpu", threads, memory};
  return call(
      [&](const Control& control) { return Reach(graph, limit, distances, asked.with(control)); },
      progress);
}

/// As `find_access`.
nb::object sums_of_reach(const Reach& reach, const Values<double>& quantities,
                         const Values<double>& limits, const std::string& decay, double scale) {
  return array_of(call(
      [&](const Control& control) {
        return reach.sums(span_of(quantities), span_of(limits), decay_of(decay, scale), control);
      },
      nb::none()));
}

/// (places, distances), [n · k] each.
nb::tuple find_nearest(const Graph& graph, const Values<std::int64_t>& places, std::int64_t k,
                       bool to_places, std::int64_t memory, const nb::object& progress) {
  NearestPlaces found = call(
      [&](const Control& control) {
        return nearest(graph, vertices_of(places), k,
                       to_places ? Towards::places : Towards::vertices, control, memory);
      },
      progress);
  return nb::make_tuple(array_of(std::move(found.places)), array_of(std::move(found.distances)));
}

/// (of vertices [n], tails, heads, of arcs), the last three empty without `arcs`. `given`: options
/// of a solve; `scale`: a `PairScale`'s number.
nb::tuple find_betweenness(const Graph& graph, const nb::dict& given, int scale, bool endpoints,
                           bool arcs, const nb::object& progress) {
  const SolveOptions solving = options_of(given);
  BetweennessOptions options;
  options.sources = solving.question.sources;
  options.scale = static_cast<PairScale>(scale);
  options.endpoints = endpoints;
  options.arcs = arcs;
  options.algorithm = solving.method.algorithm;
  options.device = solving.machine.device;
  options.device_ordinals = solving.machine.device_ordinals;
  options.threads = solving.machine.threads;
  options.memory = solving.machine.memory;
  Betweenness found = call(
      [&](const Control& control) {
        options.control = control;
        return betweenness(graph, options);
      },
      progress);
  std::vector<std::int64_t> tails, heads;
  for (const Edge& arc : found.arcs) {
    tails.push_back(arc.from);
    heads.push_back(arc.to);
  }
  return nb::make_tuple(array_of(std::move(found.vertices)), array_of(std::move(tails)),
                        array_of(std::move(heads)), array_of(std::move(found.of_arcs)));
}

/// (betweenness [limits · n], tails, heads, of arcs, reached [limits · sources], distances).
nb::tuple find_near_centrality(const Graph& graph, const Values<double>& limits,
                               const nb::dict& given, int scale, bool endpoints, bool arcs,
                               const nb::object& progress) {
  const SolveOptions solving = options_of(given);
  BetweennessOptions options{.sources = solving.question.sources,
                             .scale = static_cast<PairScale>(scale),
                             .endpoints = endpoints,
                             .arcs = arcs,
                             .threads = solving.machine.threads,
                             .memory = solving.machine.memory};
  NearCentrality found = call(
      [&](const Control& control) {
        options.control = control;
        return near_centrality(graph, span_of(limits), options);
      },
      progress);
  std::vector<std::int64_t> tails, heads;
  for (const Edge& arc : found.arcs) {
    tails.push_back(arc.from);
    heads.push_back(arc.to);
  }
  return nb::make_tuple(array_of(std::move(found.betweenness)), array_of(std::move(tails)),
                        array_of(std::move(heads)), array_of(std::move(found.of_arcs)),
                        array_of(std::move(found.reached)), array_of(std::move(found.distances)));
}

nb::list described(const std::vector<Eccentricities>& found) {
  const auto range = [](const ProvenRange& of) { return nb::make_tuple(of.least, of.most); };
  const auto pair = [](const VertexPair& of) { return nb::make_tuple(of.from, of.to); };
  nb::list all;
  for (const Eccentricities& one : found) {
    nb::dict described;
    described["components"] = one.components;
    described["vertices"] = one.vertices;
    described["diameter"] = range(one.diameter);
    described["radius"] = range(one.radius);
    described["diameter_pair"] = pair(one.diameter_pair);
    described["radius_pair"] = pair(one.radius_pair);
    described["periphery"] = array_of(std::vector<Vertex>(one.periphery));
    described["centre"] = array_of(std::vector<Vertex>(one.centre));
    described["eccentricity"] = array_of(std::vector<double>(one.eccentricity));
    described["tolerance"] = one.tolerance;
    described["rows"] = one.rows;
    described["complete"] = one.complete;
    described["plan"] = one.plan;
    all.append(std::move(described));
  }
  return all;
}

/// A list of dictionaries. An exception that ends the call early has it as the attribute `bounds`.
nb::list find_eccentricity(const std::variant<const Graph*, const Result*>& from, int goal,
                           bool sets, bool each, const std::string& algorithm, int threads,
                           std::int64_t memory, const nb::object& progress) {
  EccentricityOptions options{.goal = static_cast<EccentricityGoal>(goal),
                              .sets = sets,
                              .algorithm = algorithm_of(algorithm),
                              .threads = threads,
                              .memory = memory};
  std::vector<Eccentricities> found;
  try {
    call(
        [&](const Control& control) {
          options.control = control;
          std::visit(
              [&](const auto* of) {
                if (each) {
                  found = component_eccentricities(*of, options);
                } else {
                  found.push_back(eccentricity(*of, options));
                }
              },
              from);
        },
        progress);
  } catch (nb::python_error& stopped) {
    if (!found.empty()) nb::setattr(stopped.value(), "bounds", described(found));
    throw;
  }
  return described(found);
}

std::vector<VertexPair> pairs_of(const Values<std::int64_t>& from, const Values<std::int64_t>& to) {
  std::vector<VertexPair> pairs;
  for (std::size_t i = 0; i < from.shape(0); ++i) {
    pairs.push_back({static_cast<Vertex>(from.data()[i]), static_cast<Vertex>(to.data()[i])});
  }
  return pairs;
}

/// `volumes`: [columns · pairs]. Returns the fields of `Loads`, arcs as tails, heads and weights.
template <class Network>  // a graph, or a result
nb::tuple find_loads(const Network& network, const Values<std::int64_t>& from,
                     const Values<std::int64_t>& to, const Values<double>& volumes, bool split,
                     const Values<std::int64_t>& select_from, const Values<std::int64_t>& select_to,
                     const nb::dict& given, const nb::object& progress) {
  const SolveOptions solving = options_of(given);
  const auto all = span_of(volumes);
  Loads found = call(
      [&](const Control& control) {
        return loads(network, {pairs_of(from, to), {all.begin(), all.end()}},
                     {.split = split,
                      .select = pairs_of(select_from, select_to),
                      .threads = solving.machine.threads,
                      .memory = solving.machine.memory,
                      .control = control});
      },
      progress);
  std::vector<std::int64_t> tails, heads, selected;
  std::vector<double> weights;
  for (const Edge& arc : found.arcs) {
    tails.push_back(arc.from);
    heads.push_back(arc.to);
    weights.push_back(arc.weight);
  }
  for (const auto& [arc, pair] : found.selected) selected.insert(selected.end(), {arc, pair});
  return nb::make_tuple(
      array_of(std::move(tails)), array_of(std::move(heads)), array_of(std::move(weights)),
      array_of(std::move(found.volumes)), array_of(std::move(found.costs)), found.without_path,
      array_of(std::move(found.left_out)), array_of(std::move(selected)), found.plan);
}

PathCountOptions count_options_of(const nb::dict& given) {
  const SolveOptions solving = options_of(given);
  return {.sources = solving.question.sources,
          .targets = solving.question.targets,
          .threads = solving.machine.threads,
          .memory = solving.machine.memory};
}

/// [sources · targets]
nb::object count_paths(const Graph& graph, const nb::dict& given, const nb::object& progress) {
  PathCountOptions options = count_options_of(given);
  return array_of(call(
      [&](const Control& control) {
        options.control = control;
        return path_counts(graph, options);
      },
      progress));
}

/// ([n + 1], [predecessors]) of each source
nb::list find_all_predecessors(const Graph& graph, const nb::dict& given,
                               const nb::object& progress) {
  PathCountOptions options = count_options_of(given);
  std::vector<AllPredecessors> found = call(
      [&](const Control& control) {
        options.control = control;
        return all_predecessors(graph, options);
      },
      progress);
  nb::list tables;
  for (AllPredecessors& one : found) {
    tables.append(nb::make_tuple(
        array_of(std::move(one.first)),
        array_of(std::vector<std::int64_t>(one.vertices.begin(), one.vertices.end()))));
    one = {};
  }
  return tables;
}

nb::object find_local_efficiency(const Graph& graph, bool weighted, int threads,
                                 std::int64_t memory, const nb::object& progress) {
  return array_of(call(
      [&](const Control& control) {
        return local_efficiency(graph, {weighted, threads, memory, control});
      },
      progress));
}

}  // namespace

void bind_near(nb::module_& module) {
  module.def("within", &find_within, nb::arg("graph"), nb::arg("limit"), nb::arg("sources"),
             nb::arg("algorithm"), nb::arg("device"), nb::arg("threads"), nb::arg("memory"),
             nb::arg("progress").none());
  module.def("verify_near", &verify_near, nb::arg("begins"), nb::arg("targets"),
             nb::arg("distances"), nb::arg("graph"), nb::arg("limit"), nb::arg("sources"),
             nb::arg("rows"), nb::arg("seed"), nb::arg("tolerance").none(),
             nb::arg("progress").none());
  module.def("access", &find_access, nb::arg("graph"), nb::arg("quantities"), nb::arg("limits"),
             nb::arg("decay"), nb::arg("scale"), nb::arg("sources"), nb::arg("algorithm"),
             nb::arg("threads"), nb::arg("memory"), nb::arg("progress").none());
  nb::class_<Reach>(module, "Reach")
      .def_prop_ro("pairs", &Reach::pairs)
      .def_prop_ro("bytes", &Reach::bytes)
      .def("sums", &sums_of_reach, nb::arg("quantities"), nb::arg("limits"), nb::arg("decay"),
           nb::arg("scale"));
  module.def("reach", &find_reach, nb::arg("graph"), nb::arg("limit"), nb::arg("distances"),
             nb::arg("sources"), nb::arg("algorithm"), nb::arg("threads"), nb::arg("memory"),
             nb::arg("progress").none());
  module.def("nearest", &find_nearest, nb::arg("graph"), nb::arg("places"), nb::arg("k"),
             nb::arg("to_places"), nb::arg("memory"), nb::arg("progress").none());
  module.def("betweenness", &find_betweenness, nb::arg("graph"), nb::arg("options"),
             nb::arg("scale"), nb::arg("endpoints"), nb::arg("arcs"), nb::arg("progress").none());
  module.def("near_centrality", &find_near_centrality, nb::arg("graph"), nb::arg("limits"),
             nb::arg("options"), nb::arg("scale"), nb::arg("endpoints"), nb::arg("arcs"),
             nb::arg("progress").none());
  module.def("reversed", [](const Graph& graph) {
    return call([&](const Control&) { return reversed(graph); });
  });
  module.def("eccentricity", &find_eccentricity, nb::arg("of"), nb::arg("goal"), nb::arg("sets"),
             nb::arg("each"), nb::arg("algorithm"), nb::arg("threads"), nb::arg("memory"),
             nb::arg("progress").none());
  const auto define_loads = [&](const auto find) {
    module.def("loads", find, nb::arg("network"), nb::arg("from"), nb::arg("to"),
               nb::arg("volumes"), nb::arg("split"), nb::arg("select_from"), nb::arg("select_to"),
               nb::arg("options"), nb::arg("progress").none());
  };
  define_loads(&find_loads<Graph>);
  define_loads(&find_loads<Result>);
  module.def("path_counts", &count_paths, nb::arg("graph"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("all_predecessors", &find_all_predecessors, nb::arg("graph"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("local_efficiency", &find_local_efficiency, nb::arg("graph"), nb::arg("weighted"),
             nb::arg("threads"), nb::arg("memory"), nb::arg("progress").none());
}

}  // namespace apsp::python
