// The program's help besides that of its verbs: topics, manual pages, and completions of shells.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {

/// apsp help TOPIC: a page about more than one verb.
struct Topic {
  std::string name, text;
};
const std::vector<Topic>& topics();
/// Null for an unknown topic.
const Topic* find_topic(const std::string& name);

/// A verb and its declared arguments.
struct VerbHelp {
  const VerbEntry* entry;
  const Arguments* arguments;
};

/// The manual page of a verb, in roff (man(7)), of section 1.
std::string manual_page(const VerbHelp& verb);
/// The manual page apsp(1). `text`: what `apsp help` prints.
std::string overview_page(const std::string& text);

/// A script that completes verbs, options, their values and files. Throws `Error` (usage): another
/// shell than bash, zsh and fish.
std::string completion_script(const std::string& shell, std::span<const VerbHelp> verbs);

}  // namespace apsp::cli
