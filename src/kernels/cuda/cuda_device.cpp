#include "kernels/cuda/cuda_device.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "kernels/caller_matrices.hpp"
#include "kernels/cuda/batch.hpp"
#include "kernels/cuda/count_rows.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "kernels/cuda/gathered_sums.hpp"
#include "kernels/cuda/mirror.hpp"
#include "kernels/cuda/narrow_copy.hpp"
#include "kernels/cuda/near_far.hpp"
#include "kernels/cuda/near_searches.hpp"
#include "kernels/cuda/path_shares.hpp"
#include "kernels/cuda/predecessors.hpp"
#include "kernels/cuda/search_levels.hpp"
#include "kernels/cuda/survey.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

void require(bool condition, const char* message) {
  if (!condition) throw Error(ErrorKind::device, message);
}

/// A GPU with its queues, on which kernels are launched.
class Streams {
 public:
  explicit Streams(const DeviceFacts& facts) : facts_(facts) {
    use();
    check(cudaStreamCreateWithFlags(&housekeeping_, cudaStreamNonBlocking), "making a queue");
  }
  ~Streams() { destroy(housekeeping_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  const DeviceFacts& facts() const { return facts_; }
  void use() const { check(cudaSetDevice(facts_.ordinal), "choosing the device"); }
  cudaStream_t at(QueueId queue) const {
    return queues_.at(static_cast<std::size_t>(queue)).stream;
  }
  /// Returns the stream to launch work on, after it took the device into use on this thread.
  cudaStream_t on(QueueId queue) const {
    use();
    return at(queue);
  }
  LaunchSite site(QueueId queue) const { return {on(queue), facts_.multiprocessors}; }
  /// The queue of small copies and of memory, which wait for nobody else's work.
  cudaStream_t housekeeping() const { return housekeeping_; }
  void settle() const { check(cudaStreamSynchronize(housekeeping_), "keeping house"); }
  /// Ends the queues of this device.
  void finish() {
    for (const Queue& queue : queues_) {
      if (!queue.borrowed) destroy(queue.stream);
    }
  }
  QueueId add(cudaStream_t stream, bool borrowed) {
    const Queue queue{stream, borrowed};
    const auto known = std::find(queues_.begin(), queues_.end(), queue);
    if (known != queues_.end()) return static_cast<QueueId>(known - queues_.begin());
    queues_.push_back(queue);
    return static_cast<QueueId>(queues_.size()) - 1;
  }

 private:
  struct Queue {
    cudaStream_t stream = nullptr;
    bool borrowed = false;
    bool operator==(const Queue&) const = default;
  };

  static void destroy(cudaStream_t stream) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }

  DeviceFacts facts_;
  cudaStream_t housekeeping_ = nullptr;
  std::vector<Queue> queues_;
};

class CudaTiles final : public Sized<TileKernels> {
 public:
  CudaTiles(const Streams& streams, const DeviceOperations& operations)
      : Sized(operations), streams_(streams) {
    void* found = nullptr;
    check(cudaMallocAsync(&found, sizeof(unsigned long long), streams_.housekeeping()),
          "allocating device memory");
    found_pivot_ = static_cast<unsigned long long*>(found);
    clear_pivot();
    streams_.settle();
  }
  ~CudaTiles() override { cudaFreeAsync(found_pivot_, streams_.housekeeping()); }

  void pack_left(QueueId queue, ConstView a, bool transposed, std::byte* out) override {
    operations_.pack(streams_.on(queue), true, a, transposed, out);
  }
  void pack_right(QueueId queue, ConstView b, bool transposed, std::byte* out) override {
    operations_.pack(streams_.on(queue), false, b, transposed, out);
  }
  void multiply_add(QueueId queue, const Update& update) override {
    require_granules(update);
    operations_.multiply_add(streams_.site(queue), update);
  }
  std::string configuration(const Update& update) const override {
    if (operations_.configuration == nullptr) return {};
    return describe(operations_.configuration({nullptr, streams_.facts().multiprocessors}, update));
  }

