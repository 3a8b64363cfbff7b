#include "cli/application.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/progress.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/help_pages.hpp"
#include "cli/interruption.hpp"
#include "cli/late_end.hpp"
#include "cli/memory_use.hpp"
#include "cli/verb.hpp"
#include "cluster/heartbeat.hpp"
#include "cluster/launch.hpp"
#include "kernels/cpu/processor.hpp"
#include "rates/machine_report.hpp"
#include "system/memory_limit.hpp"

namespace apsp::cli {
namespace {

/// Runs before all initialisers: a standard-library template that was compiled with vector
/// instructions may be the copy that all files share.
[[gnu::constructor(101)]] void require_processor() {
  namespace cpu = kernels::cpu;
  cpu::require_sets(cpu::kNeededSets, cpu::present_sets(), kExitDevice);
}

constexpr const char* kBrief = "all-pairs shortest paths";

std::string welcome() {
  std::string text = fmt::format("apsp: {}\n", kBrief);
  text +=
      "\n"
      "A first answer in ten seconds\n"
      "  apsp generate grid city.gr --vertices 400     a town of 20 by 20 crossings\n"
      "  apsp solve city.gr -o city.zarr --verify      all distances, checked\n"
      "  apsp path city.zarr 0 399                     one shortest path, hop by hop\n"
      "\n"
      "Verbs\n";
  for (const VerbEntry& verb : all_verbs()) text += help_entry(verb.synopsis, verb.brief);
  return text +
         "\n"
         "Graphs: Matrix Market, DIMACS, edge lists (also CSV), METIS, CAIDA as-rel and\n"
         "NumPy; plain, .gz or .zst; from a file or from standard input (-).\n"
         "More: apsp VERB --help, apsp --version, and apsp help TOPIC for the topics\n"
         "formats, reading, rare, tuning, exit-codes and environment.\n"
         "Exit codes: 0 done, 1 a negative answer (no path, a failed check), 2 wrong\n"
         "command line, 3 malformed input, 4 negative cycle, 5 does not fit into memory\n"
         "or on disk, 6 files, 7 GPU, 8 interrupted, 70 an error in apsp itself.\n";
}

int print_help(Context& context, const std::string& text) {
  context.json = false;
  context.print(text);
  return kExitOk;
}

int run_verb(Context& context) {
  const VerbEntry entry = find_verb(context.words().front());
  if (!entry.shared) {
    if (context.silent()) return kExitOk;
    context.launch = nullptr;  // process 0 runs it as the only process
  }
  context.verb = entry.name();
  const DeclaredVerb declared(entry, context);
  const std::vector<std::string> behind(context.words().begin() + 1, context.words().end());
  if (!declared.arguments.parse(behind, &context.given)) {
    return print_help(context, help_text(context.verb, HelpForm::usual));
  }
  try {
    return declared.verb->run(context);
  } catch (const system::OnlyPlanned&) {
    return tell_memory_plan(context);
  }
}

bool is_json(const std::vector<std::string>& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, "--json") != end;
}

int dispatch(Context& context) {
  const std::vector<std::string>& words = context.words();
  const std::string first = words.empty() ? "help" : words[0];
  if (first == "--version" || first == "-V") {
    return print_help(context, fmt::format("apsp {}\n", rates::version()));
  }
  if (first == "--json-usage") return print_help(context, usage_json());
  if (const auto offered = completions_of(words)) return print_help(context, *offered);
  if (first == "help" || first == "--help" || first == "-h") {
    const std::string last = words.empty() ? "" : words.back();
    const HelpForm form = last == "--man"   ? HelpForm::page
                          : last == "--all" ? HelpForm::all
                                            : HelpForm::usual;
    if (words.size() > 1 && words[1][0] != '-') {
      return print_help(context, help_text(words[1], form));
    }
    return print_help(context,
                      form == HelpForm::page ? manual_page("apsp", kBrief, welcome()) : welcome());
  }
  return run_verb(context);
}

/// Runs the clean-up after a late end (late_end.hpp). Returns the exit code.
int after_late_end(const LateEnd& end) {
  Context context(end.words);
  context.json = is_json(end.words);
  try {
    const VerbEntry entry = find_verb(end.words.empty() ? "" : end.words.front());
    context.verb = entry.name();
    const std::vector<std::string> behind(end.words.begin() + 1, end.words.end());
    DeclaredVerb(entry, context).arguments.parse(behind, &context.given);
  } catch (const Error&) {  // help, and words that are no verb
  }
  if (context.err().animated) std::fputc('\n', stderr);
  clean_after(end, context);
  return report(context, Error(ErrorKind::interrupted, "interrupted"));
}

/// Runs on another thread while this one waits for the other processes of its launch.
void end_alone(Context& context, const Error& error) {
  context.launch->broken = true;
  context.json = context.json && cluster::launched_number() == 0;
  std::_Exit(report(context, error));
}

}  // namespace

