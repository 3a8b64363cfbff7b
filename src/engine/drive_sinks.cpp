#include "engine/drive_sinks.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <list>
#include <numeric>
#include <vector>

#include "base/control.hpp"
#include "flow/drive.hpp"
#include "kernels/searches.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

constexpr auto kShown = std::chrono::milliseconds(50);

/// Serves one sink on a thread of its own.
class Service {
 public:
  /// `from`: the matrix whose rows the thread pushes before it finishes the sink; null: the sink
  /// has all rows. `stop`: the first failure requests it, and no work begins afterwards.
  Service(flow::RowSink& sink, const store::Store* from, Cancellation& stop)
      : sink_(sink), stop_(stop) {
    const system::BlockedSignals blocked;
    work_ = std::async(std::launch::async, [this, from] { work(from); });
  }
  ~Service() { stop_.request(); }  // waits for the thread
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Returns when the sink is finished. Shows its progress.
  void wait(const Control& control) {
    if (work_.wait_for(kShown) == std::future_status::ready) return;
    const flow::RowTask task = sink_.task();
    base::ProgressTask progress(control, task.name, count_.total(), task.unit);
    double shown = 0;
    do {
      if (base::cancelled(control)) stop_.request();
      const double done = count_.done();
      progress.advance(done - shown);
      shown = done;
    } while (work_.wait_for(kShown) != std::future_status::ready);
  }

  void end() { work_.get(); }

 private:
  /// Passes counts to the waiting thread: only one thread at a time may call the caller's progress.
  class Count final : public Progress {
   public:
    void begin(std::string_view, double total, std::string_view) override { total_ = total; }
    void update(double done) override { done_.store(done, std::memory_order_relaxed); }
    void end() override {}
    double done() const { return done_.load(std::memory_order_relaxed); }
    double total() const { return total_.load(std::memory_order_relaxed); }

   private:
    std::atomic<double> done_{0}, total_{0};
  };

  void work(const store::Store* from) {
    try {
      if (from != nullptr) flow::drive(*from, sink_, 1, {&count_, nullptr}, &stop_);
      if (!stop_.requested()) sink_.finish();
    } catch (...) {
      stop_.request();
      throw;
    }
  }

  flow::RowSink& sink_;
  Cancellation& stop_;
  Count count_;
  std::future<void> work_;  // last, because it uses the other members
};

constexpr std::int64_t kRowsAtOnce = 16;

class StoredBands {
 public:
  StoredBands(store::Store& store, int threads, std::vector<std::string>* damaged = nullptr)
      : store_(store),
        threads_(threads),
        damaged_(damaged),
        rows_(store.layout().rows()),
        columns_(store.layout().cols()),
        tile_(std::clamp<std::int64_t>(rows_, 1, store.layout().tile)),
        size_(size_of(store.layout().type)) {}

  std::int64_t count() const { return (rows_ + tile_ - 1) / tile_; }
  std::int64_t first(std::int64_t band) const { return band * tile_; }
  std::int64_t rows(std::int64_t band) const { return std::min(tile_, rows_ - band * tile_); }

  /// Reads a band for `give`. Returns false if it is missing or damaged.
  bool read(std::int64_t band) {
    if (!store_.holds_band(band)) return false;
    if (values_.data() == nullptr) values_ = system::AlignedMemory(tile_ * columns_ * size_);
    try {
      const std::int64_t width = std::clamp<std::int64_t>(columns_, 1, store_.layout().tile);
      system::parallel_for((columns_ + width - 1) / width, threads_, [&](std::int64_t t) {
        const std::int64_t col = t * width;
        store_.read(store::Plane::distance,
                    {band * tile_, col, rows(band), std::min(width, columns_ - col)},
                    values_.data() + col * size_, columns_);
      });
      return true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      store_.forget_band(band);
      if (damaged_ != nullptr) damaged_->emplace_back(error.what());
      return false;
    }
  }

  void give(std::int64_t band, std::span<flow::RowSink* const> sinks) const {
    std::vector<Vertex> sources(static_cast<std::size_t>(rows(band)));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      sources[i] = store_.layout().source(band * tile_ + static_cast<std::int64_t>(i));
    }
    push_rows({sources, values_.data(), columns_, store_.layout().type}, sinks, threads_);
  }

 private:
  store::Store& store_;
  int threads_;
  std::vector<std::string>* damaged_;
  std::int64_t rows_, columns_, tile_, size_;
  system::AlignedMemory values_;  // [tile, columns]
};

