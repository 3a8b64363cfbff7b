#include "base/on_threads.hpp"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/blocked_signals.hpp"

namespace apsp::base {

void on_threads(int count, const std::function<void(int)>& each,
                const std::function<void()>& fail) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto guarded = [&](int number) {
    try {
      each(number);
    } catch (...) {
      {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
      fail();
    }
  };
  std::vector<std::thread> threads;
  {
    const BlockedSignals blocked;
    for (int number = 1; number < count; ++number) threads.emplace_back(guarded, number);
  }
  guarded(0);
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace apsp::base
