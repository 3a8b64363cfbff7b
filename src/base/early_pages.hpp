// Pages of a large result, taken while other work leaves processors idle.
//
// The system clears a page when it is first touched: of a result that is written once at the speed
// of memory that is half of the time. A thread asks for the pages while a plan is made and an order
// found, which one thread does (MADV_POPULATE_WRITE, Linux 5.14: contents stay as they are). Where
// the system knows no such request nothing happens.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace apsp::base {

class EarlyPages {
 public:
  /// Begins, where it pays: several threads, many bytes, and twice as many available.
  EarlyPages(void* memory, std::int64_t bytes, int threads);
  ~EarlyPages() { stop(); }
  EarlyPages(const EarlyPages&) = delete;
  EarlyPages& operator=(const EarlyPages&) = delete;

  /// Ends within a millisecond or two.
  void stop();

 private:
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace apsp::base
