#include <fmt/format.h>
#include <apsp/error.hpp>

#include "base/control.hpp"

namespace apsp {

Cancellable::Cancellable(const Cancellation* cancellation) noexcept
    : before_(base::cancellation_of_thread) {
  if (cancellation != nullptr) base::cancellation_of_thread = cancellation;
}

Cancellable::~Cancellable() { base::cancellation_of_thread = before_; }

Error Error::malformed(Location where, const std::string& message) {
  std::string prefix = where.file;
  if (where.line > 0) prefix += fmt::format(":{}", where.line);
  if (where.line > 0 && where.column > 0) prefix += fmt::format(":{}", where.column);
  Error error(ErrorKind::input, fmt::format("{}: {}", prefix, message));
  error.location_ = std::move(where);
  return error;
}

Error Error::negative_cycle(Cycle cycle, const std::string& message) {
  Error error(ErrorKind::negative_cycle, message);
  error.cycle_ = std::move(cycle);
  return error;
}

}  // namespace apsp
