// Graphs from arrays and files, to files, and their properties.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"
#include "describe.hpp"
#include "kept_array.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

using Labels = std::optional<std::vector<std::string>>;

/// Properties of a graph other than its arcs.
struct Frame {
  std::int64_t n;
  bool directed;
  Labels labels;
  Vertex first_id;
};

GraphBuilder builder_of(Frame& frame, bool directed) {
  GraphBuilder builder(frame.n, directed);
  builder.set_first_id(frame.first_id);
  if (frame.labels) builder.set_labels(*frame.labels);
  return builder;
}

Graph graph_from_edges(const Values<std::int64_t>& from, const Values<std::int64_t>& to,
                       const std::optional<Values<double>>& weights, std::int64_t n, bool directed,
                       const nb::object& labels, Vertex first_id, bool in_order) {
  const std::size_t m = from.shape(0);
  if (to.shape(0) != m || (weights && weights->shape(0) != m)) {
    throw Error(ErrorKind::usage, "sources, targets and weights of edges differ in number");
  }
  const auto edges = std::make_shared<std::vector<Edge>>(m);
  const auto copy = [&](const Control& control) {
    const std::int64_t* u = from.data();
    const std::int64_t* v = to.data();
    constexpr std::size_t kLooks = 1 << 20;  // edges: some milliseconds
    for (std::size_t i = 0; i < m; ++i) {
      if (i % kLooks == 0 && control.cancellation != nullptr && control.cancellation->requested()) {
        return;
      }
      if (u[i] < 0 || u[i] >= n || v[i] < 0 || v[i] >= n) {
        throw Error(ErrorKind::usage, "edge " + std::to_string(u[i]) + " → " +
                                          std::to_string(v[i]) + " in a graph of " +
                                          std::to_string(n) + (n == 1 ? " vertex" : " vertices"));
      }
      (*edges)[i] = {static_cast<Vertex>(u[i]), static_cast<Vertex>(v[i]),
                     weights ? weights->data()[i] : 1.0};
    }
  };
  const auto graph = std::make_shared<Graph>();
  const auto frame =
      std::make_shared<Frame>(Frame{n, directed, names_to_library(labels), first_id});
  const auto build = [=](const Control&) {
    GraphBuilder builder = builder_of(*frame, directed);
    builder.add_edges(std::move(*edges));
    if (!in_order) builder.forget_order();
    *graph = std::move(builder).build();
  };
  constexpr std::size_t kFew = 1 << 12;  // edges: some 100 µs
  if (m <= kFew && n <= std::int64_t{kFew}) {
    call_brief(copy);
    call_brief(build);
  } else {
    call(copy);
    listen_or_leave(build, nb::none());
  }
  return *graph;
}

template <class T>
using Square = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Returns a copy with "no arc" for infinities and NaN.
template <class T>
std::shared_ptr<const T[]> cleaned(const T* values, std::int64_t n) {
  const std::shared_ptr<T[]> copy =
      std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(n * n));
  std::transform(values, values + n * n, copy.get(),
                 [](T value) { return std::isfinite(value) ? value : WeightMatrix::no_arc<T>(); });
  return copy;
}

/// values: [n, n], row-major or column-major. Copied values: NaN and infinities are no edges;
/// otherwise only infinity is, and the graph keeps the array.
template <class T>
Graph graph_from_matrix(const Square<T>& values, bool by_columns, bool copy, bool directed,
                        const nb::object& labels, Vertex first_id) {
  const auto n = static_cast<std::int64_t>(values.shape(0));
  detail::require_square(values.data(), n, static_cast<std::int64_t>(values.shape(1)), n);
  Frame frame{n, directed, names_to_library(labels), first_id};
  WeightMatrix matrix;
  matrix.type = detail::ValueTypeOf<T>::value;
  matrix.n = n;
  matrix.by_columns = by_columns;
  if (!copy) {
    matrix.data = values.data();
    matrix.owner = kept_array(values);
  }
  const auto build = [&](const Control&) {
    if (copy) {
      const std::shared_ptr<const T[]> own = cleaned(values.data(), n);
      matrix.data = own.get();
      matrix.owner = own;
    }
    matrix.memory = n * n * static_cast<std::int64_t>(sizeof(T));
    GraphBuilder builder = builder_of(frame, directed);
    builder.set_matrix(std::move(matrix));
    return std::move(builder).build();
  };
  constexpr std::int64_t kFew = 64;  // vertices: some 10 µs
  return n <= kFew ? call_brief(build) : call(build);
}

