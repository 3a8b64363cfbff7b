// Batches of small matrices: every semiring, type and size against the textbook, and bit for bit
// against one matrix at a time.
#include <apsp/apsp.hpp>

#include "api/solve_batch.hpp"
#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"
#include "support/types_of.hpp"

namespace apsp::solve_batch_test {
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
  for (const auto& [semiring, type] : all_kinds()) {
    SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)));
    semiring::dispatch(semiring, type, [&]<class S>() { f.template operator()<S>(type); });
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
              ElementsAre(0, 2, 9, 9, 9, std::numeric_limits<float>::infinity(), 0));
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
      EXPECT_THAT(cycle.what(), StartsWith("graph 11: "));
      EXPECT_FALSE(cycle.cycle().vertices.empty());

      Numbers bad(std::vector<std::int64_t>(40, n), 0.2);
      bad.at(7, 2, 3) = std::numeric_limits<float>::quiet_NaN();
      const Error error = error_of([&] { solve_all(bad, ValueType::f32, {.threads = threads}); });
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_THAT(error.what(), StartsWith("graph 7: the value at row 2, column 3 "));
    }
  }
}

TEST(SolveBatch, ReportsPositiveCyclesOfLongestPathsAndTypesThatAreTooSmall) {
  Matrices<semiring::MaxPlus<double>> longest({3, 3}, 0);
  longest.at(1, 0, 1) = longest.at(1, 1, 0) = 1;
  const Error cycle = error_of([&] { solve_all(longest, ValueType::f64, {.threads = 1}); });
  EXPECT_EQ(cycle.kind(), ErrorKind::negative_cycle);
  EXPECT_THAT(cycle.what(), StartsWith("graph 1: "));
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

// Batches that lie on a device, invented, strict about memory and queues, and simpler than a GPU:
// it leaves matrices with negative reals, and larger ones, to the host.

using planner::one_device;

/// [count, n, n + 3], `count` of them n · (n + 3) + 5 values apart.
template <class S>
struct BatchThere {
  using T = typename S::Value;
  BatchThere(std::int64_t count_, std::int64_t n_, double lowest = 1)
      : count(count_), n(n_), values(static_cast<std::size_t>(count * step()), T(7)) {
    base::SplitMix64 random(static_cast<std::uint64_t>(n));
    for (std::int64_t g = 0; g < count; ++g) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          const bool acyclic = i < j || (S::kKind != Semiring::max_plus && lowest >= 0);
          const auto weight = static_cast<T>(lowest + static_cast<double>(random.below(20)));
          const bool edge = acyclic && random.below(3) == 0;
          at(g, i, j) = !edge ? S::zero() : S::kKind == Semiring::or_and ? S::one() : weight;
        }
      }
    }
  }
  std::int64_t stride() const { return n + 3; }
  std::int64_t step() const { return n * stride() + 5; }
  T& at(std::int64_t g, std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(g * step() + i * stride() + j)];
  }
  DeviceBatch batch(ValueType type, std::vector<std::int32_t>* via = nullptr) {
    if (via != nullptr) via->assign(static_cast<std::size_t>(count * n * n), 9);
    return {.data = values.data(),
            .count = count,
            .n = n,
            .stride = stride(),
            .matrix_stride = step(),
            .type = type,
            .via = via == nullptr ? nullptr : via->data()};
  }
  /// The same by `solve_batch` on the host.
  void solve_on_host(ValueType type, std::vector<std::int32_t>* via = nullptr) {
    std::vector<detail::BatchItem> items;
    std::vector<MatrixView<std::int32_t>> planes;
    if (via != nullptr) via->assign(static_cast<std::size_t>(count * n * n), 9);
    for (std::int64_t g = 0; g < count; ++g) {
      items.push_back({&at(g, 0, 0), n, stride()});
      if (via != nullptr) planes.emplace_back(via->data() + g * n * n, n, n);
    }
    detail::solve_batch(S::kKind, type, items, {.threads = 1, .via = planes});
  }

  std::int64_t count, n;
  std::vector<T> values;
};

void solve_there(Semiring semiring, const DeviceBatch& batch, const BatchOptions& options = {}) {
  api::solve_batch_on_device_among(one_device, semiring, batch, options);
}

