// From the program's words to a verb, and from its outcome to an exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/launch.hpp"

namespace apsp::cli {

/// `words`: the command line without the program's name. `launch`: the job that this process
/// belongs to. Returns the exit code; throws nothing. Where a launcher has started several
/// processes of a program without a `launch`, another one goes on in its place (launch.hpp).
int run(const std::vector<std::string>& words, Launch* launch = nullptr);

}  // namespace apsp::cli
