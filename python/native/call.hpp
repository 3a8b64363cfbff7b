// Calls of the library that leave Python its interpreter lock and its Ctrl-C.
//
// The work runs on a thread of its own. The calling thread lets the lock go and asks every few
// milliseconds whether a signal came; Python looks at signals on its main thread only. If a handler
// raises, such as Ctrl-C's, the work is cancelled and awaited, and what the handler raised is
// thrown. Progress is told to Python by the calling thread too, so that no other thread ever runs
// Python code. A thread costs some 30 µs, so that work of less than that, known to be `brief`,
// stays on the calling thread.
#pragma once

#include <nanobind/nanobind.h>

#include <apsp/progress.hpp>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace apsp::python {

/// Runs work(control) as described above. `progress`: a Python function (task, done, total, unit)
/// that is called some ten times a second; or None. Requires: the interpreter lock is held, and
/// `work` touches no Python object.
void listen_while(std::function<void(const Control&)> work, nanobind::handle progress);

/// The same of work that may be left alone: where it has not ended a tenth of a second after it was
/// cancelled, it ends by itself later, and nobody takes its result. Ordering a large graph (METIS)
/// knows no early end. Requires: `work` owns all that it touches, and writes no file.
void listen_or_leave(std::function<void(const Control&)> work, nanobind::handle progress);

/// Runs work(control) on the calling thread, without the interpreter lock: for work that ends in a
/// fraction of a second, and for which a thread and waking from waiting for it take too long.
/// Signals wait until it has ended. Requires: as `listen_while`.
void run_here(const std::function<void(const Control&)>& work);

/// As `listen_while`, with what `work` returns.
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

/// Work of some microseconds, on the calling thread, which keeps the interpreter lock.
template <class Work>
auto call_brief(Work&& work) {
  return work(Control{});
}

}  // namespace apsp::python
