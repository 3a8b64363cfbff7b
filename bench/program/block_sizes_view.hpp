// A study of block sizes for people.
#pragma once

#include <string>

#include "cli/terminal_style.hpp"
#include "program/block_sizes.hpp"

namespace apsp::cli {

/// `machine`: its name, for the heading.
std::string block_sizes_text(const bench::BlockSizeReport& report, const std::string& machine,
                             const TerminalStyle& look);

}  // namespace apsp::cli
