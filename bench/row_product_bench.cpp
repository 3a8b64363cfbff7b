// Products with listed rows against the packed product and the peak of the registers, on one
// thread.
//
//   apsp_row_product_bench [--rounds N] [--set NAME] [COLS ...]
//
// Min-plus in u16, i32 and f32, columns 256 if none are given. Shapes in turns, the best of all
// rounds; G relaxations a second, and their share of the packed product's rate. The packed product
// is of 192 rows and 192 steps, packing not counted. NAME: an instruction set.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/random.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cpu/row_products.hpp"
#include "program/peak.hpp"

namespace {

using namespace apsp;
using kernels::ConstView;
using kernels::View;

struct Settings {
  int rounds = 20;
  std::vector<std::int64_t> cols;
};

/// A matrix of small values, rows one after another.
class Values {
 public:
  Values(ValueType type, std::int64_t rows, std::int64_t cols)
      : rows_(rows), cols_(cols), memory_(rows * cols * size_of(type)) {
    base::SplitMix64 random(1);
    for (std::int64_t i = 0; i < rows * cols; ++i) {
      const auto value = static_cast<std::int32_t>(1 + random.below(1000));
      if (type == ValueType::u16)
        memory_.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(value);
      if (type == ValueType::i32) memory_.as<std::int32_t>()[i] = value;
      if (type == ValueType::f32) memory_.as<float>()[i] = static_cast<float>(value);
    }
  }
  View view() { return {memory_.data(), rows_, cols_, cols_}; }

 private:
  std::int64_t rows_, cols_;
  base::AlignedMemory memory_;
};

/// One thing to measure: `run` makes so many relaxations.
struct Case {
  std::string name;
  double relaxations = 0;
  std::function<void()> run;
  double best = 1e9;  // seconds

  double rate() const { return relaxations / best / 1e9; }
};

class Cases {
 public:
  Cases(ValueType type, std::int64_t cols)
      : type_(type),
        cols_(cols),
        rows_(kernels::cpu::row_operations(Semiring::min_plus, type, kSign)),
        tiles_(kernels::cpu::operations(Semiring::min_plus, type, kSign)),
        x_(type, kRows, cols),
        c_(type, kMost, cols),
        a_(type, kMost, kRows) {
    base::SplitMix64 random(5);
    for (std::int32_t& row : list_) row = static_cast<std::int32_t>(random.below(kRows));
    std::iota(distinct_.begin(), distinct_.end(), 0);
    for (std::size_t i = kRows; i > 1; --i) std::swap(distinct_[i - 1], distinct_[random.below(i)]);
    add_peak();
    add_packed();
    for (const std::int64_t rows : {std::int64_t{48}, kRows / 2}) add_sweep(rows);
    for (const std::int64_t depth : {1, 5, 10}) add_gathered(1, depth);
    for (const std::int64_t m : {2, 3, 8, 32}) {
      for (const std::int64_t depth : {10, 100, 500}) add_gathered(m, depth);
    }
    for (const std::int64_t m : {100, 1000}) {
      for (const std::int64_t depth : {500, 2000}) add_gathered(m, depth);
    }
    add_scattered(8, 10);
    add_scattered(100, 32);
    add_scattered(1000, 500);
  }

  void measure(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      for (Case& each : cases_) {
        const auto start = std::chrono::steady_clock::now();
        each.run();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        each.best = std::min(each.best, took.count());
      }
    }
  }

  void print() const {
    fmt::print("{}, {} columns, {}\n", apsp::name(type_), cols_, kernels::cpu::instruction_set());
    for (const Case& each : cases_) {
      fmt::print("  {:<40} {:8.2f} G/s {:6.3f}\n", each.name, each.rate(),
                 each.rate() / cases_[1].rate());
    }
  }

 private:
  static constexpr kernels::Sign kSign = kernels::Sign::non_negative;
  static constexpr std::int64_t kRows = 2000;  // of X
  static constexpr std::int64_t kMost = 1000;  // rows of C
  static constexpr double kRelaxations = 3e7;  // a measurement, at least
  static constexpr std::size_t kList = 1 << 16;

  void add(std::string name, double relaxations, std::function<void()> once) {
    const auto repeats = static_cast<std::int64_t>(kRelaxations / relaxations) + 1;
    cases_.push_back({std::move(name), relaxations * static_cast<double>(repeats), [=] {
                        for (std::int64_t i = 0; i < repeats; ++i) once();
                      }});
  }

