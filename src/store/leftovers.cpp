#include "store/leftovers.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/fail.hpp"
#include "base/joined.hpp"
#include "store/zarr_graph.hpp"
#include "store/zarr_store.hpp"

namespace apsp::store {
namespace {

constexpr std::string_view kPreviousWord = ".previous-";

/// The parts of a hidden name: ".air.zarr.partial-12-0" is a partial of "air.zarr".
struct HiddenName {
  std::string output;
  std::string whole;
  bool previous = false;
};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

std::optional<HiddenName> parse(std::string_view name) {
  if (name.ends_with(system::kClaimSuffix)) name.remove_suffix(system::kClaimSuffix.size());
  if (!name.starts_with('.')) return std::nullopt;
  for (const std::string_view word : {system::kPartialWord, kPreviousWord}) {
    const std::size_t at = name.rfind(word);
    if (at == name.npos || at < 2) continue;
    const std::string_view numbers = name.substr(at + word.size());
    const std::size_t dash = numbers.find('-');
    if (dash == numbers.npos || !is_number(numbers.substr(0, dash)) ||
        !is_number(numbers.substr(dash + 1))) {
      continue;
    }
    return HiddenName{std::string(name.substr(1, at - 1)), std::string(name),
                      word == kPreviousWord};
  }
  return std::nullopt;
}

std::int64_t bytes_below(const FileSystem& files, const std::string& path) {
  switch (files.kind(path)) {
    case FileKind::file:
      return files.open(path)->size();
    case FileKind::directory: {
      std::int64_t bytes = 0;
      for (const std::string& name : files.list(path))
        bytes += bytes_below(files, join(path, name));
      return bytes;
    }
    default:
      return 0;
  }
}

/// Returns 0 if a file cannot be read or disappears.
std::int64_t bytes_or_none(const FileSystem& files, const std::string& path) {
  try {
    return bytes_below(files, path);
  } catch (const Error&) {
    return 0;
  }
}

void read_done(FileSystem& files, Leftover& leftover) {
  try {
    const std::optional<JournalContents> contents = read_journal(files, leftover.path);
    if (!contents || contents->done() == 0) return;
    leftover.done = contents->done();
    leftover.all = contents->all();
    leftover.unit = contents->unit();
  } catch (const Error&) {  // another version of this program may resume it
    leftover.done = leftover.all = 1;
  }
}

class Cleaning {
 public:
  /// `resumables`: empty: change nothing.
  Cleaning(FileSystem& files, std::string folder, std::optional<Resumables> resumables)
      : files_(files), folder_(std::move(folder)), resumables_(resumables) {}

  /// `only`: the output to look for; empty: every one.
  std::vector<Leftover> run(const std::string& only) {
    std::map<std::string, HiddenName> found;  // by whole name: a partial and its lock share one
    for (const std::string& name : files_.list(folder_)) {
      std::optional<HiddenName> hidden = parse(name);
      if (hidden && (only.empty() || hidden->output == only)) found[hidden->whole] = *hidden;
    }
    // Partials come first: a living writer of an output may be about to restore its old result.
    for (const auto& [whole, hidden] : found) {
      if (!hidden.previous) look_at_partial(hidden);
    }
    for (const auto& [whole, hidden] : found) {
      if (hidden.previous) look_at_previous(hidden);
    }
    return std::move(leftovers_);
  }

 private:
  void look_at_partial(const HiddenName& hidden) {
    const std::string path = join(folder_, hidden.whole);
    system::TakenClaim taken = files_.take_over(path + std::string(system::kClaimSuffix));
    Leftover leftover{path, bytes_or_none(files_, path), Fate::removed};
    read_done(files_, leftover);
    if (taken.holder != system::Holder::nobody) {
      if (taken.claim != nullptr) taken.claim->abandon();
      if (files_.kind(path) == FileKind::none && taken.why == system::kNoClaim) return;
      const bool in_use = taken.holder == system::Holder::someone;
      leftover.fate = in_use ? Fate::in_use : Fate::unknown;
      leftover.why = in_use ? "a run that is still alive writes it" : taken.why;
      held_.push_back(hidden.output);
    } else if (!resumables_) {
      taken.claim->abandon();
    } else if (resumables_ == Resumables::spared && leftover.done > 0) {
      leftover.fate = Fate::resumable;
      taken.claim->abandon();
    } else {
      act(leftover, [&] {
        files_.remove_all(path);
        // A run killed right after the swap has left its journal in the result.
        const std::string stray = join(join(folder_, hidden.output), kJournalName);
        if (files_.kind(stray) != FileKind::none) files_.remove_all(stray);
      });
      if (leftover.fate != Fate::removed) taken.claim->abandon();
    }
    leftovers_.push_back(std::move(leftover));
  }

  void look_at_previous(const HiddenName& hidden) {
    const std::string path = join(folder_, hidden.whole), output = join(folder_, hidden.output);
    Leftover leftover{path, bytes_or_none(files_, path), Fate::removed};
    if (std::ranges::find(held_, hidden.output) != held_.end()) {
      leftover.fate = Fate::in_use;
      leftover.why = "a run that may be alive writes " + output;
    } else if (files_.kind(output) == FileKind::none) {
      leftover.fate = Fate::restored;
      if (resumables_) act(leftover, [&] { files_.rename(path, output); });
    } else if (resumables_) {
      act(leftover, [&] { files_.remove_all(path); });
    }
    leftovers_.push_back(std::move(leftover));
  }

