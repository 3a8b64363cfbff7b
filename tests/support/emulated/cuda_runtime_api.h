// Kernels as host code: threads of a launch are fibers of one thread of the host, which take turns
// at barriers. Only what the kernels under test need; no race is found, and no time.
//
// This header stands in for CUDA's where it comes first among the folders of headers.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#define __device__
#define __host__
#define __global__
#define __shared__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __grid_constant__

using std::max;
using std::min;

struct uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
struct Index3 {
  unsigned x = 0, y = 0, z = 0;
};
inline Index3 threadIdx, blockIdx, blockDim, gridDim;
using cudaStream_t = struct StreamOfNothing*;

namespace emulated {

/// Threads of a launch, block after block; the blocks of a cluster run together.
class Launch {
 public:
  /// `kernel(shared)` with so many bytes of shared memory a block.
  Launch(unsigned blocks, unsigned threads, unsigned cluster, std::size_t shared_bytes,
         std::function<void(unsigned char*)> kernel)
      : threads_(threads), cluster_(cluster), kernel_(std::move(kernel)) {
    current() = this;
    gridDim.x = blocks;
    blockDim.x = threads;
    for (unsigned first = 0; first < blocks; first += cluster) run(first, shared_bytes);
    current() = nullptr;
  }

  static Launch*& current() {
    static Launch* launch = nullptr;
    return launch;
  }

  void await_block() { await(Level::block, running_ / threads_ * threads_, threads_); }
  /// So many threads of the block, from the `first` on; a thread belongs to one such group.
  void await_some(unsigned first, unsigned count) {
    await(Level::some, running_ / threads_ * threads_ + first, count);
  }
  void await_cluster() { await(Level::cluster, 0, threads_ * cluster_); }
  /// The value of another thread of the warp, which gives it at the same time.
  template <class T>
  T exchange(T value, int mask) {
    const unsigned warp = running_ / 32 * 32, count = std::min(threads_, 32u);
    static_assert(sizeof(T) <= sizeof(double));
    std::memcpy(&fibers_[running_].given, &value, sizeof(T));
    await(Level::warp, warp, count);
    T got;
    std::memcpy(&got, &fibers_[warp + ((running_ - warp) ^ static_cast<unsigned>(mask))].given,
                sizeof(T));
    await(Level::warp, warp, count);
    return got;
  }
  const unsigned char* shared_of(unsigned rank) const { return shared_[rank].get(); }
  unsigned char* own_shared() const { return shared_[running_ / threads_].get(); }
  std::size_t shared_bytes() const { return shared_bytes_; }
  void turn() {
    const unsigned me = running_;
    swapcontext(&fibers_[me].context, &scheduler_);
    place(me);
  }

 private:
  enum class Level { warp, some, block, cluster };

  /// Waits until all threads of the group are at a barrier; those that have ended do not count.
  void await(Level level, unsigned first, unsigned count) {
    const auto which = static_cast<std::size_t>(level);
    const std::uint64_t mine = ++fibers_[running_].at[which];
    const auto there = [&](const Fiber& fiber) { return fiber.over || fiber.at[which] >= mine; };
    const auto begin = fibers_.begin() + first;
    while (!std::all_of(begin, begin + count, there)) turn();
  }

  struct Fiber {
    ucontext_t context{};
    std::unique_ptr<unsigned char[]> stack;
    std::uint64_t at[4] = {};  // barriers reached, of each level
    double given = 0;
    bool over = false;
  };
  static constexpr std::size_t kStack = 64 << 10;

  void place(unsigned fiber) {
    running_ = fiber;
    threadIdx.x = fiber % threads_;
    blockIdx.x = first_ + fiber / threads_;
  }
  static void begin() {
    Launch& launch = *current();
    launch.kernel_(launch.own_shared());
    launch.fibers_[launch.running_].over = true;
    launch.turn();
  }
  void run(unsigned first, std::size_t shared_bytes) {
    first_ = first;
    shared_bytes_ = shared_bytes;
    shared_.clear();
    for (unsigned b = 0; b < cluster_; ++b) {
      shared_.emplace_back(new (std::align_val_t{128}) unsigned char[shared_bytes]);
      std::memset(shared_.back().get(), 0xa5, shared_bytes);
    }
    const unsigned count = threads_ * cluster_;
    fibers_.resize(count);
    for (Fiber& fiber : fibers_) {
      if (!fiber.stack) fiber.stack.reset(new unsigned char[kStack]);
      fiber.over = false;
      std::fill_n(fiber.at, 4, 0);
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = fiber.stack.get();
      fiber.context.uc_stack.ss_size = kStack;
      makecontext(&fiber.context, &Launch::begin, 0);
    }
    for (unsigned left = count; left > 0;) {
      left = 0;
      for (unsigned fiber = 0; fiber < count; ++fiber) {
        if (fibers_[fiber].over) continue;
        ++left;
        place(fiber);
        swapcontext(&scheduler_, &fibers_[fiber].context);
      }
    }
  }

