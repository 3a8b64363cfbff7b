// Detects processes of a launch that no longer run, by datagrams independent of MPI.
//
// A process that is stopped or unreachable leaves the others in MPI calls that never return. A
// thread of each process sends a heartbeat to the next process and listens for that of the previous
// one: two messages a second, also while the process computes.
//
// There are no false alarms by design. A process is watched only after its first heartbeat: if a
// firewall drops datagrams, nobody is watched. Time in which the listener itself did not run does
// not count, so a job that was stopped as a whole continues. A process that ends says so.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "cluster/launch.hpp"
#include "cluster/processes.hpp"

namespace apsp::cluster {

using Seconds = std::chrono::duration<double>;

/// The time since the last heartbeat of a process that was heard before.
class Silence {
 public:
  Silence(Seconds limit, Seconds most_at_once) : limit_(limit), most_at_once_(most_at_once) {}

  void heard() {
    watched_ = true;
    silent_ = Seconds(0);
  }
  /// The process may be silent from here on.
  void said_farewell() { gone_ = true; }
  /// Adds the time since the last call. If that is longer than `most_at_once`, the caller itself
  /// did not run and may have missed heartbeats.
  void passed(Seconds time) { silent_ += time < most_at_once_ ? time : most_at_once_; }
  bool too_long() const { return watched_ && !gone_ && silent_ >= limit_; }

 private:
  Seconds limit_, most_at_once_, silent_{0};
  bool watched_ = false, gone_ = false;
};

class Heartbeat {
 public:
  /// Collective over the launch. `on_silent`: called once, on another thread, with a message about
  /// the previous process; it ends the program. `limit` 0: nobody is watched. Without a socket,
  /// this process is not heard.
  Heartbeat(Processes& processes, const Launch& launch, Seconds limit,
            std::function<void(const Error&)> on_silent);
  /// Tells the next process that this one ends.
  ~Heartbeat();
  /// Stops heartbeats; for tests.
  void fall_silent() { silent_ = true; }
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
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

/// Starts the heartbeat of this process, which calls `Launch::on_late` if the previous process is
/// silent. Collective over the launch; `all`: from `join_launch`.
std::unique_ptr<Heartbeat> watch_launch(Launch& launch, Communicator& all);

/// 40 seconds, or APSP_SILENCE_SECONDS; 0: none.
Seconds silence_limit();

}  // namespace apsp::cluster