  void close(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
             std::byte* scratch) override;
  void close_whole(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
                   std::byte* scratch) override {
    if (operations_.whole == nullptr || via.data != nullptr) {
      return close(queue, d, via, cycles, first_pivot, scratch);
    }
    operations_.whole(streams_.site(queue), d, cycles, first_pivot, found_pivot_, scratch, true);
  }
  std::int64_t take_pivot() override {
    streams_.use();
    unsigned long long found = kNoPivot;
    check(cudaMemcpyAsync(&found, found_pivot_, sizeof(found), cudaMemcpyDeviceToHost,
                          streams_.housekeeping()),
          "reading what closing found");
    clear_pivot();
    streams_.settle();
    return found == kNoPivot ? -1 : static_cast<std::int64_t>(found);
  }

  void mirror(QueueId queue, View matrix, int value_size, std::int64_t tile) override {
    launch_mirror(streams_.on(queue), matrix, value_size, tile);
  }
  void transpose(QueueId queue, View to, ConstView from, int value_size) override {
    launch_transpose(streams_.on(queue), to, from, value_size);
  }

 private:
  static constexpr unsigned long long kNoPivot = ~0ull;

  /// Checks that whole blocks of C are left out: kernels would treat a part of one wrongly.
  void require_granules(const Update& u) const {
    const auto side = static_cast<int>(operations_.granule);
    if (suits({.rows = side, .cols = side / operations_.columns_per_value}, 1, u)) return;
    throw Error(ErrorKind::device, fmt::format("an update is not in granules of {}", side));
  }
  void clear_pivot() {
    check(cudaMemsetAsync(found_pivot_, 0xff, sizeof(*found_pivot_), streams_.housekeeping()),
          "clearing");
  }

