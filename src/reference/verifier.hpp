// Is a matrix of distances right? See docs/verification.md for what each check proves.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/verify.hpp>

#include "store/store.hpp"

namespace apsp::reference {

/// Checks the rows that the store holds. Throws `Error` (usage) if graph and matrix differ in size,
/// or the store has not the columns of all vertices; the store's own errors pass through.
VerifyReport verify(const Graph& graph, const store::Store& store, const VerifyOptions& options);

}  // namespace apsp::reference
