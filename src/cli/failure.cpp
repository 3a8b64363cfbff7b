#include "cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <new>
#include <set>
#include <sstream>
#include <system_error>

#include "api/json.hpp"
#include "base/joined.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/option_words.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

struct Failure {
  ErrorKind kind;
  std::string message;
  std::vector<std::string> hints{};
  nlohmann::json details = nlohmann::json::object();
};

std::string printable_lines(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    result += (result.empty() ? "" : "\n  ") + printable(line);
  }
  return result;
}

/// Streams such as standard input and pipes cannot be read again.
bool is_stream(const std::string& word) {
  if (word == "-" || word.ends_with("@-")) return true;
  std::error_code failure;
  const auto type = std::filesystem::status(word, failure).type();
  return type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character;
}

std::vector<std::string> same_words(const Context& context) {
  std::vector<std::string> words = context.words();
  std::erase_if(words, [](const auto& word) { return word.starts_with("--overwrite"); });
  const auto end = std::find(words.begin(), words.end(), "--");
  if (std::find(words.begin(), end, "--resume") == end) words.insert(end, "--resume");
  return words;
}

std::vector<std::string> words_for_output(const Context& context) {
  std::set<std::string> kept_with_output = {
      "--output", "--overwrite", "--resume",   "--keep",    "--semiring", "--dtype",
      "--tile",   "--algorithm", "--compress", "--sources", "--targets",  "--predecessors"};
  kept_with_output.merge(reading_options());
  std::vector<std::string> words = {"solve", "--resume", context.unfinished->output};
  for (const Arguments::Given& option : context.given) {
    if (kept_with_output.contains(option.front())) continue;
    words.insert(words.end(), option.begin(), option.end());
  }
  return words;
}

/// The command that resumes this run: its own, unless it read the graph or vertices from a stream
/// or another verb wrote the output.
std::vector<std::string> resuming_words(const Context& context) {
  const std::vector<std::string>& words = context.words();
  const bool again = context.verb == "solve" && std::none_of(words.begin(), words.end(), is_stream);
  return again ? same_words(context) : words_for_output(context);
}

std::string launching(const Context& context, const std::vector<std::string>& words) {
  const int processes = context.launch != nullptr ? context.launch->size : 1;
  const std::string launcher = processes > 1 ? fmt::format("mpirun -n {} ", processes) : "";
  return launcher + shell_command(words);
}

std::string what_is_kept(const Context::Unfinished& unfinished) {
  return fmt::format("{} of {} {} of {} are complete and kept", base::format_count(unfinished.done),
                     base::format_count(unfinished.all), unfinished.unit, unfinished.output);
}

/// Hints for a run that can be resumed. If the same error would recur, the command is not shown;
/// the message names the remedy.
std::vector<std::string> hints_to_resume(const Context& context, ErrorKind kind) {
  const std::vector<std::string> words = resuming_words(context);
  const std::string command = "to continue: " + launching(context, words);
  if (kind == ErrorKind::interrupted) return {command};
  std::vector<std::string> hints = {what_is_kept(*context.unfinished)};
  const bool may_succeed =
      kind == ErrorKind::input_output || (kind == ErrorKind::device && words != context.words());
  if (may_succeed) hints.push_back(command);
  return hints;
}

std::vector<std::string> hints_for(const Context& context, const Error& error) {
  if (context.unfinished) return hints_to_resume(context, error.kind());
  switch (error.kind()) {
    case ErrorKind::usage:
      return {fmt::format("help: apsp {}--help", context.verb.empty() ? "" : context.verb + " ")};
    case ErrorKind::negative_cycle:
      if (!context.graph || context.graph->directed() || error.cycle().weight >= 0) return {};
      return {
          "an undirected edge of negative weight is a negative cycle, there and back; --directed "
          "takes every edge one way"};
    case ErrorKind::interrupted:
      return {"run it again: " + launching(context, context.words())};
    default:
      return {};
  }
}

std::string message_for(const Context& context, const Error& error) {
  if (error.kind() != ErrorKind::interrupted) return in_option_words(error.what());
  if (context.unfinished) return "interrupted; " + what_is_kept(*context.unfinished);
  const std::vector<std::string> kept = context.kept();
  if (kept.empty()) return "interrupted; nothing was written";
  return "interrupted; complete and kept: " + base::joined(kept, ", ");
}

int complain(const Context& context, const Failure& failure) {
  const ExitKind& kind = exit_kind(failure.kind);
  if (context.silent()) return kind.code;
  std::fflush(stdout);
  std::string text =
      fmt::format("apsp: {}\n", context.err().spelled(printable_lines(failure.message)));
  for (const std::string& hint : failure.hints) text += "  " + hint + "\n";
  std::fputs(text.c_str(), stderr);
  if (!context.json) return kind.code;
  nlohmann::json error = failure.details;
  error["kind"] = kind.name;
  error["message"] = failure.message;
  error["exit_code"] = kind.code;
  const std::string object = json_text({{"schema_version", 1}, {"error", error}}) + "\n";
  std::fputs(object.c_str(), stdout);
  std::fflush(stdout);
  return kind.code;
}

}  // namespace

int report(const Context& context, const Error& error) {
  Failure failure{error.kind(), message_for(context, error), hints_for(context, error)};
  if (const Location& where = error.location(); !where.file.empty()) {
    failure.details["location"] = {
        {"file", where.file}, {"line", where.line}, {"column", where.column}};
  }
  if (!error.cycle().vertices.empty()) {
    nlohmann::json names = nlohmann::json::array();
    for (const Vertex v : error.cycle().vertices) {
      names.push_back(context.graph ? context.graph->name(v) : fmt::format("{}", v));
    }
    failure.details["cycle"] = {{"vertices", names}, {"weight", error.cycle().weight}};
  }
  if (const auto* const refused = dynamic_cast<const RefusedSolve*>(&error)) {
    if (!refused->advice().empty()) failure.details["advice"] = api::to_json(refused->advice());
  }
  return complain(context, failure);
}

int report_current_exception(const Context& context) {
  try {
    throw;
  } catch (const Error& error) {
    return report(context, error);
  } catch (const std::bad_alloc&) {
    return complain(context, {ErrorKind::does_not_fit, "out of memory"});
  } catch (const std::system_error& error) {
    return complain(context, {ErrorKind::input_output, error.what()});
  } catch (const std::exception& error) {
    return complain(context, {ErrorKind::defect,
                              error.what(),
                              {"this is an error in apsp, not in your input: please report it"}});
  }
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain = "%+,-./:=@_";
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.find(c) != kPlain.npos;
  });
  if (plain) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_command(const std::vector<std::string>& words) {
  std::string command = "apsp";
  for (const std::string& word : words) command += " " + shell_word(word);
  return command;
}

}  // namespace apsp::cli
