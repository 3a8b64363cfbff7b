// The parts that the kernels of one strict device share, and the kernels: textbook loops that turn
// every misuse into an error.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/row_kernels.hpp"
#include "kernels/tile_kernels.hpp"
#include "support/strict/strict_memory.hpp"
#include "support/strict/strict_operations.hpp"
#include "support/strict/strict_queues.hpp"

namespace apsp::kernels::strict {

class StrictDevice;

/// Devices that have met, and their queues; a thread that waits runs the work of all of them.
struct Peers {
  std::recursive_mutex mutex;
  Queues queues;
  std::vector<StrictDevice*> devices;
  int numbers = 1;  // that were ever given to one
};

/// An operation's access to memory (Memory).
struct Access {
  void read(ConstView tile, int value_size, const char* operand) const {
    memory.read(who, tile, value_size, operand);
  }
  void write(ConstView tile, int value_size, const char* operand) const {
    memory.write(who, tile, value_size, operand);
  }
  void update(ConstView tile, int value_size, const char* operand) const {
    read(tile, value_size, operand);
    write(tile, value_size, operand);
  }
  void inspect(ConstView tile, int value_size, const char* operand) const {
    memory.inspect(who, tile, value_size, operand);
  }
  /// Arrays of `count` elements; an empty one has no address to check.
  void read_array(const void* first, std::int64_t count, int size, const char* operand) const {
    if (count > 0) read({first, 1, count, count}, size, operand);
  }
  template <class T>
  void read_array(const T* first, std::int64_t count, const char* operand) const {
    read_array(first, count, sizeof(T), operand);
  }
  void write_array(const void* first, std::int64_t count, int size, const char* operand) const {
    if (count > 0) write({first, 1, count, count}, size, operand);
  }
  template <class T>
  void update_array(const T* first, std::int64_t count, const char* operand) const {
    read_array(first, count, operand);
    write_array(first, count, sizeof(T), operand);
  }

  Memory& memory;
  Accessor who;
};

/// Memory and queues of one strict device, and its operations.
struct Core {
  using Work = std::function<void(const Access& at)>;

  Core(const Operations& of, std::int64_t bytes) : operations(of), memory(bytes) {}

  void give(QueueId queue, const char* operation, Work work) {
    const std::lock_guard lock(peers->mutex);
    peers->queues.give(queue, [this, queue, operation, work = std::move(work)] {
      work({memory, {queue, peers->queues.clock(queue), operation}});
    });
    only_borrowed = false;
  }
  /// Queues act(access, operations, argument).
  template <class Argument>
  void give(QueueId queue, const char* operation,
            void (*act)(const Access&, const Operations&, const Argument&),
            const Argument& argument) {
    give(queue, operation,
         [this, act, argument](const Access& at) { act(at, operations, argument); });
  }
  /// Returns whether nothing is queued here, nor by a peer that reads from here.
  bool idle() const { return peers->queues.idle(number) && reading == 0; }

  Operations operations;
  Memory memory;
  std::shared_ptr<Peers> peers = std::make_shared<Peers>();
  int number = 0;              // among the peers
  int reading = 0;             // copies that peers have queued from here
  bool only_borrowed = false;  // all that is queued is callers' work on borrowed memory
};

std::unique_ptr<TileKernels> make_tiles(Core& core);
std::unique_ptr<GatheredRowKernels> make_gathered_rows(Core& core);
std::unique_ptr<SearchKernels> make_searches(Core& core);
std::unique_ptr<ShortestPathKernels> make_shortest_paths(Core& core);
std::unique_ptr<CountKernels> make_counts(Core& core);

/// Checks that offsets rise and that arcs of `arc_size` bytes begin with a vertex.
void check_arcs(const char* operation, std::int64_t n, const std::uint32_t* first,
                std::int64_t arc_count, const void* arcs, int arc_size);

}  // namespace apsp::kernels::strict
