// Work that needs a thread each for as long as it lasts, such as that of several devices: its parts
// wait for one another, so that no pool may hold one of them back (team.hpp claims, and may).
#pragma once

#include <functional>

namespace apsp::base {

/// Runs each(0) here and each(i), 0 < i < count, on threads of their own. `fail` is called as soon
/// as one has thrown, so that the others need not wait for it. Throws the first exception when all
/// have ended; `Error` (does_not_fit) where the system gives fewer threads.
void on_threads(
    int count, const std::function<void(int)>& each, const std::function<void()>& fail = [] {});

}  // namespace apsp::base
