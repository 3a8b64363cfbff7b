// The checks of via and hops, independent of their computation (docs/verification.md).
//
// The path that via describes from s to t is an edge, or path(s, k) · path(k, t) with k = via(s, t)
// (Katz and Kider 2008; Schiff). A pair is right if the edge, or the sum of the stored distances of
// its parts, gives the stored distance. If all pairs are right and the recursion terminates, every
// path has the stored length. It terminates if the number of edges or, for weights of one sign, the
// length decreases at every split. Otherwise `Recursion` follows the parts (verifier.cpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "store/store.hpp"
#include "verifier/row_checks.hpp"

namespace apsp::verifier {

// Distances, intermediate vertices and edge counts of single pairs. The parts of a pair may be
// anywhere in the matrix, so the planes are kept in memory, in place or copied once, if they fit;
// otherwise values are read from the store, some milliseconds each if a chunk must be decoded.

class PairPlanes {
 public:
  virtual ~PairPlanes() = default;
  virtual double distance(Vertex s, Vertex t) const = 0;  ///< as stored
  virtual std::int32_t via(Vertex s, Vertex t) const = 0;
  /// Requires: the store has the plane.
  virtual std::int32_t hops(Vertex s, Vertex t) const = 0;
};

/// Bytes that `planes_in_memory` copies.
std::int64_t copied_bytes(const store::Store& store);

/// Requires: `store` outlives the planes and has via. Throws `Error`: does_not_fit, interrupted.
std::unique_ptr<PairPlanes> planes_in_memory(const store::Store& store, const Control& control);
std::unique_ptr<PairPlanes> planes_in_store(const store::Store& store);

using Pair = VertexPair;

struct PairClaim {
  const Claim& claim;
  const PairPlanes& planes;
  bool counts_edges = false;      // the result has hops
  std::vector<double> magnitude;  // [n] largest finite magnitude of a row; 0 if unknown

  double distance(Pair pair) const { return claim.sign * planes.distance(pair.from, pair.to); }
  bool is_path(Pair pair) const { return distance(pair) != claim.none; }
  /// Returns the intermediate vertex, or −1, also if the plane has an invalid vertex.
  std::int64_t split(Pair pair) const;
  /// Returns the permitted difference between `whole` and the parts through k.
  double slack(Pair whole, Vertex k, double first, double second) const;
  /// Number of edges, or length if weights are of one sign: never larger in a part than in the
  /// whole.
  double measure(Pair pair) const;
  void measure_row(Vertex s);
};

/// Checks single pairs in one thread.
class PairChecker {
 public:
  explicit PairChecker(const PairClaim& pairs) : pairs_(&pairs), claim_(&pairs.claim) {}

  /// Checks the pair against the stored distances and edge counts of its parts; failures count for
  /// the row `source`. Returns the intermediate vertex if it splits the distance, else −1.
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

}  // namespace apsp::verifier
