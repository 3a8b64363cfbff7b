// Exit codes: a promise to scripts, never renumbered (docs/cli.md).
#pragma once

#include <apsp/error.hpp>
#include <iterator>
#include <string_view>

namespace apsp::cli {

constexpr int kExitOk = 0;
constexpr int kExitNegativeAnswer = 1;
constexpr int kExitDoesNotFit = 5;
constexpr int kExitDevice = 7;
constexpr int kExitInterrupted = 8;

struct ExitKind {
  ErrorKind kind;
  int code;
  std::string_view name;
};
inline constexpr ExitKind kExitKinds[] = {
    {ErrorKind::usage, 2, "usage"},
    {ErrorKind::input, 3, "input"},
    {ErrorKind::negative_cycle, 4, "negative_cycle"},
    {ErrorKind::does_not_fit, kExitDoesNotFit, "does_not_fit"},
    {ErrorKind::input_output, 6, "input_output"},
    {ErrorKind::device, kExitDevice, "device"},
    {ErrorKind::interrupted, kExitInterrupted, "interrupted"},
    {ErrorKind::defect, 70, "defect"}};  // an error in apsp itself (EX_SOFTWARE of sysexits.h)

constexpr const ExitKind& exit_kind(ErrorKind kind) {
  for (const ExitKind& one : kExitKinds) {
    if (one.kind == kind) return one;
  }
  return kExitKinds[std::size(kExitKinds) - 1];
}

}  // namespace apsp::cli
