// Whether the other processes of a launch still run: each says so to the next one, by datagrams
// beside MPI.
//
// A process that is stopped, or whose machine cannot be reached, leaves the others in MPI calls
// that never return. A thread of each process sends a heartbeat to the next process and listens for
// that of the one before: two messages a second, however many processes there are. It does so while
// the process computes, so a slow process is heard as a fast one is.
//
// There is no false alarm by design. A process is watched only after it has been heard once: where
// a firewall drops datagrams, nobody is watched. Time in which the listener itself did not run does
// not count, so a job that was stopped as a whole goes on. A process that ends says so.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "distributed/launch.hpp"
#include "distributed/processes.hpp"

namespace apsp::distributed {

using Seconds = std::chrono::duration<double>;

/// How long somebody has been silent, who was heard before.
class Silence {
 public:
  Silence(Seconds limit, Seconds most_at_once) : limit_(limit), most_at_once_(most_at_once) {}

  void heard() {
    watched_ = true;
    silent_ = Seconds(0);
  }
  /// From here on it may be silent.
  void said_farewell() { gone_ = true; }
  /// So much time has passed since the last call. Longer than `most_at_once`: the caller itself did
  /// not run, and may not have heard.
  void passed(Seconds time) { silent_ += time < most_at_once_ ? time : most_at_once_; }
  bool too_long() const { return watched_ && !gone_ && silent_ >= limit_; }

 private:
  Seconds limit_, most_at_once_, silent_{0};
  bool watched_ = false, gone_ = false;
};

class Heartbeat {
 public:
  /// Every process of the launch makes one, in step. `on_silent`: called once, on another thread,
  /// with what to say of the process before this one; it ends the program. No limit, 0: nobody is
  /// watched. Where there is no socket, nobody hears of this process.
  Heartbeat(Processes& processes, const Launch& launch, Seconds limit,
            std::function<void(const Error&)> on_silent);
  /// Says farewell.
  ~Heartbeat();
  /// Nothing more is heard of this process; for tests.
  void fall_silent() { silent_ = true; }
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  /// How its neighbours reach a process.
  struct Address;
  void beat(const Address& next, std::uint64_t job, std::uint64_t kind) const;
  void listen(std::uint64_t job, Silence& silence) const;
  Error silent_error(const Address& before) const;
  void run(const Address& before, const Address& next, std::uint64_t job);

  Seconds limit_, interval_;
  int rank_, size_, machine_;
  std::function<void(const Error&)> on_silent_;
  int socket_ = -1;
  std::atomic<bool> ended_{false}, silent_{false};
  std::thread thread_;
};

/// The heartbeat of this process, which ends by `Launch::on_late` where the one before it is
/// silent. Every process of the launch, in step; `all`: from `join_launch`.
std::unique_ptr<Heartbeat> watch_launch(Launch& launch, Communicator& all);

/// 40 seconds, or what APSP_SILENCE_SECONDS says; 0: none.
Seconds silence_limit();

}  // namespace apsp::distributed
