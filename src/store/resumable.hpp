// Results that can be gone on with: a .zarr that is filled with rows, and a matrix that is solved
// on disk (disk_matrix.hpp), keep a ledger (row_ledger.hpp). What a run that ended early leaves is
// found, compared and taken up here.
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "store/row_ledger.hpp"
#include "store/store.hpp"

namespace apsp::store {

/// What an earlier run left.
struct Resumable {
  std::string output;   ///< the result's path, links followed
  std::string partial;  ///< where it lies
  LedgerContents contents{};

  /// The graph, as it was stored. Throws `Error` (input) if it is damaged.
  Graph graph(FileSystem& files) const;
};

/// Of those beside `output`, the one with most rows or pivots done that no living process holds.
/// Throws `Error` (input) if it is of another version; input_output.
std::optional<Resumable> find_resumable(FileSystem& files, const std::string& output);

/// Throws `Error` (usage) where it differs from `head`, and says in what.
void require_same(const Resumable& earlier, const LedgerHead& head);

/// What is the caller's from now on.
struct TakenUp {
  base::Partial partial;
  LedgerContents contents;
};

/// Claims it. Where locks cannot tell whether a run is alive, the caller's word counts. Throws as
/// `resume_store`.
TakenUp take_up(FileSystem& files, const Resumable& from, const LedgerHead& head);

/// Goes on from the rows of a .zarr.
/// Throws `Error`: usage (differs from `head`, says in what; has been taken up by another run
/// meanwhile), input_output.
std::unique_ptr<Store> resume_store(FileSystem& files, const Resumable& from,
                                    const LedgerHead& head, const Graph& graph);

/// Of what one process has made and another one looks for in vain.
Error not_shared(const std::string& place);

/// As `join_store`, a .zarr whose creator keeps a ledger: bands that are complete here are named
/// too, by process `process` > 0. `held`: bands that an earlier run has left. Throws `Error`
/// (input_output).
std::unique_ptr<Store> join_resumable(FileSystem& files, const std::string& place,
                                      const LedgerHead& head, int process,
                                      std::span<const std::int64_t> held);

}  // namespace apsp::store
