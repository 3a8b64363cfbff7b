#pragma once

#include <fmt/format.h>

#include <apsp/error.hpp>
#include <utility>

namespace apsp {

/// The text says what is wrong with the call or the command line, and the way out.
template <class... Values>
Error usage_error(fmt::format_string<Values...> text, Values&&... values) {
  return {ErrorKind::usage, fmt::format(text, std::forward<Values>(values)...)};
}

/// Throws a usage error if wrong. The values are evaluated in any case.
template <class... Values>
void refuse_if(bool wrong, fmt::format_string<Values...> text, Values&&... values) {
  if (wrong) throw usage_error(text, std::forward<Values>(values)...);
}

}  // namespace apsp
