// The error that a call must end with.
#pragma once

#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <utility>

namespace apsp {

/// Calls `act` and returns the `Error` that it throws; throwing none fails the test.
template <class F>
Error error_of(F&& act) {
  try {
    std::forward<F>(act)();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {ErrorKind::defect, "no error"};
}

}  // namespace apsp

/// The call ends with an `Error` of this kind: EXPECT_ERROR(usage, solve(graph, options)).
#define EXPECT_ERROR(kind_of_error, ...) \
  EXPECT_EQ(::apsp::error_of([&] { __VA_ARGS__; }).kind(), ::apsp::ErrorKind::kind_of_error)