  const Streams& streams_;
  unsigned long long* found_pivot_ = nullptr;  // on the device
};

/// A tile too large for one kernel is a matrix of tiles that are not, and one queue runs blocked
/// Floyd-Warshall on it (blocked_floyd_warshall.hpp, without its pipeline).
void CudaTiles::close(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
                      std::byte* scratch) {
  const cudaStream_t stream = streams_.on(queue);
  const std::int64_t side = d.rows, step = operations_.close_side;
  if (side <= step) {
    operations_.close(stream, d, via, cycles, first_pivot, found_pivot_);
    return;
  }
  if (operations_.whole != nullptr && side <= operations_.whole_side && via.data == nullptr) {
    operations_.whole(streams_.site(queue), d, cycles, first_pivot, found_pivot_, scratch, false);
    return;
  }
  std::byte* const left = scratch;
  std::byte* const right = left + left_bytes(side, step);
  std::byte* const closed_left = right + right_bytes(values_of(side), step);
  std::byte* const closed_right = closed_left + left_bytes(side, step);
  for (std::int64_t k = 0; k < side; k += step) {
    const std::int64_t extent = std::min(step, side - k);
    const std::int64_t column = values_of(k), columns = values_of(k + extent) - column;
    const View tile = part(d, operations_.value_size, k, column, extent, columns);
    const View tile_via = via.data == nullptr ? via : part(via, kViaSize, k, k, extent, extent);
    operations_.close(stream, tile, tile_via, cycles, first_pivot + k, found_pivot_);
    const Range kept{k, k + extent}, kept_columns{column, column + columns};
    const auto strip = [&](View whole, int size, bool row) {
      if (whole.data == nullptr) return whole;
      return row ? part(whole, size, k, 0, extent, whole.cols)
                 : part(whole, size, 0, column, side, columns);
    };
    const View row = strip(d, operations_.value_size, true);
    const View col = strip(d, operations_.value_size, false);
    pack_left(queue, tile, false, closed_left);
    pack_right(queue, tile, false, closed_right);
    pack_left(queue, col, false, left);
    pack_right(queue, row, false, right);
    multiply_add(
        queue,
        {row, strip(via, 4, true), closed_left, right, extent, first_pivot + k, {}, kept_columns});
    multiply_add(
        queue, {col, strip(via, 4, false), left, closed_right, extent, first_pivot + k, kept, {}});
    pack_left(queue, col, false, left);
    pack_right(queue, row, false, right);
    multiply_add(queue, {d, via, left, right, extent, first_pivot + k, kept, kept_columns});
  }
}

/// The kernels of one GPU on rows of distances.
class CudaRows final : public GatheredRowKernels,
                       public SearchKernels,
                       public ShortestPathKernels,
                       public CountKernels {
 public:
  CudaRows(const Streams& streams, DeviceOperations& operations)
      : streams_(streams), operations_(operations), of_values_(operations) {}

  void keep_listed(ListedForm form) override {
    if (form == listed_form()) return;
    operations_ = of_values_;
    if (form == ListedForm::whole) {
      require(operations_.keeps_whole, "this device keeps no whole rows");
      set_whole_rows(operations_);
    } else if (form == ListedForm::reduced) {
      require(operations_.keeps_reduced, "this device keeps no reduced rows");
      set_reduced_rows(operations_);
    }
  }
  ListedForm listed_form() const override { return operations_.listed_form; }
  void multiply_listed(QueueId queue, const ListedProduct& product) override {
    operations_.multiply_listed(streams_.on(queue), product);
  }
  void reduce_weights(QueueId queue, const ReducedWeights& weights) override {
    require(listed_form() == ListedForm::reduced, "weights of rows that are not reduced");
    launch_reduce_weights(streams_.site(queue), weights);
  }
  void begin_rows(QueueId queue, View rows, const std::int32_t* columns) override {
    operations_.begin_rows(streams_.on(queue), rows, columns);
  }
  void transpose_rows(QueueId queue, const TransposedRows& transposed) override {
    require(listed_form() != ListedForm::reduced, "reduced rows are only counted");
    launch_transposed_rows(streams_.on(queue), operations_, transposed);
  }

  void search_rows(QueueId queue, const SearchedRows& rows) override {
    require(rows.vertices <= kSearchedNumbers && rows.arc_count <= kSearchedNumbers,
            "searches of too many vertices or arcs");
    const bool reducible = semiring::dispatch(operations_.semiring, operations_.type,
                                              []<class S>() { return kReducible<S>; });
    require(rows.potentials == nullptr || reducible,
            "values of searches with potentials hold no sums of both signs");
    launch_near_far(streams_.site(queue), operations_.semiring, operations_.type, rows);
  }
  void search_near(QueueId queue, const NearSearches& searches) override {
    launch_near_searches(streams_.site(queue), searches);
  }
  void search_predecessors(QueueId queue, const SearchedPredecessors& rows) override {
    launch_predecessors(streams_.site(queue), operations_.semiring, operations_.type, rows);
  }

  void search_levels(QueueId queue, const SearchedLevels& levels) override {
    require(levels.hops.cols <= kLevelSources, "breadth-first searches from too many sources");
    launch_search_levels(streams_.site(queue), operations_.type, levels);
  }
  void gather_distances(QueueId queue, const GatheredDistances& gathered) override {
    operations_.gather_distances(streams_.on(queue), gathered);
  }
  void share_paths(QueueId queue, const PathShares& shares) override {
    launch_path_shares(streams_.site(queue), shares);
  }

  void count_rows(QueueId queue, const RowCount& count) override {
    require(operations_.counts_rows && count.limit <= kCountLimit,
            "distances to count are not whole numbers, or too long");
    launch_count_rows(streams_.site(queue), count, operations_.value_size, operations_.listed_form);
  }
  void count_distances(QueueId queue, const DistanceCount& count) override {
    require(operations_.count_distances != nullptr, "distances of u16 have only a count of rows");
    operations_.count_distances(streams_.site(queue), count);
  }

 private:
  const Streams& streams_;
  DeviceOperations& operations_;  // `keep_listed` changes them
  DeviceOperations of_values_;
};

class CudaDevice final : public ComputeDevice, private PeerCopies, private CallerMatrices {
 public:
  CudaDevice(const DeviceFacts& facts, const DeviceOperations& operations, std::int64_t memory,
             PeerWay peer_way)
      : limit_(memory),
        staged_(peer_way == PeerWay::staged),
        streams_(facts),
        operations_(operations),
        tiles_(streams_, operations) {}

  ~CudaDevice() override {
    cudaSetDevice(ordinal());
    streams_.finish();
    for (const auto& [memory, bytes] : allocations_) give_back(memory);
    for (void* const host : pinned_) cudaHostUnregister(host);
  }

