// Batches of small matrices: every semiring, type and size against the textbook, and bit for bit
// against one matrix at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "support/error_of.hpp"
#include "support/textbook.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kGap = 3;  // values after every row that must survive

/// Matrices [n, n] in rows of n + kGap values.
template <class S>
struct Matrices {
  using T = typename S::Value;
  Matrices(std::vector<std::int64_t> sides_, double density, bool real = false)
      : sides(std::move(sides_)) {
    base::SplitMix64 random(sides.size());
    for (const std::int64_t n : sides) {
      auto& matrix = values.emplace_back(static_cast<std::size_t>(n * (n + kGap)), T(7));
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          const bool acyclic = S::kKind != Semiring::max_plus || i < j;
          const double weight = static_cast<double>(1 + random.below(20)) + (real ? 0.1 : 0);
          const bool edge = acyclic && static_cast<double>(random.below(1000)) < 1000 * density;
          matrix[static_cast<std::size_t>(i * (n + kGap) + j)] = !edge ? S::zero()
                                                                 : S::kKind == Semiring::or_and
                                                                     ? S::one()
                                                                     : static_cast<T>(weight);
        }
      }
    }
  }

  std::vector<MatrixView<T>> views() {
    std::vector<MatrixView<T>> found;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      found.emplace_back(values[i].data(), sides[i], sides[i], sides[i] + kGap);
    }
    return found;
  }
  T& at(std::size_t graph, std::int64_t i, std::int64_t j) {
    return values[graph][static_cast<std::size_t>(i * (sides[graph] + kGap) + j)];
  }
  void close_by_the_textbook() {
    for (std::size_t graph = 0; graph < sides.size(); ++graph) {
      for (std::int64_t i = 0; i < sides[graph]; ++i) {
        at(graph, i, i) = S::plus(at(graph, i, i), S::one());
      }
      apsp::close_by_the_textbook<S>(
          sides[graph], [&](std::int64_t i, std::int64_t j) -> T& { return at(graph, i, j); });
    }
  }

  std::vector<std::int64_t> sides;
  std::vector<std::vector<T>> values;
};

const std::vector<std::int64_t> kSides{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 100, 129};

template <class F>
void for_each_kind(F&& f) {
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : all_value_types()) {
      if (!supported(semiring, type)) continue;
      SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)));
      semiring::dispatch(semiring, type, [&]<class S>() { f.template operator()<S>(type); });
    }
  }
}

template <class T>
std::vector<detail::BatchItem> items_of(const std::vector<MatrixView<T>>& views) {
  std::vector<detail::BatchItem> items;
  for (const auto& view : views) items.push_back({view.data, view.rows, view.stride});
  return items;
}

template <class S>
void solve_all(Matrices<S>& matrices, ValueType type, const BatchOptions& options = {}) {
  detail::solve_batch(S::kKind, type, items_of(matrices.views()), options);
}

TEST(SolveBatch, AgreesWithTheTextbookForEverySemiringTypeAndSide) {
  for_each_kind([]<class S>(ValueType type) {
    for (const double density : {0.04, 0.5}) {
      for (const int threads : {1, 2}) {
        Matrices<S> solved(kSides, density);
        Matrices<S> expected = solved;
        expected.close_by_the_textbook();
        solve_all(solved, type, {.threads = threads});
        EXPECT_EQ(solved.values, expected.values);
      }
    }
  });
}

TEST(SolveBatch, GivesTheBitsOfOneMatrixAtATimeForRealWeights) {
  const auto expect_same = []<class S>(ValueType type, double shift) {
    for (const int threads : {1, 2}) {
      Matrices<S> solved({5, 30, 47, 48, 49, 63, 64, 100, 512}, 0.3, true);
      for (std::size_t graph = 0; graph < solved.sides.size(); ++graph) {
        for (std::int64_t i = 0; i < solved.sides[graph]; ++i) {
          for (std::int64_t j = 0; j < solved.sides[graph]; ++j) {
            solved.at(graph, i, j) += static_cast<typename S::Value>(shift * double(i % 5 - j % 5));
          }
        }
      }
      Matrices<S> expected = solved;
      for (auto& view : expected.views()) {
        detail::floyd_warshall(S::kKind, type, view.data, view.rows, view.stride,
                               {.threads = threads});
      }
      solve_all(solved, type, {.threads = threads});
      EXPECT_EQ(solved.values, expected.values);
    }
  };
  for (const double shift : {0.0, 1.7}) {  // without and with negative weights
    expect_same.operator()<semiring::MinPlus<float>>(ValueType::f32, shift);
    expect_same.operator()<semiring::MinPlus<double>>(ValueType::f64, shift);
  }
}

TEST(SolveBatch, TakesMatricesAtEqualDistances) {
  std::vector<float> values(2 * 40, 9);
  for (const std::size_t graph : {0U, 1U}) {
    float* const at = values.data() + graph * 40;
    const float none = std::numeric_limits<float>::infinity();
    at[0] = at[5 + 1] = 5, at[1] = 2, at[5] = graph == 0 ? none : 3.0F;
  }
  solve_batch<MinPlus>(BatchView<float>{
      .data = values.data(), .count = 2, .n = 2, .stride = 5, .matrix_stride = 40});
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 7),
              testing::ElementsAre(0, 2, 9, 9, 9, std::numeric_limits<float>::infinity(), 0));
  EXPECT_EQ(values[45], 3);
  EXPECT_EQ(values[46], 0);
  solve_batch<MinPlus>(BatchView<float>{});
}

