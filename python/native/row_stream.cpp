// Rows of a solve as they are computed. The solve runs on its own thread, a few blocks ahead of the
// consumer. A block on a GPU is not copied: the solve's thread waits until the next one is
// requested, while the GPU continues.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "choices.hpp"
#include "kept_array.hpp"
#include "running.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

constexpr std::size_t kBlocksAhead = 4;  // of at most 2^20 values, or a row

/// State shared by the solve's thread and the consumer; destroyed by the last of them.
class Stream {
 public:
  struct Block {
    std::vector<Vertex> sources;
    std::vector<std::byte> values;
    DeviceRowBlock on_device{};  // instead of values; its sources are `sources`
  };

  Stream(const Graph& graph, SolveOptions options, bool on_device)
      : graph_(graph), options_(std::move(options)) {
    columns_ = options_.question.targets.empty() ? static_cast<std::size_t>(graph.vertex_count())
                                                 : options_.question.targets.size();
    if (on_device) {
      options_.consumer.on_device_rows = [this](const DeviceRowBlock& block) { lend(block); };
    } else {
      options_.consumer.on_rows = [this](const RowBlock& block) { put(block); };
    }
    options_.control.cancellation = &cancellation_;
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  static void begin(const std::shared_ptr<Stream>& stream) {
    stream->running_.emplace([given = stream.get()] { given->stop(); });
    run_apart([stream] { stream->run(); });
  }
  /// Returns whether there is a block, or the end, within some milliseconds.
  bool ready() {
    std::unique_lock lock(mutex_);
    return news_.wait_for(lock, kBetweenSignals, [this] { return ended_ || !blocks_.empty(); });
  }
  /// Empty after the last block. Throws what the solve threw. Requires: ready().
  std::optional<Block> take() {
    const std::lock_guard lock(mutex_);
    if (blocks_.empty()) {
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      return std::nullopt;
    }
    Block block = std::move(blocks_.front());
    blocks_.pop_front();
    room_.notify_one();
    return block;
  }
  /// Ends access to the last block if it is on a GPU.
  void give_back() {
    const std::lock_guard lock(mutex_);
    lent_ = false;
    room_.notify_one();
  }
  /// Cancels the solve and drops its results. Returns whether it has ended.
  bool stop() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    blocks_.clear();
    failure_ = nullptr;
    cancellation_.request();
    room_.notify_all();
    return ended_;
  }
  void wait_until_ended(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, most, [this] { return ended_; });
  }
  std::size_t columns() const { return columns_; }
  ValueType type() const { return type_; }

 private:
  void run() {
    leave_python_alone();
    std::exception_ptr failure;
    try {
      solve(graph_, options_);
    } catch (...) {
      failure = std::current_exception();
    }
    graph_ = Graph();  // owned by the consumer only, once the solve has ended
    {
      const std::lock_guard lock(mutex_);
      if (!closed_) failure_ = failure;
      ended_ = true;
      news_.notify_all();
    }
    running_.reset();
  }

  void put(const RowBlock& rows) {
    Block block;
    block.sources.assign(rows.sources.begin(), rows.sources.end());
    const auto size = static_cast<std::size_t>(size_of(rows.type));
    block.values.resize(block.sources.size() * columns_ * size);
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      const auto* row = static_cast<const std::byte*>(rows.values) +
                        i * static_cast<std::size_t>(rows.stride) * size;
      std::memcpy(block.values.data() + i * columns_ * size, row, columns_ * size);
    }
    std::unique_lock lock(mutex_);
    type_ = rows.type;
    push(lock, std::move(block));
  }

  void lend(const DeviceRowBlock& rows) {
    std::unique_lock lock(mutex_);
    lent_ = true;
    push(lock, {{rows.sources.begin(), rows.sources.end()}, {}, rows});
    room_.wait(lock, [this] { return closed_ || !lent_; });
    if (closed_) throw Error(ErrorKind::interrupted, "interrupted");
  }

  void push(std::unique_lock<std::mutex>& lock, Block block) {
    room_.wait(lock, [this] { return closed_ || blocks_.size() < kBlocksAhead; });
    if (closed_) throw Error(ErrorKind::interrupted, "interrupted");
    blocks_.push_back(std::move(block));
    news_.notify_one();
  }

  Graph graph_;
  SolveOptions options_;
  std::size_t columns_ = 0;
  Cancellation cancellation_;
  std::optional<Running> running_;  // until the thread's work has ended
  std::mutex mutex_;
  std::condition_variable news_, room_;
  std::deque<Block> blocks_;
  ValueType type_ = ValueType::f64;
  bool closed_ = false, ended_ = false;
  bool lent_ = false;  // a block on a GPU is in use
  std::exception_ptr failure_;
};