  TileKernels& tiles() override { return tiles_; }
  PeerCopies* peers() override { return this; }
  CallerMatrices* caller_matrices() override { return this; }
  GatheredRowKernels* gathered_rows() override {
    return operations_.multiply_listed != nullptr ? &rows_ : nullptr;
  }
  SearchKernels* searches() override {
    return operations_.semiring != Semiring::or_and ? &rows_ : nullptr;
  }
  ShortestPathKernels* shortest_paths() override {
    return operations_.semiring == Semiring::min_plus ? &rows_ : nullptr;
  }
  CountKernels* counts() override {
    return operations_.semiring == Semiring::min_plus ? &rows_ : nullptr;
  }

  std::byte* allocate(std::int64_t bytes) override {
    streams_.use();
    if (limit_ > 0 && used_ + bytes > limit_) {
      throw DeviceFull(
          fmt::format("{} more do not fit: {} of the {} that may be used on {} are taken",
                      base::format_bytes(bytes), base::format_bytes(used_),
                      base::format_bytes(limit_), streams_.facts().name));
    }
    void* memory = nullptr;
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
    check(beside_others_ ? cudaMallocAsync(&memory, size, streams_.housekeeping())
                         : cudaMalloc(&memory, size),
          "allocating device memory");
    if (beside_others_) streams_.settle();
    allocations_[memory] = bytes;
    used_ += bytes;
    return static_cast<std::byte*>(memory);
  }

  void release(std::byte* memory) override {
    const auto found = allocations_.find(memory);
    if (found == allocations_.end()) return;
    streams_.use();
    check(give_back(memory), "releasing device memory");
    used_ -= found->second;
    allocations_.erase(found);
  }

  std::int64_t memory_free() const override {
    const std::int64_t bytes = cuda::memory_free(ordinal());
    return limit_ > 0 ? std::min(bytes, limit_ - used_) : bytes;
  }

  void pin(void* host, std::int64_t bytes) override {
    streams_.use();
    const cudaError_t status = cudaHostRegister(host, static_cast<std::size_t>(bytes),
                                                cudaHostRegisterPortable);  // for peers too
    if (status == cudaSuccess) {
      pinned_.push_back(host);
    } else {
      cudaGetLastError();  // only a hint: copies run slower
    }
  }

  void unpin(void* host) override {
    const auto found = std::find(pinned_.begin(), pinned_.end(), host);
    if (found == pinned_.end()) return;
    pinned_.erase(found);
    check(cudaHostUnregister(host), "releasing host memory");
  }