std::vector<VerbEntry> all_verbs() {
  return {solve_verb(),        plan_verb(),      path_verb(),    paths_verb(),
          distance_verb(),     nearest_verb(),   access_verb(),  betweenness_verb(),
          eccentricity_verb(), flow_verb(),      stats_verb(),   report_verb(),
          verify_verb(),       update_verb(),    closure_verb(), convert_verb(),
          generate_verb(),     clean_verb(),     info_verb(),    doctor_verb(),
          bench_verb(),        completion_verb()};
}

VerbEntry find_verb(const std::string& name) {
  std::vector<std::string> names;
  for (VerbEntry& verb : all_verbs()) {
    if (verb.name() == name) return verb;
    names.push_back(verb.name());
  }
  refuse_if(!name.empty() && name[0] == '-', "the verb comes first: apsp VERB {}, where VERB is {}",
            name, alternatives(names));
  const std::string suggestion = did_you_mean(name, names);
  throw usage_error("unknown verb '{}'{}", name,
                    suggestion.empty() ? "; choose " + alternatives(names) : suggestion);
}

DeclaredVerb::DeclaredVerb(const VerbEntry& entry, Context& context)
    : verb(entry.make()), arguments(entry.name(), entry.about, entry.examples) {
  verb->declare(arguments);
  arguments.section("General options");
  arguments.flag("--json", context.json, "print one JSON object (docs/schema.json), no report");
  arguments.flag("--verbose", context.verbose,
                 "print more: the whole plan, one line for each fact");
  arguments.flag("--quiet", context.quiet, "print no messages and no progress, only errors");
}

int run(const std::vector<std::string>& words, cluster::Launch* launch) {
  if (const std::optional<LateEnd> end = LateEnd::of(words)) return after_late_end(*end);
  Context context(words);
  context.launch = launch;
  if (launch != nullptr) {
    launch->on_late = [&context](const Error& error) { end_alone(context, error); };
  }
  context.json = is_json(words);
  std::unique_ptr<cluster::Communicator> others;
  std::unique_ptr<cluster::Heartbeat> heartbeat;
  const int code = guarded(context, [&] {
    // The processes of a job agree on an early end.
    std::optional<Cancellable> listening;
    std::optional<AtLateEnd> late;
    if (launch != nullptr) {
      others = cluster::join_launch(*launch, words);  // a signal ends this at once
      heartbeat = cluster::watch_launch(*launch, *others);
      catch_signals();
    } else if (cluster::launched_processes() > 1) {
      cluster::go_on_under_mpi(words);
    } else {
      catch_signals();
      listening.emplace(&cancellation());
      late.emplace([&context] { end_late(context); });
    }
    const int done = dispatch(context);
    Context::flush();
    return done;
  });
  if (others == nullptr || launch->broken) return code;
  return guarded(context, [&] {
    return cluster::with_processes(
        *launch, *others, [&](cluster::Processes& processes) { return processes.of_first(code); });
  });
}

}  // namespace apsp::cli