TEST(SolveBatch, FindsIntermediateVerticesOfBestPaths) {
  for_each_kind([]<class S>(ValueType type) {
    Matrices<S> matrices({1, 9, 33, 70}, 0.2);
    const Matrices<S> weights = matrices;
    std::vector<std::vector<std::int32_t>> via;
    std::vector<MatrixView<std::int32_t>> planes;
    for (const std::int64_t n : matrices.sides) {
      planes.emplace_back(via.emplace_back(static_cast<std::size_t>(n * n)).data(), n, n);
    }
    solve_all(matrices, type, {.threads = 2, .via = planes});
    Matrices<S> expected = weights;
    expected.close_by_the_textbook();
    ASSERT_EQ(matrices.values, expected.values);
    Matrices<S> edges = weights;
    for (std::size_t graph = 0; graph < via.size(); ++graph) {
      const std::int64_t n = matrices.sides[graph];
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          const std::int32_t k = via[graph][static_cast<std::size_t>(i * n + j)];
          if (i == j) continue;
          EXPECT_EQ(matrices.at(graph, i, j),
                    k < 0 ? edges.at(graph, i, j)
                          : S::times(matrices.at(graph, i, k), matrices.at(graph, k, j)));
        }
      }
    }
  });
}

using Numbers = Matrices<semiring::MinPlus<float>>;

TEST(SolveBatch, NamesTheFirstGraphThatFails) {
  for (const std::int64_t n : {9, 60}) {
    for (const int threads : {1, 2, 64}) {
      Numbers cycles(std::vector<std::int64_t>(40, n), 0.2);
      for (const std::size_t graph : {11U, 12U, 30U}) {
        cycles.at(graph, 1, 4) = 1, cycles.at(graph, 4, 1) = -2;
      }
      const Error cycle =
          error_of([&] { solve_all(cycles, ValueType::f32, {.threads = threads}); });
      EXPECT_EQ(cycle.kind(), ErrorKind::negative_cycle);
      EXPECT_THAT(cycle.what(), testing::StartsWith("graph 11: "));
      EXPECT_FALSE(cycle.cycle().vertices.empty());

      Numbers bad(std::vector<std::int64_t>(40, n), 0.2);
      bad.at(7, 2, 3) = std::numeric_limits<float>::quiet_NaN();
      const Error error = error_of([&] { solve_all(bad, ValueType::f32, {.threads = threads}); });
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_THAT(error.what(), testing::StartsWith("graph 7: the value at row 2, column 3 "));
    }
  }
}

TEST(SolveBatch, ReportsPositiveCyclesOfLongestPathsAndTypesThatAreTooSmall) {
  Matrices<semiring::MaxPlus<double>> longest({3, 3}, 0);
  longest.at(1, 0, 1) = longest.at(1, 1, 0) = 1;
  const Error cycle = error_of([&] { solve_all(longest, ValueType::f64, {.threads = 1}); });
  EXPECT_EQ(cycle.kind(), ErrorKind::negative_cycle);
  EXPECT_THAT(cycle.what(), testing::StartsWith("graph 1: "));
  Matrices<semiring::MinPlus<std::uint16_t>> narrow({3}, 0);
  narrow.at(0, 0, 1) = narrow.at(0, 1, 2) = 20'000;
  const Error full = error_of([&] { solve_all(narrow, ValueType::u16, {.threads = 1}); });
  EXPECT_EQ(full.kind(), ErrorKind::does_not_fit);
}

TEST(SolveBatch, RefusesWrongCalls) {
  Numbers matrices({4, 4}, 0.5);
  const auto kind_of = [&](const BatchOptions& options) {
    return error_of([&] { solve_all(matrices, ValueType::f32, options); }).kind();
  };
  EXPECT_EQ(kind_of({.threads = -1}), ErrorKind::usage);
  std::vector<std::int32_t> values(16);
  std::vector<MatrixView<std::int32_t>> via{{values.data(), 4, 4}};
  EXPECT_EQ(kind_of({.via = via}), ErrorKind::usage);
  via.emplace_back(values.data(), 3, 3);
  EXPECT_EQ(kind_of({.via = via}), ErrorKind::usage);
  EXPECT_EQ(error_of([&] { detail::solve_batch(Semiring::or_and, ValueType::f32, {}, {}); }).kind(),
            ErrorKind::usage);
}

/// Counts graphs, and requests the end at the first report.
class Ending final : public Progress {
 public:
  explicit Ending(Cancellation* cancellation) : cancellation_(cancellation) {}
  void begin(std::string_view, double total, std::string_view) override { total_ = total; }
  void update(double done) override {
    done_ = done;
    if (cancellation_ != nullptr) cancellation_->request();
  }
  void end() override {}
  double total() const { return total_; }
  double done() const { return done_; }

 private:
  Cancellation* cancellation_;
  double total_ = 0, done_ = 0;
};

TEST(SolveBatch, CountsGraphsAndEndsOnRequest) {
  for (const int threads : {1, 64}) {
    Numbers matrices(std::vector<std::int64_t>(20, 5), 0.5);
    Ending counted(nullptr);
    solve_all(matrices, ValueType::f32, {.threads = threads, .control = {&counted, nullptr}});
    EXPECT_EQ(counted.total(), 20);
    EXPECT_EQ(counted.done(), 20);
    Cancellation cancellation;
    Ending ending(&cancellation);
    const Error error = error_of([&] {
      solve_all(matrices, ValueType::f32,
                {.threads = threads, .control = {&ending, &cancellation}});
    });
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    EXPECT_LT(ending.done(), 20);
  }
}

}  // namespace
}  // namespace apsp
