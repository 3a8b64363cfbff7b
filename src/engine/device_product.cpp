#include "engine/device_product.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/control.hpp"
#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "kernels/device.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

using kernels::ConstView;
using kernels::View;

bool empty(const MatrixProduct& p) { return p.c.rows == 0 || p.c.cols == 0 || p.b.rows == 0; }

constexpr std::int64_t kLeastDepth = 64;      // pivots: whole stages of every kernel, whole words
constexpr std::int64_t kDepthThere = 2048;    // pivots that pass through a device at a time
constexpr double kRelaxationsAnOrder = 2e12;  // some 0.1 s on an H100: Ctrl-C waits for two

struct ByteRange {
  const std::byte* begin;
  const std::byte* end;
};

std::optional<ByteRange> extent_of(const ConstView& matrix, int value_size) {
  if (matrix.rows == 0 || matrix.cols == 0) return std::nullopt;
  const auto* const first = static_cast<const std::byte*>(matrix.data);
  return ByteRange{first, first + ((matrix.rows - 1) * matrix.stride + matrix.cols) * value_size};
}

/// Returns the ranges in ascending order, with overlapping ones merged.
std::vector<ByteRange> merged(std::vector<ByteRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  std::vector<ByteRange> merged;
  for (const ByteRange& range : ranges) {
    if (!merged.empty() && range.begin < merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

/// Bits of a matrix of bytes, 32 columns a word.
class BitOperand {
 public:
  BitOperand(ConstView bytes, std::int64_t rows, int threads)
      : bytes_(bytes),
        words_((bytes.cols + kBits - 1) / kBits),
        memory_(rows * words_ * std::int64_t{sizeof(std::uint32_t)}),
        view{memory_.data(), rows, words_, words_} {
    system::parallel_for(bytes.rows, threads, [&](std::int64_t i) {
      const auto* const row = static_cast<const std::uint8_t*>(bytes_.data) + i * bytes_.stride;
      for (std::int64_t j = 0; j < bytes_.cols; ++j) {
        words(i)[j / kBits] |= std::uint32_t{row[j] != 0} << j % kBits;
      }
    });
  }

  /// target ← 1 where a bit is set.
  void write_to(View target, int threads) {
    system::parallel_for(target.rows, threads, [&](std::int64_t i) {
      auto* const row = static_cast<std::uint8_t*>(target.data) + i * target.stride;
      for (std::int64_t j = 0; j < target.cols; ++j) {
        row[j] = static_cast<std::uint8_t>(words(i)[j / kBits] >> j % kBits & 1U);
      }
    });
  }

 private:
  static constexpr std::int64_t kBits = 32;
  std::uint32_t* words(std::int64_t i) { return memory_.as<std::uint32_t>() + i * words_; }

  ConstView bytes_;
  std::int64_t words_;
  system::AlignedMemory memory_;  // zeros

 public:
  View view;
};

View row_of(std::vector<kernels::OperandFound>& found) {
  const std::int64_t bytes = std::ssize(found) * std::int64_t{sizeof(kernels::OperandFound)};
  return {found.data(), 1, bytes, bytes};
}

/// Rows and columns of C, and pivots, that pass through a device at a time.
struct PassingBlocks {
  std::int64_t rows, cols, depth;
};

/// Returns the bytes of their device memory. `columns`: columns that a value holds.
std::int64_t bytes_of(const PassingBlocks& blocks, const kernels::DeviceSizes& sizes, int size,
                      std::int64_t columns) {
  const std::int64_t c = blocks.rows * sizes.stride(blocks.cols);
  const std::int64_t a = blocks.rows * sizes.stride((blocks.depth + columns - 1) / columns);
  const std::int64_t b = blocks.depth * sizes.stride(blocks.cols);
  return (c + a + b) * size + sizes.left_bytes(blocks.rows, blocks.depth) +
         sizes.right_bytes(blocks.cols, blocks.depth);
}

/// The largest blocks that fit. Throws `Error` (does_not_fit).
PassingBlocks passing_blocks(const MatrixProduct& product, const kernels::DeviceSizes& sizes,
                             int size, std::int64_t columns, std::int64_t memory) {
  PassingBlocks blocks{product.c.rows, product.c.cols, std::min(product.b.rows, kDepthThere)};
  const std::int64_t granule = sizes.granule();
  for (; bytes_of(blocks, sizes, size, columns) > memory;) {
    std::int64_t& longest = blocks.rows > blocks.cols ? blocks.rows : blocks.cols;
    if (longest > granule) {
      longest = base::rounded_up(longest / 2, granule);
    } else if (blocks.depth > kLeastDepth) {
      blocks.depth = base::rounded_up(blocks.depth / 2, kLeastDepth);
    } else {
      throw Error(ErrorKind::does_not_fit,
                  fmt::format("a block of a product needs {} of the device, and {} may be taken",
                              base::format_bytes(bytes_of(blocks, sizes, size, columns)),
                              base::format_bytes(memory)));
    }
  }
  return blocks;
}

}  // namespace

ProductDevice::ProductDevice(std::unique_ptr<kernels::ComputeDevice> device, ValueType type)
    : device_(std::move(device)),
      values_(type),
      queue_(device_->make_queue()),
      found_here_(kOperands),
      pinned_(*device_, row_of(found_here_), 1) {}

void ProductDevice::borrow(const MatrixProduct& product, int value_size, std::uintptr_t stream) {
  std::vector<ByteRange> ranges;
  for (const ConstView& matrix : {ConstView(product.c), product.a, product.b}) {
    if (const auto range = extent_of(matrix, value_size)) ranges.push_back(*range);
  }
  for (const ByteRange& range : merged(std::move(ranges))) {
    const kernels::QueueId callers =
        kernels::required(device_->caller_matrices())
            .borrow(const_cast<std::byte*>(range.begin), range.end - range.begin, stream);
    device_->wait(queue_, device_->record(callers));
  }
}

std::vector<OperandFacts> ProductDevice::look_at_operands(
    Semiring semiring, ValueType type, std::initializer_list<TitledOperand> operands,
    const std::function<void()>& meanwhile) {
  std::fill(found_here_.begin(), found_here_.end(), kernels::OperandFound{});
  const View here = row_of(found_here_);
  if (found_.data() == nullptr) found_ = {*device_, here.cols};
  const View there{found_.data(), 1, here.cols, here.cols};
  device_->copy_in(queue_, there, here, 1);
  auto* each = reinterpret_cast<kernels::OperandFound*>(found_.data());
  for (const TitledOperand& operand : operands) {
    kernels::OperandFound* const one = each++;
    if (operand.matrix.rows == 0 || operand.matrix.cols == 0) continue;
    kernels::required(device_->caller_matrices())
        .survey_operand(
            queue_, {.semiring = semiring, .type = type, .matrix = operand.matrix, .found = one});
  }
  device_->copy_out(queue_, here, there, 1);
  const kernels::EventId looked = device_->record(queue_);
  if (meanwhile) meanwhile();
  device_->await(looked);
  std::vector<OperandFacts> facts;
  facts.reserve(operands.size());
  for (const TitledOperand& operand : operands) {
    const kernels::OperandFound& one = found_here_[facts.size()];
    if (one.bad > 0) {
      refuse_operand(operand.title, static_cast<std::int64_t>(one.bad) - 1, operand.matrix.cols);
    }
    facts.push_back({one.negative != 0, one.largest});
  }
  return facts;
}

PackedOperands ProductDevice::room_for(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                                       std::int64_t memory) {
  for (;; depth = std::max(kLeastDepth, base::rounded_up(depth / 2, kLeastDepth))) {
    const PackedOperands packed{depth, tiles_.left_bytes(rows, depth),
                                tiles_.right_bytes(cols, depth)};
    const std::int64_t bytes = packed.left + packed.right;
    if (bytes <= packed_bytes_) return packed;
    const bool last = depth <= kLeastDepth;
    if (memory > 0 && bytes > memory) {
      if (!last) continue;
      throw Error(ErrorKind::does_not_fit,
                  fmt::format("packed operands of {} pivots need {} of the device, and {} may be "
                              "taken: allow more, or multiply in parts",
                              depth, base::format_bytes(bytes), base::format_bytes(memory)));
    }
    packed_ = {};
    packed_bytes_ = 0;
    try {
      packed_ = dense::DeviceBuffer(*device_, bytes);
      packed_bytes_ = bytes;
      return packed;
    } catch (const kernels::DeviceFull&) {
      if (last) throw;
    }
  }
}

void ProductDevice::keep_little() {
  if (packed_bytes_ <= kKeptBytes) return;
  packed_ = {};
  packed_bytes_ = 0;
}

void ProductDevice::pack_pivots(const MatrixProduct& product, const PackedOperands& packed,
                                std::int64_t first) {
  const std::int64_t m = product.c.rows, n = product.c.cols;
  const std::int64_t pivots = std::min(packed.depth, product.b.rows - first);
  tiles_.pack_left(queue_, part_of(product.a, 0, first / values_.columns, m, columns_of(pivots)),
                   false, packed_.data());
  tiles_.pack_right(queue_, part_of(product.b, first, 0, pivots, n), false, right_of(packed));
}

PackedOperands ProductDevice::pack(const MatrixProduct& product, std::int64_t memory) {
  if (empty(product)) return {};
  const PackedOperands packed = room_for(product.c.rows, product.c.cols, product.b.rows, memory);
  pack_pivots(product, packed, 0);
  return packed;
}

void ProductDevice::order(const MatrixProduct& product, const PackedOperands& packed,
                          const Control& control) {
  const std::int64_t m = product.c.rows, n = product.c.cols, depth = product.b.rows;
  const std::int64_t granule = tiles_.granule();
  const double of_a_row =
      static_cast<double>(n * values_.columns) * static_cast<double>(std::min(depth, packed.depth));
  const auto granules = static_cast<std::int64_t>(kRelaxationsAnOrder / of_a_row) / granule;
  const std::int64_t height = granule * std::max<std::int64_t>(1, granules);
  std::optional<kernels::EventId> before;
  for (std::int64_t first = 0; first < depth; first += packed.depth) {
    const std::int64_t pivots = std::min(packed.depth, depth - first);
    if (first > 0) pack_pivots(product, packed, first);
    for (std::int64_t row = 0; row < m; row += height) {
      base::check_cancelled(control);
      tiles_.multiply_add(queue_, {.c = part_of(product.c, row, 0, std::min(height, m - row), n),
                                   .left = packed_.data() + tiles_.left_bytes(row, pivots),
                                   .right = right_of(packed),
                                   .depth = pivots});
      const kernels::EventId ordered = device_->record(queue_);
      if (before) device_->await(*before);
      before = ordered;
    }
  }
}

void ProductDevice::multiply_add(const MatrixProduct& product, const PackedOperands& packed,
                                 const Control& control) {
  if (empty(product)) return;
  try {
    order(product, packed, control);
  } catch (...) {
    dense::drain(*device_, queue_);
    throw;
  }
  finish();
}

void ProductDevice::finish() {
  device_->synchronize(queue_);
  keep_little();
}

void ProductDevice::multiply_add_from_host(const MatrixProduct& product, std::int64_t memory,
                                           int threads, const Control& control) {
  if (empty(product)) return;
  if (values_.columns == 1) return pass_through(product, memory, control);
  BitOperand c(product.c, product.c.rows, threads);
  BitOperand a(product.a, product.a.rows, threads);
  // Pivots are as many as A's words hold bits: B has rows of zeros for the last ones.
  BitOperand b(product.b, a.view.cols * values_.columns, threads);
  pass_through({c.view, a.view, b.view}, memory, control);
  c.write_to(product.c, threads);
}

void ProductDevice::pass_through(const MatrixProduct& product, std::int64_t memory,
                                 const Control& control) {
  constexpr double kMostOfFree = 0.9;
  const auto free = static_cast<double>(device_->memory_free());
  const std::int64_t allowed = memory > 0 ? memory : static_cast<std::int64_t>(kMostOfFree * free);
  const auto& [c, a, b] = product;
  const PassingBlocks most =
      passing_blocks(product, tiles_, values_.size, values_.columns, allowed);
  const auto matrix_of = [&](std::int64_t rows, std::int64_t cols) {
    return dense::DeviceBuffer(*device_, rows * tiles_.stride(cols) * values_.size);
  };
  const dense::DeviceBuffer device_c = matrix_of(most.rows, most.cols),
                            device_a = matrix_of(most.rows, columns_of(most.depth)),
                            device_b = matrix_of(most.depth, most.cols);
  const auto view_of = [&](const dense::DeviceBuffer& memory, std::int64_t rows,
                           std::int64_t cols) {
    return View{memory.data(), rows, cols, tiles_.stride(cols)};
  };
  const auto copy_in = [&](View device, ConstView host) {
    device_->copy_in(queue_, device, host, values_.size);
  };
  base::ProgressTask progress(control, "product",
                              static_cast<double>(c.rows) * static_cast<double>(c.cols), "value");
  try {
    for (std::int64_t row = 0; row < c.rows; row += most.rows) {
      for (std::int64_t col = 0; col < c.cols; col += most.cols) {
        const std::int64_t rows = std::min(most.rows, c.rows - row);
        const std::int64_t cols = std::min(most.cols, c.cols - col);
        const View block = view_of(device_c, rows, cols), target = part_of(c, row, col, rows, cols);
        copy_in(block, target);
        for (std::int64_t first = 0; first < b.rows; first += most.depth) {
          const std::int64_t depth = std::min(most.depth, b.rows - first);
          const View left = view_of(device_a, rows, columns_of(depth));
          const View right = view_of(device_b, depth, cols);
          copy_in(left, part_of(a, row, first / values_.columns, rows, columns_of(depth)));
          copy_in(right, part_of(b, first, col, depth, cols));
          const MatrixProduct passing{block, left, right};
          order(passing, pack(passing, 0), control);
        }
        device_->copy_out(queue_, target, block, values_.size);
        device_->synchronize(queue_);
        progress.advance(static_cast<double>(rows) * static_cast<double>(cols));
      }
    }
  } catch (...) {
    dense::drain(*device_, queue_);
    throw;
  }
  keep_little();
}

}  // namespace apsp::engine