  void add_peak() {
    const kernels::cpu::PeakRun peak = kernels::cpu::peak_run(type_, kSign, false);
    const auto repeats = static_cast<std::int64_t>(kRelaxations / peak.relaxations) + 1;
    cases_.push_back({"peak of the registers", peak.relaxations * static_cast<double>(repeats),
                      [=, this] { sum_ += peak.run(repeats); }});
  }

  void add_packed() {
    constexpr std::int64_t kSide = 192;
    const ConstView a = kernels::part(a_.view(), tiles_.value_size, 0, 0, kSide, kSide);
    const ConstView b = kernels::part(x_.view(), tiles_.value_size, 0, 0, kSide, cols_);
    left_ = base::AlignedMemory(tiles_.packed.left_bytes(kSide, kSide));
    right_ = base::AlignedMemory(tiles_.packed.right_bytes(cols_, kSide));
    tiles_.packed.pack_left(a, false, left_.data());
    tiles_.packed.pack_right(b, false, right_.data());
    add("packed product", static_cast<double>(kSide * kSide * cols_), [=, this] {
      View c = c_.view();
      c.rows = kSide;
      tiles_.packed.multiply_add(c, left_.data(), right_.data(), kSide);
    });
  }

  /// 1000 products of one row and 1 to 10 random steps; X and C share so many rows.
  void add_sweep(std::int64_t rows) {
    base::SplitMix64 random(9);
    std::vector<std::int32_t> depths(1000);
    std::vector<std::int32_t> lists(10000);
    for (std::int32_t& depth : depths) depth = static_cast<std::int32_t>(1 + random.below(10));
    for (std::int32_t& row : lists) {
      row = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(rows)));
    }
    const std::int64_t steps = std::accumulate(depths.begin(), depths.end(), std::int64_t{0});
    add(fmt::format("1 row, 1 to 10 steps, X of {} KiB", rows * cols_ * tiles_.value_size / 1024),
        static_cast<double>(steps * cols_), [=, this] {
          const std::int32_t* list = lists.data();
          for (std::size_t i = 0; i < depths.size(); ++i) {
            View c = kernels::part(c_.view(), tiles_.value_size, static_cast<std::int64_t>(i % 16),
                                   0, 1, cols_);
            rows_.multiply_gathered(c, {a_.view().data, 1, depths[i], kRows}, x_.view(), list);
            list += depths[i];
          }
        });
  }

  void add_gathered(std::int64_t m, std::int64_t depth) {
    add(fmt::format("gathered, {} rows, {} steps", m, depth),
        static_cast<double>(m * depth * cols_), [=, this] {
          View c = c_.view();
          c.rows = m;
          first_ = (first_ + 97) % (kList - kRows);
          rows_.multiply_gathered(c, {a_.view().data, m, depth, kRows}, x_.view(),
                                  list_.data() + first_);
        });
  }

  void add_scattered(std::int64_t m, std::int64_t depth) {
    add(fmt::format("scattered, {} rows, {} steps", m, depth),
        static_cast<double>(m * depth * cols_), [=, this] {
          View y = c_.view();
          y.rows = depth;
          rows_.multiply_scattered(x_.view(), distinct_.data(), {a_.view().data, depth, m, kRows},
                                   y);
        });
  }

  ValueType type_;
  std::int64_t cols_;
  kernels::cpu::RowOperations rows_;
  kernels::TileOperations tiles_;
  Values x_, c_, a_;
  base::AlignedMemory left_, right_;
  std::vector<std::int32_t> list_ = std::vector<std::int32_t>(kList);
  std::vector<std::int32_t> distinct_ = std::vector<std::int32_t>(kRows);
  std::size_t first_ = 0;
  double sum_ = 0;
  std::vector<Case> cases_;
};

Settings read(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--rounds" && i + 1 < argc) {
      settings.rounds = std::max(1, std::atoi(argv[++i]));
    } else if (word == "--set" && i + 1 < argc) {
      kernels::cpu::force_instruction_set(argv[++i]);
    } else {
      settings.cols.push_back(std::max(1LL, std::atoll(word.c_str()) / 64) * 64);
    }
  }
  if (settings.cols.empty()) settings.cols = {256};
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = read(argc, argv);
  for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f32}) {
    for (const std::int64_t cols : settings.cols) {
      Cases cases(type, cols);
      cases.measure(settings.rounds);
      cases.print();
    }
  }
}
