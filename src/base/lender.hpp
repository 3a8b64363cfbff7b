// Things of which each thread needs one for a while: made when all there are have been lent.
//
// What is gathered by threads that come and go is kept in such things and added up at the end, so
// that nobody waits for anybody and there are no more of them than threads that worked at once.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace apsp::base {

template <class T>
class Lender {
 public:
  explicit Lender(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  /// work(T&) with one that nobody else has meanwhile. Throws what `make` and `work` throw.
  template <class F>
  void lend(F&& work) {
    T& lent = take();
    try {
      work(lent);
    } catch (...) {
      give_back(lent);
      throw;
    }
    give_back(lent);
  }

  /// work(T&) for all that were made. Requires: none is lent.
  template <class F>
  void for_each(F&& work) {
    for (const std::unique_ptr<T>& one : all_) work(*one);
  }

 private:
  T& take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      all_.push_back(make_());
      idle_.reserve(all_.size());  // so that giving back cannot fail
      return *all_.back();
    }
    T& one = *idle_.back();
    idle_.pop_back();
    return one;
  }
  void give_back(T& one) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(&one);
  }

  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> idle_;
};

}  // namespace apsp::base
