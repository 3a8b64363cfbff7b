#include "store/zarr_graph.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/fail.hpp"
#include "graph/arc_walk.hpp"
#include "graph/digest.hpp"
#include "io/formats.hpp"

namespace apsp::store {
namespace {

constexpr const char* kDocument = "graph/zarr.json";

ArraySpec indptr_spec(std::int64_t vertices) {
  return vector_spec("graph/indptr", vertices + 1, "int64", 8, 0, "row_boundary");
}
ArraySpec indices_spec(std::int64_t arcs) {
  return vector_spec("graph/indices", arcs, "uint32", 4, 0, "arc");
}
ArraySpec weights_spec(std::int64_t arcs) {
  return vector_spec("graph/weights", arcs, "float64", 8, 0.0, "arc");
}
/// One dimension, so that chunks are whole pages that can be mapped contiguously.
ArraySpec matrix_spec(std::int64_t vertices, ValueType type) {
  return vector_spec("graph/matrix", vertices * vertices, zarr_type(type), size_of(type), 0,
                     "pair");
}
ArraySpec label_spec(std::int64_t vertices) {
  return vector_spec("label", vertices, "string", 0, "", "vertex");
}

struct MatrixFacts {
  ValueType type = ValueType::f32;
  bool by_columns = false;
};

struct GraphFacts {
  bool directed = true;
  bool labelled = false;
  Vertex first_id = 0;
  std::int64_t arcs = 0;
  std::string digest;
  std::optional<MatrixFacts> matrix{};
};

[[noreturn]] void fail_digest(const ZarrGroup& group, const std::string& found,
                              const std::string& expected) {
  base::fail_input(group.path("graph"),
                   "its arrays make a graph of digest {}; the result was solved for {}", found,
                   expected);
}

std::optional<MatrixFacts> matrix_facts(const ZarrGroup& group, const nlohmann::json& attributes) {
  const auto at = attributes.find("matrix");
  if (at == attributes.end()) return std::nullopt;
  const auto fail = [&](const char* why) {
    base::fail_input(group.path(kDocument), "the attribute matrix {}", why);
  };
  const auto text = [&](const char* name) {
    return at->is_object() && at->contains(name) && (*at)[name].is_string()
               ? (*at)[name].get<std::string>()
               : std::string();
  };
  const std::optional<ValueType> type = parse_value_type(text("value_type"));
  if (!type || *type == ValueType::boolean) fail("has no value_type f32, f64, i32 or u16");
  const std::string order = text("order");
  if (order != "rows" && order != "columns") fail("has no order 'rows' or 'columns'");
  return MatrixFacts{*type, order == "columns"};
}

GraphFacts read_facts(const ZarrGroup& group) {
  const nlohmann::json document = group.read_document(kDocument);
  const nlohmann::json attributes = document.value("attributes", nlohmann::json::object());
  const auto field = [&](const char* name, auto is_right) -> const nlohmann::json& {
    const auto at = attributes.find(name);
    if (at == attributes.end() || !is_right(*at)) {
      base::fail_input(group.path(kDocument), "the attribute {} is missing or of a wrong type",
                       name);
    }
    return *at;
  };
  const auto is_boolean = [](const nlohmann::json& value) { return value.is_boolean(); };
  const auto is_text = [](const nlohmann::json& value) { return value.is_string(); };
  const auto is_count = [](std::uint64_t most) {
    return [most](const nlohmann::json& value) {
      return value.is_number_unsigned() && value.get<std::uint64_t>() <= most;
    };
  };
  // Eight bytes for each arc must fit in a file.
  constexpr std::uint64_t kMostArcs = std::numeric_limits<std::int64_t>::max() / 8;
  GraphFacts facts;
  facts.directed = field("directed", is_boolean).get<bool>();
  facts.labelled = field("labelled", is_boolean).get<bool>();
  facts.first_id =
      field("first_id", is_count(std::numeric_limits<Vertex>::max())).get<std::uint32_t>();
  facts.arcs = field("arcs", is_count(kMostArcs)).get<std::int64_t>();
  facts.digest = field("digest", is_text).get<std::string>();
  facts.matrix = matrix_facts(group, attributes);
  return facts;
}

void require_offsets(const ZarrGroup& group, const std::vector<std::int64_t>& offsets,
                     std::int64_t arcs) {
  bool right = offsets.front() == 0 && offsets.back() == arcs;
  for (std::size_t v = 1; v < offsets.size(); ++v) right = right && offsets[v - 1] <= offsets[v];
  if (!right) base::fail_input(group.path("graph/indptr"), "does not rise from 0 to {}", arcs);
}

ArcArrays arcs_of(const io::HeldBytes& targets, const io::HeldBytes& weights) {
  ArcArrays arcs;
  arcs.targets = {targets.owner, reinterpret_cast<const Vertex*>(targets.bytes.data())};
  arcs.weights = {weights.owner, reinterpret_cast<const double*>(weights.bytes.data())};
  arcs.mapped = targets.mapped && weights.mapped;
  arcs.memory = targets.memory + weights.memory;
  return arcs;
}

/// Releases the pages of a mapped file chunk by chunk.
void write_matrix(const ZarrGroup& group, const Graph& graph) {
  const WeightMatrix& matrix = *graph.matrix();
  const ArraySpec spec = matrix_spec(matrix.n, matrix.type);
  group.write_array_document(spec);
  std::span<const std::byte> values(static_cast<const std::byte*>(matrix.data),
                                    static_cast<std::size_t>(spec.shape[0] * spec.value_size));
  const auto most = static_cast<std::size_t>(spec.chunk[0] * spec.value_size);
  for (std::int64_t index = 0; !values.empty(); ++index) {
    const std::size_t size = std::min(most, values.size());
    group.write_vector_chunk(spec, index, values.first(size));
    values = values.subspan(size);
    graph.release_pages();
  }
}

WeightMatrix read_matrix(const ZarrGroup& group, std::int64_t vertices, const MatrixFacts& facts,
                         std::int64_t most_in_memory) {
  const io::HeldBytes held = group.hold_vector(matrix_spec(vertices, facts.type), most_in_memory);
  return {.type = facts.type,
          .n = vertices,
          .by_columns = facts.by_columns,
          .data = held.bytes.data(),
          .owner = held.owner,
          .mapped = held.mapped,
          .memory = held.memory};
}

template <class T, class ValueOf>
void write_arcs(const ZarrGroup& group, const ArraySpec& spec, const Graph& graph,
                const ValueOf& value_of) {
  group.write_array_document(spec);
  std::vector<T> chunk;
  chunk.reserve(static_cast<std::size_t>(std::min(spec.chunk[0], graph.arc_count())));
  std::int64_t index = 0;
  const auto write = [&] {
    group.write_vector_chunk(spec, index++, std::as_bytes(std::span(chunk)));
    chunk.clear();
  };
  graph::ArcWalk walk(graph, graph::Pages::given_back);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    walk.for_each_arc(v, [&](Vertex to, double weight) {
      chunk.push_back(value_of(to, weight));
      if (std::ssize(chunk) == spec.chunk[0]) write();
    });
  }
  graph.release_pages();
  if (!chunk.empty()) write();
}

void write_rows(const ZarrGroup& group, const Graph& graph) {
  group.write_vector(indptr_spec(graph.vertex_count()), graph.offsets());
  write_arcs<Vertex>(group, indices_spec(graph.arc_count()), graph,
                     [](Vertex to, double) { return to; });
  write_arcs<double>(group, weights_spec(graph.arc_count()), graph,
                     [](Vertex, double weight) { return weight; });
}

}  // namespace

