// Matrices whose arcs change: what the textbook's loops find for the new arcs.
#include "engine/matrix_update.hpp"

#include "base/random.hpp"
#include "engine/product.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "semiring/dispatch.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"

namespace apsp::engine::matrix_update_test {
namespace {

template <class S>
using Values = std::vector<typename S::Value>;

template <class S>
Values<S> closed(Values<S> d, std::int64_t n) {
  const auto at = [n](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i * n + j);
  };
  for (std::int64_t i = 0; i < n; ++i) d[at(i, i)] = S::plus(d[at(i, i)], S::one());
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        d[at(i, j)] = S::plus(d[at(i, j)], S::times(d[at(i, k)], d[at(k, j)]));
      }
  return d;
}

struct Kinds {
  int smaller = 0, larger = 0, removed = 0, added = 0;
};

template <class S>
double weight_of(typename S::Value value) {
  if (S::kKind == Semiring::or_and) return static_cast<double>(value);
  if (value != S::zero()) return static_cast<double>(value);
  return S::better(S::one(), S::zero()) && S::kKind != Semiring::max_min &&
                 S::kKind != Semiring::max_plus
             ? std::numeric_limits<double>::infinity()
             : -std::numeric_limits<double>::infinity();
}

/// Bytes of a device that hold no whole matrix of the tests below.
constexpr std::int64_t kSmallMemory = 192 << 10;

enum class Where { host, device, small_device };

/// Operations over values that are not negative; a small device has room for a part of a matrix.
std::unique_ptr<MatrixOperations> operations_of(Where where, Semiring semiring, ValueType type) {
  static const Control quiet;
  constexpr int kThreads = 2;
  const planner::KernelKind kernel{semiring, type, kernels::Sign::non_negative};
  if (where == Where::host) return operations_on_host(kernel, kThreads, quiet);
  return operations_through_device(kernel,
                                   {.preference = {Device::cuda, {}},
                                    .memory = where == Where::small_device ? kSmallMemory : 0,
                                    .find = planner::one_device},
                                   kThreads, quiet);
}

/// A random matrix of arcs, changed as `kinds` says, by updates and by solving again.
template <class S>
MatrixUpdated compare(std::int64_t n, double density, const Kinds& kinds, ValueType type,
                      std::uint64_t seed, Where where) {
  using T = typename S::Value;
  base::SplitMix64 random(seed);
  constexpr bool kBits = S::kKind == Semiring::or_and;
  const auto weight = [&] { return static_cast<T>(kBits ? 1 : 10 + random.below(40)); };
  Values<S> arcs(static_cast<std::size_t>(n * n), S::zero());
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const bool acyclic = S::kKind != Semiring::max_plus || i < j;
      if (i != j && acyclic && random.uniform() < density)
        arcs[static_cast<std::size_t>(i * n + j)] = weight();
    }
  Values<S> now = arcs;
  const auto change = [&](int count, bool there, auto&& by) {
    for (int c = 0; c < count; ++c) {
      auto i = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
      auto j = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
      if (S::kKind == Semiring::max_plus && i > j) std::swap(i, j);
      T& arc = now[static_cast<std::size_t>(i * n + j)];
      if (i != j && (arc != S::zero()) == there) arc = by(arc);
    }
  };
  change(kinds.smaller, true,
         [](T w) { return kBits ? w : static_cast<T>(static_cast<int>(w) / 3); });
  change(kinds.larger, true, [](T w) { return kBits ? w : static_cast<T>(w * 2); });
  change(kinds.removed, true, [](T) { return S::zero(); });
  change(kinds.added, false, [&](T) { return weight(); });
  MatrixChange asked{.semiring = S::kKind, .type = type};
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(i * n + j);
      if (arcs[at] == now[at]) continue;
      asked.arcs.push_back({static_cast<Vertex>(i), static_cast<Vertex>(j), weight_of<S>(arcs[at]),
                            weight_of<S>(now[at])});
    }
  asked.threads = 2;
  asked.fill_row = [&](std::int64_t row, void* values) {
    std::copy_n(now.data() + row * n, n, static_cast<T*>(values));
    static_cast<T*>(values)[row] = S::one();
  };
  Values<S> matrix = closed<S>(arcs, n);
  const MatrixUpdated updated =
      update_matrix({matrix.data(), n, n, n}, asked, *operations_of(where, S::kKind, type));
  const Values<S> expected = closed<S>(updated.done ? now : arcs, n);
  EXPECT_TRUE(matrix == expected) << name(S::kKind) << ' ' << name(type) << " n " << n << " seed "
                                  << seed;
  return updated;
}

