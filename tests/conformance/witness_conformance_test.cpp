// Operations with witness: value and intermediate vertex against the textbook, tile by tile; then
// whole solves, whose every path is put together again from via and compared with its distance.
#include "base/random.hpp"
#include "base/rounded_up.hpp"
#include "conformance/back_ends.hpp"
#include "dense/host_memory.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "paths/via_path.hpp"
#include "semiring/dispatch.hpp"
#include "store/store.hpp"
#include "support/memory_before_a_gap.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::conformance::witness_conformance_test {
namespace {

using kernels::Cycles;
using kernels::Sign;
using kernels::View;
using store::Plane;

struct Case {
  std::string instruction_set;
  Semiring semiring;
  ValueType type;
  Sign sign;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const std::string& set : kernels::cpu::instruction_sets()) {
    for (const auto& [semiring, type] : all_kinds()) {
      list.push_back({set, semiring, type, Sign::non_negative});
      const bool is_signed = type != ValueType::u16 && type != ValueType::boolean;
      if (is_signed) list.push_back({set, semiring, type, Sign::any});
    }
  }
  return list;
}

template <class S>
using Values = std::vector<typename S::Value>;

/// A dense [rows, cols] with a margin of columns whose values must survive.
constexpr std::int64_t kMargin = 5;

template <class T>
View whole(std::vector<T>& values, std::int64_t rows, std::int64_t cols) {
  return {values.data(), rows, cols, cols + kMargin};
}

enum class Weights { spread, ties, balanced };

/// Costs of `balanced` cycles are sums of 0 … 2: negative arcs, and cycles that cost nothing.
template <class S>
typename S::Value weight(Weights weights, base::SplitMix64& random, std::int64_t i,
                         std::int64_t j) {
  using T = typename S::Value;
  if constexpr (S::kKind == Semiring::or_and) return T(1);
  if (weights == Weights::spread) return static_cast<T>(1 + random.below(100));
  std::int64_t value = static_cast<std::int64_t>(random.below(3));
  if (weights == Weights::balanced) value += i * 7 % 11 - j * 7 % 11;
  return static_cast<T>(value);
}

/// [n, n + kMargin]: arcs with probability 1 : `sparsity`; acyclic for longest paths.
template <class S>
Values<S> adjacency(std::int64_t n, Weights weights, std::uint64_t sparsity, bool symmetric) {
  base::SplitMix64 random(static_cast<std::uint64_t>(n) + sparsity);
  Values<S> matrix(static_cast<std::size_t>(n * (n + kMargin)), S::zero());
  const auto at = [&](std::int64_t i, std::int64_t j) ->
      typename S::Value& { return matrix[static_cast<std::size_t>(i * (n + kMargin) + j)]; };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const bool allowed = S::kKind != Semiring::max_plus || i < j;
      if (allowed && random.below(sparsity) == 0) at(i, j) = weight<S>(weights, random, i, j);
      if (symmetric && j < i) at(i, j) = at(j, i);
    }
    at(i, i) = S::one();
  }
  return matrix;
}

