// From the program's words to a verb, and from its outcome to an exit code.
#pragma once

#include <string>
#include <vector>

namespace apsp::cli {

/// `words`: the command line without the program's name. Returns the exit code; throws nothing.
int run(const std::vector<std::string>& words);

}  // namespace apsp::cli
