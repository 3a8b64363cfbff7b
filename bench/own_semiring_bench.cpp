// A semiring of one's own against the built-in kernels, in place on the same dense matrices.
//
// Shortest and widest paths in f32, written as a user would write them and compiled with the flags
// of this build, in turns with the built-in kernels of every instruction set that this machine has;
// the portable one is the last. Medians, and ratios of them: above 1, one's own is faster.
#include <apsp/apsp.hpp>

#include "dense/host_memory.hpp"
#include "harness.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/plan.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"

namespace {

using namespace apsp;

struct Shortest {
  using Value = float;
  static constexpr Value zero() { return std::numeric_limits<float>::infinity(); }
  static constexpr Value one() { return 0; }
  static constexpr Value plus(Value a, Value b) { return std::min(a, b); }
  static constexpr Value times(Value a, Value b) { return a + b; }
};

struct Widest {
  using Value = float;
  static constexpr Value zero() { return -std::numeric_limits<float>::infinity(); }
  static constexpr Value one() { return std::numeric_limits<float>::infinity(); }
  static constexpr Value plus(Value a, Value b) { return std::max(a, b); }
  static constexpr Value times(Value a, Value b) { return std::min(a, b); }
};

struct ShortestWhole {
  using Value = std::int32_t;
  static constexpr Value zero() { return (1 << 30) - 1; }
  static constexpr Value one() { return 0; }
  static constexpr Value plus(Value a, Value b) { return std::min(a, b); }
  static constexpr Value times(Value a, Value b) { return std::min(a + b, zero()); }
};

/// Shortest, and of the shortest the widest: nothing built in does that.
struct ShortestWidest {
  struct Value {
    float length = std::numeric_limits<float>::infinity();
    float width = 0;
    bool operator==(const Value&) const = default;
  };
  static constexpr Value zero() { return {}; }
  static constexpr Value one() { return {0, std::numeric_limits<float>::infinity()}; }
  static constexpr Value plus(Value a, Value b) {
    return b.length < a.length || (b.length == a.length && b.width > a.width) ? b : a;
  }
  static constexpr Value times(Value a, Value b) {
    return {a.length + b.length, std::min(a.width, b.width)};
  }
};

using bench::median;
using bench::seconds;

template <class T>
void fill(system::AlignedMemory& memory, std::int64_t n) {
  base::SplitMix64 random(1);
  const auto value = [&] { return 1 + 1000 * random.uniform(); };
  T* const values = memory.as<T>();
  for (std::int64_t i = 0; i < n * n; ++i) {
    if constexpr (std::is_arithmetic_v<T>) {
      values[i] = T(value());
    } else {
      values[i] = {static_cast<float>(value()), static_cast<float>(value())};
    }
  }
}

struct Settings {
  int threads = system::thread_count(0);
  int rounds = 5;
  std::vector<std::int64_t> sizes = {1024};
};

void print(std::string_view what, double time, std::int64_t n, double ratio) {
  fmt::print("  {:<26} {:8.4f} s {:7.2f} G/s", what, time, bench::cube(n) / time / 1e9);
  if (ratio > 0) fmt::print("   own / it {:.3f}", ratio);
  fmt::print("\n");
}

/// `same`: the built-in kernels that do the same, if there are any.
template <class S>
void compare(std::string_view name, std::optional<std::pair<Semiring, ValueType>> same,
             std::int64_t n, const Settings& settings) {
  using T = typename S::Value;
  system::AlignedMemory memory(n * n * std::int64_t{sizeof(T)});
  std::vector<std::string> sets;
  if (same) sets = kernels::cpu::instruction_sets();
  std::vector<double> own;
  std::vector<std::vector<double>> built_in(sets.size());
  for (int round = 0; round < settings.rounds; ++round) {
    fill<T>(memory, n);
    own.push_back(seconds([&] {
      floyd_warshall<S>(MatrixView<T>(memory.as<T>(), n, n), {.threads = settings.threads});
    }));
    for (std::size_t i = 0; i < sets.size(); ++i) {
      kernels::cpu::force_instruction_set(sets[i]);
      const auto operations =
          kernels::cpu::operations(same->first, same->second, kernels::Sign::non_negative);
      fill<T>(memory, n);
      for (std::int64_t v = 0; v < n; ++v) memory.as<T>()[v * n + v] = S::one();
      built_in[i].push_back(seconds([&] {
        dense::HostMemory({{memory.data(), n, n, n},
                           sizeof(T),
                           planner::choose_tile(n, settings.threads, operations)},
                          dense::Shape::full, operations, kernels::Cycles::possible,
                          settings.threads, {})
            .run();
      }));
    }
    kernels::cpu::force_instruction_set(std::nullopt);
  }
  fmt::print("{}, {} vertices, {} threads\n", name, n, settings.threads);
  print("own", median(own), n, 0);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const double time = median(built_in[i]);
    print("built in, " + sets[i], time, n, time / median(own));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_own_semiring_bench [VERTICES ...]");
  options("--threads N", settings.threads)("--rounds N", settings.rounds).word(settings.sizes);
  return options.run(argc, argv, [&] {
    for (const std::int64_t n : settings.sizes) {
      compare<Shortest>("shortest, f32", {{Semiring::min_plus, ValueType::f32}}, n, settings);
      compare<Widest>("widest, f32", {{Semiring::max_min, ValueType::f32}}, n, settings);
      compare<ShortestWhole>("shortest, i32", {{Semiring::min_plus, ValueType::i32}}, n, settings);
      compare<ShortestWidest>("shortest, then widest, 8 bytes", {}, n, settings);
    }
  });
}