  QueueId make_queue(Priority priority) override {
    streams_.use();
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities");
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                       priority == Priority::high ? greatest : least),
          "making a queue");
    return streams_.add(stream, false);
  }

  EventId record(QueueId queue) override {
    return events_.record(
        streams_.on(queue));  // a thread's first call, where this device holds nothing
  }
  void wait(QueueId queue, EventId event) override { events_.wait(streams_.at(queue), event); }
  void await(EventId event) override { events_.await(event); }
  bool reached(EventId event) override { return events_.reached(event); }
  void synchronize(QueueId queue) override {
    check(cudaStreamSynchronize(streams_.at(queue)), "the work of a queue");
  }

  void copy_in(QueueId queue, View device, ConstView host, int value_size) override {
    copy(queue, device, host, value_size, cudaMemcpyHostToDevice);
  }
  void copy_out(QueueId queue, View host, ConstView device, int value_size) override {
    if (launch_narrow_copy(streams_.on(queue), host, device, value_size)) return;
    copy(queue, host, device, value_size, cudaMemcpyDeviceToHost);
  }
  int ordinal() const { return streams_.facts().ordinal; }
  cudaStream_t native(QueueId queue) const { return streams_.at(queue); }
  /// Throws `Error` (device) where it is none of these.
  static CudaDevice& of(ComputeDevice& device) {
    auto* const gpu = dynamic_cast<CudaDevice*>(&device);
    require(gpu != nullptr, "a GPU and another kind of device cannot be peers");
    return *gpu;
  }

 private:
  void meet(ComputeDevice& peer) override {
    streams_.use();
    int reaches = 0;
    const int other = of(peer).ordinal();
    if (staged_) {
      cudaDeviceDisablePeerAccess(other);  // of another device of this process
      cudaGetLastError();
      return;
    }
    check(cudaDeviceCanAccessPeer(&reaches, ordinal(), other), "asking for a way to a peer");
    if (reaches == 0) return;  // copies then go through pinned memory of the driver's
    const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
    cudaGetLastError();
    if (status != cudaErrorPeerAccessAlreadyEnabled) check(status, "opening the way to a peer");
  }
  void wait_for(QueueId queue, ComputeDevice& peer, EventId event) override {
    of(peer).events_.wait(streams_.on(queue), event);
  }
  void copy_from(QueueId queue, std::byte* memory, ComputeDevice& peer, const std::byte* from,
                 std::int64_t bytes) override {
    check(cudaMemcpyPeerAsync(memory, ordinal(), from, of(peer).ordinal(),
                              static_cast<std::size_t>(bytes), streams_.on(queue)),
          "copying from a peer");
  }

  QueueId borrow(std::byte* memory, std::int64_t bytes, std::uintptr_t native) override {
    streams_.use();
    if (native == reinterpret_cast<std::uintptr_t>(cudaStreamPerThread)) {
      throw Error(ErrorKind::usage,
                  "the default stream of a thread is another one on a solver's thread: create a "
                  "stream of your own");
    }
    require_on_device(memory, ordinal());
    if (bytes > 0) require_on_device(memory + bytes - 1, ordinal());
    beside_others_ = true;
    return streams_.add(native == 0 ? cudaStreamLegacy : std::bit_cast<cudaStream_t>(native), true);
  }

  void survey(QueueId queue, const Survey& survey) override {
    launch_survey(streams_.on(queue), survey);
  }
  void survey_operand(QueueId queue, const OperandSurvey& survey) override {
    launch_operand_survey(streams_.on(queue), survey);
  }
  std::int64_t batch_side(bool tracks_via) const override {
    return cuda::batch_side(streams_.facts().capability, tracks_via);
  }
  void close_batch(QueueId queue, const CallerBatch& batch) override {
    launch_batch(streams_.on(queue), batch);
  }

  /// cudaFree waits for everything on the device, of others too.
  cudaError_t give_back(void* memory) {
    if (!beside_others_) return cudaFree(memory);
    const cudaError_t status = cudaFreeAsync(memory, streams_.housekeeping());
    return status == cudaSuccess ? cudaStreamSynchronize(streams_.housekeeping()) : status;
  }

  void copy(QueueId queue, View to, ConstView from, int value_size, cudaMemcpyKind kind) {
    streams_.use();
    if (to.rows == 0 || to.cols == 0) return;
    const auto bytes = [&](std::int64_t values) {
      return static_cast<std::size_t>(values * value_size);
    };
    if (to.stride == to.cols && from.stride == from.cols) {  // one piece
      check(cudaMemcpyAsync(to.data, from.data, bytes(to.rows * to.cols), kind, streams_.at(queue)),
            "copying a matrix");
      return;
    }
    check(
        cudaMemcpy2DAsync(to.data, bytes(to.stride), from.data, bytes(from.stride), bytes(to.cols),
                          static_cast<std::size_t>(to.rows), kind, streams_.at(queue)),
        "copying a tile");
  }

  std::int64_t limit_;  // bytes; 0: none
  bool staged_;         // copies from peers go through the host
  std::int64_t used_ = 0;
  std::map<void*, std::int64_t> allocations_;  // bytes
  std::vector<void*> pinned_;
  /// Buffers come from cudaMalloc until a caller's queue is borrowed: other GPUs may read them.
  bool beside_others_ = false;
  Streams streams_;
  Events events_;
  DeviceOperations operations_;
  CudaTiles tiles_;
  CudaRows rows_{streams_, operations_};
};

}  // namespace

std::unique_ptr<ComputeDevice> make_device(int ordinal, Semiring semiring, ValueType type,
                                           Sign sign, std::int64_t memory, PeerWay peer_way) {
  return std::make_unique<CudaDevice>(facts_of(ordinal), device_operations(semiring, type, sign),
                                      memory, peer_way);
}

int ordinal_of(ComputeDevice& device) { return CudaDevice::of(device).ordinal(); }
cudaStream_t native_queue(ComputeDevice& device, QueueId queue) {
  return CudaDevice::of(device).native(queue);
}

std::unique_ptr<DeviceSizes> sizes(Semiring semiring, ValueType type, Sign sign) {
  return std::make_unique<Sized<DeviceSizes>>(device_operations(semiring, type, sign));
}

}  // namespace apsp::kernels::cuda
