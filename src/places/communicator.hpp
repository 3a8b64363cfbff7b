// Messages between the processes of a grid; nothing blocks.
//
// A process of a grid of rows × columns talks to those of its row and of its column. A request
// stands for a message under way; asking whether it is done is what makes messages go on, so
// whoever waits asks again and again, and works meanwhile. Threads of one process (tests) and MPI
// are such communicators.
#pragma once

#include <cstddef>
#include <cstdint>

namespace apsp::places {

/// The processes of my row of the grid, who hold the same rows of tiles and are counted by column;
/// those of my column; or all of them, counted row by row.
enum class Along { row, column, all };

class Communicator {
 public:
  using Request = std::int64_t;
  virtual ~Communicator() = default;

  virtual int size(Along along) const = 0;
  virtual int rank(Along along) const = 0;

  /// Between members of a line that name the same tag, in [0, 32768). The memory is in use until
  /// the request is done. Lengths agree; at most `most_bytes`.
  virtual Request send(Along along, int to, int tag, const std::byte* memory,
                       std::int64_t bytes) = 0;
  virtual Request receive(Along along, int from, int tag, std::byte* memory,
                          std::int64_t bytes) = 0;
  /// The library's own broadcast; every member of the line calls it, in the same order. Throws
  /// `Error` (usage) where there is none.
  virtual Request broadcast(Along along, int root, std::byte* memory, std::int64_t bytes) = 0;
  virtual std::int64_t most_bytes() const = 0;
  /// Whether what is sent and received may lie in the memory of a GPU.
  virtual bool reads_devices() const { return false; }

  /// The least of what all processes of the grid say; each calls it as often as the others. To be
  /// asked for with `result` when the request is done, once.
  virtual Request least(std::int64_t mine) = 0;
  virtual std::int64_t result(Request request) = 0;

  /// Whether it is done; then the request is void, unless it is of `least`. Throws `Error` (device)
  /// where a process has failed.
  virtual bool done(Request request) = 0;
};

}  // namespace apsp::places
