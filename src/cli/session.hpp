// One run of the command line: where its words go and what must be known when it fails.
//
// Results go to standard output, messages and progress to standard error. With --json standard
// output carries exactly one object and the human report is left out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <nlohmann/json_fwd.hpp>

#include "cli/arguments.hpp"
#include "cli/launch.hpp"
#include "cli/look.hpp"
#include "cli/progress_bar.hpp"

namespace apsp::cli {

class Session {
 public:
  /// `words`: the command line without the program's name.
  explicit Session(std::vector<std::string> words);

  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool silent = false;       ///< another process of the job says all that there is to say
  Launch* launch = nullptr;  ///< the job that this process belongs to; null: it is alone
  std::string verb;
  std::vector<Arguments::Given> given{};  ///< the options behind the verb
  std::optional<Graph> graph;             ///< gives the vertices of error messages their names
  std::vector<std::string> kept;  ///< files that are complete, should the rest be interrupted
  /// How much of an output is complete, so that another run can resume it.
  struct Unfinished {
    std::string output;
    std::int64_t done = 0, all = 0;
    std::string_view unit = "rows";
  };
  std::optional<Unfinished> unfinished;

  const Look& out() const { return out_; }
  const Look& err() const { return err_; }
  const std::vector<std::string>& words() const { return words_; }

  /// For long work: progress unless --quiet, and the cancellation of Ctrl-C.
  Control control();

  /// Part of the result, for people; left out with --json.
  void print(std::string_view text) const;
  /// The result, for programs: completed by schema version and verb. Requires: --json.
  void print_json(const nlohmann::json& content) const;
  /// A line on standard error, unless --quiet.
  void note(std::string_view line) const;

  /// Empties the buffer of standard output. Throws `Error` (input_output) if it cannot be written;
  /// a reader that went away is no failure.
  static void flush();
  /// Lets `write` write by itself, behind the buffer of standard output. A reader that went away is
  /// no failure here either.
  static void let_write(const std::function<void()>& write);

  /// Whether this option was given, by its long name.
  bool gave(std::string_view option) const;

 private:
  std::vector<std::string> words_;
  Look out_;
  Look err_;
  ProgressBar bar_;
};

/// A JSON object as text: names in any encoding are made valid UTF-8.
std::string json_text(const nlohmann::json& object);

}  // namespace apsp::cli
