// Why there is no plan. Candidates that cannot be are refused, and so are questions without any.
#pragma once

#include <apsp/error.hpp>
#include <cstdint>
#include <string>
#include <variant>

#include "planner/plan.hpp"

namespace apsp::planner {

struct Refusal {
  ErrorKind kind = ErrorKind::usage;
  std::string cause{};
  /// The least memory of each GPU that would do, in bytes, where that is what lacks; else 0.
  std::int64_t device_bytes = 0;
  /// Another algorithm, device or kind of output may take the problem.
  bool of_method = false;
};
using Planned = std::variant<Plan, Refusal>;

}  // namespace apsp::planner
