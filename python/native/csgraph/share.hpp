#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <apsp/apsp.hpp>

namespace apsp::python::csgraph {

/// Calls work(item, member), 0 ≤ member < threads, for all items below n, a few at a time. Throws
/// the first exception of `work`, and `Error` (interrupted).
template <class Work>
void share(std::int64_t n, int threads, const Control& control, Work&& work) {
  constexpr std::int64_t kClaims = 64;  // per thread, for balance
  const auto members = static_cast<int>(std::clamp<std::int64_t>(n, 1, std::max(1, threads)));
  const std::int64_t few = std::max<std::int64_t>(1, n / (kClaims * members));
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto cancelled = [&] {
    return control.cancellation != nullptr && control.cancellation->requested();
  };
  const auto run = [&](int member) {
    try {
      for (;;) {
        const std::int64_t begin = next.fetch_add(few);
        if (begin >= n) return;
        for (std::int64_t i = begin; i < std::min(begin + few, n); ++i) {
          if (cancelled()) throw Error(ErrorKind::interrupted, "the work was asked to end early");
          work(i, member);
        }
      }
    } catch (...) {
      next.store(n);
      const std::lock_guard lock(mutex);
      if (failure == nullptr) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(static_cast<std::size_t>(members));
  try {
    for (int member = 1; member < members; ++member) others.emplace_back(run, member);
  } catch (const std::system_error&) {
    // If there are no more threads, the existing ones claim all items.
  } catch (const std::bad_alloc&) {  // likewise without memory for a thread
  }
  run(0);
  for (std::thread& other : others) other.join();
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace apsp::python::csgraph