std::vector<std::int32_t> widened(const std::uint16_t* narrow, std::int64_t count) {
  constexpr std::uint16_t kNone = 0xFFFF;
  std::vector<std::int32_t> wide(static_cast<std::size_t>(count));
  std::transform(narrow, narrow + count, wide.begin(),
                 [](std::uint16_t v) { return v == kNone ? -1 : static_cast<std::int32_t>(v); });
  return wide;
}

}  // namespace

void drive_sinks(const store::Store& matrix, std::span<flow::RowSink* const> sinks, int threads,
                 const Control& control) {
  if (sinks.empty()) return;
  if (matrix.data(store::Plane::distance) == nullptr) {
    flow::drive_all(matrix, sinks, threads, control);
    for (flow::RowSink* const sink : sinks) sink->finish();
    return;
  }
  std::vector<flow::RowSink*> order(sinks.begin(), sinks.end());
  std::stable_partition(order.begin(), order.end(),
                        [](const flow::RowSink* sink) { return sink->preference().concurrent; });
  Cancellation stop;
  std::list<Service> services;
  for (flow::RowSink* const sink : order) {
    const bool last = sink == order.back();
    const bool concurrent = sink->preference().concurrent && !last;
    if (!concurrent) flow::drive(matrix, *sink, threads, control, &stop);
    if (stop.requested()) break;
    if (last) {
      sink->finish();
    } else {
      services.emplace_back(*sink, concurrent ? &matrix : nullptr, stop);
    }
  }
  for (Service& service : services) service.wait(control);
  for (Service& service : services) service.end();
  if (stop.requested()) base::check_cancelled(control);
}

void push_rows(const RowBlock& rows, std::span<flow::RowSink* const> sinks, int threads) {
  push_trees(rows, nullptr, sinks, threads);
}

void push_trees(const RowBlock& rows, const std::byte* predecessors,
                std::span<flow::RowSink* const> sinks, int threads) {
  const std::int64_t count = std::ssize(rows.sources);
  const bool narrow = kernels::predecessor_size(rows.stride) == sizeof(std::uint16_t);
  system::parallel_for((count + kRowsAtOnce - 1) / kRowsAtOnce, threads, [&](std::int64_t i) {
    const std::int64_t first = i * kRowsAtOnce, some = std::min(kRowsAtOnce, count - first);
    RowBlock block{
        rows.sources.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(some)),
        static_cast<const std::byte*>(rows.values) + first * rows.stride * size_of(rows.type),
        rows.stride, rows.type};
    std::vector<std::int32_t> wide;
    if (predecessors != nullptr && narrow) {
      wide = widened(reinterpret_cast<const std::uint16_t*>(predecessors) + first * rows.stride,
                     some * rows.stride);
      block.predecessors = wide.data();
    } else if (predecessors != nullptr) {
      block.predecessors =
          reinterpret_cast<const std::int32_t*>(predecessors) + first * rows.stride;
    }
    for (flow::RowSink* const sink : sinks) sink->take(block);
  });
}

std::vector<Vertex> push_stored_rows(store::Store& store, std::span<const std::int64_t> some,
                                     std::span<flow::RowSink* const> sinks, int threads,
                                     const Control& control, std::vector<std::string>* damaged) {
  StoredBands bands(store, threads, damaged);
  std::int64_t held = 0;
  for (const std::int64_t band : some) {
    if (store.holds_band(band)) held += bands.rows(band);
  }
  base::ProgressTask progress(control, "reading what is complete", static_cast<double>(held),
                              "row");
  std::vector<Vertex> missing;
  for (const std::int64_t band : some) {
    base::check_cancelled(control);
    if (bands.read(band)) {
      bands.give(band, sinks);
      progress.advance(static_cast<double>(bands.rows(band)));
      continue;
    }
    for (std::int64_t i = 0; i < bands.rows(band); ++i) {
      missing.push_back(store.layout().source(bands.first(band) + i));
    }
  }
  return missing;
}

std::vector<Vertex> push_stored_rows(store::Store& store, std::span<flow::RowSink* const> sinks,
                                     int threads, const Control& control,
                                     std::vector<std::string>* damaged) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(StoredBands(store, threads).count()));
  std::iota(all.begin(), all.end(), 0);
  return push_stored_rows(store, all, sinks, threads, control, damaged);
}

}  // namespace apsp::engine
