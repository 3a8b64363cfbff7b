// One matrix, solved by the papers' kernels and by apsp: random, or of a graph's vertices that are
// nearest to its greatest hub, with weights of 1 (Katz 2008, §5.3; Schiff, §V: CAIDA's snapshots).
//
// Random float, int32: weights from 1 to 500,000, one of eight arcs missing. uint8: 1.5 arcs a
// vertex, so that some pairs have a path and some have none.
#pragma once

#include <apsp/solve.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/json.hpp"
#include "baseline.hpp"
#include "cuda_event.hpp"
#include "dense/device_memory.hpp"
#include "dense/reachable_bits.hpp"
#include "harness.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "planner/device_plan.hpp"
#include "program/random_words.hpp"
#include "semiring/semirings.hpp"
#include "snapshot.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp::baselines {

using kernels::cuda::check;

template <class T>
struct Method {
  const char* name;
  int block;  // 0: none
  Solve<T> solve;
};

/// The values of entries, and how the host and apsp on a device solve them.
template <class T>
struct Entries {
  using S = semiring::MinPlus<T>;
  static std::string_view name() { return apsp::name(detail::ValueTypeOf<T>::value); }
  static T entry(std::uint32_t word, std::int64_t) {
    constexpr std::uint32_t kGreatest = 500'000;  // paths of that many vertices stay below 2^30
    return word % 8 == 0 ? S::zero() : static_cast<T>(1 + (word >> 12) % kGreatest);
  }
  static T absent() { return S::zero(); }
  static T self() { return S::one(); }
  static T hop() { return 1; }
  static void solve_on_host(MatrixView<T> matrix) { floyd_warshall<MinPlus>(matrix); }

  /// Solves `matrix` [n, n] on the device, `repetitions` times after one that is not timed. Returns
  /// the seconds.
  static std::vector<double> solve_on_device(int ordinal, MatrixView<T> matrix, int repetitions) {
    const auto device = kernels::cuda::make_device(
        ordinal, Semiring::min_plus, detail::ValueTypeOf<T>::value, kernels::Sign::non_negative);
    const dense::TiledMatrix tiled{
        {matrix.data, matrix.rows, matrix.cols, matrix.stride},
        int{sizeof(T)},
        planner::choose_device_tile(matrix.rows, device->tiles().granule(),
                                    device->tiles().whole_side())};
    return timed_solves(*device, tiled, repetitions);
  }

  static std::vector<double> timed_solves(kernels::ComputeDevice& device,
                                          const dense::TiledMatrix& tiled, int repetitions) {
    const Control control;
    dense::DeviceMemory memory(device, tiled, dense::Shape::full, kernels::Cycles::excluded,
                               control);
    std::vector<double> seconds;
    for (int i = -1; i < repetitions; ++i) {
      memory.upload();
      const double taken = bench::seconds([&] { memory.solve(); });
      if (i >= 0) seconds.push_back(taken);
    }
    memory.download();
    return seconds;
  }
};

template <>
struct Entries<std::uint8_t> {
  static std::string_view name() { return "reach"; }
  static std::uint8_t entry(std::uint32_t word, std::int64_t n) {
    return word % static_cast<std::uint64_t>(std::max<std::int64_t>(1, 2 * n / 3)) == 0 ? 1 : 0;
  }
  static std::uint8_t absent() { return 0; }
  static std::uint8_t self() { return 1; }
  static std::uint8_t hop() { return 1; }

  /// Warshall's algorithm, row by row (Katz 2008, Algorithm 1).
  static void solve_on_host(MatrixView<std::uint8_t> matrix) {
    for (std::int64_t k = 0; k < matrix.rows; ++k) {
      const std::uint8_t* const through = matrix.data + k * matrix.stride;
      for (std::int64_t i = 0; i < matrix.rows; ++i) {
        std::uint8_t* const row = matrix.data + i * matrix.stride;
        if (row[k] == 0 || i == k) continue;
        for (std::int64_t j = 0; j < matrix.cols; ++j) row[j] |= through[j];
      }
    }
  }

  /// apsp works on bits. Packing them on the host is not timed.
  static std::vector<double> solve_on_device(int ordinal, MatrixView<std::uint8_t> matrix,
                                             int repetitions) {
    const auto device = kernels::cuda::make_device(ordinal, Semiring::or_and, ValueType::boolean,
                                                   kernels::Sign::non_negative);
    dense::DeviceBits bits(matrix.rows);
    bits.fill(kernels::View{matrix.data, matrix.rows, matrix.cols, matrix.stride}, 1, {});
    const std::vector<double> seconds =
        Entries<float>::timed_solves(*device, bits.tiled(), repetitions);
    for (std::int64_t i = 0; i < matrix.rows; ++i) bits.unpack(i, matrix.data + i * matrix.stride);
    return seconds;
  }
};

template <class T>
class Problem {
 public:
  /// `graph`: null, or n of whose vertices are taken.
  Problem(std::int64_t n, int ordinal, const Graph* graph)
      : n_(n),
        ordinal_(ordinal),
        weights_(bytes_of(n)),
        solved_(bytes_of(n)),
        result_(bytes_of(n)),
        on_device_(static_cast<std::size_t>((n + kMostPadding) * (n + kMostPadding)) * sizeof(T)) {
    graph == nullptr ? fill() : fill_from(*graph);
    if (n_ > kComparedWithHost) return;
    std::memcpy(solved_.data(), weights_.data(), static_cast<std::size_t>(bytes_of(n_)));
    Entries<T>::solve_on_host(view(solved_));
    has_solved_ = true;
  }

