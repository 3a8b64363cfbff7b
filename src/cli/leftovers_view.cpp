#include "cli/leftovers_view.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <nlohmann/json.hpp>

#include "base/units.hpp"
#include "cli/text_width.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

std::string rows_text(const store::Leftover& leftover) {
  return fmt::format("{} of {} {} are complete, for apsp solve --resume",
                     base::format_count(leftover.done), base::format_count(leftover.all),
                     leftover.unit);
}

std::string note_of(const store::Leftover& leftover) {
  const std::string what =
      fmt::format("{} ({})", printable(leftover.path), base::format_bytes(leftover.bytes));
  switch (leftover.fate) {
    case store::Fate::removed:
      return "removed " + what + ", left by a run that was killed";
    case store::Fate::restored:
      return "restored the result that a killed run had put aside as " + what;
    case store::Fate::resumable:
      return fmt::format("left alone {}: {}", what, rows_text(leftover));
    default:
      return fmt::format("left alone {}: {}", what, leftover.why);
  }
}

}  // namespace

std::string fate_text(store::Fate fate, bool listed) {
  switch (fate) {
    case store::Fate::removed:
      return listed ? "to remove" : "removed";
    case store::Fate::restored:
      return listed ? "to restore" : "restored";
    case store::Fate::in_use:
      return "in use";
    case store::Fate::resumable:
      return "resumable";
    default:
      return "unknown";
  }
}

nlohmann::json to_json(const store::Leftover& leftover, bool listed) {
  std::string fate = fate_text(leftover.fate, listed);
  std::replace(fate.begin(), fate.end(), ' ', '_');
  nlohmann::json object = {{"path", leftover.path}, {"bytes", leftover.bytes}, {"fate", fate}};
  if (!leftover.why.empty()) object["why"] = leftover.why;
  if (leftover.done > 0) {
    object[fmt::format("{}_done", leftover.unit)] = leftover.done;
    object[std::string(leftover.unit)] = leftover.all;
  }
  return object;
}

std::string why_text(const store::Leftover& leftover, bool listed) {
  if (leftover.done == 0) return leftover.why;
  const bool gone = leftover.fate == store::Fate::removed && !listed;
  return leftover.why + (leftover.why.empty() ? "" : "; ") +
         (gone ? fmt::format("{} of {} {} were complete", base::format_count(leftover.done),
                             base::format_count(leftover.all), leftover.unit)
               : rows_text(leftover));
}

void clean_beside(const Session& session, const std::string& output, store::Resumables resumables) {
  store::FileSystem& files = store::posix_file_system();
  if (output.empty() || output == "-") return;
  try {
    if (files.kind(output) == store::FileKind::other) return;  // a device or a pipe
    if (files.kind(output) == store::FileKind::directory && !store::is_zarr(output)) {
      return;  // no output; whoever writes it will say so
    }
    for (const store::Leftover& leftover : store::clean_leftovers(files, output, resumables)) {
      if (leftover.fate == store::Fate::resumable && session.verb == "solve") continue;  // says it
      session.note(note_of(leftover));
    }
  } catch (const Error&) {  // no such directory, or one that cannot be read: the writer says it
  }
}

}  // namespace apsp::cli
