#include "cli/leftovers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>

#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/verb.hpp"
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
  const store::Fate fate = leftover.fate;
  if (fate == store::Fate::removed) return "removed " + what + ", left by a run that was killed";
  if (fate == store::Fate::restored) {
    return "restored the result that a killed run had moved to " + what;
  }
  return fmt::format("kept {}: {}", what,
                     fate == store::Fate::resumable ? rows_text(leftover) : leftover.why);
}

std::string fate_text(store::Fate fate, bool listed) {
  if (fate == store::Fate::removed) return listed ? "to remove" : "removed";
  if (fate == store::Fate::restored) return listed ? "to restore" : "restored";
  if (fate == store::Fate::in_use) return "in use";
  return fate == store::Fate::resumable ? "resumable" : "unknown";
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

/// The reason why it stays, or its resumable part; may be empty.
std::string why_text(const store::Leftover& leftover, bool listed) {
  if (leftover.done == 0) return leftover.why;
  const bool gone = leftover.fate == store::Fate::removed && !listed;
  return leftover.why + (leftover.why.empty() ? "" : "; ") +
         (gone ? fmt::format("{} of {} {} were complete", base::format_count(leftover.done),
                             base::format_count(leftover.all), leftover.unit)
               : rows_text(leftover));
}

class Clean : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("OUT", output_,
                         "the output of the killed run, or a folder for all outputs in it");
    arguments.section("Options");
    arguments.flag("--list", list_, "list what would be removed, and remove nothing");
  }

  int run(Context& context) override {
    store::FileSystem& files = store::posix_file_system();
    const std::vector<store::Leftover> leftovers =
        list_ ? store::find_leftovers(files, output_) : store::clean_leftovers(files, output_);
    context.print(text_of(leftovers, context.out()));
    if (context.json) {
      nlohmann::json all = nlohmann::json::array();
      for (const store::Leftover& leftover : leftovers) all.push_back(to_json(leftover, list_));
      context.print_json({{"output", output_}, {"leftovers", all}});
    }
    return kExitOk;
  }

 private:
  std::string text_of(const std::vector<store::Leftover>& leftovers,
                      const TerminalStyle& look) const {
    if (leftovers.empty()) return printable(output_) + ": nothing was left behind\n";
    constexpr std::size_t kWidest = 72;
    Table table({Align::left, Align::right, Align::left, Align::left}, kWidest);
    for (const store::Leftover& leftover : leftovers) {
      table.row({printable(leftover.path), base::format_bytes(leftover.bytes),
                 fate_text(leftover.fate, list_), why_text(leftover, list_)});
    }
    return heading(look, printable(output_), "left by runs that were killed") + table.text(look);
  }

  std::string output_;
  bool list_ = false;
};

}  // namespace

void clean_beside(const Context& context, const std::string& output, store::Resumables resumables) {
  store::FileSystem& files = store::posix_file_system();
  if (output.empty() || output == "-") return;
  try {
    if (files.kind(output) == store::FileKind::other) return;
    if (files.kind(output) == store::FileKind::directory && !store::is_zarr(output)) {
      return;  // no output; the writer reports it
    }
    for (const store::Leftover& leftover : store::clean_leftovers(files, output, resumables)) {
      if (leftover.fate == store::Fate::resumable && context.verb == "solve")
        continue;  // the solve reports it
      context.note(note_of(leftover));
    }
  } catch (const Error&) {  // a missing or unreadable directory, which the writer reports
  }
}

VerbEntry clean_verb() {
  return {
      "clean OUT",
      "lists and removes files that killed runs left next to OUT",
      "Clean: a run that is killed leaves hidden partial files next to its output. This verb lists "
      "and removes them. Files that a running process writes, or that have no lock, are listed and "
      "kept. The next run that writes OUT does the same first, but keeps what can be resumed.",
      {"apsp clean roads.zarr                        next to this result",
       "apsp clean roads.zarr --list                 what would be removed",
       "apsp clean .                                 all outputs of a folder"},
      make_verb<Clean>};
}

}  // namespace apsp::cli
