// How fast messages between the processes of a job are, as some that were sent say.
#pragma once

#include <cstdint>
#include <vector>

namespace apsp::planner {

/// From one process to the next, while all neighbours of that kind send too.
struct MessageRate {
  double bytes = 0;    // a second, each way
  double seconds = 0;  // until a message without bytes has come
  bool measured = false;
};

struct MessageRates {
  MessageRate on_machine{4e9, 5e-6};  // both processes share its memory
  MessageRate between{1e9, 10e-6};    // machines; assumed: a network of 10 Gbit/s

  /// What all of a job waits for: of a kind that was measured, if one was.
  const MessageRate& slowest() const {
    if (!between.measured) return on_machine;
    return on_machine.measured && on_machine.bytes < between.bytes ? on_machine : between;
  }
};

/// Messages that one process received, from when it asked for them.
struct MessageSamples {
  std::vector<double> short_seconds{};  // of 8 bytes
  std::vector<double> long_seconds{};   // of `bytes`
  std::int64_t bytes = 0;
};

/// The best of each length counts: whatever else a machine does can only hold messages up.
/// Requires: some of both.
MessageRate rate_of(const MessageSamples& samples);

}  // namespace apsp::planner