class WitnessConformance : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    kernels::cpu::force_instruction_set(GetParam().instruction_set);
    const auto& [set, semiring, type, sign] = GetParam();
    plain_ = kernels::cpu::operations(semiring, type, sign);
    witness_ = kernels::cpu::witness_operations(semiring, type, sign);
  }
  void TearDown() override { kernels::cpu::force_instruction_set(std::nullopt); }

  template <class S>
  Values<S> random_values(std::int64_t rows, std::int64_t cols) {
    using T = typename S::Value;
    const std::int64_t least = GetParam().sign == Sign::any ? -50 : 1;
    Values<S> values(static_cast<std::size_t>(rows * (cols + kMargin)));
    for (T& value : values) {
      value = static_cast<T>(least + static_cast<std::int64_t>(random_.below(200)));
      if constexpr (S::kKind == Semiring::or_and) value = T(random_.below(16) == 0);
      if (random_.below(4) == 0) value = S::zero();
    }
    return values;
  }

  /// The product against the textbook, pivots in order.
  template <class S>
  void multiply_add(std::int64_t m, std::int64_t depth, std::int64_t n) {
    constexpr std::int64_t kFirst = 1000;
    Values<S> a = random_values<S>(m, depth), b = random_values<S>(depth, n);
    const Values<S> c = random_values<S>(m, n);
    Values<S> expected = c;
    std::vector<std::int32_t> expected_via(c.size(), -7);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const auto at = static_cast<std::size_t>(i * (n + kMargin) + j);
        for (std::int64_t k = 0; k < depth; ++k) {
          const auto product = S::times(a[static_cast<std::size_t>(i * (depth + kMargin) + k)],
                                        b[static_cast<std::size_t>(k * (n + kMargin) + j)]);
          if (!S::better(product, expected[at])) continue;
          expected[at] = product;
          expected_via[at] = static_cast<std::int32_t>(kFirst + k);
        }
      }
    }
    const auto& packed = plain_.packed;
    MemoryBeforeAGap<std::byte> left(base::rounded_up(packed.left_bytes(m, depth), 64));
    MemoryBeforeAGap<std::byte> right(base::rounded_up(packed.right_bytes(n, depth), 64));
    packed.pack_left(whole(a, m, depth), false, left.data());
    packed.pack_right(whole(b, depth, n), false, right.data());
    Values<S> got = c;
    std::vector<std::int32_t> via(c.size(), -7);
    witness_.multiply_packed(whole(got, m, n), whole(via, m, n), left.data(), right.data(), depth,
                             kFirst);
    EXPECT_EQ(got, expected) << m << " × " << depth << " × " << n;
    EXPECT_EQ(via, expected_via) << m << " × " << depth << " × " << n;
  }

  /// Blocked Floyd-Warshall with a witness into a store in memory.
  template <class S>
  std::unique_ptr<store::Store> solve(Values<S>& weights, std::int64_t n, dense::Shape shape,
                                      std::int64_t tile, int threads) {
    store::Layout layout{
        n, GetParam().type, GetParam().semiring, 1024, {Plane::distance, Plane::via, Plane::hops}};
    auto result = store::make_memory_store(layout);
    result->write(Plane::distance, {0, 0, n, n}, weights.data(), n + kMargin);
    auto* const via = static_cast<std::int32_t*>(result->data(Plane::via));
    std::fill(via, via + n * result->stride(), kernels::kNoVia);
    const Control control;
    const std::int64_t stride = result->stride();
    dense::HostMemory({{result->data(Plane::distance), n, n, stride}, plain_.value_size, tile},
                      shape, plain_, Cycles::possible, threads, control,
                      dense::Witness{{{via, n, n, stride}, sizeof(std::int32_t), tile}, witness_})
        .run();
    paths::write_hops(*result, control);
    return result;
  }

  /// Every pair, of large matrices those of some sources: a simple path of arcs that is as long as
  /// the distance says.
  template <class S>
  void check_paths(const Values<S>& weights, store::Store& result, bool cycles_cost) {
    using T = typename S::Value;
    const std::int64_t n = result.layout().n;
    const auto* const distance = static_cast<const T*>(result.data(Plane::distance));
    const auto* const hops = static_cast<const std::int32_t*>(result.data(Plane::hops));
    for (std::int64_t i = 0; i < n; i += n < 60 ? 1 : 37) {
      for (std::int64_t j = 0; j < n; ++j) {
        const std::vector<Vertex> path =
            paths::path_from_via(result, static_cast<Vertex>(i), static_cast<Vertex>(j));
        const std::int64_t at = i * result.stride() + j;
        if (distance[at] == S::zero()) {
          ASSERT_TRUE(path.empty() && hops[at] == -1) << i << " to " << j;
          continue;
        }
        ASSERT_TRUE(path.front() == i && path.back() == j) << i << " to " << j;
        ASSERT_EQ(std::set<Vertex>(path.begin(), path.end()).size(), path.size());
        T length = S::one();
        for (std::size_t e = 1; e < path.size(); ++e) {
          const T arc = weights[static_cast<std::size_t>(std::int64_t{path[e - 1]} * (n + kMargin) +
                                                         path[e])];
          ASSERT_NE(arc, S::zero()) << "no arc, " << i << " to " << j;
          length = S::times(length, arc);
        }
        ASSERT_EQ(length, distance[at]) << i << " to " << j;
        ASSERT_GE(hops[at], std::ssize(path) - 1) << i << " to " << j;
        if (cycles_cost) {
          ASSERT_EQ(hops[at], std::ssize(path) - 1) << i << " to " << j;
        }
      }
    }
  }

  template <class S>
  void solve_and_check(std::int64_t n, std::int64_t tile, Weights kind, std::uint64_t sparsity,
                       bool symmetric) {
    Values<S> weights = adjacency<S>(n, kind, sparsity, symmetric);
    const dense::Shape shape = symmetric ? dense::Shape::symmetric : dense::Shape::full;
    const auto result = solve<S>(weights, n, shape, tile, 1);
    const bool sums = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
    check_paths<S>(weights, *result,
                   sums && (kind == Weights::spread || S::kKind == Semiring::max_plus));
    for (const int threads : n == 35 ? std::vector{2, 3} : std::vector{2}) {
      const auto other = solve<S>(weights, n, shape, tile, threads);
      for (const Plane plane : {Plane::distance, Plane::via}) {
        const auto bytes = static_cast<std::size_t>(n * result->stride() *
                                                    store::value_size(result->layout(), plane));
        EXPECT_TRUE(bytes == 0 || std::memcmp(result->data(plane), other->data(plane), bytes) == 0)
            << store::name(plane) << " with " << threads << " threads, n " << n;
      }
    }
  }

  /// Of the other instruction sets a few solves show that closing is theirs too.
  static bool is_best() {
    return GetParam().instruction_set == kernels::cpu::instruction_sets().front();
  }

  template <class S>
  std::vector<Weights> weights_to_try() const {
    const bool balanced = GetParam().sign == Sign::any && S::kKind == Semiring::min_plus;
    std::vector<Weights> list = {balanced ? Weights::balanced : Weights::ties};
    if (is_best()) list.push_back(Weights::spread);
    if (is_best() && balanced) list.push_back(Weights::ties);
    return list;
  }

  kernels::TileOperations plain_{};
  kernels::WitnessOperations witness_;
  base::SplitMix64 random_{11};
};

