#pragma once

#include <fmt/format.h>
#include <apsp/error.hpp>
#include <string>
#include <utility>

namespace apsp::base {

template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> message, Args&&... args) {
  throw Error(kind, fmt::format(message, std::forward<Args>(args)...));
}

/// Throws `Error::malformed` for a file.
template <class... Args>
[[noreturn]] void fail_input(const std::string& file, fmt::format_string<Args...> message,
                             Args&&... args) {
  throw Error::malformed({file}, fmt::format(message, std::forward<Args>(args)...));
}

/// Returns check(), with usage errors as malformed input of this file.
template <class F>
auto of_file(const std::string& file, const F& check) {
  try {
    return check();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage && error.kind() != ErrorKind::input) throw;
    fail_input(file, "{}", error.what());
  }
}

}  // namespace apsp::base
