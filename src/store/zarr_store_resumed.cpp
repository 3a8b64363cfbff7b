// A .zarr that is filled over several runs: its ledger, and what an earlier run left.
#include <apsp/error.hpp>
#include <set>

#include "store/zarr_graph.hpp"
#include "store/zarr_selection.hpp"
#include "store/zarr_store.hpp"

namespace apsp::store {

/// All but complete bands, the graph and the ledger is made anew: a run that was killed may have
/// left pieces anywhere.
void ZarrStore::take_up(const LedgerContents& contents, const Graph& graph) {
  FileSystem& files = group_.files();
  row_ledger_ = std::make_unique<RowLedger>(files, partial_, contents);
  for (const std::string& name : files.list(partial_)) {
    if (!std::set<std::string>{"distance", "graph", "label", "source", "target", kLedgerName}
             .contains(name)) {
      files.remove_all(group_.path(name));
    }
  }
  if (files.kind(group_.path("distance")) == FileKind::directory) {
    for (const std::string& name : files.list(group_.path("distance"))) {
      if (name != "c") files.remove_all(group_.path("distance/" + name));
    }
  }
  group_.write_array_document(plane_spec(layout_, Plane::distance, group_.compress()));
  const std::set<std::int64_t> bands(contents.bands.begin(), contents.bands.end());
  for (std::int64_t ti = 0; ti < rows_.count(); ++ti) {
    if (!bands.contains(ti)) renew_band(Plane::distance, ti);
  }
  for (const std::int64_t ti : bands) mark_band(ti);
  for (const Plane plane : layout_.planes) {
    if (plane != Plane::distance) prepare(plane_spec(layout_, plane, group_.compress()));
  }
  take_up_graph(graph);
}

void ZarrStore::take_up_graph(const Graph& graph) {
  try {
    read_graph_digest(group_, layout_.n, graph.digest());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    for (const char* name : {"graph", "label"}) group_.files().remove_all(group_.path(name));
    write_graph(group_, graph);
  }
}

void ZarrStore::keep_ledger(const Graph& graph, const Recipe& recipe) {
  write_graph(group_, graph);
  write_selection(group_, layout_.selection);
  const LedgerHead head{layout_, group_.compress(), recipe};
  row_ledger_ = std::make_unique<RowLedger>(group_.files(), partial_, head);
}

bool ZarrStore::holds_band(std::int64_t band) const {
  return ledger_ != nullptr && ledger_->holds_band(Plane::distance, band);
}

void ZarrStore::mark_band(std::int64_t band) {
  ledger_->mark(Plane::distance, {rows_.first(band), 0, rows_.extent(band), layout_.cols()});
}

void ZarrStore::note_band(std::int64_t band) {
  for (const Plane plane : layout_.planes) {
    ledger_->mark(plane, {rows_.first(band), 0, rows_.extent(band), layout_.cols()});
  }
  if (row_ledger_ != nullptr) row_ledger_->note(band);
}

void ZarrStore::forget_band(std::int64_t band) {
  ledger_->unmark(Plane::distance, band);
  renew_band(Plane::distance, band);
}

}  // namespace apsp::store
