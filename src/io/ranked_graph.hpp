// A graph whose vertices are the integers of a file in their order, with them as labels.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/id_ranks.hpp"
#include "io/source.hpp"

namespace apsp::io {

inline Graph build_ranked(const Source& source, bool directed,
                          std::shared_ptr<graph::ArcBuckets> arcs, const IdRanks& ranks) {
  std::vector<std::string> labels;
  labels.reserve(ranks.count());
  ranks.for_each([&](Vertex id) { labels.push_back(std::to_string(id)); });
  arcs->relabel(std::ssize(labels), [&](Vertex id) { return ranks.rank(id); });
  GraphBuilder builder(std::ssize(labels), directed);
  builder.set_threads(source.options.threads);
  builder.set_arcs(std::move(arcs));
  builder.set_distinct_labels(std::move(labels));
  return std::move(builder).build();
}

}  // namespace apsp::io
