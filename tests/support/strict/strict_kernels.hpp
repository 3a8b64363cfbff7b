// The parts that the kernels of one strict device share, and the kernels: textbook loops that turn
// every misuse into an error.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/caller_matrices.hpp"
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
  void write_scratch(const std::byte* scratch, std::int64_t bytes) const {
    write_array(scratch, bytes, 1, "scratch");
  }
  template <class T>
  void update_array(const T* first, std::int64_t count, const char* operand) const {
    read_array(first, count, operand);
    write_array(first, count, sizeof(T), operand);
  }

  /// Arcs in compressed rows: their offsets rise, and they begin with the vertex at their end.
  void read_arcs(std::int64_t n, const std::uint32_t* first, std::int64_t arc_count,
                 const void* arcs, int arc_size) const;
  /// Numbers of vertices, all below n.
  void read_vertices(const std::uint32_t* numbers, std::int64_t count, std::int64_t n,
                     const char* operand) const;

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

/// The sizes, for planning or as part of kernels.
template <class Base>
class Sized : public Base {
 public:
  explicit Sized(const Operations& operations) : operations_(operations) {}

  std::int64_t granule() const override { return kSliver * operations_.columns_per_value; }
  /// More than is needed, so that code that takes the stride for the number of columns fails.
  std::int64_t stride(std::int64_t cols) const override {
    return rounded_up(cols, kSliver) + kSliver;
  }
  std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const override {
    return packed_bytes(rows, operations_.packed_depth(depth), operations_.value_size);
  }
  std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const override {
    return packed_bytes(cols, operations_.packed_depth(depth), operations_.value_size);
  }
  std::int64_t close_bytes(std::int64_t side) const override {
    return side * operations_.value_size;
  }

 protected:
  Operations operations_;
};

std::unique_ptr<TileKernels> make_tiles(Core& core);

/// Queued operations: each checks its arguments and the memory that it accesses, then computes in
/// textbook loops.
void multiply_listed(const Access& at, const Operations& operations, const ListedProduct& product);
void transpose_rows(const Access& at, const Operations& operations, const TransposedRows& rows);
void count_rows(const Access& at, const Operations& operations, const RowCount& count);
void count_distances(const Access& at, const Operations& operations, const DistanceCount& count);
void search_rows(const Access& at, const Operations& operations, const SearchedRows& rows);
void search_near(const Access& at, const Operations& operations, const NearSearches& searches);
void search_predecessors(const Access& at, const Operations& operations,
                         const SearchedPredecessors& rows);
void search_levels(const Access& at, const Operations& operations, const SearchedLevels& levels);
void gather_distances(const Access& at, const Operations& operations,
                      const GatheredDistances& gathered);
void share_paths(const Access& at, const Operations& operations, const PathShares& shares);
void reduce_weights(const Access& at, const Operations& operations, const ReducedWeights& weights);
void survey(const Access& at, const Operations& operations, const Survey& survey);
void survey_operand(const Access& at, const Operations& operations, const OperandSurvey& survey);
void close_batch(const Access& at, const Operations& operations, const CallerBatch& batch);

/// All kernels on rows. A device gives out those that its values have.
class Rows final : public GatheredRowKernels,
                   public SearchKernels,
                   public ShortestPathKernels,
                   public CountKernels {
 public:
  explicit Rows(Core& core) : core_(core), of_values_(core.operations) {}

  void keep_listed(ListedForm form) override;
  ListedForm listed_form() const override { return core_.operations.listed_form; }
  void begin_rows(QueueId queue, View rows, const std::int32_t* columns) override;
  void reduce_weights(QueueId queue, const ReducedWeights& weights) override {
    core_.give(queue, "reduce_weights", strict::reduce_weights, weights);
  }
  void multiply_listed(QueueId queue, const ListedProduct& product) override {
    core_.give(queue, "multiply_listed", strict::multiply_listed, product);
  }
  void transpose_rows(QueueId queue, const TransposedRows& rows) override {
    core_.give(queue, "transpose_rows", strict::transpose_rows, rows);
  }
  void search_rows(QueueId queue, const SearchedRows& rows) override {
    core_.give(queue, "search_rows", strict::search_rows, rows);
  }
  void search_near(QueueId queue, const NearSearches& searches) override {
    core_.give(queue, "search_near", strict::search_near, searches);
  }
  void search_predecessors(QueueId queue, const SearchedPredecessors& rows) override {
    core_.give(queue, "search_predecessors", strict::search_predecessors, rows);
  }
  void search_levels(QueueId queue, const SearchedLevels& levels) override {
    core_.give(queue, "search_levels", strict::search_levels, levels);
  }
  void gather_distances(QueueId queue, const GatheredDistances& gathered) override {
    core_.give(queue, "gather_distances", strict::gather_distances, gathered);
  }
  void share_paths(QueueId queue, const PathShares& shares) override {
    core_.give(queue, "share_paths", strict::share_paths, shares);
  }
  void count_rows(QueueId queue, const RowCount& count) override {
    core_.give(queue, "count_rows", strict::count_rows, count);
  }
  void count_distances(QueueId queue, const DistanceCount& count) override {
    core_.give(queue, "count_distances", strict::count_distances, count);
  }

 private:
  Core& core_;
  Operations of_values_;
};

}  // namespace apsp::kernels::strict
