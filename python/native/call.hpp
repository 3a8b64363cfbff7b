// Calls of the library that release Python's interpreter lock and react to Ctrl-C.
//
// The work runs on its own thread. The calling thread releases the lock and checks for signals
// every few milliseconds (Python handles signals on its main thread only). If a handler raises,
// such as Ctrl-C's, the work is cancelled and awaited, and the exception is thrown. The calling
// thread also reports progress, so that no other thread runs Python code. A thread costs some 30
// µs, so `brief` work of less than that stays on the calling thread.
#pragma once

#include <nanobind/nanobind.h>

#include <apsp/progress.hpp>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace apsp::python {

/// Runs work(control) as described above. `progress`: a Python function (task, done, total, unit)
/// called ten times per second, or None. Requires: the interpreter lock is held, and `work` uses no
/// Python objects.
void listen_while(std::function<void(const Control&)> work, nanobind::handle progress);

/// The same for work that may be abandoned: if it is still running a tenth of a second after its
/// cancellation, it ends later by itself and its result is dropped. Ordering a large graph (METIS)
/// cannot be cancelled. Requires: `work` owns all data that it uses, and writes no file.
void listen_or_leave(std::function<void(const Control&)> work, nanobind::handle progress);

/// Runs work(control) on the calling thread without the interpreter lock, for short work that a
/// thread would delay too much. Signals are handled afterwards. Requires: as `listen_while`.
void run_here(const std::function<void(const Control&)>& work);

/// Like `listen_while`, and returns the result of `work`.
template <class Work>
auto call(Work&& work, nanobind::handle progress = nanobind::none()) {
  using Value = std::invoke_result_t<Work&, const Control&>;
  if constexpr (std::is_void_v<Value>) {
    listen_while([&](const Control& control) { work(control); }, progress);
  } else {
    std::optional<Value> value;
    listen_while([&](const Control& control) { value.emplace(work(control)); }, progress);
    return std::move(*value);
  }
}

/// Runs work of microseconds on the calling thread, with the interpreter lock.
template <class Work>
auto call_brief(Work&& work) {
  return work(Control{});
}

}  // namespace apsp::python
