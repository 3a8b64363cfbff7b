// A factor as arrays of a store, and back (docs/stores.md).
#pragma once

#include <apsp/graph.hpp>
#include <memory>

#include "elimination/factor.hpp"
#include "store/store.hpp"

namespace apsp::elimination {

/// The parts of a tree, from which the same tree is made again, whatever order and rules for
/// supernodes a later program has.
TreeParts parts_of(const Tree& tree);

/// Before `target.commit`. Throws as `Store::write_array`, and `Error` (interrupted).
void write_factor(const Factor& factor, store::Store& target, const Control& control = {});

bool holds_factor(const store::Store& stored);

/// The tree of the factor that `stored` holds, checked as below.
std::shared_ptr<const Tree> read_tree(const store::Store& stored, const Graph& graph);

/// The factor that `stored` holds, of the graph stored with it. Nothing that could lead a query
/// astray is believed: the arrays must make a tree that joins every arc of the graph. Throws
/// `Error`: input (damaged, or of another graph; names the array), input_output, does_not_fit.
std::shared_ptr<const Factor> read_factor(const store::Store& stored, const Graph& graph);
/// The same where its tree was read before.
std::shared_ptr<const Factor> read_factor(const store::Store& stored, const Graph& graph,
                                          std::shared_ptr<const Tree> tree);

}  // namespace apsp::elimination