using AnyColumn = std::variant<int, std::string>;

Column column_of(const AnyColumn& column) {
  return std::visit([](const auto& value) { return Column(value); }, column);
}

GraphFormat format_of(const std::string& text) {
  return choice_of(text, "graph format", parse_graph_format, names_of(all_graph_formats()));
}

void take_table_options(const nb::dict& given, ReadOptions& options) {
  const auto separator = [](const std::string& text) {
    if (text == "tab") return std::optional(Separator::tab);
    if (text == "comma") return std::optional(Separator::comma);
    if (text == "semicolon") return std::optional(Separator::semicolon);
    return text == "blank" ? std::optional(Separator::blank) : std::nullopt;
  };
  const auto ids = [](const std::string& text) {
    if (text == "number") return std::optional(VertexIds::number);
    return text == "text" ? std::optional(VertexIds::text) : std::nullopt;
  };
  const auto zero = [](const std::string& text) {
    if (text == "edge") return std::optional(true);
    return text == "none" ? std::optional(false) : std::nullopt;
  };
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (name == "oneway") {
      options.oneway = column_of(nb::cast<AnyColumn>(value));
    } else if (name == "reverse_cost") {
      options.reverse_cost = column_of(nb::cast<AnyColumn>(value));
    } else if (name == "all_streets") {
      options.all_streets = nb::cast<bool>(value);
    } else {
      const auto text = nb::cast<std::string>(value);
      if (name == "separator") {
        options.separator =
            choice_of(text, name.c_str(), separator, "tab, comma, semicolon, blank");
      } else if (name == "ids") {
        options.ids = choice_of(text, name.c_str(), ids, "number, text");
      } else if (name == "zero") {
        options.zero_is_edge = choice_of(text, name.c_str(), zero, "edge, none");
      } else if (name == "lengths") {
        options.lengths = text;
      } else if (name == "profile") {
        options.profile = text;
      } else {
        options.encoding = text;
      }
    }
  }
}

/// Reads a file, or `bytes` with the name `path`.
Graph read_file(const std::string& path, const std::optional<std::string>& format,
                std::optional<bool> directed, const std::optional<std::vector<AnyColumn>>& columns,
                const std::optional<std::string>& as_rel, const std::string& weight,
                const std::string& coordinates, int threads, bool keep_order, const nb::dict& table,
                const nb::object& progress, const std::optional<nb::bytes>& bytes) {
  ReadOptions options;
  take_table_options(table, options);
  if (format) options.format = format_of(*format);
  options.directed = directed;
  if (columns) {
    if (columns->size() < 2 || columns->size() > 3) {
      throw Error(
          ErrorKind::usage,
          "columns are (from, to) or (from, to, weight): titles, or numbers counted from 1");
    }
    options.columns = {column_of((*columns)[0]), column_of((*columns)[1]),
                       columns->size() == 3 ? column_of((*columns)[2]) : Column()};
  }
  const auto direction = [](const std::string& text) {
    if (text == "both") return std::optional(AsRelPolicy::both);
    if (text == "down") return std::optional(AsRelPolicy::down);
    return text == "up" ? std::optional(AsRelPolicy::up) : std::nullopt;
  };
  if (as_rel)
    options.as_rel = choice_of(*as_rel, "direction of relations", direction, "both, down, up");
  options.weight = weight;
  options.coordinates = coordinates;
  options.threads = threads;
  options.keep_order = keep_order;
  const std::span<const char> content =
      bytes ? std::span(bytes->c_str(), bytes->size()) : std::span<const char>();
  return call(
      [&](const Control& control) {
        options.control = control;
        return content.data() == nullptr ? read_graph(path, options)
                                         : parse_graph(content, path, options);
      },
      progress);
}

void write_file(const Graph& graph, const std::string& path,
                const std::optional<std::string>& format, const nb::object& progress) {
  std::optional<GraphFormat> chosen;
  if (format) chosen = format_of(*format);
  call([&](const Control& control) { write_graph(graph, path, chosen, control); }, progress);
}

