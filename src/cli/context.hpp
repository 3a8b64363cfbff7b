// One run of the command line: where its texts go, and what must be known when it fails.
//
// Results go to standard output, messages and progress to standard error. With --json standard
// output carries exactly one object and the human report is left out.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <nlohmann/json_fwd.hpp>

#include "cli/arguments.hpp"
#include "cli/option_words.hpp"
#include "cli/progress.hpp"
#include "cli/terminal_style.hpp"
#include "distributed/launch.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::cli {

/// An option in a command where it may have no effect.
struct IdleOption {
  std::string option;  ///< its long name
  bool idle = false;   ///< it has none here
  std::string why;     ///< end of the sentence: what it does, and what it needs
};

class Context {
 public:
  /// `words`: the command line without the program's name.
  explicit Context(std::vector<std::string> words);

  bool json = false;
  bool quiet = false;
  bool verbose = false;
  distributed::Launch* launch = nullptr;  ///< that this process belongs to; null: one process
  std::string verb;
  std::vector<Arguments::Given> given{};  ///< the options behind the verb
  std::optional<Graph> graph;             ///< gives the vertices of error messages their names
  /// How much of an output is complete, so that another run can resume it.
  struct Unfinished {
    std::string output;
    std::int64_t done = 0, all = 0;
    std::string_view unit = "rows";
  };
  std::optional<Unfinished> unfinished;

  const TerminalStyle& out() const { return out_; }
  const TerminalStyle& err() const { return err_; }
  const std::vector<std::string>& words() const { return words_; }

  /// Whether another process of the job prints everything.
  bool silent() const { return launch != nullptr && launch->rank > 0 && !launch->broken; }

  /// For long work: progress unless --quiet, and the cancellation of Ctrl-C.
  Control control();

  /// Part of the result, for people; left out with --json.
  void print(std::string_view text) const;
  /// The result, for programs: completed by schema version and verb; left out without --json.
  void print_json(const nlohmann::json& content) const;
  /// A line on standard error, unless --quiet.
  void note(std::string_view line) const;

  /// Empties the buffer of standard output. Throws `Error` (input_output) if it cannot be written;
  /// a reader that closed the pipe is not a failure.
  static void flush();
  /// Calls `write`, which writes to standard output by itself. A reader that closed the pipe is not
  /// a failure.
  static void let_write(const std::function<void()>& write);

  /// A complete file, for the message of an interruption. Both are thread-safe.
  void keep(const std::string& path);
  std::vector<std::string> kept() const;

  /// Whether this option was given, by its long name.
  bool gave(std::string_view option) const { return value_of(option).has_value(); }
  /// The last value that was given with an option, empty for a flag.
  std::optional<std::string> value_of(std::string_view option) const;
  /// Throws `Error` (usage) for the first of them that was given and is idle.
  void refuse_idle(std::span<const IdleOption> options) const;
  /// Throws `Error` (usage) for the first option that was given and is neither among `used` nor one
  /// that every verb has.
  void refuse_others(const std::set<std::string>& used, const std::string& why) const;

 private:
  std::vector<std::string> words_;
  TerminalStyle out_;
  TerminalStyle err_;
  ProgressBar bar_;
  mutable std::mutex keeping_;
  std::vector<std::string> kept_;
};

/// A JSON object as text: names in any encoding are made valid UTF-8.
std::string json_text(const nlohmann::json& object);

/// How a list of vertices, pairs or weights is read: in the encoding that --encoding names.
io::ListReading list_reading(Context& context, io::Remarks* remarks = nullptr);

/// read(reading) of a list; notes what was assumed of it.
template <class Read>
auto read_list(Context& context, const Read& read) {
  io::Remarks remarks;
  auto list = read(list_reading(context, &remarks));
  for (const std::string& remark : remarks) context.note(in_option_words(remark));
  return list;
}

}  // namespace apsp::cli
