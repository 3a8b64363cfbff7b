#include "base/on_threads.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/blocked_signals.hpp"

namespace apsp::base {

void on_threads(int count, const std::function<void(int)>& each,
                const std::function<void()>& fail) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto guard = [&](const auto& work) {
    try {
      work();
    } catch (...) {
      {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
      fail();
    }
  };
  std::vector<std::thread> threads;
  const auto begin_others = [&] {
    const BlockedSignals blocked;
    try {
      for (int number = 1; number < count; ++number) {
        threads.emplace_back([&, number] { guard([&] { each(number); }); });
      }
    } catch (const std::system_error& refusal) {
      throw Error(ErrorKind::does_not_fit,
                  fmt::format("{} threads are needed, and the system gives "
                              "this process only {}: {}",
                              count, threads.size() + 1, refusal.what()));
    }
  };
  guard([&] {
    begin_others();
    each(0);
  });
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace apsp::base
