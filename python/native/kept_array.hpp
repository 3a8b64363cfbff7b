// Python's arrays, kept alive by what threads of the library share.
//
// Those threads never take the interpreter lock: while Python ends, asking for it would end the
// process. An array that such a thread lets go last waits until Python's side lets one go, or keeps
// one.
#pragma once

#include <functional>
#include <memory>

namespace apsp::python {

/// From now on the calling thread never takes the interpreter lock.
void leave_python_alone();

/// Calls `release` now, with those that waited; or later, where the thread leaves Python alone.
void release_on_python_side(std::function<void()> release);

/// `array`, a handle of nanobind's, as an owner for the library.
template <class Array>
std::shared_ptr<const void> kept_array(const Array& array) {
  release_on_python_side([] {});
  return {new Array(array), [](const void* kept) {
            release_on_python_side([kept] { delete static_cast<const Array*>(kept); });
          }};
}

}  // namespace apsp::python
