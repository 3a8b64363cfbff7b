// What an elimination tree of a large graph will be like, from regions of it.
//
// An order of a large graph takes longer than reading it, and only a solve needs it. Some regions,
// grown breadth-first from vertices far apart, are ordered and eliminated symbolically as the whole
// graph would be. Two things are learnt from them:
//
//   separators   a part of m vertices has one of a·m^b (Lipton 1979), fitted to all parts of the
//                regions that have been divided
//   small parts  as they are, from inside the regions, where no edge of theirs was cut
//
// The estimated tree is nested dissection by these: parts are halved by such separators until they
// are as small as those that are known. A side borders on the separator of its part and on half of
// what the part borders on. Every count of a tree then follows as it does from a real one.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "elimination/order.hpp"
#include "elimination/tree.hpp"

namespace apsp::elimination {

struct SampleOptions {
  std::int64_t regions = 2;
  std::int64_t region = 32768;  ///< vertices of each, at most a quarter of the graph's
};

/// An induced subgraph of nearby vertices, ordered.
struct Region {
  std::vector<Vertex> vertices;  // in the order in which a search by breadth met them
  Pattern pattern;               // of their places in this list
  std::vector<bool> inside;      // [vertices] no neighbour is outside
  std::vector<double> radius;  // edges from the first vertex to the last one of a quarter, and all
  Tree tree;
};

/// The vertices of a separator: a·m^b of a part of m.
struct SeparatorLaw {
  double a = 0, b = 0.5;
  double operator()(double part) const;
};

class TreeSamples {
 public:
  /// Empty where regions tell too little of the whole: hubs, many edges that leave a region, as in
  /// tangled graphs, separators that grow nearly as their parts, or components that are smaller
  /// than a region. Throws `Error` as `nested_dissection`.
  static std::optional<TreeSamples> of(const Graph& graph, const SampleOptions& options = {});

  /// An estimated tree of all vertices, whose order is that of their numbers.
  Tree tree() const;

  const std::vector<Region>& regions() const { return regions_; }
  const SeparatorLaw& separators() const { return law_; }
  /// Every arc that was looked at has one that leads back.
  bool both_ways() const { return both_ways_; }
  /// Of the whole graph; its core as large as those of the regions are.
  const OrderSizes& sizes() const { return sizes_; }

 private:
  std::vector<Region> regions_;
  SeparatorLaw law_;
  bool both_ways_ = true;
  OrderSizes sizes_;
};

}  // namespace apsp::elimination