bool is_stored_as_matrix(const Graph& graph) {
  return graph.matrix() != nullptr && graph.vertex_count() > 0;
}

void write_graph(const ZarrGroup& group, const Graph& graph) {
  const WeightMatrix* const matrix = is_stored_as_matrix(graph) ? graph.matrix() : nullptr;
  if (matrix != nullptr) {
    write_matrix(group, graph);
  } else {
    write_rows(group, graph);
  }
  if (!graph.labels().empty()) {
    io::require_utf8_names(graph, group.path("label"));
    group.write_strings(label_spec(graph.vertex_count()), graph.labels());
  }
  nlohmann::json attributes = {{"directed", graph.directed()},
                               {"first_id", graph.first_id()},
                               {"arcs", graph.arc_count()},
                               {"labelled", !graph.labels().empty()},
                               {"digest", graph.digest()}};
  if (matrix != nullptr) {
    attributes["matrix"] = {{"value_type", name(matrix->type)},
                            {"order", matrix->by_columns ? "columns" : "rows"},
                            {"shape", {matrix->n, matrix->n}}};
  }
  const nlohmann::json document = {
      {"zarr_format", 3}, {"node_type", "group"}, {"attributes", attributes}};
  group.write_text(kDocument, base::json_text(document, 2) + "\n");
}

std::optional<Vertex> read_first_number(const ZarrGroup& group) {
  const GraphFacts facts = read_facts(group);
  if (facts.labelled) return std::nullopt;
  return facts.first_id;
}

std::string read_graph_digest(const ZarrGroup& group, std::int64_t vertices,
                              const std::string& digest) {
  const GraphFacts facts = read_facts(group);
  if (facts.matrix) return read_graph(group, vertices, digest).digest();
  graph::Digest arrays(facts.directed, facts.first_id);
  group.for_each_value<std::int64_t>(indptr_spec(vertices),
                                     [&](std::int64_t offset) { arrays.add_offset(offset); });
  group.for_each_value<Vertex>(indices_spec(facts.arcs),
                               [&](Vertex target) { arrays.add_target(target); });
  group.for_each_value<double>(weights_spec(facts.arcs),
                               [&](double weight) { arrays.add_weight(weight); });
  if (facts.labelled) {
    for (const std::string& label : group.read_strings(label_spec(vertices))) {
      arrays.add_label(label);
    }
  }
  std::string found = graph::Digest::text(arrays.value());
  if (found != digest || found != facts.digest) fail_digest(group, found, digest);
  return found;
}

Graph read_graph(const ZarrGroup& group, std::int64_t vertices, const std::string& digest,
                 std::int64_t most_in_memory) {
  const GraphFacts facts = read_facts(group);
  GraphBuilder builder(vertices, facts.directed);
  builder.set_first_id(facts.first_id);
  if (facts.labelled) builder.set_labels(group.read_strings(label_spec(vertices)));
  if (facts.matrix) {
    builder.set_matrix(read_matrix(group, vertices, *facts.matrix, most_in_memory));
  } else {
    auto offsets = group.read_vector<std::int64_t>(indptr_spec(vertices));
    require_offsets(group, offsets, facts.arcs);
    builder.set_rows(std::move(offsets),
                     arcs_of(group.hold_vector(indices_spec(facts.arcs), most_in_memory),
                             group.hold_vector(weights_spec(facts.arcs), most_in_memory)));
  }
  Graph graph = base::of_file(group.path("graph"), [&] { return std::move(builder).build(); });
  if (graph.digest() != digest || graph.digest() != facts.digest) {
    fail_digest(group, graph.digest(), digest);
  }
  return graph;
}

}  // namespace apsp::store
