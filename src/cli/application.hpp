// From the program's words to a verb, and from its outcome to an exit code.
#pragma once

#include <string>
#include <vector>

#include "distributed/launch.hpp"

namespace apsp::cli {

/// `words`: the command line without the program's name. `launch`: the job that this process
/// belongs to. Returns the exit code; throws nothing. A program without a `launch` of which a
/// launcher has started several processes is replaced by another one (distributed/launch.hpp).
int run(const std::vector<std::string>& words, distributed::Launch* launch = nullptr);

}  // namespace apsp::cli