TEST_P(WitnessConformance, MultiplyAddNotesTheLastStrictImprovement) {
  semiring::dispatch(GetParam().semiring, GetParam().type, [&]<class S>() {
    for (const std::int64_t m : {0, 1, 5, 6, 7, 13}) multiply_add<S>(m, 9, 35);
    for (const std::int64_t depth : {0, 1, 191, 192, 193, 300}) multiply_add<S>(7, depth, 18);
    for (const std::int64_t n : {0, 1, 15, 17, 33, 63, 64, 65, 131}) multiply_add<S>(6, 11, n);
    multiply_add<S>(200, 20, 70);
  });
}

TEST_P(WitnessConformance, CloseNamesAPivotOnANegativeCycleOrNone) {
  semiring::dispatch(GetParam().semiring, GetParam().type, [&]<class S>() {
    using T = typename S::Value;
    for (const std::int64_t n : {1, 16, 90}) {
      Values<S> d = adjacency<S>(n, Weights::spread, 3, false);
      for (std::int64_t i = 0; i < n; ++i)
        d[static_cast<std::size_t>(i * (n + kMargin + 1))] = S::one();
      std::vector<std::int32_t> via(d.size(), kernels::kNoVia);
      EXPECT_EQ(witness_.close(whole(d, n, n), whole(via, n, n), Cycles::possible, 1000), -1);
      const bool is_signed = GetParam().sign == Sign::any && S::kKind == Semiring::min_plus;
      if (!is_signed || n < 2) continue;
      std::fill(d.begin(), d.end(), S::zero());
      for (std::int64_t i = 0; i < n; ++i)
        d[static_cast<std::size_t>(i * (n + kMargin + 1))] = S::one();
      d[static_cast<std::size_t>(n + kMargin + n - 1)] = T(1);  // from 1
      d[static_cast<std::size_t>((n - 1) * (n + kMargin) + 1)] = static_cast<T>(-2);
      Values<S> again = d;
      EXPECT_EQ(witness_.close(whole(d, n, n), whole(via, n, n), Cycles::possible, 1000), n - 1);
      // Where cycles are excluded it is one of rounding: the empty path is put back.
      std::fill(via.begin(), via.end(), kernels::kNoVia);
      EXPECT_EQ(witness_.close(whole(again, n, n), whole(via, n, n), Cycles::excluded, 1000), -1);
      for (std::int64_t i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i * (n + kMargin + 1));
        EXPECT_TRUE(again[at] == S::one() && via[at] == kernels::kNoVia) << i;
      }
    }
  });
}

TEST_P(WitnessConformance, EveryPathIsAsLongAsItsDistance) {
  semiring::dispatch(GetParam().semiring, GetParam().type, [&]<class S>() {
    for (const Weights weights : weights_to_try<S>()) {
      for (const std::int64_t n :
           is_best() ? std::vector{0, 1, 2, 16, 17, 35} : std::vector{17, 35}) {
        for (const std::uint64_t sparsity : {3, 20}) {
          solve_and_check<S>(n, 16, weights, sparsity, false);
        }
      }
      solve_and_check<S>(150, 130, weights, 30, false);  // tiles that are closed by halves
      if (S::kKind != Semiring::max_plus && weights != Weights::balanced) {
        solve_and_check<S>(53, 16, weights, 8, true);
      }
    }
  });
}

TEST_P(WitnessConformance, PanelsLargerThanABlockOfDepth) {
  if (!is_best()) return;
  semiring::dispatch(GetParam().semiring, GetParam().type, [&]<class S>() {
    solve_and_check<S>(210, 200, weights_to_try<S>().front(), 60, false);
  });
}

std::string word_of(const Case& c) {
  return case_word(c.instruction_set, c.semiring, c.type, c.sign == Sign::any ? "_signed" : "");
}

void PrintTo(const Case& c, std::ostream* out) { *out << word_of(c); }

INSTANTIATE_TEST_SUITE_P(Contract, WitnessConformance, testing::ValuesIn(cases()),
                         [](const auto& each) { return word_of(each.param); });

}  // namespace
}  // namespace apsp::conformance::witness_conformance_test
