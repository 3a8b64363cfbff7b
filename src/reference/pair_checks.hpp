// The checks of via and hops: short, and knowing nothing of how the planes came about.
// docs/verification.md proves what they prove.
//
// The path that via describes from s to t is an edge, or path(s, k) · path(k, t) with k = via(s, t)
// (Katz and Kider 2008; Schiff). A single pair is right if the edge has the stored distance, or if
// the stored distances of the two parts give it together. If all pairs are right, and the recursion
// ends, every path is one of the stored length. It surely ends where something falls at every
// split: the edge count, or, with weights of one sign, the length. Where the parts are no smaller,
// `Recursion` follows them (verifier.cpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "reference/row_checks.hpp"
#include "store/store.hpp"

namespace apsp::reference {

// Distances, intermediate vertices and edge counts of single pairs, wherever they are stored.
//
// To check that via splits a pair, the values of two other pairs are needed, which may lie anywhere
// in the matrix. So the planes are held in memory if they fit there, in place or copied once;
// else single values are read from the store, some milliseconds each where a chunk has to be
// decoded.

class PairPlanes {
 public:
  virtual ~PairPlanes() = default;
  virtual double distance(Vertex s, Vertex t) const = 0;  ///< as stored
  virtual std::int32_t via(Vertex s, Vertex t) const = 0;
  /// Requires: the store holds the plane.
  virtual std::int32_t hops(Vertex s, Vertex t) const = 0;
};

/// Bytes that `planes_in_memory` takes; 0 where they are in memory.
std::int64_t copied_bytes(const store::Store& store);

/// Requires: `store` outlives the planes and holds via. Throws `Error`: does_not_fit, interrupted,
/// the store's own.
std::unique_ptr<PairPlanes> planes_in_memory(const store::Store& store, const Control& control);
std::unique_ptr<PairPlanes> planes_in_store(const store::Store& store);

using Pair = VertexPair;

/// What the planes of one result claim together.
struct PairClaim {
  const Claim& claim;
  const PairPlanes& planes;
  bool counts_edges = false;      // the plane of hops is held
  std::vector<double> magnitude;  // [n] largest finite one of a row; 0 where it is not known

  double distance(Pair pair) const { return claim.sign * planes.distance(pair.from, pair.to); }
  bool is_path(Pair pair) const { return distance(pair) != claim.none; }
  /// The vertex between, or −1: also where the plane names one that cannot be.
  std::int64_t split(Pair pair) const;
  /// How far `whole` may lie from the parts through k.
  double slack(Pair whole, Vertex k, double first, double second) const;
  /// Never larger in a part of a split than in the whole, if all is right: the number of edges, or
  /// else the length where weights are of one sign.
  double measure(Pair pair) const;
  /// Fills `magnitude` of one row.
  void measure_row(Vertex s);
};

/// One thread's checker of single pairs.
class PairChecker {
 public:
  explicit PairChecker(const PairClaim& pairs) : pairs_(&pairs), claim_(&pairs.claim) {}

  /// Only the pair, the distances and edge counts of its parts as they are stored. Failures are
  /// those of the row `source`. Gives the vertex between where there is one and it splits the
  /// distance, else −1.
  std::int64_t check(Vertex source, Pair pair);
  void count_circle(Vertex source, Pair pair);

  Tally& tally() { return tally_; }

 private:
  bool check_edge(Vertex source, Pair pair, double distance);
  bool check_split(Vertex source, Pair pair, double distance, std::int64_t via);
  void check_hops(Vertex source, Pair pair, std::int64_t expected, const char* because);
  void check_hops_of_parts(Vertex source, Pair pair, Vertex via);

  std::string ends(Pair pair) const;
  std::string name(Vertex v) const { return claim_->graph.name(v); }

  const PairClaim* pairs_;
  const Claim* claim_;
  Tally tally_;
};

}  // namespace apsp::reference
