// A matrix of distances for other weights of some arcs, or with new vertices
// (engine/matrix_update.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <memory>

#include "store/store.hpp"

namespace apsp::api {

struct UpdatedMatrix {
  std::unique_ptr<store::Store> matrix;  ///< in memory
  Graph graph;                           ///< vertices of before keep their numbers
  UpdateReport report;
};

/// `stored`: the distances of `before`. Where most rows change, the graph is solved again. Throws
/// as `Result::update`; usage where `stored` holds some rows or columns only, or other planes.
UpdatedMatrix updated_matrix(const Graph& before, const store::Store& stored, const Graph& graph,
                             const UpdateOptions& options);

}  // namespace apsp::api
