// Verbs: names, examples, arguments, and implementations.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/context.hpp"

namespace apsp::cli {

class Verb {
 public:
  virtual ~Verb() = default;
  virtual void declare(Arguments& arguments) = 0;
  /// Returns the exit code, 0 or 1. All failures are exceptions of type `Error`.
  virtual int run(Context& context) = 0;
};

template <class Kind>
std::unique_ptr<Verb> make_verb() {
  return std::make_unique<Kind>();
}

struct VerbEntry {
  std::string synopsis;
  std::string brief;
  std::string about;
  std::vector<std::string> examples;
  std::unique_ptr<Verb> (*make)();
  bool shared = false;  ///< all processes of a launch run it, not only the first

  std::string name() const { return synopsis.substr(0, synopsis.find(' ')); }
};

VerbEntry solve_verb();
VerbEntry plan_verb();
VerbEntry path_verb();
VerbEntry paths_verb();
VerbEntry distance_verb();
VerbEntry nearest_verb();
VerbEntry access_verb();
VerbEntry betweenness_verb();
VerbEntry eccentricity_verb();
VerbEntry flow_verb();
VerbEntry stats_verb();
VerbEntry report_verb();
VerbEntry verify_verb();
VerbEntry closure_verb();
VerbEntry update_verb();
VerbEntry convert_verb();
VerbEntry generate_verb();
VerbEntry clean_verb();
VerbEntry info_verb();
VerbEntry bench_verb();
VerbEntry doctor_verb();
VerbEntry completion_verb();

std::vector<VerbEntry> all_verbs();
/// Throws `Error` (usage) that suggests the nearest name.
VerbEntry find_verb(const std::string& name);

/// A verb and its arguments, which refer to it and to `context`.
struct DeclaredVerb {
  std::unique_ptr<Verb> verb;
  Arguments arguments;

  DeclaredVerb(const VerbEntry& entry, Context& context);
};

}  // namespace apsp::cli