  /// Seconds of whole solves on the device, and of the phases of one more, a stopwatch around each
  /// launch; whether the result is the plain kernel's, and the host's.
  nlohmann::json measure(const Method<T>& method) {
    const std::int64_t side = padded(n_, std::max(1, method.block));
    std::vector<double> seconds;
    for (int i = 0; i < repetitions(method.block); ++i) {
      copy_in(side);
      const bench::Event begin, end;
      begin.record();
      method.solve(on_device_.as<T>(), side, {});
      end.record();
      end.await();
      seconds.push_back(end.seconds_since(begin));
    }
    const bool equal = equals(side);
    return row_of(method, seconds, equal,
                  method.block > 0 ? phases(method, side) : std::vector<double>());
  }

  nlohmann::json measure_apsp() {
    std::memcpy(result_.data(), weights_.data(), static_cast<std::size_t>(bytes_of(n_)));
    const auto seconds = Entries<T>::solve_on_device(ordinal_, view(result_), repetitions());
    return row_of({"apsp", 0, {}}, seconds, same(), {});
  }

 private:
  static constexpr std::int64_t kMostPadding = 32;  // at most the largest block
  static constexpr std::int64_t kComparedWithHost = 2048;

  static std::int64_t padded(std::int64_t n, std::int64_t block) {
    return (n + block - 1) / block * block;
  }
  static std::int64_t bytes_of(std::int64_t n) { return n * n * int{sizeof(T)}; }
  MatrixView<T> view(system::AlignedMemory& memory) { return {memory.as<T>(), n_, n_, n_}; }
  std::size_t line() const { return static_cast<std::size_t>(n_) * sizeof(T); }
  /// The smallest blocks take a hundred times as long as others.
  int repetitions(int block = 0) const {
    return n_ > 8192 || block == 2 || block == 4 ? 1 : n_ > 4096 ? 2 : 3;
  }

  void fill() {
    const bench::RandomWords random(n_, n_, static_cast<std::uint64_t>(n_));
    const int threads = system::thread_count(0);
    T* const weights = weights_.template as<T>();
    system::parallel_for(n_, threads, [&](std::int64_t i) {
      for (std::int64_t j = 0; j < n_; ++j) {
        weights[i * n_ + j] = i == j ? Entries<T>::self() : Entries<T>::entry(random(i, j), n_);
      }
    });
  }

  void fill_from(const Graph& graph) {
    T* const weights = weights_.template as<T>();
    std::fill_n(weights, n_ * n_, Entries<T>::absent());
    for (std::int64_t i = 0; i < n_; ++i) weights[i * (n_ + 1)] = Entries<T>::self();
    for_each_arc_of_snapshot(graph, n_, [&](std::int64_t from, std::int64_t to) {
      if (from != to) weights[from * n_ + to] = Entries<T>::hop();
    });
  }

  nlohmann::json row_of(const Method<T>& method, const std::vector<double>& seconds, bool equal,
                        const std::vector<double>& phases) const {
    const double best = *std::min_element(seconds.begin(), seconds.end());
    return {{"name", method.name},
            {"value_type", Entries<T>::name()},
            {"block", method.block > 0 ? nlohmann::json(method.block) : nlohmann::json()},
            {"vertices", n_},
            {"seconds", seconds},
            {"seconds_phases", phases},
            {"relaxations_per_second", bench::cube(n_) / best},
            {"equal", equal},
            {"compared_with_cpu", n_ <= kComparedWithHost}};
  }

  /// The matrix, and vertices without arcs up to `side`.
  void copy_in(std::int64_t side) {
    T* const there = on_device_.as<T>();
    const std::size_t pitch = static_cast<std::size_t>(side) * sizeof(T);
    if (side > n_) {
      const std::vector<T> empty(static_cast<std::size_t>(side * side), Entries<T>::absent());
      check(cudaMemcpy(there, empty.data(), empty.size() * sizeof(T), cudaMemcpyHostToDevice),
            "copying in");
    }
    check(cudaMemcpy2D(there, pitch, weights_.data(), line(), line(), static_cast<std::size_t>(n_),
                       cudaMemcpyHostToDevice),
          "copying in");
  }

  bool same() const {
    return std::memcmp(solved_.data(), result_.data(), static_cast<std::size_t>(bytes_of(n_))) == 0;
  }

  bool equals(std::int64_t side) {
    check(cudaMemcpy2D(result_.data(), line(), on_device_.as<T>(),
                       static_cast<std::size_t>(side) * sizeof(T), line(),
                       static_cast<std::size_t>(n_), cudaMemcpyDeviceToHost),
          "copying out");
    if (has_solved_) return same();
    std::memcpy(solved_.data(), result_.data(),
                static_cast<std::size_t>(bytes_of(n_)));  // the plain kernel's
    return has_solved_ = true;
  }

  std::vector<double> phases(const Method<T>& method, std::int64_t side) {
    std::vector<std::pair<int, bench::Event>> marks(
        static_cast<std::size_t>(3 * (side / method.block)));
    std::size_t used = 0;
    const bench::Event begin;
    copy_in(side);
    begin.record();
    method.solve(on_device_.as<T>(), side, [&](int phase) {
      marks[used].first = phase;
      marks[used++].second.record();
    });
    check(cudaDeviceSynchronize(), "a solve");
    std::vector<double> seconds(3, 0);
    const bench::Event* before = &begin;
    for (std::size_t m = 0; m < used; ++m) {
      seconds[static_cast<std::size_t>(marks[m].first)] += marks[m].second.seconds_since(*before);
      before = &marks[m].second;
    }
    return seconds;
  }

  std::int64_t n_;
  int ordinal_;
  system::AlignedMemory weights_, solved_, result_;  // [n, n]
  bool has_solved_ = false;
  bench::DeviceArray on_device_;
};

}  // namespace apsp::baselines