/// values: [rows, columns] of a type, owned by the array.
nb::object as_array(std::vector<std::byte> values, ValueType type, std::size_t columns) {
  auto held = std::make_unique<std::vector<std::byte>>(std::move(values));
  void* data = held->data();
  const std::size_t row_bytes = columns * static_cast<std::size_t>(size_of(type));
  const std::size_t shape[2] = {row_bytes == 0 ? 0 : held->size() / row_bytes, columns};
  const nb::capsule owner(held.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<std::byte>*>(p); });
  const auto as = [&]<class T>(T) {
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(static_cast<T*>(data), 2, shape, owner));
  };
  switch (type) {
    case ValueType::f32:
      return as(float());
    case ValueType::f64:
      return as(double());
    case ValueType::i32:
      return as(std::int32_t());
    case ValueType::u16:
      return as(std::uint16_t());
    case ValueType::boolean:
      return as(bool());
  }
  return nb::none();
}

/// The arguments of Python's DeviceArray: (address, (rows, columns), stride, type, GPU).
nb::tuple described(const DeviceRowBlock& block, std::size_t rows, std::size_t columns) {
  return nb::make_tuple(reinterpret_cast<std::uintptr_t>(block.values),
                        std::make_pair(rows, columns), block.stride, name(block.type),
                        block.ordinal);
}

class RowStream {
 public:
  RowStream(const Graph& graph, const nb::dict& given, bool on_device)
      : stream_(std::make_shared<Stream>(graph, options_of(given), on_device)) {
    Stream::begin(stream_);
  }
  ~RowStream() { close(); }
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  /// (sources [k], distances [k, columns]) of the next block; for a GPU `described`, valid until
  /// the next call. Throws what the solve throws, and StopIteration after the last block.
  nb::tuple next() {
    stream_->give_back();
    const Running waiting([] {});  // the end of the solve ends the waiting
    const auto ready = [&] {
      const nb::gil_scoped_release unlocked;
      return stream_->ready();
    };
    while (!ready()) {
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();  // `close` follows
    }
    std::optional<Stream::Block> block = stream_->take();
    if (!block) throw nb::stop_iteration();
    if (block->on_device.values != nullptr) {
      const std::size_t rows = block->sources.size();
      return nb::make_tuple(array_of(std::move(block->sources)),
                            described(block->on_device, rows, stream_->columns()));
    }
    return nb::make_tuple(array_of(std::move(block->sources)),
                          as_array(std::move(block->values), stream_->type(), stream_->columns()));
  }

  /// Ends the solve if it runs; one that does not end soon ends later by itself (call.hpp).
  void close() {
    if (stream_->stop()) return;  // the lock is kept, because nobody gets it back while Python ends
    const nb::gil_scoped_release unlocked;
    stream_->wait_until_ended(kBeforeLeaving);
  }

 private:
  std::shared_ptr<Stream> stream_;
};

}  // namespace

void bind_row_stream(nb::module_& module) {
  nb::class_<RowStream>(module, "RowStream")
      .def(nb::init<const Graph&, const nb::dict&, bool>(), nb::arg("graph"), nb::arg("options"),
           nb::arg("on_device") = false)
      .def("next", &RowStream::next)
      .def("close", &RowStream::close);
}

}  // namespace apsp::python
