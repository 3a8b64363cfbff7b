// How a fuzz target ends on a finding.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace apsp::fuzz {

[[noreturn]] inline void report(const std::string& finding) {
  std::fprintf(stderr, "finding: %s\n", finding.c_str());
  std::abort();
}

}  // namespace apsp::fuzz
