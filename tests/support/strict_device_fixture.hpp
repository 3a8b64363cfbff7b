// A strict device, its queue and what tests ask of it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <memory>
#include <vector>

#include "support/error_of.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::kernels {

class StrictDevice : public testing::Test {
 protected:
  View allocate(std::int64_t rows, std::int64_t cols) {
    return {device->allocate(rows * cols * 4), rows, cols, cols};
  }
  View on_device(std::vector<std::int32_t>& host, std::int64_t rows, std::int64_t cols) {
    const View tile = allocate(rows, cols);
    device->copy_in(queue, tile, ConstView{host.data(), rows, cols, cols}, 4);
    return tile;
  }
  /// An array of the host, copied to the device.
  template <class T>
  T* to_device(const std::vector<T>& host) {
    const auto bytes = static_cast<std::int64_t>(host.size() * sizeof(T));
    std::byte* const memory = device->allocate(bytes);
    device->copy_in(queue, View{memory, 1, bytes, bytes}, ConstView{host.data(), 1, bytes, bytes},
                    1);
    return reinterpret_cast<T*>(memory);
  }
  std::byte* left(ConstView a, bool transposed = false) {
    const std::int64_t rows = transposed ? a.cols : a.rows, depth = transposed ? a.rows : a.cols;
    std::byte* const out = device->allocate(device->tiles().left_bytes(rows, depth));
    device->tiles().pack_left(queue, a, transposed, out);
    return out;
  }
  std::byte* right(ConstView b, bool transposed = false) {
    const std::int64_t cols = transposed ? b.rows : b.cols, depth = transposed ? b.cols : b.rows;
    std::byte* const out = device->allocate(device->tiles().right_bytes(cols, depth));
    device->tiles().pack_right(queue, b, transposed, out);
    return out;
  }
  void close(QueueId on, View d) {
    device->tiles().close(on, d, {}, Cycles::possible, 0,
                          device->allocate(device->tiles().close_bytes(d.rows)));
  }
  std::vector<std::int32_t> read_back(View tile) {
    std::vector<std::int32_t> out(static_cast<std::size_t>(tile.rows * tile.cols), -77);
    device->copy_out(queue, {out.data(), tile.rows, tile.cols, tile.cols}, tile, 4);
    device->synchronize(queue);
    return out;
  }
  template <class F>
  void expect_misuse(F&& act, const char* words) {
    const Error error = error_of([&] {
      act();
      device->synchronize(queue);
    });
    EXPECT_EQ(error.kind(), ErrorKind::device) << "expected: " << words;
    EXPECT_THAT(error.what(), testing::HasSubstr(words));
  }

  /// Each change of operands makes `act` on them a misuse, which is told in these words.
  template <class Operands>
  struct Refusal {
    const char* words;
    void (*change)(Operands& operands);
  };
  template <class Operands, class Act>
  void expect_refusals(const std::vector<Refusal<Operands>>& refusals, const Act& act) {
    for (const auto& [words, change] : refusals) {
      device = made();  // a failure stays
      queue = device->make_queue();
      Operands operands;
      change(operands);
      expect_misuse([&] { act(operands); }, words);
    }
  }

  static std::unique_ptr<ComputeDevice> made() {
    return strict::make_device(Semiring::min_plus, ValueType::i32, 1 << 16);
  }
  std::unique_ptr<ComputeDevice> device = made();
  QueueId queue = device->make_queue();
  std::vector<std::int32_t> ones = std::vector<std::int32_t>(64, 1);
  std::vector<std::int32_t> nines = std::vector<std::int32_t>(256, 9);
};

}  // namespace apsp::kernels
