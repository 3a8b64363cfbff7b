// Files of a valid result, damaged by choices; checksums may be made right again, so that what is
// behind them is reached.
#pragma once

#include <apsp/error.hpp>
#include <map>
#include <memory>
#include <string>

#include "fuzz/choices.hpp"
#include "fuzz/report.hpp"
#include "support/memory_file_system.hpp"

namespace apsp::fuzz {

/// By path; names of directories end in "/".
using Files = std::map<std::string, std::string>;

void damage(Files& files, Choices& choices);
std::unique_ptr<store::MemoryFileSystem> in_memory(const Files& files);

/// Runs `use`, which may end with an `Error` of a kind that damage may have. Aborts on any other.
template <class Use>
void expect_an_error_at_most(Use&& use) {
  try {
    use();
  } catch (const Error& error) {
    const ErrorKind kind = error.kind();
    const bool of_damage = kind == ErrorKind::input || kind == ErrorKind::input_output ||
                           kind == ErrorKind::does_not_fit || kind == ErrorKind::usage;
    if (!of_damage) report(std::string("an error of the wrong kind: ") + error.what());
  } catch (const std::exception& other) {
    report(std::string("an exception that is no Error: ") + other.what());
  }
}

}  // namespace apsp::fuzz
