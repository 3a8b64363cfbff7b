// Loads of arcs: the flows of trips between vertices along shortest paths over weights ≥ 0.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace apsp {

/// Trips and their volumes, ≥ 0. Pairs may repeat. A trip from a vertex to itself uses no arc.
struct Demand {
  std::vector<VertexPair> pairs;
  std::vector<double> volumes;  ///< [columns, pairs] row-major
};

struct LoadOptions {
  /// A trip is split over all its shortest paths, by their number, as betweenness counts them.
  /// Otherwise it takes the path of `Result::path`. Needs weights above 0.
  bool split = false;
  /// Arcs whose trips are listed, distinct; not with `split`.
  std::vector<VertexPair> select{};
  int threads = 0;          ///< 0: all
  std::int64_t memory = 0;  ///< bytes of the process; 0: what is free
  Control control{};
};

/// A trip over a selected arc.
struct SelectedTrip {
  std::int64_t arc = 0;   ///< index in `LoadOptions::select`
  std::int64_t pair = 0;  ///< index in `Demand::pairs`

  auto operator<=>(const SelectedTrip&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Loads {
  /// By ascending ends; the lightest of parallel arcs, no loops. Both directions of an edge.
  std::vector<Edge> arcs;
  std::vector<double> volumes;         ///< [columns, arcs]
  std::vector<SelectedTrip> selected;  ///< sorted
  std::vector<double> costs;           ///< [columns] Σ volume · distance of the trips with a path
  std::int64_t without_path = 0;       ///< pairs with a volume that no path connects
  std::vector<double> left_out;        ///< [columns] their volumes
  std::string plan;                    ///< one line: how distances were computed
};

/// Assigns all trips to shortest paths (all-or-nothing). Volumes are the same bits for any number
/// of threads. In a graph of turn states trips and arcs are those of its vertices,
/// and `split` is refused. Takes a row of distances and O(m + n) for each origin. Throws `Error`:
/// usage (a weight below 0, a volume below 0 or not finite, a wrong number of volumes, a selected
/// arc that does not exist or repeats), does_not_fit, interrupted.
Loads loads(const Graph& graph, const Demand& demand, const LoadOptions& options = {});

/// The same with the distances of a result, if it holds those of all pairs as a matrix or a factor;
/// otherwise with its graph. Real weights split over all shortest paths need the graph, too.
Loads loads(const Result& result, const Demand& demand, const LoadOptions& options = {});

}  // namespace apsp
