// Batches of small matrices on a GPU: the time of one launch for all of them, and its share of the
// rate that a product's loop reaches (bench/results/gpu.md). A launch solves matrices that are
// solved, which takes as long. Some matrices of the first launch are compared with Floyd-Warshall
// in the order of pivots. Exit 1 where one differs, or a share is below its bar.
#include <cstring>

#include "device_harness.hpp"
#include "kernels/caller_matrices.hpp"
#include "semiring/dispatch.hpp"

namespace {

using namespace apsp;

struct Settings {
  std::vector<std::int64_t> sides = {16, 32, 64, 128, 192, 256, 512};
  std::vector<ValueType> types = {ValueType::f32, ValueType::u16, ValueType::i32, ValueType::f64};
  std::int64_t count = 4096, launches = 20;
  bool bars = false;
};

/// Relaxations a second of a product's loop on an H200.
double peak_of(ValueType type) {
  const bool wide = type == ValueType::f64, narrow = type == ValueType::u16;
  return wide ? 5.39e12 : narrow ? 34.07e12 : type == ValueType::i32 ? 17.57e12 : 17.37e12;
}

struct Batch {
  std::int64_t n, count;
  bool via;
};

template <class T>
void close_in_order(T* d, std::int64_t n) {
  using S = semiring::MinPlus<T>;
  for (std::int64_t i = 0; i < n; ++i) d[i * n + i] = S::plus(d[i * n + i], S::one());
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t i = 0; i < n; ++i) {
      const T to_pivot = d[i * n + k];
      for (std::int64_t j = 0; j < n; ++j) {
        const T through = S::times(to_pivot, d[k * n + j]);
        if (through < d[i * n + j]) d[i * n + j] = through;
      }
    }
  }
}

template <class T>
bool measure(ValueType type, const Batch& batch, const Settings& settings) {
  const auto [n, count, tracks_via] = batch;
  const auto device = bench::open_device(false, type, kernels::Sign::non_negative);
  const auto queue = device->make_queue();
  base::SplitMix64 random(static_cast<std::uint64_t>(n));
  std::vector<T> values(static_cast<std::size_t>(count * n * n));
  for (T& value : values) {
    const double real =
        std::is_floating_point_v<T> ? 0.1 * static_cast<double>(random.below(9)) : 0;
    value = random.below(3) == 0 ? static_cast<T>(static_cast<double>(1 + random.below(50)) + real)
                                 : semiring::MinPlus<T>::zero();
  }
  const std::int64_t bytes = std::ssize(values) * std::int64_t{sizeof(T)};
  std::byte* const matrices = device->allocate(bytes);
  std::byte* const via = tracks_via ? device->allocate(std::ssize(values) * 4) : nullptr;
  std::byte* const left = device->allocate(count);
  const kernels::View there{matrices, 1, std::ssize(values), std::ssize(values)};
  device->copy_in(queue, there, {values.data(), 1, there.cols, there.cols}, sizeof(T));
  const kernels::CallerBatch launch{.type = type,
                                    .matrices = matrices,
                                    .count = count,
                                    .n = n,
                                    .stride = n,
                                    .step = n * n,
                                    .via = reinterpret_cast<std::int32_t*>(via),
                                    .left = reinterpret_cast<std::uint8_t*>(left)};
  device->caller_matrices()->close_batch(queue, launch);
  std::vector<T> solved(values.size());
  std::vector<std::uint8_t> was_left(static_cast<std::size_t>(count), 1);
  device->copy_out(queue, {solved.data(), 1, there.cols, there.cols}, there, sizeof(T));
  device->copy_out(queue, {was_left.data(), 1, count, count},
                   kernels::ConstView{left, 1, count, count}, 1);
  device->synchronize(queue);
  bool right = std::count(was_left.begin(), was_left.end(), 0) == count;
  for (const std::int64_t g : {std::int64_t{0}, count / 2, count - 1}) {
    T* const mine = values.data() + g * n * n;
    close_in_order(mine, n);
    right = right && std::memcmp(mine, solved.data() + g * n * n,
                                 static_cast<std::size_t>(n * n) * sizeof(T)) == 0;
  }
  const double seconds = bench::best_of(5,
                                        [&] {
                                          for (std::int64_t i = 0; i < settings.launches; ++i) {
                                            device->caller_matrices()->close_batch(queue, launch);
                                          }
                                          device->synchronize(queue);
                                        }) /
                         static_cast<double>(settings.launches);
  const double rate = static_cast<double>(count) * bench::cube(n) / seconds;
  const double share = rate / peak_of(type);
  const double bar = type == ValueType::f32 && !tracks_via && n == 64    ? 0.35
                     : type == ValueType::f32 && !tracks_via && n == 128 ? 0.5
                                                                         : 0;
  const double moved = (2.0 * static_cast<double>(bytes) +
                        (tracks_via ? 4.0 : 0.0) * static_cast<double>(values.size())) /
                       seconds;
  fmt::print("{} {:>4} {:>7} {:4} {:>9.1f} us {:>8.2f} T/s {:>6.3f} of peak {:>7.0f} GB/s  {}{}\n",
             name(type), n, count, tracks_via ? "via" : "", seconds * 1e6, rate / 1e12, share,
             moved / 1e9, right ? "right" : "WRONG",
             bar > 0 ? fmt::format("  bar {:.2f}: {}", bar, share >= bar ? "yes" : "NO") : "");
  std::fflush(stdout);
  return right && (!settings.bars || share >= bar);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_device_batch_bench");
  options("--n LIST", settings.sides)("--type LIST", settings.types)("--count N", settings.count);
  options("--launches N", settings.launches)("--bars", settings.bars);
  return options.run(argc, argv, [&] {
    bool right = true;
    for (const ValueType type : settings.types) {
      for (const std::int64_t n : settings.sides) {
        for (const bool via : {false, true}) {
          // As many values as at most 4096 matrices of 128 have.
          const std::int64_t most = std::max<std::int64_t>(64, (std::int64_t{64} << 20) / (n * n));
          const Batch batch{n, std::min(settings.count, most), via};
          const bool good = base::with_type(type, [&]<class T>() {
            if constexpr (sizeof(T) == 1) {
              return true;
            } else {
              return measure<T>(type, batch, settings);
            }
          });
          right = right && good;
        }
      }
    }
    fmt::print("{}\n", right ? "all agree" : "SOMETHING DIFFERS, OR IS TOO SLOW");
    return right;
  });
}
