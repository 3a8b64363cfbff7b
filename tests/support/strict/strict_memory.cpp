#include "support/strict/strict_memory.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cstring>

#include "base/units.hpp"
#include "kernels/device.hpp"

namespace apsp::kernels::strict {

std::byte* Memory::allocate(std::int64_t bytes) {
  if (bytes > free_bytes()) {
    throw DeviceFull(fmt::format("strict device: {} asked for, {} of {} left",
                                 base::format_bytes(bytes), base::format_bytes(free_bytes()),
                                 base::format_bytes(limit_)));
  }
  Allocation allocation;
  // One byte more than asked, so that empty allocations have addresses of their own.
  allocation.bytes.assign(static_cast<std::size_t>(bytes) + 1, std::byte{0xA5});
  allocation.written.assign(static_cast<std::size_t>(bytes), 0);
  std::byte* first = allocation.bytes.data();
  forget_borrowed(first, bytes + 1, true);  // its caller has freed it
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

void Memory::forget_borrowed(const std::byte* memory, std::int64_t bytes, bool idle) {
  std::erase_if(allocations_, [&](const auto& known) {
    const auto& [first, other] = known;
    const std::size_t size = std::max(other.bytes.size(), other.written.size());
    if (first + size <= memory || memory + bytes <= first) return false;
    require(other.bytes.empty(), "memory borrowed that is the device's own");
    require(idle, "memory borrowed again while work is queued");
    return true;
  });
}

void Memory::borrow(std::byte* memory, std::int64_t bytes, bool idle) {
  forget_borrowed(memory, bytes, idle);
  Allocation allocation;
  allocation.written.assign(static_cast<std::size_t>(bytes), 0);
  allocations_.emplace(memory, std::move(allocation));
}

bool Memory::owns(const void* pointer) const {
  const auto* byte = static_cast<const std::byte*>(pointer);
  const auto after = allocations_.upper_bound(byte);
  if (after == allocations_.begin()) return false;
  const auto& [first, allocation] = *std::prev(after);
  return byte < first + std::max(allocation.bytes.size(), allocation.written.size());
}

std::int64_t Memory::offset(const void* pointer) const {
  const auto* byte = static_cast<const std::byte*>(pointer);
  return byte - std::prev(allocations_.upper_bound(byte))->first;
}

void Memory::set_shape(Access& access, ConstView tile, int value_size) {
  access.rows = tile.rows;
  access.row_bytes = tile.cols * value_size;
  access.stride_bytes = tile.stride * value_size;
}

Memory::Allocation& Memory::find(ConstView tile, int value_size, const std::string& what,
                                 Access& access) {
  if (!owns(tile.data)) misuse(what + " is not in device memory (a host or released pointer)");
  auto& [first, allocation] =
      *std::prev(allocations_.upper_bound(static_cast<const std::byte*>(tile.data)));
  if (tile.stride < tile.cols && tile.rows > 1) misuse(what + " has a stride below its width");
  access.first = static_cast<const std::byte*>(tile.data) - first;
  set_shape(access, tile, value_size);
  const std::int64_t end = access.first + (tile.rows - 1) * access.stride_bytes + access.row_bytes;
  if (end > static_cast<std::int64_t>(allocation.written.size())) {
    misuse(fmt::format("{} ends {} bytes behind its allocation", what,
                       end - static_cast<std::int64_t>(allocation.written.size())));
  }
  return allocation;
}

bool Memory::overlap(const Access& a, const Access& b) {
  const std::int64_t stride = a.rows > 1 ? a.stride_bytes : b.stride_bytes;
  const bool windows = (a.rows == 1 || b.rows == 1 || a.stride_bytes == b.stride_bytes) &&
                       a.row_bytes <= stride && b.row_bytes <= stride;
  if (windows) {
    // Two windows of one matrix: b begins `down` rows and `right` bytes after a.
    std::int64_t down = (b.first - a.first) / stride, right = (b.first - a.first) % stride;
    if (right < 0) {
      right += stride;
      --down;
    }
    const auto rows_meet = [&](std::int64_t d) { return d < a.rows && d + b.rows > 0; };
    return (right < a.row_bytes && rows_meet(down)) ||
           (right + b.row_bytes > stride && rows_meet(down + 1));
  }
  const auto end = [](const Access& x) {
    return x.first + (x.rows - 1) * x.stride_bytes + x.row_bytes;
  };
  return a.first < end(b) && b.first < end(a);
}

void Memory::check_race(std::vector<Access>& accesses, Access access, const Accessor& who) {
  access.queue = who.queue;
  access.tick = who.clock[static_cast<std::size_t>(who.queue)];
  access.operation = who.operation;
  for (const Access& earlier : accesses) {
    if (!(earlier.writes || access.writes) || earlier.queue == access.queue) continue;
    const auto queue = static_cast<std::size_t>(earlier.queue);
    const bool ordered = queue < who.clock.size() && earlier.tick <= who.clock[queue];
    if (!ordered && overlap(earlier, access)) {
      misuse(fmt::format(
          "race: {} on queue {} and {} on queue {} touch the same values, and no event orders them",
          earlier.operation, earlier.queue, access.operation, access.queue));
    }
  }
  // What this access supersedes need not be remembered.
  std::erase_if(accesses, [&](const Access& earlier) {
    return earlier.queue == access.queue && earlier.first == access.first &&
           earlier.rows == access.rows && earlier.row_bytes == access.row_bytes &&
           earlier.stride_bytes == access.stride_bytes && (access.writes || !earlier.writes);
  });
  accesses.push_back(std::move(access));
}

void Memory::access(const Accessor& who, ConstView tile, int value_size, const char* operand,
                    bool writes) {
  if (tile.rows == 0 || tile.cols == 0) return;
  Access access;
  const std::string what = fmt::format("{}: {}", who.operation, operand);
  Allocation& allocation = find(tile, value_size, what, access);
  access.writes = writes;
  check_race(allocation.accesses, std::move(access), who);
}

void Memory::inspect(const Accessor& who, ConstView tile, int value_size, const char* operand) {
  if (tile.rows == 0 || tile.cols == 0) return;
  Access access;
  const std::string what = fmt::format("{}: {}", who.operation, operand);
  const Allocation& allocation = find(tile, value_size, what, access);
  for (std::int64_t r = 0; r < access.rows; ++r) {
    const char* const row = allocation.written.data() + access.first + r * access.stride_bytes;
    const void* const poisoned = std::memchr(row, 0, static_cast<std::size_t>(access.row_bytes));
    if (poisoned != nullptr) {
      misuse(fmt::format("{} [{}, {}] was never written", what, r,
                         (static_cast<const char*>(poisoned) - row) / value_size));
    }
  }
}

void Memory::mark(const Accessor& who, ConstView tile, int value_size, const char* operand) {
  if (tile.rows == 0 || tile.cols == 0) return;
  Access access;
  Allocation& allocation =
      find(tile, value_size, fmt::format("{}: {}", who.operation, operand), access);
  for (std::int64_t r = 0; r < access.rows; ++r) {
    char* const row = allocation.written.data() + access.first + r * access.stride_bytes;
    std::memset(row, 1, static_cast<std::size_t>(access.row_bytes));
  }
}

void Memory::read(const Accessor& who, ConstView tile, int value_size, const char* operand) {
  access(who, tile, value_size, operand, false);
  inspect(who, tile, value_size, operand);
}

void Memory::write(const Accessor& who, ConstView tile, int value_size, const char* operand) {
  access(who, tile, value_size, operand, true);
  mark(who, tile, value_size, operand);
}

void Memory::touch_host(const Accessor& who, ConstView tile, int value_size, bool writes) {
  if (tile.rows == 0 || tile.cols == 0) return;
  Access access;
  access.first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(tile.data));
  set_shape(access, tile, value_size);
  access.writes = writes;
  check_race(*host_accesses_, access, who);
}

void Memory::forget_accesses() {
  host_accesses_->clear();
  for (auto& [first, allocation] : allocations_) allocation.accesses.clear();
}

}  // namespace apsp::kernels::strict