  struct Aligned {
    void operator()(unsigned char* memory) const {
      ::operator delete[](memory, std::align_val_t{128});
    }
  };
  unsigned threads_, cluster_, first_ = 0, running_ = 0;
  std::size_t shared_bytes_ = 0;
  std::function<void(unsigned char*)> kernel_;
  std::vector<std::unique_ptr<unsigned char[], Aligned>> shared_;
  std::vector<Fiber> fibers_;
  ucontext_t scheduler_{};
};

template <class To, class From>
To bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

}  // namespace emulated

inline std::size_t __cvta_generic_to_shared(const void* pointer) {
  return reinterpret_cast<std::size_t>(pointer);
}
inline void __nanosleep(unsigned) { emulated::Launch::current()->turn(); }
inline void __syncthreads() { emulated::Launch::current()->await_block(); }
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
  return emulated::Launch::current()->exchange(value, mask);
}
template <class T>
T atomicMax(T* at, T value) {
  return std::exchange(*at, std::max(*at, value));
}
template <class T>
T atomicOr(T* at, T value) {
  return std::exchange(*at, *at | value);
}
template <class T>
T atomicMin(T* at, T value) {
  return std::exchange(*at, std::min(*at, value));
}
template <class T>
T atomicAdd(T* at, T value) {
  return std::exchange(*at, *at + value);
}

inline int __float_as_int(float value) { return emulated::bits<int>(value); }
inline unsigned __float_as_uint(float value) { return emulated::bits<unsigned>(value); }
inline float __int_as_float(int value) { return emulated::bits<float>(value); }
inline float __uint_as_float(unsigned value) { return emulated::bits<float>(value); }
inline long long __double_as_longlong(double value) { return emulated::bits<long long>(value); }
inline double __longlong_as_double(long long value) { return emulated::bits<double>(value); }
inline int __double2hiint(double value) {
  return static_cast<int>(emulated::bits<std::uint64_t>(value) >> 32);
}
inline int __double2loint(double value) {
  return static_cast<int>(emulated::bits<std::uint64_t>(value));
}
inline double __hiloint2double(int high, int low) {
  return emulated::bits<double>(static_cast<std::uint64_t>(static_cast<unsigned>(high)) << 32 |
                                static_cast<unsigned>(low));
}

inline int __vimin3_s32(int a, int b, int c) { return std::min({a, b, c}); }
inline unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) { return std::min({a, b, c}); }
inline int __viaddmin_s32(int a, int b, int c) {
  return std::min(static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);
}
inline unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) { return std::min(a + b, c); }
inline int __vibmin_s32(int a, int b, bool* first) {
  *first = a <= b;
  return std::min(a, b);
}
namespace emulated {
template <class F>
unsigned by_halves(F&& f, unsigned a, unsigned b, unsigned c = 0) {
  const unsigned low = f(a & 0xffff, b & 0xffff, c & 0xffff) & 0xffff;
  const unsigned high = f(a >> 16, b >> 16, c >> 16) & 0xffff;
  return low | high << 16;
}
}  // namespace emulated
inline unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) {
  return emulated::by_halves(
      [](unsigned x, unsigned y, unsigned z) {
        return std::min({x, y, z});
      },
      a, b, c);
}
inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
  return emulated::by_halves(
      [](unsigned x, unsigned y, unsigned z) { return std::min((x + y) & 0xffff, z); }, a, b, c);
}
inline unsigned __vmaxu2(unsigned a, unsigned b) {
  return emulated::by_halves([](unsigned x, unsigned y, unsigned) { return std::max(x, y); }, a, b);
}
inline unsigned __vibmin_u16x2(unsigned a, unsigned b, bool* high, bool* low) {
  *high = a >> 16 <= b >> 16;
  *low = (a & 0xffff) <= (b & 0xffff);
  return emulated::by_halves([](unsigned x, unsigned y, unsigned) { return std::min(x, y); }, a, b);
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned select) {
  const std::uint64_t both = static_cast<std::uint64_t>(b) << 32 | a;
  unsigned result = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    result |= static_cast<unsigned>(both >> (select >> 4 * byte & 7) * 8 & 0xff) << 8 * byte;
  }
  return result;
}
