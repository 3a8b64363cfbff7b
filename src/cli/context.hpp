// One run of the command line. Results go to standard output, messages and progress to standard
// error. The option --json makes standard output carry exactly one object.
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
#include "cluster/launch.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::cli {

struct IdleOption {
  std::string option;
  bool idle = false;
  std::string why;  ///< end of the sentence: the purpose of the option and its requirements
};

class Context {
 public:
  explicit Context(std::vector<std::string> words);

  bool json = false;
  bool quiet = false;
  bool verbose = false;
  cluster::Launch* launch = nullptr;  ///< the job of this process; null: one process
  std::string verb;
  std::vector<Arguments::Given> given{};
  std::optional<Graph> graph;  ///< names the vertices in error messages
  /// The complete part of an output that another run can resume.
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

  /// Progress unless --quiet, and the cancellation by Ctrl-C.
  Control control();

  void print(std::string_view text) const;
  /// Prints the result with schema version and verb; does nothing without --json.
  void print_json(const nlohmann::json& content) const;
  void note(std::string_view line) const;

  /// Flushes standard output. Throws `Error` (input_output); a closed pipe is not a failure.
  static void flush();
  /// Calls `write`, which writes to standard output. A closed pipe is not a failure.
  static void let_write(const std::function<void()>& write);

  /// Records a complete file for the message of an interruption. `keep` and `kept` are thread-safe.
  void keep(const std::string& path);
  std::vector<std::string> kept() const;

  bool gave(std::string_view option) const { return value_of(option).has_value(); }
  std::optional<std::string> value_of(std::string_view option) const;
  void refuse_idle(std::span<const IdleOption> options) const;
  /// Throws `Error` (usage) for the first given option that is neither in `used` nor common to all
  /// verbs.
  void refuse_others(const std::set<std::string>& used, const std::string& why) const;

 private:
  std::vector<std::string> words_;
  TerminalStyle out_;
  TerminalStyle err_;
  ProgressBar bar_;
  mutable std::mutex keeping_;
  std::vector<std::string> kept_;
};

/// The text of a JSON object; names in any encoding become valid UTF-8.
std::string json_text(const nlohmann::json& object);

io::ListReading list_reading(Context& context, io::Remarks* remarks = nullptr);

/// Reads a list by a function of src/io, and notes what it assumed.
template <class Read, class... Arguments>
auto read_list(Context& context, const Read& read, const Arguments&... arguments) {
  io::Remarks remarks;
  auto list = read(arguments..., list_reading(context, &remarks));
  for (const std::string& remark : remarks) context.note(in_option_words(remark));
  return list;
}

}  // namespace apsp::cli
