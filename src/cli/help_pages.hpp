// Help: of verbs and topics, as text, as manual pages and as JSON, and completions of shells.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/verb.hpp"

namespace apsp::cli {

/// usual: with the names of rarely needed options; all: with their meanings; page: all, as a manual
/// page.
enum class HelpForm { usual, all, page };

/// The help of a verb or a topic. Throws `Error` (usage) for an unknown name.
std::string help_text(const std::string& name, HelpForm form);

/// All verbs with their arguments and options as JSON (docs/cli.md#apsp---json-usage).
std::string usage_json();

/// A manual page in roff (man(7)), section 1, with the lines of `text` as they are.
std::string manual_page(const std::string& name, const std::string& brief, const std::string& text);

/// "completion words WORD…", which scripts of shells ask: lines of a word that can take the place
/// of the last WORD, and after a tab its meaning. Nothing for other commands.
std::optional<std::string> completions_of(std::span<const std::string> words);

}  // namespace apsp::cli
