// Errors as users see them: message, place, remedy, and exit code.
#pragma once

#include <apsp/error.hpp>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.hpp"

namespace apsp::cli {

/// Prints the message and hints to standard error, and with --json an object to standard output.
/// Returns the exit code.
int report(const Context& context, const Error& error);

/// The exit code of the current exception. Requires: called from a catch block.
int report_current_exception(const Context& context);

std::string shell_word(std::string_view word);

std::string shell_command(const std::vector<std::string>& words);

/// Runs `work` and turns everything it may throw into an exit code.
template <class Work>
int guarded(const Context& context, Work work) {
  try {
    return work();
  } catch (...) {
    return report_current_exception(context);
  }
}

}  // namespace apsp::cli
