#include "cli/application.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>

#include "calibration/machine_report.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/interruption.hpp"
#include "cli/meeting.hpp"
#include "cli/text_width.hpp"
#include "cli/verb.hpp"
#include "cli/words.hpp"

namespace apsp::cli {
namespace {

std::vector<VerbEntry> all_verbs() {
  return {solve_verb(),    plan_verb(),   path_verb(),   distance_verb(), stats_verb(),
          report_verb(),   verify_verb(), update_verb(), closure_verb(),  convert_verb(),
          generate_verb(), clean_verb(),  info_verb(),   bench_verb()};
}

std::string welcome() {
  std::string text =
      "apsp: all-pairs shortest paths\n\n"
      "Ten seconds to a first answer\n"
      "  apsp generate grid city.gr --vertices 400     a small town of 20 by 20 crossings\n"
      "  apsp solve city.gr -o city.zarr --verify      every distance, checked\n"
      "  apsp path city.zarr 0 399                     the way across, hop by hop\n\n"
      "Verbs\n";
  for (const VerbEntry& verb : all_verbs())
    text += "  " + pad(verb.synopsis, 30) + verb.brief + "\n";
  return text +
         "\nGraphs: Matrix Market, DIMACS, edge lists (also CSV), METIS, CAIDA as-rel, NumPy; "
         "plain,\n"
         ".gz or .zst, from a file or from standard input (-).\n"
         "More: apsp VERB --help, apsp --version.\n"
         "Exit codes: 0 done, 1 a negative answer (no path, a check that failed), 2 wrong words,\n"
         "3 malformed input, 4 negative cycle, 5 does not fit, 6 files, 7 GPU, 8 interrupted.\n";
}

VerbEntry find_verb(const std::string& name) {
  std::vector<std::string> names;
  for (VerbEntry& verb : all_verbs()) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  if (!name.empty() && name[0] == '-') {
    throw Error(ErrorKind::usage,
                fmt::format("the verb comes first: apsp {} {}", alternatives(names), name));
  }
  const std::string suggestion = did_you_mean(name, names);
  throw Error(ErrorKind::usage,
              fmt::format("unknown verb '{}'{}", name,
                          suggestion.empty() ? "; there are " + alternatives(names) : suggestion));
}

Arguments arguments_of(const VerbEntry& entry, Verb& verb, Session& session) {
  Arguments arguments(entry.name, entry.about, entry.examples);
  verb.declare(arguments);
  arguments.section("Manners");
  arguments.flag("--json", session.json, "print one JSON object (docs/schema.json) and no report");
  arguments.flag("--verbose", session.verbose, "say more: the whole plan, a line each");
  arguments.flag("--quiet", session.quiet, "no messages and no progress; errors still show");
  return arguments;
}

int help(Session& session, const std::string& name) {
  const VerbEntry entry = find_verb(name);
  const std::unique_ptr<Verb> verb = entry.make();
  const std::string text = arguments_of(entry, *verb, session).help();
  session.json = false;
  session.print(text);
  return kExitOk;
}

int run_verb(Session& session) {
  const VerbEntry entry = find_verb(session.words().front());
  if (!entry.shared) {
    if (session.silent) return kExitOk;
    session.launch = nullptr;  // process 0 does it as if there were no others
  }
  session.verb = entry.name;
  const std::unique_ptr<Verb> verb = entry.make();
  const Arguments arguments = arguments_of(entry, *verb, session);
  const std::vector<std::string> behind(session.words().begin() + 1, session.words().end());
  if (!arguments.parse(behind, &session.given)) {
    return help(session, entry.name);
  }
  return verb->run(session);
}

int dispatch(Session& session) {
  const std::vector<std::string>& words = session.words();
  const std::string first = words.empty() ? "help" : words[0];
  if (first == "--version" || first == "-V") {
    session.json = false;
    session.print(fmt::format("apsp {}\n", calibration::version()));
    return kExitOk;
  }
  if (first == "help" || first == "--help" || first == "-h") {
    if (words.size() > 1 && words[1][0] != '-') return help(session, words[1]);
    session.json = false;
    session.print(welcome());
    return kExitOk;
  }
  return run_verb(session);
}

}  // namespace

int run(const std::vector<std::string>& words, Launch* launch) {
  if (launch == nullptr) catch_signals();
  Session session(words);
  session.launch = launch;
  // Known before the parser has spoken, so that its errors are objects too.
  const auto end = std::find(words.begin(), words.end(), "--");
  session.json = std::find(words.begin(), end, "--json") != end;
  std::unique_ptr<places::Communicator> others;
  const int code = guarded(session, [&] {
    if (launch != nullptr) {
      others = join_launch(session);  // which a signal ends at once
      catch_signals();
    } else if (launched_processes() > 1) {
      go_on_under_mpi(words);
    }
    const int done = dispatch(session);
    Session::flush();
    return done;
  });
  return others == nullptr || launch->broken ? code : end_all(*others, code);
}

}  // namespace apsp::cli