MatrixUpdated compare(Semiring semiring, ValueType type, std::int64_t n, double density,
                      const Kinds& kinds, std::uint64_t seed, Where where = Where::host) {
  return semiring::dispatch(
      semiring, type, [&]<class S>() { return compare<S>(n, density, kinds, type, seed, where); });
}

TEST(MatrixUpdate, FindsWhatASolveFinds) {
  std::uint64_t seed = 0;
  int done = 0, touched = 0;
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max,
                                  Semiring::max_plus, Semiring::or_and}) {
    for (const ValueType type :
         {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16, ValueType::boolean}) {
      if (!supported(semiring, type)) continue;
      for (const std::int64_t n : {1, 2, 7, 61, 193}) {
        for (const Kinds& kinds : {Kinds{.smaller = 3}, Kinds{.larger = 1}, Kinds{.removed = 2},
                                   Kinds{.added = 4}, Kinds{2, 1, 1, 2}, Kinds{30, 0, 0, 30}}) {
          const double density = n > 100 ? 0.03 : 0.2;
          const MatrixUpdated found = compare(semiring, type, n, density, kinds, ++seed);
          done += found.done ? 1 : 0;
          touched += found.done && found.touched > 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(done, 200);
  EXPECT_GT(touched, 15);
}

TEST(MatrixUpdate, FindsTheSameThroughADevice) {
  std::uint64_t seed = 0;
  int touched = 0, through = 0;
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_min, Semiring::max_plus, Semiring::or_and}) {
    for (const ValueType type :
         {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16, ValueType::boolean}) {
      if (!supported(semiring, type)) continue;
      for (const std::int64_t n : {1, 61, 193}) {
        for (const Kinds& kinds : {Kinds{.larger = 1}, Kinds{2, 1, 1, 2}, Kinds{20, 0, 0, 20}}) {
          const MatrixUpdated found =
              compare(semiring, type, n, n > 100 ? 0.03 : 0.2, kinds, ++seed, Where::device);
          touched += found.done && found.touched > 0 ? 1 : 0;
          through += found.done && found.through > 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(touched, 3);
  EXPECT_GT(through, 20);
}

TEST(MatrixUpdate, PassesThroughADeviceInParts) {
  for (const ValueType type : {ValueType::f32, ValueType::u16}) {
    const MatrixUpdated found =
        compare(Semiring::min_plus, type, 300, 0.02, {10, 9, 9, 10}, 7, Where::small_device);
    EXPECT_TRUE(found.done);
    EXPECT_GT(found.touched, 0);
  }
}

TEST(MatrixOperations, CopyOnlyTheWindowOfTheFilter) {
  constexpr std::int64_t kN = 300;
  std::vector<float> a(kN * kN, 1), c(kN * kN, 9);
  const auto operations = operations_of(Where::device, Semiring::min_plus, ValueType::f32);
  const kernels::View view{c.data(), kN, kN, kN};
  const MatrixProduct product{view, {a.data(), kN, kN, kN}, {a.data(), kN, kN, kN}};
  const auto at = [](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i * kN + j);
  };
  const auto holds = [](kernels::Range range, std::int64_t line) {
    return range.begin <= line && line < range.end;
  };
  operations->multiply_add(product, [&](kernels::Range rows, kernels::Range cols) {
    return (holds(rows, 130) || holds(rows, 190)) && holds(cols, kN - 1);
  });
  for (const std::int64_t row : {130, 150, 190}) EXPECT_EQ(c[at(row, kN - 1)], 2);
  EXPECT_EQ(c[at(130, 0)], 9);
  EXPECT_EQ(c[at(0, kN - 1)], 9);
  EXPECT_EQ(c[at(kN - 1, kN - 1)], 9);
  operations->multiply_add(product, [](kernels::Range, kernels::Range) { return false; });
  EXPECT_EQ(c[at(0, 0)], 9);
}

TEST(MatrixOperations, RunOnOneGpu) {
  const planner::KernelKind kernel{Semiring::min_plus, ValueType::f32, kernels::Sign::any};
  const Control quiet;
  const auto of = [&](std::vector<int> ordinals, const planner::FindDevices& find) {
    return error_of([&] {
             operations_through_device(kernel, {{Device::cuda, std::move(ordinals)}, 0, find}, 1,
                                       quiet);
           }).kind();
  };
  constexpr auto two = planner::several_devices<2>;
  EXPECT_EQ(of({0, 1}, two), ErrorKind::usage);
  EXPECT_EQ(of({}, planner::no_device), ErrorKind::device);
}

TEST(MatrixUpdate, LeavesToASolveWhatChangesMost) {
  const MatrixUpdated found =
      compare(Semiring::min_plus, ValueType::f32, 61, 0.2, {.smaller = 2000}, 1);
  EXPECT_FALSE(found.done);
}

TEST(MatrixUpdate, CoversTheArcsOfAVertexByIt) {
  constexpr std::int64_t kN = 30;
  std::vector<float> d(kN * kN, std::numeric_limits<float>::infinity());
  for (std::int64_t i = 0; i < kN; ++i) d[static_cast<std::size_t>(i * kN + i)] = 0;
  MatrixChange change{.semiring = Semiring::min_plus, .type = ValueType::f32};
  const double none = std::numeric_limits<double>::infinity();
  for (Vertex v = 0; v < kN - 1; ++v) {
    change.arcs.push_back({kN - 1, v, none, 1});
    change.arcs.push_back({v, kN - 1, none, 2});
  }
  const MatrixUpdated found = update_matrix(
      {d.data(), kN, kN, kN}, change, *operations_of(Where::host, change.semiring, change.type));
  EXPECT_EQ(found.through, 1);
  EXPECT_EQ(d[1], 3);
  EXPECT_EQ(d[kN - 1], 2);
}

TEST(MatrixUpdate, TakesRoundedSumsForEqual) {
  // A path of three arcs whose sum was rounded in another order than the update adds: its row is
  // found all the same. All other vertices have no arcs.
  constexpr std::int64_t kN = 16;
  const float none = std::numeric_limits<float>::infinity();
  std::vector<float> d(kN * kN, none);
  const auto at = [](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i * kN + j);
  };
  for (std::int64_t i = 0; i < kN; ++i) d[at(i, i)] = 0;
  d[at(0, 1)] = 0.1F, d[at(1, 2)] = 0.2F, d[at(2, 3)] = 0.3F;
  d[at(0, 2)] = 0.1F + 0.2F, d[at(1, 3)] = 0.2F + 0.3F;
  d[at(0, 3)] = std::nextafter((0.1F + 0.2F) + 0.3F, 0.0F);
  MatrixChange change{.semiring = Semiring::min_plus,
                      .type = ValueType::f32,
                      .roundoff = 6e-8,
                      .arcs = {{2, 3, 0.3F, 9}}};
  change.fill_row = [&](std::int64_t row, void* values) {
    auto* const to = static_cast<float*>(values);
    std::fill_n(to, kN, none);
    to[row] = 0;
    const float weights[] = {0.1F, 0.2F, 9, 0};
    if (row < 3) to[row + 1] = weights[row];
  };
  const MatrixUpdated found = update_matrix(
      {d.data(), kN, kN, kN}, change, *operations_of(Where::host, change.semiring, change.type));
  EXPECT_TRUE(found.done);
  EXPECT_EQ(found.touched, 3);
  EXPECT_FLOAT_EQ(d[at(0, 3)], 9.3F);
  EXPECT_EQ(d[at(4, 3)], none);
}

TEST(MatrixProduct, WorksOnTheTilesOfItsFilter) {
  constexpr std::int64_t kN = 500;
  std::vector<float> a(kN * kN, 1), c(kN * kN, 9);
  const auto operations =
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative);
  const auto holds = [](kernels::Range range, std::int64_t line) {
    return range.begin <= line && line < range.end;
  };
  multiply_add(operations, {{c.data(), kN, kN, kN}, {a.data(), kN, kN, kN}, {a.data(), kN, kN, kN}},
               2, {}, [&](kernels::Range rows, kernels::Range cols) {
                 return holds(rows, 0) && holds(cols, kN - 1);
               });
  const auto at = [](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i * kN + j);
  };
  EXPECT_EQ(c[at(0, kN - 1)], 2);
  EXPECT_EQ(c[at(0, 0)], 9) << "another column of tiles";
  EXPECT_EQ(c[at(kN - 1, kN - 1)], 9) << "another row of tiles";
}

}  // namespace
}  // namespace apsp::engine::matrix_update_test
