#include "cluster/checkpoints.hpp"

#include <algorithm>
#include <thread>

#include "base/seconds_since.hpp"
#include "system/threads.hpp"

namespace apsp::cluster {
namespace {

using dense::Along;

constexpr int kTag = 32767;  // otherwise used only by last pieces of messages
constexpr std::byte kWritten{1}, kFailed{2};

}  // namespace

bool Checkpoints::due() {
  look_after();
  if (told_ && failure_) return true;
  return processes_.first() && !under_way_ && base::seconds_since(last_) >= seconds_;
}

void Checkpoints::tell() {
  told_ = true;
  try {
    writer_.get();
  } catch (...) {
    failure_ = std::current_exception();
  }
  if (processes_.first()) return;
  said_.assign(1, failure_ ? kFailed : kWritten);
  messages_.push_back(processes_.communicator().send(Along::all, 0, kTag, said_.data(), 1));
}

void Checkpoints::look_after() {
  if (!under_way_) return;
  const bool written =
      !told_ && writer_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (written) tell();
  std::erase_if(messages_, [&](auto message) { return processes_.communicator().done(message); });
  if (told_ && messages_.empty() && processes_.first()) name_checkpoint();
}

void Checkpoints::name_checkpoint() {
  under_way_ = false;
  last_ = Clock::now();
  if (failure_ || std::count(said_.begin(), said_.end(), kFailed) > 0) return;
  try {
    matrix_.commit_step(pivots_);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

/// Waits until it was written, all messages have arrived, and process 0 has committed it.
void Checkpoints::drain() {
  while (under_way_ && !(told_ && messages_.empty())) {
    look_after();
    std::this_thread::yield();
  }
}

void Checkpoints::take(std::int64_t pivots, const std::function<void()>& copy,
                       const std::function<void(store::DiskMatrix&)>& write) {
  processes_.communicate([&] { drain(); });
  processes_.run_local([&] {
    if (failure_) std::rethrow_exception(failure_);
    if (under_way_) matrix_.commit_step(pivots_);
    under_way_ = false;
  });
  if (!in_background_) {
    processes_.run_local([&] {
      write(matrix_);
      matrix_.flush();
    });
    processes_.run_local([&] { matrix_.commit_step(pivots); });
    last_ = Clock::now();
    return;
  }
  processes_.run_local(copy);
  pivots_ = pivots;
  under_way_ = true;
  told_ = false;
  if (processes_.first()) {
    said_.assign(static_cast<std::size_t>(processes_.size() - 1), std::byte{0});
    for (int from = 1; from < processes_.size(); ++from) {
      messages_.push_back(
          processes_.communicator().receive(Along::all, from, kTag, said_.data() + (from - 1), 1));
    }
  }
  const system::BlockedSignals blocked;
  writer_ = std::async(std::launch::async, [this, write] {
    write(matrix_);
    matrix_.flush();
  });
}

void Checkpoints::finish() {
  processes_.communicate([&] { drain(); });
}

}  // namespace apsp::cluster
