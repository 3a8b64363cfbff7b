// Rows of a solve as they come: the solve runs on a thread of its own, a few blocks ahead of who
// takes them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>
#include <signal.h>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "arrays.hpp"
#include "bindings.hpp"
#include "choices.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

constexpr std::size_t kBlocksAhead = 4;  // of at most 2^20 values, or a row
constexpr std::chrono::milliseconds kBetweenSignals{5};

class RowStream {
 public:
  RowStream(const Graph& graph, const nb::dict& given)
      : graph_(graph), options_(options_of(given)) {
    columns_ = options_.targets.empty() ? static_cast<std::size_t>(graph.vertex_count())
                                        : options_.targets.size();
    options_.on_rows = [this](const RowBlock& block) { put(block); };
    options_.control.cancellation = &cancellation_;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { run(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~RowStream() { close(); }
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  /// (sources [k], distances [k, columns]) of the next block. Throws what the solve throws, and
  /// StopIteration behind the last block.
  nb::tuple next() {
    while (!ready()) {
      if (PyErr_CheckSignals() == 0) continue;
      const std::exception_ptr raised = [] {
        try {
          nb::raise_python_error();
        } catch (...) {
          return std::current_exception();
        }
      }();
      close();
      std::rethrow_exception(raised);
    }
    std::unique_lock lock(mutex_);
    if (blocks_.empty()) {
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      throw nb::stop_iteration();
    }
    Block block = std::move(blocks_.front());
    blocks_.pop_front();
    room_.notify_one();
    lock.unlock();
    return nb::make_tuple(array_of(std::move(block.sources)), as_array(std::move(block.values)));
  }

  /// Ends the solve if it runs.
  void close() {
    const nb::gil_scoped_release unlocked;
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      blocks_.clear();
      cancellation_.request();
      room_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
    failure_ = nullptr;
  }

 private:
  struct Block {
    std::vector<Vertex> sources;
    std::vector<std::byte> values;
  };

  void run() {
    std::exception_ptr failure;
    try {
      solve(graph_, options_);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failure_ = failure;
    ended_ = true;
    news_.notify_all();
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
    room_.wait(lock, [this] { return closed_ || blocks_.size() < kBlocksAhead; });
    if (closed_) throw Error(ErrorKind::interrupted, "interrupted");
    blocks_.push_back(std::move(block));
    news_.notify_one();
  }

  bool ready() {
    const nb::gil_scoped_release unlocked;
    std::unique_lock lock(mutex_);
    return news_.wait_for(lock, kBetweenSignals, [this] { return ended_ || !blocks_.empty(); });
  }

  nb::object as_array(std::vector<std::byte> values) const {
    auto held = std::make_unique<std::vector<std::byte>>(std::move(values));
    void* data = held->data();
    const std::size_t row_bytes = columns_ * static_cast<std::size_t>(size_of(type_));
    const std::size_t shape[2] = {row_bytes == 0 ? 0 : held->size() / row_bytes, columns_};
    const nb::capsule owner(
        held.release(), [](void* p) noexcept { delete static_cast<std::vector<std::byte>*>(p); });
    const auto as = [&]<class T>(T) {
      return nb::cast(
          nb::ndarray<nb::numpy, T, nb::ndim<2>>(static_cast<T*>(data), 2, shape, owner));
    };
    switch (type_) {
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

  Graph graph_;
  SolveOptions options_;
  std::size_t columns_ = 0;
  Cancellation cancellation_;
  std::mutex mutex_;
  std::condition_variable news_, room_;
  std::deque<Block> blocks_;
  ValueType type_ = ValueType::f64;
  bool closed_ = false, ended_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

void bind_row_stream(nb::module_& module) {
  nb::class_<RowStream>(module, "RowStream")
      .def(nb::init<const Graph&, const nb::dict&>(), nb::arg("graph"), nb::arg("options"))
      .def("next", &RowStream::next)
      .def("close", &RowStream::close);
}

}  // namespace apsp::python
