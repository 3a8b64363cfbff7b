// A pool of objects, each used by one thread at a time; created as needed.
//
// Threads accumulate into such objects without waiting for each other, and `for_each` combines
// them. There are at most as many objects as concurrent threads.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace apsp::system {

template <class T>
class Pool {
 public:
  explicit Pool(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  /// Calls work(T&) with an object for exclusive use. Throws what `make` and `work` throw.
  template <class F>
  void use(F&& work) {
    const auto released = [this](T* one) { release(one); };
    const std::unique_ptr<T, decltype(released)> one(&acquire(), released);
    work(*one);
  }

  /// Calls work(T&) for every object. Requires: none is in use.
  template <class F>
  void for_each(F&& work) {
    for (const std::unique_ptr<T>& one : all_) work(*one);
  }

 private:
  T& acquire() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      all_.push_back(make_());
      idle_.reserve(all_.size());  // returning an object cannot fail then
      return *all_.back();
    }
    T& one = *idle_.back();
    idle_.pop_back();
    return one;
  }
  void release(T* one) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(one);
  }

  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> idle_;
};

}  // namespace apsp::system
