#include "cli/exit_code.hpp"

namespace apsp::cli {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return kExitUsage;
    case ErrorKind::input:
      return kExitInput;
    case ErrorKind::negative_cycle:
      return kExitNegativeCycle;
    case ErrorKind::does_not_fit:
      return kExitDoesNotFit;
    case ErrorKind::input_output:
      return kExitInputOutput;
    case ErrorKind::device:
      return kExitDevice;
    case ErrorKind::interrupted:
      return kExitInterrupted;
    case ErrorKind::defect:
      return kExitDefect;
  }
  return kExitDefect;
}

std::string_view kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::negative_cycle:
      return "negative_cycle";
    case ErrorKind::does_not_fit:
      return "does_not_fit";
    case ErrorKind::input_output:
      return "input_output";
    case ErrorKind::device:
      return "device";
    case ErrorKind::interrupted:
      return "interrupted";
    case ErrorKind::defect:
      return "defect";
  }
  return "defect";
}

}  // namespace apsp::cli
