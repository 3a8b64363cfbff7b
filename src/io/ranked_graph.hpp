// A graph with labels; those of a file's integers are these, in their order.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/id_ranks.hpp"
#include "io/source.hpp"

namespace apsp::io {

/// `arcs` between labels by their places; labels are distinct.
inline Graph build_labelled(const Source& source, bool directed,
                            std::shared_ptr<graph::ArcBuckets> arcs,
                            std::vector<std::string>&& labels) {
  GraphBuilder builder(std::ssize(labels), directed);
  builder.set_threads(source.options.threads);
  builder.set_arcs(std::move(arcs));
  builder.set_distinct_labels(std::move(labels));
  return std::move(builder).build();
}

inline Graph build_ranked(const Source& source, bool directed,
                          std::shared_ptr<graph::ArcBuckets> arcs, const IdRanks& ranks) {
  std::vector<std::string> labels;
  labels.reserve(ranks.count());
  ranks.for_each([&](Vertex id) { labels.push_back(std::to_string(id)); });
  arcs->relabel(std::ssize(labels), [&](Vertex id) { return ranks.rank(id); });
  return build_labelled(source, directed, std::move(arcs), std::move(labels));
}

}  // namespace apsp::io
