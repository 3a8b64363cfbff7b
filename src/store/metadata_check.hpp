// What may be committed beside the planes: the same rules for every store, so that a result that
// was solved in memory can always be saved.
#pragma once

#include <optional>

#include "store/store.hpp"

namespace apsp::store {

/// Throws `Error` (usage): a graph of another size, attributes that are no JSON object, vertex
/// values of another length, a name twice or one that cannot name an array (see
/// `is_array_name`).
void require_metadata(const Layout& layout, const Graph& graph, const Metadata& metadata);

/// A graph without vertices beside a matrix with some means "not known": nothing is kept.
std::optional<Graph> graph_to_keep(const Layout& layout, const Graph& graph);

/// Lower-case letters, digits and "_", beginning with a letter, and no name that the store uses
/// itself ("distance", "graph", "label", …).
bool is_array_name(const std::string& text);

}  // namespace apsp::store
