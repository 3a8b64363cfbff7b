// The program's help for other readers: manual pages, and completions of shells.
#pragma once

#include <span>
#include <string>

#include "cli/arguments.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {

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
