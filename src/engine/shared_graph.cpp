#include "engine/shared_graph.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "elimination/tree_parts.hpp"

namespace apsp::engine {
namespace {

base::ByteVector written(const Graph& graph) {
  base::ByteWriter writer;
  writer.put(graph.vertex_count());
  writer.put(graph.directed());
  writer.put(graph.first_id());
  writer.put_all(graph.offsets());
  std::vector<Vertex> targets;
  std::vector<double> weights;
  targets.reserve(static_cast<std::size_t>(graph.arc_count()));
  weights.reserve(static_cast<std::size_t>(graph.arc_count()));
  graph.visit_all([&](Vertex, Vertex to, double weight) {
    targets.push_back(to);
    weights.push_back(weight);
  });
  writer.put_all(std::span<const Vertex>(targets));
  writer.put_all(std::span<const double>(weights));
  writer.put(static_cast<std::uint64_t>(graph.labels().size()));
  for (const std::string& label : graph.labels()) writer.put_text(label);
  return writer.take();
}

template <class T>
std::shared_ptr<const T[]> shared_values(std::vector<T> values) {
  const auto owner = std::make_shared<std::vector<T>>(std::move(values));
  return {owner, owner->data()};
}

Graph built(const base::ByteVector& bytes) {
  base::ByteReader reader(bytes);
  const auto vertices = reader.get<std::int64_t>();
  const bool directed = reader.get<bool>();
  GraphBuilder builder(vertices, directed);
  builder.set_first_id(reader.get<Vertex>());
  auto offsets = reader.get_all<std::int64_t>();
  ArcArrays arcs;
  arcs.memory = offsets.back() * std::int64_t{sizeof(Vertex) + sizeof(double)};
  arcs.targets = shared_values(reader.get_all<Vertex>());
  arcs.weights = shared_values(reader.get_all<double>());
  builder.set_rows(std::move(offsets), std::move(arcs));
  std::vector<std::string> labels(reader.get<std::uint64_t>());
  for (std::string& label : labels) label = reader.get_text();
  if (!labels.empty()) builder.set_distinct_labels(std::move(labels));
  return std::move(builder).build();
}

}  // namespace

Graph share_graph(Processes& processes, const Graph& graph) {
  const base::ByteVector bytes =
      processes.share(processes.first() ? written(graph) : base::ByteVector{});
  return processes.first() ? graph : built(bytes);
}

std::shared_ptr<const elimination::Tree> share_tree(
    Processes& processes, const std::shared_ptr<const elimination::Tree>& tree) {
  using elimination::Position;
  base::ByteWriter writer;
  if (processes.first()) {
    const elimination::TreeParts parts = elimination::parts_of(*tree);
    writer.put_all(std::span<const Vertex>(parts.vertex_at));
    for (const auto* const numbers : {&parts.widths, &parts.structure_sizes, &parts.upper}) {
      writer.put_all(std::span<const Position>(*numbers));
    }
  }
  const base::ByteVector bytes = processes.share(writer.take());
  if (processes.first()) return tree;
  base::ByteReader reader(bytes);
  elimination::TreeParts parts;
  parts.vertex_at = reader.get_all<Vertex>();
  for (auto* const numbers : {&parts.widths, &parts.structure_sizes, &parts.upper}) {
    *numbers = reader.get_all<Position>();
  }
  return std::make_shared<const elimination::Tree>(std::move(parts));
}

}  // namespace apsp::engine
