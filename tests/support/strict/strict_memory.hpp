// Device memory that knows which of its bytes were written, and who touched it last. Of host memory
// it knows the copies.
#pragma once

#include <apsp/error.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/contract.hpp"

namespace apsp::kernels::strict {

/// Throws `Error` (device) for an operation that breaks the contract.
[[noreturn]] inline void misuse(const std::string& message) {
  throw Error(ErrorKind::device, "strict device: " + message);
}

inline void require(bool condition, const char* message) {
  if (!condition) misuse(message);
}

/// How far each queue had come, as far as an operation can know (a vector clock).
using Clock = std::vector<std::int64_t>;

/// An operation of a queue that accesses memory, after everything in its clock.
struct Accessor {
  int queue;
  const Clock& clock;
  const char* operation;
};

class Memory {
 public:
  explicit Memory(std::int64_t limit) : limit_(limit) {}

  std::byte* allocate(std::int64_t bytes);
  void release(std::byte* memory);
  /// Memory of the caller's counts as this device's, unwritten. It overlaps nothing of the
  /// device's, and what was borrowed before only where the device is idle: that is the caller's
  /// again.
  void borrow(std::byte* memory, std::int64_t bytes, bool idle);
  std::int64_t free_bytes() const { return limit_ - used_; }
  bool owns(const void* pointer) const;
  /// Bytes from the beginning of the allocation. Requires: `owns(pointer)`.
  std::int64_t offset(const void* pointer) const;

  /// Checks an access and remembers it for the race test: every value of `tile` is read or written.
  /// Throws `Error` (device); `operand` names the tile in the message.
  void read(const Accessor& who, ConstView tile, int value_size, const char* operand);
  void write(const Accessor& who, ConstView tile, int value_size, const char* operand);
  /// The same in parts: where it lies and races, for operations that name rows by lists, and are
  /// taken to access the whole of a matrix; that values were written; that they are from now on.
  void access(const Accessor& who, ConstView tile, int value_size, const char* operand,
              bool writes);
  void inspect(const Accessor& who, ConstView tile, int value_size, const char* operand);
  void mark(const Accessor& who, ConstView tile, int value_size, const char* operand);
  /// From now on copies of the other's are remembered with those of this one: the host's memory is
  /// the same for both. Requires: the other has copied nothing.
  void share_host(Memory& other) const { other.host_accesses_ = host_accesses_; }
  /// The host's side of a copy: races only.
  void touch_host(const Accessor& who, ConstView tile, int value_size, bool writes);

  /// Nothing is under way: whatever comes is after all that was.
  void forget_accesses();

 private:
  struct Access {
    std::int64_t first = 0, row_bytes = 0, rows = 0, stride_bytes = 0;  // within the allocation
    int queue = 0;
    std::int64_t tick = 0;
    bool writes = false;
    std::string operation;
  };
  struct Allocation {
    std::vector<std::byte> bytes;  // none where it is borrowed
    std::vector<char> written;     // [bytes] 1 where a byte was
    std::vector<Access> accesses;
  };

  /// Forgets what was borrowed and overlaps these bytes, which it may only where the device is
  /// idle.
  void forget_borrowed(const std::byte* memory, std::int64_t bytes, bool idle);
  Allocation& find(ConstView tile, int value_size, const std::string& what, Access& access);
  static void set_shape(Access& access, ConstView tile, int value_size);
  static bool overlap(const Access& a, const Access& b);
  static void check_race(std::vector<Access>& accesses, Access access, const Accessor& who);

  std::int64_t limit_;
  std::int64_t used_ = 0;
  std::map<const std::byte*, Allocation> allocations_;  // by first byte
  std::shared_ptr<std::vector<Access>> host_accesses_ =
      std::make_shared<std::vector<Access>>();  // `first`: the address
};

}  // namespace apsp::kernels::strict
