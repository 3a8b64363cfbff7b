// Exit codes: a promise to scripts, never renumbered (docs/cli.md).
#pragma once

#include <apsp/error.hpp>
#include <string_view>

namespace apsp::cli {

constexpr int kExitOk = 0;
constexpr int kExitNegativeAnswer = 1;  // verify failed, no path
constexpr int kExitUsage = 2;
constexpr int kExitInput = 3;
constexpr int kExitNegativeCycle = 4;
constexpr int kExitDoesNotFit = 5;
constexpr int kExitInputOutput = 6;
constexpr int kExitDevice = 7;
constexpr int kExitInterrupted = 8;
constexpr int kExitDefect = 70;  // a fault of apsp itself (EX_SOFTWARE of sysexits.h)

int exit_code(ErrorKind kind);

/// "usage", "input", "negative_cycle", "does_not_fit", "input_output", "device", "interrupted".
std::string_view kind_name(ErrorKind kind);

}  // namespace apsp::cli
