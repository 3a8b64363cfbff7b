// Device memory that knows which of its bytes were written, and who touched it last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/contract.hpp"

namespace apsp::kernels::strict {

/// How far each queue had come, as far as an operation can know (a vector clock).
using Clock = std::vector<std::int64_t>;

class Memory {
 public:
  explicit Memory(std::int64_t limit) : limit_(limit) {}

  std::byte* allocate(std::int64_t bytes);
  void release(std::byte* memory);
  std::int64_t free_bytes() const { return limit_ - used_; }
  bool owns(const void* pointer) const;

  /// Checks an access and remembers it for the race test. `queue` at `clock` reads or writes every
  /// value of `tile`. Throws `Error` (device); `operation` and `operand` name it in the message.
  void read(ConstTile tile, int value_size, int queue, const Clock& clock,
            const std::string& operation, const char* operand);
  void write(ConstTile tile, int value_size, int queue, const Clock& clock,
             const std::string& operation, const char* operand);

 private:
  struct Access {
    std::int64_t first = 0, row_bytes = 0, rows = 0, stride_bytes = 0;  // within the allocation
    int queue = 0;
    std::int64_t tick = 0;
    bool writes = false;
    std::string operation;
  };
  struct Allocation {
    std::vector<std::byte> bytes;
    std::vector<bool> written;
    std::vector<Access> accesses;
  };

  Allocation& find(ConstTile tile, int value_size, const std::string& what, Access& access);
  static bool overlap(const Access& a, const Access& b);
  static void check_race(Allocation& allocation, const Access& access, const Clock& clock);

  std::int64_t limit_;
  std::int64_t used_ = 0;
  std::map<const std::byte*, Allocation> allocations_;  // by first byte
};

}  // namespace apsp::kernels::strict
