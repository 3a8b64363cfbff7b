// Runs the verb that the command line names, and turns its outcome into an exit code.
#pragma once

#include <string>
#include <vector>

#include "cluster/launch.hpp"

namespace apsp::cli {

/// Runs the command line `words`, without the program's name. `launch`: the job of this process.
/// Returns the exit code and throws nothing. If a launcher started several processes and `launch`
/// is null, another program replaces this one (cluster/launch.hpp).
int run(const std::vector<std::string>& words, cluster::Launch* launch = nullptr);

}  // namespace apsp::cli
