#include "planner/kernel_kind.hpp"

#include <fmt/format.h>

namespace apsp::planner {

std::string title(const KernelKind& kind, dense::Shape shape) {
  return fmt::format("{} {}{} {}{}", name(kind.semiring), name(kind.type),
                     kind.sign == kernels::Sign::non_negative ? " non-negative" : "",
                     shape == dense::Shape::full ? "full" : "symmetric",
                     kind.tracks_via ? " via" : "");
}

}  // namespace apsp::planner
