#include "cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
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

/// A matrix on disk lies there with its graph as lists of arcs, which take more memory than a dense
/// `.npy`: so the words of that run go on from it, and read the `.npy` again.
bool reads_graph_again(const Session& session) {
  const std::vector<std::string>& words = session.words();
  return session.unfinished->unit == "pivots" &&
         std::any_of(words.begin() + 1, words.end(), [&](const std::string& word) {
           return word != session.unfinished->output && word.ends_with(".npy");
         });
}

/// The words that go on from what is kept: machine and report are not kept with it.
std::vector<std::string> resuming_words(const Session& session, const std::string& output) {
  if (reads_graph_again(session)) {
    std::vector<std::string> again = session.words();
    std::erase(again, "--overwrite");
    if (std::find(again.begin(), again.end(), "--resume") == again.end()) {
      again.insert(std::find(again.begin(), again.end(), "--"), "--resume");
    }
    return again;
  }
  const std::set<std::string> flags = {"--verify", "--json", "--quiet", "--verbose"};
  const std::set<std::string> values = {"--threads", "--memory",    "--disk",      "--seed",
                                        "--top",     "--broadcast", "--checkpoint"};
  std::vector<std::string> kept = {"solve", "--resume", output};
  const std::vector<std::string>& words = session.words();
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    if (!flags.contains(name) && !values.contains(name)) continue;
    kept.push_back(words[i]);
    if (values.contains(name) && equals == name.npos && i + 1 < words.size()) {
      kept.push_back(words[++i]);
    }
  }
  return kept;
}

std::string what_is_kept(const Session::Unfinished& unfinished) {
  return fmt::format("{} of {} {} of {} are complete and kept", base::format_count(unfinished.done),
                     base::format_count(unfinished.all), unfinished.unit, unfinished.output);
}

/// `apsp solve --resume OUT` alone, of a matrix on disk.
bool takes_graph_from_output(const Session& session) {
  const std::vector<std::string>& words = session.words();
  return session.unfinished->unit == "pivots" &&
         std::none_of(words.begin(), words.end(), [](const std::string& word) {
           return word == "-o" || word.starts_with("-o") || word.starts_with("--output");
         });
}

std::vector<std::string> hints_for(const Session& session, const Error& error) {
  if (session.unfinished) {
    const int processes = session.launch != nullptr ? session.launch->size : 1;
    const std::string command =
        (processes > 1 ? fmt::format("go on: mpirun -n {} ", processes) : "go on: ") +
        shell_command(resuming_words(session, session.unfinished->output));
    if (error.kind() == ErrorKind::interrupted) return {command};
    if (error.kind() == ErrorKind::does_not_fit && takes_graph_from_output(session)) {
      return {what_is_kept(*session.unfinished),
              "the graph beside it takes more memory than a dense .npy; where it came from one: "
              "apsp solve GRAPH.npy -o " +
                  session.unfinished->output + " --resume"};
    }
    return {what_is_kept(*session.unfinished), command};
  }
  switch (error.kind()) {
    case ErrorKind::usage:
      return {fmt::format("help: apsp {}--help", session.verb.empty() ? "" : session.verb + " ")};
    case ErrorKind::negative_cycle:
      if (!session.graph || session.graph->directed() || error.cycle().weight >= 0) return {};
      return {
          "an undirected edge of negative weight is such a cycle, there and back; --directed "
          "takes every edge one way"};
    case ErrorKind::interrupted:
      return {"run it again: " + shell_command(session.words())};
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
