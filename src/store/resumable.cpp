#include "store/resumable.hpp"

#include <fmt/format.h>

#include <utility>

#include "store/leftovers.hpp"
#include "store/zarr_graph.hpp"
#include "store/zarr_store.hpp"

namespace apsp::store {
namespace {

/// The claim on what is to be gone on from.
base::Partial take_up_claim(FileSystem& files, const Resumable& from) {
  const std::string lock = from.partial + std::string(base::kClaimSuffix);
  base::TakenClaim taken = files.take_over(lock);
  if (taken.holder == base::Holder::someone) {
    throw Error(ErrorKind::usage, fmt::format("{}: a run that is still alive writes it ({})",
                                              from.output, from.partial));
  }
  if (taken.claim == nullptr) taken.claim = files.claim(lock);  // without one, nobody's
  if (taken.claim == nullptr) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}; it can be resumed when {} has been removed",
                                              from.partial, taken.why, lock));
  }
  return {from.partial, std::move(taken.claim)};
}

}  // namespace

Graph Resumable::graph(FileSystem& files) const {
  const ZarrGroup group(files, partial, contents.head.compress);
  return read_graph(group, contents.head.layout.n, contents.head.recipe.graph);
}

std::optional<Resumable> find_resumable(FileSystem& files, const std::string& output) {
  const Leftover* best = nullptr;
  const std::vector<Leftover> leftovers = find_leftovers(files, output);
  for (const Leftover& leftover : leftovers) {
    if (leftover.done == 0 || leftover.fate == Fate::in_use) continue;
    if (best == nullptr || leftover.done > best->done) best = &leftover;
  }
  if (best == nullptr) return std::nullopt;
  std::optional<LedgerContents> contents = read_ledger(files, best->path);
  if (!contents) return std::nullopt;  // removed meanwhile
  return Resumable{files.resolve(without_last_slashes(output)), best->path, *std::move(contents)};
}

void require_same(const Resumable& earlier, const LedgerHead& head) {
  const std::vector<std::string> found = differences(earlier.contents.head, head);
  if (found.empty()) return;
  const bool rounds_alike = head.recipe.rounding == earlier.contents.head.recipe.rounding;
  const std::string way =
      found.size() == 1 && !rounds_alike
          ? "go on where it was begun, or begin again with --overwrite"
          : fmt::format("apsp solve --resume {} goes on as it was begun", earlier.output);
  throw Error(ErrorKind::usage,
              fmt::format("{}: what is to be resumed is of another solve ({}); {}", earlier.output,
                          fmt::join(found, "; "), way));
}

TakenUp take_up(FileSystem& files, const Resumable& from, const LedgerHead& head) {
  require_same(from, head);
  base::Partial partial = take_up_claim(files, from);
  // What it was before the claim is no longer sure.
  std::optional<LedgerContents> contents;
  try {
    contents = read_ledger(files, partial.path);
  } catch (const Error&) {
    partial.claim->abandon();
    throw;
  }
  if (!contents) {
    // A lock that was made just now for what is no longer there goes, too.
    if (files.kind(partial.path) != FileKind::none) partial.claim->abandon();
    throw Error(ErrorKind::usage, fmt::format("{}: another run has just finished it", from.output));
  }
  return {std::move(partial), *std::move(contents)};
}

std::unique_ptr<Store> resume_store(FileSystem& files, const Resumable& from,
                                    const LedgerHead& head, const Graph& graph) {
  TakenUp taken = take_up(files, from, head);
  return std::make_unique<ZarrStore>(files, from.output, std::move(taken.partial), taken.contents,
                                     graph);
}

Error not_shared(const std::string& place) {
  return {ErrorKind::input_output,
          place + ": not to be seen from here; -o must name a folder that all processes share"};
}

std::unique_ptr<Store> join_resumable(FileSystem& files, const std::string& place,
                                      const LedgerHead& head, int process,
                                      std::span<const std::int64_t> held) {
  if (files.kind(place) != FileKind::directory) throw not_shared(place);
  return ZarrStore::joined(files, place, head.layout, head.compress, process, held);
}

}  // namespace apsp::store