TEST(DeviceBatch, IsSolvedAsOnTheHostForEverySemiringTypeAndSide) {
  for (const auto& [semiring, type] : all_kinds()) {
    semiring::dispatch(semiring, type, [&]<class S>() {
      for (const std::int64_t n : {1, 7, 16, 40, 45}) {  // 16 with via, 40 without; then one by one
        for (const bool tracks : {false, true}) {
          BatchThere<S> there(3, n), here = there;
          std::vector<std::int32_t> via, want;
          solve_there(semiring, there.batch(type, tracks ? &via : nullptr));
          here.solve_on_host(type, tracks ? &want : nullptr);
          EXPECT_EQ(there.values, here.values)
              << name(semiring) << " " << name(type) << ", n " << n << tracks;
          EXPECT_EQ(via, want) << name(semiring) << " " << name(type) << ", n " << n;
        }
      }
    });
  }
}

TEST(DeviceBatch, NegativeWeightsOfSomeMatrices) {
  const auto expect_same = []<class S>(ValueType type) {
    BatchThere<S> there(3, 12, -5);
    for (std::int64_t j = 0; j < 12; ++j) there.at(1, 0, j) = 4;
    BatchThere<S> here = there;
    solve_there(S::kKind, there.batch(type));
    here.solve_on_host(type);
    EXPECT_EQ(there.values, here.values) << name(type);
  };
  expect_same.template operator()<semiring::MinPlus<std::int32_t>>(ValueType::i32);
  expect_same.template operator()<semiring::MinPlus<double>>(ValueType::f64);
}

TEST(DeviceBatch, ErrorsNameTheFirstGraph) {
  using S = semiring::MinPlus<float>;
  BatchThere<S> there(4, 10);
  there.at(2, 3, 4) = std::numeric_limits<float>::quiet_NaN();
  there.at(3, 1, 0) = there.at(3, 0, 1) = -1;
  const Error bad = error_of([&] { solve_there(S::kKind, there.batch(ValueType::f32)); });
  EXPECT_EQ(bad.kind(), ErrorKind::usage);
  EXPECT_THAT(bad.what(), StartsWith("graph 2: "));
  there.at(2, 3, 4) = 1;
  const Error cycle = error_of([&] { solve_there(S::kKind, there.batch(ValueType::f32)); });
  EXPECT_EQ(cycle.kind(), ErrorKind::negative_cycle);
  EXPECT_THAT(cycle.what(), StartsWith("graph 3: "));
  BatchThere<semiring::MinPlus<std::uint16_t>> far(2, 9);
  for (std::int64_t i = 0; i < 9; ++i) far.at(1, i, 0) = 5000;
  EXPECT_ERROR(does_not_fit, solve_there(Semiring::min_plus, far.batch(ValueType::u16)));
}

TEST(DeviceBatch, RefusesWhatIsNoBatch) {
  BatchThere<semiring::MinPlus<float>> there(2, 4);
  const DeviceBatch good = there.batch(ValueType::f32);
  DeviceBatch bad = good;
  bad.matrix_stride = 20;
  EXPECT_ERROR(usage, solve_there(Semiring::min_plus, bad));
  bad = good;
  bad.stride = 3;
  EXPECT_ERROR(usage, solve_there(Semiring::min_plus, bad));
  EXPECT_ERROR(usage, solve_there(Semiring::or_and, good));
  EXPECT_ERROR(usage, solve_there(Semiring::min_plus, good, {.threads = -1}));
  std::vector<MatrixView<std::int32_t>> planes;
  std::vector<std::int32_t> values(16);
  planes.emplace_back(values.data(), 4, 4);
  EXPECT_ERROR(usage, solve_there(Semiring::min_plus, good, {.via = planes}));
  EXPECT_ERROR(device,
               api::solve_batch_on_device_among(planner::no_device, Semiring::min_plus, good, {}));
  EXPECT_NO_THROW(solve_there(Semiring::min_plus, DeviceBatch{}));
}

TEST(DeviceBatch, StopsWhenAskedTo) {
  BatchThere<semiring::MinPlus<float>> there(3, 45);  // one by one
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, solve_there(Semiring::min_plus, there.batch(ValueType::f32),
                                        {.control = {nullptr, &cancellation}}));
}

}  // namespace
}  // namespace apsp::solve_batch_test
