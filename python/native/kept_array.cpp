#include "kept_array.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace apsp::python {
namespace {

thread_local bool leaves_python_alone = false;

struct Waiting {
  std::mutex mutex;
  std::vector<std::function<void()>> releases;
};

/// Never destroyed: threads may use it while the process ends.
Waiting& waiting() {
  static auto* const all = new Waiting;
  return *all;
}

}  // namespace

void leave_python_alone() { leaves_python_alone = true; }

void release_on_python_side(std::function<void()> release) {
  std::vector<std::function<void()>> releases;
  {
    const std::lock_guard lock(waiting().mutex);
    waiting().releases.push_back(std::move(release));
    if (leaves_python_alone) return;
    releases.swap(waiting().releases);
  }
  for (const auto& each : releases) each();
}

}  // namespace apsp::python
