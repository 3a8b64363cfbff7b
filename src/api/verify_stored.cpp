#include "api/verify_stored.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include "api/kept_factor.hpp"
#include "reference/verifier.hpp"
#include "store/row_source_store.hpp"
#include "store/store.hpp"

namespace apsp::api {

VerifyReport verify_stored(const std::string& path, const Graph& graph, Semiring semiring,
                           const VerifyOptions& options, store::FileSystem* file_system,
                           const store::Selection& selection) {
  const store::Layout about{.n = graph.vertex_count(), .selection = selection};
  const auto store = store::open_store(path, semiring, file_system, &about);
  if (store->layout().semiring != semiring) {
    throw Error(ErrorKind::input, fmt::format("{}: written for {}, but it says {}", path,
                                              name(semiring), name(store->layout().semiring)));
  }
  if (store->layout().selection != selection) {
    throw Error(ErrorKind::input, path + ": it holds other rows or columns than were solved");
  }
  // Reading the graph's arrays checks them against their digest.
  if (const auto stored = store->graph_digest(); stored && *stored != graph.digest()) {
    throw Error(ErrorKind::input, path + ": the graph beside the distances is another one");
  }
  if (const auto rows = stored_rows(*store, graph)) {
    return reference::verify(graph, store::RowSourceStore(*rows), options);
  }
  return reference::verify(graph, *store, options);
}

}  // namespace apsp::api
