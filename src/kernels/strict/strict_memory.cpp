#include "kernels/strict/strict_memory.hpp"

#include <apsp/error.hpp>
#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"

namespace apsp::kernels::strict {
namespace {

[[noreturn]] void misuse(const std::string& message) {
  throw Error(ErrorKind::device, "strict device: " + message);
}

}  // namespace

std::byte* Memory::allocate(std::int64_t bytes) {
  if (bytes > free_bytes()) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("strict device: {} asked for, {} of {} left", base::format_bytes(bytes),
                            base::format_bytes(free_bytes()), base::format_bytes(limit_)));
  }
  Allocation allocation;
  // One byte more than asked, so that empty allocations have addresses of their own.
  allocation.bytes.assign(static_cast<std::size_t>(bytes) + 1, std::byte{0xA5});
  allocation.written.assign(static_cast<std::size_t>(bytes), false);
  std::byte* first = allocation.bytes.data();
  allocations_.emplace(first, std::move(allocation));
  used_ += bytes;
  return first;
}

void Memory::release(std::byte* memory) {
  const auto found = allocations_.find(memory);
  if (found == allocations_.end()) misuse("release of memory that is not allocated");
  used_ -= static_cast<std::int64_t>(found->second.written.size());
  allocations_.erase(found);
}

bool Memory::owns(const void* pointer) const {
  const auto* byte = static_cast<const std::byte*>(pointer);
  const auto after = allocations_.upper_bound(byte);
  if (after == allocations_.begin()) return false;
  const auto& [first, allocation] = *std::prev(after);
  return byte < first + allocation.bytes.size();
}

Memory::Allocation& Memory::find(ConstTile tile, int value_size, const std::string& what,
                                 Access& access) {
  if (!owns(tile.data)) misuse(what + " is not in device memory (a host or released pointer)");
  auto& [first, allocation] = *std::prev(
      allocations_.upper_bound(static_cast<const std::byte*>(tile.data)));
  if (tile.stride < tile.cols && tile.rows > 1) misuse(what + " has a stride below its width");
  access.first = static_cast<const std::byte*>(tile.data) - first;
  access.rows = tile.rows;
  access.row_bytes = tile.cols * value_size;
  access.stride_bytes = tile.stride * value_size;
  const std::int64_t end =
      access.first + (tile.rows - 1) * access.stride_bytes + access.row_bytes;
  if (end > static_cast<std::int64_t>(allocation.written.size())) {
    misuse(fmt::format("{} ends {} bytes behind its allocation", what,
                       end - static_cast<std::int64_t>(allocation.written.size())));
  }
  return allocation;
}

bool Memory::overlap(const Access& a, const Access& b) {
  if (a.stride_bytes == b.stride_bytes && a.stride_bytes > 0) {
    // Two windows of one matrix: compare rows and columns.
    const std::int64_t stride = a.stride_bytes;
    const std::int64_t col_a = a.first % stride, col_b = b.first % stride;
    const std::int64_t row_a = a.first / stride, row_b = b.first / stride;
    if (col_a + a.row_bytes <= stride && col_b + b.row_bytes <= stride) {
      return row_a < row_b + b.rows && row_b < row_a + a.rows && col_a < col_b + b.row_bytes &&
             col_b < col_a + a.row_bytes;
    }
  }
  const auto end = [](const Access& x) {
    return x.first + (x.rows - 1) * x.stride_bytes + x.row_bytes;
  };
  return a.first < end(b) && b.first < end(a);
}

void Memory::check_race(Allocation& allocation, const Access& access, const Clock& clock) {
  for (const Access& earlier : allocation.accesses) {
    if (!(earlier.writes || access.writes) || earlier.queue == access.queue) continue;
    const auto queue = static_cast<std::size_t>(earlier.queue);
    const bool ordered = queue < clock.size() && earlier.tick <= clock[queue];
    if (!ordered && overlap(earlier, access)) {
      misuse(fmt::format("race: {} on queue {} and {} on queue {} touch the same values, and no "
                         "event orders them",
                         earlier.operation, earlier.queue, access.operation, access.queue));
    }
  }
  // What this access supersedes need not be remembered.
  std::erase_if(allocation.accesses, [&](const Access& earlier) {
    return earlier.queue == access.queue && earlier.first == access.first &&
           earlier.rows == access.rows && earlier.row_bytes == access.row_bytes &&
           earlier.stride_bytes == access.stride_bytes && (access.writes || !earlier.writes);
  });
  allocation.accesses.push_back(access);
}

void Memory::read(ConstTile tile, int value_size, int queue, const Clock& clock,
                  const std::string& operation, const char* operand) {
  if (tile.rows == 0 || tile.cols == 0) return;
  Access access;
  const std::string what = fmt::format("{}: {}", operation, operand);
  Allocation& allocation = find(tile, value_size, what, access);
  access.queue = queue;
  access.tick = clock[static_cast<std::size_t>(queue)];
  access.operation = operation;
  check_race(allocation, access, clock);
  for (std::int64_t r = 0; r < access.rows; ++r) {
    const auto row = allocation.written.begin() + access.first + r * access.stride_bytes;
    const auto poisoned = std::find(row, row + access.row_bytes, false);
    if (poisoned != row + access.row_bytes) {
      misuse(fmt::format("{} [{}, {}] was never written", what, r,
                         (poisoned - row) / value_size));
    }
  }
}

void Memory::write(ConstTile tile, int value_size, int queue, const Clock& clock,
                   const std::string& operation, const char* operand) {
  if (tile.rows == 0 || tile.cols == 0) return;
  Access access;
  Allocation& allocation =
      find(tile, value_size, fmt::format("{}: {}", operation, operand), access);
  access.queue = queue;
  access.tick = clock[static_cast<std::size_t>(queue)];
  access.writes = true;
  access.operation = operation;
  check_race(allocation, access, clock);
  for (std::int64_t r = 0; r < access.rows; ++r) {
    const auto row = allocation.written.begin() + access.first + r * access.stride_bytes;
    std::fill(row, row + access.row_bytes, true);
  }
}

}  // namespace apsp::kernels::strict
