#include <fmt/format.h>
#include <apsp/error.hpp>

namespace apsp {

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
