// Help that is not about one verb: topics, manual pages, and completions of shells.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {

struct Topic {
  std::string name, text;
};
const std::vector<Topic>& topics();
const Topic* find_topic(const std::string& name);

struct VerbHelp {
  const VerbEntry* entry;
  const Arguments* arguments;
};

/// The manual page of a verb in roff (man(7)), section 1.
std::string manual_page(const VerbHelp& verb);
/// The manual page apsp(1). `text`: the output of `apsp help`.
std::string overview_page(const std::string& text);

/// A script that completes verbs, options, values and files. Throws `Error` (usage) for a shell
/// other than bash, zsh and fish.
std::string completion_script(const std::string& shell, std::span<const VerbHelp> verbs);

}  // namespace apsp::cli