/// (from, to, weight, remarks) of `choose_columns`. `oneway`, `reverse_cost`: counted from 1, or 0.
nb::tuple columns_by_titles(const std::vector<std::string>& titles, int oneway, int reverse_cost) {
  ReadOptions options;
  options.oneway = oneway;
  options.reverse_cost = reverse_cost;
  const TableColumns chosen = choose_columns(titles, options);
  return nb::make_tuple(chosen.from, chosen.to, chosen.weight, chosen.remarks);
}

Graph generated(const std::string& kind, std::int64_t vertices, std::int64_t edges,
                double probability, double radius, double least, double greatest, bool real,
                bool directed, bool negative, std::uint64_t seed) {
  GenerateOptions options;
  using enum GraphKind;
  options.kind = choice_of(
      kind, "kind of graph", parse_graph_kind,
      names_of(std::initializer_list<GraphKind>{dense, gnp, rmat, grid, geometric, GraphKind::path,
                                                cycle, complete, star, roads}));
  options.vertices = vertices;
  options.edges = edges;
  options.probability = probability;
  options.radius = radius;
  options.least_weight = least;
  options.greatest_weight = greatest;
  options.real_weights = real;
  options.directed = directed;
  options.negative = negative;
  options.seed = seed;
  return call([&](const Control&) { return generate(options); });
}

/// Compressed sparse rows: offsets [n + 1], targets and weights [arcs]; copies for a matrix, else
/// views.
nb::tuple compressed_rows(nb::handle self) {
  const auto& graph = nb::cast<const Graph&>(self);
  const nb::object offsets = view_of(graph.offsets(), self);
  if (graph.matrix() == nullptr) {
    return nb::make_tuple(offsets, view_of(graph.targets(), self), view_of(graph.weights(), self));
  }
  std::vector<Vertex> targets;
  std::vector<double> weights;
  graph.visit_all([&](Vertex, Vertex to, double weight) {
    targets.push_back(to);
    weights.push_back(weight);
  });
  return nb::make_tuple(offsets, array_of(std::move(targets)), array_of(std::move(weights)));
}

/// [arcs] weights by rows and targets, parallel arcs in the order of the input.
nb::object given_weights(const Graph& graph) {
  std::vector<double> weights;
  weights.reserve(static_cast<std::size_t>(graph.arc_count()));
  std::optional<VertexPair> last;
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (last && last->from == from && last->to == to) return;
    last = {from, to};
    const std::vector<double> given = graph.weights_as_given(from, to);
    weights.insert(weights.end(), given.begin(), given.end());
  });
  return array_of(std::move(weights));
}

Graph weighted(const Graph& graph, const Values<double>& weights) {
  return call([&](const Control&) {
    return with_weights(graph, {weights.data(), weights.shape(0)});
  });
}

/// Ends are numbers of vertices. `old`: NaN for unknown.
Graph changed(const Graph& graph, const Values<std::int64_t>& from, const Values<std::int64_t>& to,
              const Values<double>& weights, const Values<double>& old) {
  std::vector<WeightChange> changes;
  for (std::size_t i = 0; i < from.shape(0); ++i) {
    changes.push_back({static_cast<Vertex>(from.data()[i]), static_cast<Vertex>(to.data()[i]),
                       weights.data()[i], number_or_none(old.data()[i])});
  }
  return call([&](const Control&) { return with_changes(graph, changes); });
}

/// `ends`: from, via, to of each turn; `angles`: angle, cost; `positions`: x, y of each vertex.
Graph turned(const Graph& graph, const Values<std::int64_t>& ends, const Values<double>& costs,
             std::optional<double> u_turns, const Values<double>& angles,
             const Values<double>& positions) {
  TurnRules rules{.u_turns = u_turns};
  for (std::size_t i = 0; i < costs.shape(0); ++i) {
    const auto* const v = ends.data() + 3 * i;
    rules.turns.push_back({static_cast<Vertex>(v[0]), static_cast<Vertex>(v[1]),
                           static_cast<Vertex>(v[2]), costs.data()[i]});
  }
  for (std::size_t i = 0; i + 1 < angles.shape(0); i += 2) {
    rules.angles.push_back({angles.data()[i], angles.data()[i + 1]});
  }
  if (positions.shape(0) > 0) {
    Coordinates at{.x = {}, .y = {}, .degrees = true};
    for (std::size_t i = 0; i + 1 < positions.shape(0); i += 2) {
      at.x.push_back(positions.data()[i]);
      at.y.push_back(positions.data()[i + 1]);
      at.degrees = at.degrees && std::abs(at.x.back()) <= 180 && std::abs(at.y.back()) <= 90;
    }
    rules.positions = std::move(at);
  }
  return call([&](const Control&) { return with_turns(graph, rules); });
}