  template <class F>
  static void act(Leftover& leftover, F&& change) {
    try {
      change();
    } catch (const Error& error) {
      leftover.fate = Fate::unknown;
      leftover.why = error.what();
    }
  }

  FileSystem& files_;
  std::string folder_;
  std::optional<Resumables> resumables_;
  std::vector<std::string> held_;  // outputs with a writer that may be alive
  std::vector<Leftover> leftovers_;
};

std::vector<Leftover> look(FileSystem& files, const std::string& output,
                           std::optional<Resumables> resumables) {
  const std::string target = files.resolve(without_last_slashes(output));
  if (files.kind(target) == FileKind::directory && !is_zarr(output)) {
    return Cleaning(files, target, resumables).run("");
  }
  const std::string folder = parent_of(target);
  if (files.kind(folder) != FileKind::directory) {
    base::fail(ErrorKind::input_output, "{}: directory {} does not exist", output, folder);
  }
  return Cleaning(files, folder, resumables).run(name_of(target));
}

system::Partial take_up_claim(FileSystem& files, const Resumable& from) {
  const std::string lock = from.partial + std::string(system::kClaimSuffix);
  system::TakenClaim taken = files.take_over(lock);
  if (taken.holder == system::Holder::someone) {
    base::fail(ErrorKind::usage, "{}: a run that is still alive writes it ({})", from.output,
               from.partial);
  }
  if (taken.claim == nullptr) taken.claim = files.claim(lock);
  if (taken.claim == nullptr) {
    base::fail(ErrorKind::usage, "{}: {}; it can be resumed when {} has been removed", from.partial,
               taken.why, lock);
  }
  return {from.partial, std::move(taken.claim)};
}

}  // namespace

std::string output_of(const std::string& claim) {
  const std::optional<HiddenName> hidden = parse(name_of(claim));
  return join(parent_of(claim), hidden ? hidden->output : name_of(claim));
}

std::vector<Leftover> find_leftovers(FileSystem& files, const std::string& output) {
  return look(files, output, {});
}

std::vector<Leftover> clean_leftovers(FileSystem& files, const std::string& output,
                                      Resumables resumables) {
  return look(files, output, resumables);
}

Graph Resumable::graph(FileSystem& files) const {
  const ZarrGroup group(files, partial, contents.head.compress);
  try {
    return read_graph(group, contents.head.layout.n, contents.head.recipe.graph);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    base::fail(ErrorKind::input,
               "{}. To continue from the rows, solve the graph's own file with `output={}` and "
               "`resume`",
               error.what(), output);
  }
}

std::optional<Resumable> find_resumable(FileSystem& files, const std::string& output) {
  const Leftover* best = nullptr;
  const std::vector<Leftover> leftovers = find_leftovers(files, output);
  for (const Leftover& leftover : leftovers) {
    if (leftover.done == 0 || leftover.fate == Fate::in_use) continue;
    if (best == nullptr || leftover.done > best->done) best = &leftover;
  }
  if (best == nullptr) return std::nullopt;
  std::optional<JournalContents> contents = read_journal(files, best->path);
  if (!contents) return std::nullopt;
  return Resumable{files.resolve(without_last_slashes(output)), best->path, *std::move(contents)};
}

void require_same(const Resumable& earlier, const JournalHead& head) {
  const std::vector<std::string> found = differences(earlier.contents.head, head);
  if (found.empty()) return;
  const bool rounds_alike = head.recipe.rounding == earlier.contents.head.recipe.rounding;
  const std::string way =
      found.size() == 1 && !rounds_alike
          ? "continue it where it was started, or start over with `overwrite`"
          : "`resume` with only the output named continues it as it was started";
  base::fail(ErrorKind::usage, "{}: the earlier run was another solve ({}); {}", earlier.output,
             base::joined(found, "; "), way);
}

TakenUp take_up(FileSystem& files, const Resumable& from, const JournalHead& head) {
  require_same(from, head);
  system::Partial partial = take_up_claim(files, from);
  // The journal may have changed before the lock was obtained.
  std::optional<JournalContents> contents;
  try {
    contents = read_journal(files, partial.path);
  } catch (...) {
    partial.claim->abandon();
    throw;
  }
  if (!contents) {
    // The lock of a partial that is gone is removed.
    if (files.kind(partial.path) != FileKind::none) partial.claim->abandon();
    base::fail(ErrorKind::usage, "{}: another run has just finished it", from.output);
  }
  return {std::move(partial), *std::move(contents)};
}

std::unique_ptr<Store> resume_store(FileSystem& files, const Resumable& from,
                                    const JournalHead& head, const Graph& graph) {
  TakenUp taken = take_up(files, from, head);
  return std::make_unique<ZarrStore>(files, from.output, std::move(taken.partial), taken.contents,
                                     graph);
}

Error not_shared(const std::string& place) {
  return {
      ErrorKind::input_output,
      place + ": this process does not find it; -o must name a folder that all processes share"};
}

std::unique_ptr<Store> join_resumable(FileSystem& files, const std::string& place,
                                      const JournalHead& head, int process,
                                      std::span<const std::int64_t> held) {
  if (files.kind(place) != FileKind::directory) throw not_shared(place);
  return std::make_unique<ZarrStore>(Joined{}, files, place, head.layout, head.compress, process,
                                     held);
}

}  // namespace apsp::store
