// Why there is no plan, for a candidate or a whole question.
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
  /// The least memory of each GPU that is enough, in bytes, if that is missing; else 0.
  std::int64_t device_bytes = 0;
  /// Another algorithm, device or kind of output may solve the problem.
  bool of_method = false;
};
using Planned = std::variant<Plan, Refusal>;

}  // namespace apsp::planner
