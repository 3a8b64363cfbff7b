#include "cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <system_error>

#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/text_width.hpp"

namespace apsp::cli {
namespace {

struct Failure {
  std::string kind;
  int code;
  std::string message;
  std::vector<std::string> hints;
};

std::string name_of(const Session& session, Vertex v) {
  return session.graph ? session.graph->name(v) : fmt::format("{}", v);
}

/// Each line made printable; the lines stay.
std::string printable_lines(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    result += (result.empty() ? "" : "\n  ") + printable(line);
  }
  return result;
}

/// A stream that has been read cannot be read again: standard input, a pipe of the shell's.
bool is_stream(const std::string& word) {
  if (word == "-" || word.ends_with("@-")) return true;
  std::error_code failure;
  const auto type = std::filesystem::status(word, failure).type();
  return type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character;
}

/// The words of this run, as those of one that goes on.
std::vector<std::string> same_words(const Session& session) {
  std::vector<std::string> words = session.words();
  std::erase_if(words, [](const auto& word) { return word.starts_with("--overwrite"); });
  const auto end = std::find(words.begin(), words.end(), "--");
  if (std::find(words.begin(), end, "--resume") == end) words.insert(end, "--resume");
  return words;
}

/// Words that take the graph, and all that decides over the result, from beside the output.
std::vector<std::string> words_for_output(const Session& session) {
  const std::set<std::string> kept_beside = {
      "--output", "--overwrite", "--resume",   "--keep",    "--semiring",   "--dtype",
      "--tile",   "--algorithm", "--compress", "--sources", "--targets",    "--predecessors",
      "--format", "--directed",  "--columns",  "--as-rel",  "--undirected", "--coordinates"};
  std::vector<std::string> words = {"solve", "--resume", session.unfinished->output};
  for (const Arguments::Given& option : session.given) {
    if (kept_beside.contains(option.front())) continue;
    words.insert(words.end(), option.begin(), option.end());
  }
  return words;
}

/// The words that go on from what is kept. No option is lost: they are those of this run, unless
/// its graph or its vertices came through a stream, or another verb wrote the output.
std::vector<std::string> resuming_words(const Session& session) {
  const std::vector<std::string>& words = session.words();
  const bool again = session.verb == "solve" && std::none_of(words.begin(), words.end(), is_stream);
  return again ? same_words(session) : words_for_output(session);
}

/// As one pastes it into a shell, with as many processes as there are.
std::string launching(const Session& session, const std::vector<std::string>& words) {
  const int processes = session.launch != nullptr ? session.launch->size : 1;
  const std::string launcher = processes > 1 ? fmt::format("mpirun -n {} ", processes) : "";
  return launcher + shell_command(words);
}

std::string what_is_kept(const Session::Unfinished& unfinished) {
  return fmt::format("{} of {} {} of {} are complete and kept", base::format_count(unfinished.done),
                     base::format_count(unfinished.all), unfinished.unit, unfinished.output);
}

/// `apsp solve --resume OUT` of a matrix on disk whose graph is dense: a dense .npy takes less
/// memory than the lists of arcs that lie beside the output.
bool has_dense_graph_from_output(const Session& session) {
  if (session.unfinished->unit != "pivots" || !session.graph) return false;
  const std::int64_t n = session.graph->vertex_count();
  return session.graph->matrix() == nullptr && session.graph->arc_count() > n * n / 2 &&
         std::none_of(session.given.begin(), session.given.end(),
                      [](const auto& option) { return option.front() == "--output"; });
}

/// What ended the run by chance, so that the same words may do better.
bool may_pass(ErrorKind kind) {
  return kind == ErrorKind::interrupted || kind == ErrorKind::input_output;
}

/// Where something is kept. The words that have just failed for a reason that stays are no way on:
/// the message says what is.
std::vector<std::string> hints_to_go_on(const Session& session, ErrorKind kind) {
  const std::vector<std::string> words = resuming_words(session);
  const std::string command = "go on: " + launching(session, words);
  if (kind == ErrorKind::interrupted) return {command};
  std::vector<std::string> hints = {what_is_kept(*session.unfinished)};
  if (may_pass(kind) || (kind == ErrorKind::device && words != session.words())) {
    hints.push_back(command);
  } else if (kind == ErrorKind::does_not_fit && has_dense_graph_from_output(session)) {
    hints.push_back(
        "the graph beside it takes more memory than a dense .npy; where it came from one: "
        "apsp solve GRAPH.npy -o " +
        session.unfinished->output + " --resume");
  }
  return hints;
}

std::vector<std::string> hints_for(const Session& session, const Error& error) {
  if (session.unfinished) return hints_to_go_on(session, error.kind());
  switch (error.kind()) {
    case ErrorKind::usage:
      return {fmt::format("help: apsp {}--help", session.verb.empty() ? "" : session.verb + " ")};
    case ErrorKind::negative_cycle:
      if (!session.graph || session.graph->directed() || error.cycle().weight >= 0) return {};
      return {
          "an undirected edge of negative weight is such a cycle, there and back; --directed "
          "takes every edge one way"};
    case ErrorKind::interrupted:
      return {"run it again: " + launching(session, session.words())};
    default:
      return {};
  }
}

std::string message_for(const Session& session, const Error& error) {
  if (error.kind() != ErrorKind::interrupted) return error.what();
  if (session.unfinished) return "interrupted; " + what_is_kept(*session.unfinished);
  if (session.kept.empty()) return "interrupted; nothing was written";
  return fmt::format("interrupted; complete and kept: {}", fmt::join(session.kept, ", "));
}

void complain(const Session& session, const Failure& failure, nlohmann::json details) {
  if (session.silent) return;
  std::fflush(stdout);
  std::string text =
      fmt::format("apsp: {}\n", session.err().spelled(printable_lines(failure.message)));
  for (const std::string& hint : failure.hints) text += "  " + hint + "\n";
  std::fputs(text.c_str(), stderr);
  if (!session.json) return;
  details["kind"] = failure.kind;
  details["message"] = failure.message;
  details["exit_code"] = failure.code;
  const std::string object = json_text({{"schema_version", 1}, {"error", details}}) + "\n";
  std::fputs(object.c_str(), stdout);
  std::fflush(stdout);
}

int complain(const Session& session, const Failure& failure) {
  complain(session, failure, nlohmann::json::object());
  return failure.code;
}

}  // namespace

