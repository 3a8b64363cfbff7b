// An error as the user meets it: what went wrong, where, the way out, and the exit code.
#pragma once

#include <apsp/error.hpp>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.hpp"

namespace apsp::cli {

/// Message and hint on standard error; with --json the object on standard output too.
/// Returns the exit code.
int report(const Context& context, const Error& error);

/// The exit code of whatever exception is being handled. Requires: called from a catch block.
int report_current_exception(const Context& context);

/// A word as a shell takes it: in quotation marks if it needs them.
std::string shell_word(std::string_view word);

/// The command line as one can paste it into a shell.
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
