// Python arrays kept alive by objects that threads of the library share.
//
// These threads never take the interpreter lock, because requesting it while Python ends would end
// the process. An array that such a thread releases last is freed when Python's side next keeps or
// releases one.
#pragma once

#include <functional>
#include <memory>

namespace apsp::python {

/// The calling thread will never take the interpreter lock.
void leave_python_alone();

/// Calls `release` and waiting ones now, or later if the thread may not take the interpreter lock.
void release_on_python_side(std::function<void()> release);

/// Returns an owner for the library of `array`, a handle of nanobind's.
template <class Array>
std::shared_ptr<const void> kept_array(const Array& array) {
  release_on_python_side([] {});
  return {new Array(array), [](const void* kept) {
            release_on_python_side([kept] { delete static_cast<const Array*>(kept); });
          }};
}

}  // namespace apsp::python
