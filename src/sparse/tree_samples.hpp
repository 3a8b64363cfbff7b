// An estimate of the elimination tree of a large graph from some of its regions.
//
// Ordering a large graph takes longer than reading it, and only a solve needs the order. Regions
// are grown breadth-first from distant vertices, ordered, and eliminated symbolically. They show
// two things:
//
//   separators   a part of m vertices has one of a·m^b (Lipton 1979), fitted to all parts of the
//                regions that have been divided
//   small parts  as they are inside the regions, where no edge was cut
//
// The estimated tree halves parts by such separators down to the size of the small parts. A side
// borders on the separator and on half of the border of its part. All counts follow from the tree.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "sparse/order.hpp"
#include "sparse/tree.hpp"

namespace apsp::sparse {

struct SampleOptions {
  std::int64_t regions = 2;
  std::int64_t region = 32768;  ///< vertices of each, at most a quarter of the graph's
};

/// An induced subgraph of nearby vertices, ordered.
struct Region {
  std::vector<Vertex> vertices;  // in breadth-first order
  Pattern pattern;               // by index in `vertices`
  std::vector<bool> inside;      // [vertices] no neighbour is outside
  std::vector<double> radius;  // eccentricity of the first vertex within a quarter, and within all
  Tree tree;
};

/// The size of a separator: a·m^b vertices of a part of m.
struct SeparatorLaw {
  double a = 0, b = 0.5;
  double operator()(double part) const;
};

class TreeSamples {
 public:
  /// Returns nothing if the regions are not representative: hubs, many edges out of a region,
  /// separators that grow nearly as their parts, or components smaller than a region. Throws
  /// `Error` as `nested_dissection`.
  static std::optional<TreeSamples> of(const Graph& graph, const SampleOptions& options = {});

  /// Returns an estimated tree; its order is that of the vertex numbers.
  Tree tree() const;

  const std::vector<Region>& regions() const { return regions_; }
  const SeparatorLaw& separators() const { return law_; }
  /// Whether every sampled arc has a reverse arc.
  bool both_ways() const { return both_ways_; }
  /// Sizes of the whole graph, with the core's share of the regions.
  const OrderSizes& sizes() const { return sizes_; }

 private:
  std::vector<Region> regions_;
  SeparatorLaw law_;
  bool both_ways_ = true;
  OrderSizes sizes_;
};

}  // namespace apsp::sparse