int report(const Session& session, const Error& error) {
  nlohmann::json details = nlohmann::json::object();
  if (!error.location().file.empty()) {
    const Location& where = error.location();
    details["location"] = {{"file", where.file}, {"line", where.line}, {"column", where.column}};
  }
  if (!error.cycle().vertices.empty()) {
    nlohmann::json names = nlohmann::json::array();
    for (const Vertex v : error.cycle().vertices) names.push_back(name_of(session, v));
    details["cycle"] = {{"vertices", names}, {"weight", error.cycle().weight}};
  }
  const int code = exit_code(error.kind());
  complain(session,
           {std::string(kind_name(error.kind())), code, message_for(session, error),
            hints_for(session, error)},
           details);
  return code;
}

int report_current_exception(const Session& session) {
  try {
    throw;
  } catch (const Error& error) {
    return report(session, error);
  } catch (const std::bad_alloc&) {
    return complain(session, {"does_not_fit", kExitDoesNotFit, "out of memory", {}});
  } catch (const std::system_error& error) {
    return complain(session, {"input_output", kExitInputOutput, error.what(), {}});
  } catch (const std::exception& error) {
    return complain(session, {"defect",
                              kExitDefect,
                              error.what(),
                              {"this is a fault of apsp, not of your input: please report it"}});
  }
}

std::string shell_command(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain = "%+,-./:=@_";
  std::string command = "apsp";
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.find(c) != kPlain.npos;
    });
    if (plain) {
      command += " " + word;
      continue;
    }
    command += " '";
    for (const char c : word) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += "'";
  }
  return command;
}

}  // namespace apsp::cli