/// (ends [n], places [all]) of a graph of turn states; None for others.
nb::object turn_states(const Graph& graph) {
  const auto states = TurnStates::of(graph);
  if (!states) return nb::none();
  std::vector<std::int64_t> ends(states->ends().begin(), states->ends().end());
  std::vector<std::int64_t> places(static_cast<std::size_t>(graph.vertex_count()));
  for (std::size_t v = 0; v < places.size(); ++v) places[v] = states->place(static_cast<Vertex>(v));
  return nb::make_tuple(array_of(std::move(ends)), array_of(std::move(places)));
}

nb::list labels_of(const Graph& graph) {
  nb::list labels;
  for (const std::string& label : graph.labels()) labels.append(to_python(label));
  return labels;
}

template <class T>
void bind_matrix(nb::module_& module) {
  module.def("graph_from_matrix", &graph_from_matrix<T>, nb::arg("values").noconvert(),
             nb::arg("by_columns"), nb::arg("copy"), nb::arg("directed"), nb::arg("labels").none(),
             nb::arg("first_id"));
}

}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<Graph>(module, "Graph")
      .def_prop_ro("vertex_count", &Graph::vertex_count)
      .def_prop_ro("directed", &Graph::directed)
      .def_prop_ro("symmetric", &Graph::symmetric)
      .def_prop_ro("first_id", &Graph::first_id)
      .def("as_undirected", &Graph::as_undirected)
      .def("with_remark", [](const Graph& graph,
                             nb::handle remark) { return graph.with_remark(to_library(remark)); })
      .def("given_weights", &given_weights)
      .def("knows_given_order", &Graph::knows_given_order)
      .def("with_weights", &weighted)
      .def("with_lengths",
           [](const Graph& graph, const std::string& formula) {
             return call([&](const Control&) { return with_lengths(graph, formula); });
           })
      .def("with_changes", &changed)
      .def("with_turns", &turned, nb::arg("ends"), nb::arg("costs"), nb::arg("u_turns").none(),
           nb::arg("angles"), nb::arg("positions"))
      .def("turn_states", &turn_states)
      .def("labels", &labels_of)
      .def("rows", &compressed_rows)
      .def("describe", [](const Graph& graph) { return describe(graph); })
      .def("digest",
           [](const Graph& graph) { return call([&](const Control&) { return graph.digest(); }); })
      .def("write", &write_file, nb::arg("path"), nb::arg("format").none(),
           nb::arg("progress").none());
  module.def("graph_from_edges", &graph_from_edges, nb::arg("sources"), nb::arg("targets"),
             nb::arg("weights").none(), nb::arg("n"), nb::arg("directed"), nb::arg("labels").none(),
             nb::arg("first_id"), nb::arg("in_order") = true);
  module.def("choose_columns", &columns_by_titles, nb::arg("titles"), nb::arg("oneway"),
             nb::arg("reverse_cost"));
  bind_matrix<float>(module);
  bind_matrix<double>(module);
  module.def("read", &read_file, nb::arg("path"), nb::arg("format").none(),
             nb::arg("directed").none(), nb::arg("columns").none(), nb::arg("as_rel").none(),
             nb::arg("weight"), nb::arg("coordinates"), nb::arg("threads"), nb::arg("keep_order"),
             nb::arg("table"), nb::arg("progress").none(), nb::arg("bytes").none());
  module.def(
      "require_apart",
      [](const std::string& output, const std::vector<std::string>& inputs) {
        call_brief([&](const Control&) { require_apart(output, inputs); });
      },
      nb::arg("output"), nb::arg("inputs"));
  module.def("generate", &generated, nb::arg("kind"), nb::arg("vertices"), nb::arg("edges"),
             nb::arg("probability"), nb::arg("radius"), nb::arg("least"), nb::arg("greatest"),
             nb::arg("real"), nb::arg("directed"), nb::arg("negative"), nb::arg("seed"));
}

}  // namespace apsp::python
