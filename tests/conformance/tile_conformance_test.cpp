// Every back end's tile operations against the contract: back end × semiring × value type × shapes.
// Integer weights, so that equality is exact; tiles are windows whose surroundings must survive.
#include <apsp/semiring.hpp>

#include "base/random.hpp"
#include "base/rounded_up.hpp"
#include "conformance/back_ends.hpp"
#include "semiring/dispatch.hpp"
#include "support/memory_before_a_gap.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::conformance::tile_conformance_test {
namespace {

using kernels::Cycles;
using kernels::Sign;
using kernels::View;

struct Case {
  std::size_t back_end;
  Semiring semiring;
  ValueType type;
  Sign sign;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (std::size_t b = 0; b < back_ends().size(); ++b) {
    for (const Semiring semiring : all_semirings()) {
      for (const ValueType type : all_value_types()) {
        if (!has(back_ends()[b], semiring, type)) continue;
        list.push_back({b, semiring, type, Sign::non_negative});
        const bool is_signed = type != ValueType::u16 && type != ValueType::boolean;
        if (is_signed) list.push_back({b, semiring, type, Sign::any});
      }
    }
  }
  return list;
}

/// A window of [rows, cols] inside a larger matrix whose margin holds a known value.
template <class S>
class Window {
 public:
  using T = typename S::Value;
  Window(std::int64_t rows, std::int64_t cols)
      : rows_(rows),
        cols_(cols),
        stride_(cols + 7),
        values_(static_cast<std::size_t>((rows + 2) * stride_), kMargin()) {}

  /// Values with some "no path"; `least` may be negative.
  void randomise(base::SplitMix64& random, std::int64_t least, std::uint64_t range) {
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t j = 0; j < cols_; ++j) {
        const bool none = random.below(4) == 0;
        T value = static_cast<T>(least + static_cast<std::int64_t>(random.below(range)));
        if constexpr (S::kKind == Semiring::or_and) value = T(random.below(2));
        at(i, j) = none ? S::zero() : value;
      }
    }
  }
  /// An acyclic pattern (arcs to larger numbers only) with the empty path on the diagonal.
  void make_acyclic() {
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t j = 0; j < i; ++j) at(i, j) = S::zero();
      at(i, i) = S::one();
    }
  }

  T& at(std::int64_t i, std::int64_t j) {
    return values_[static_cast<std::size_t>((i + 1) * stride_ + j + 3)];
  }
  View tile() { return {&at(0, 0), rows_, cols_, stride_}; }
  bool operator==(const Window& other) const { return values_ == other.values_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }

 private:
  static constexpr T kMargin() { return T(1); }
  std::int64_t rows_, cols_, stride_;
  std::vector<T> values_;
};

/// The values of a window in memory that ends with the last of them.
template <class S>
class BeforeAGap {
 public:
  using T = typename S::Value;
  explicit BeforeAGap(Window<S>& values)
      : values_(values),
        stride_(values.cols() + 7),
        memory_((values.rows() - 1) * stride_ + values.cols()) {
    for_each([](T& here, T& there) { here = there; });
  }

  View tile() { return {memory_.data(), values_.rows(), values_.cols(), stride_}; }
  void write_back() {
    for_each([](T& here, T& there) { there = here; });
  }

 private:
  template <class F>
  void for_each(const F& f) {
    for (std::int64_t i = 0; i < values_.rows(); ++i) {
      for (std::int64_t j = 0; j < values_.cols(); ++j) {
        f(memory_.data()[i * stride_ + j], values_.at(i, j));
      }
    }
  }

  Window<S>& values_;
  std::int64_t stride_;
  MemoryBeforeAGap<T> memory_;
};

template <class S>
void textbook_multiply_add(Window<S>& c, Window<S>& a, Window<S>& b) {
  for (std::int64_t i = 0; i < c.rows(); ++i) {
    for (std::int64_t j = 0; j < c.cols(); ++j) {
      for (std::int64_t k = 0; k < a.cols(); ++k) {
        c.at(i, j) = S::plus(c.at(i, j), S::times(a.at(i, k), b.at(k, j)));
      }
    }
  }
}

template <class S>
void textbook_close(Window<S>& d) {
  close_by_the_textbook<S>(
      d.rows(), [&](auto i, auto j) -> auto& { return d.at(i, j); });
}

class TileConformance : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    back_end_ = back_ends()[GetParam().back_end];
    back_end_.select();
    operations_ = back_end_.operations(GetParam().semiring, GetParam().type, GetParam().sign);
    least_ = GetParam().sign == Sign::any ? -50 : 1;
  }

  template <class S>
  void multiply_add(std::int64_t m, std::int64_t k, std::int64_t n) {
    Window<S> c(m, n), a(m, k), b(k, n);
    c.randomise(random_, least_, 200);
    a.randomise(random_, least_, 200);
    b.randomise(random_, least_, 200);
    Window<S> expected = c;
    textbook_multiply_add(expected, a, b);
    const Window<S> a_before = a, b_before = b;
    const Window<S> c_before = c;
    operations_.multiply_add(c.tile(), a.tile(), b.tile());
    EXPECT_TRUE(c == expected) << m << " × " << k << " × " << n;
    EXPECT_TRUE(a == a_before && b == b_before);
    if (operations_.packed.multiply_add == nullptr) return;  // a device packs all operands
    c = c_before;
    multiply_packed(c.tile(), a.tile(), b.tile());
    EXPECT_TRUE(c == expected) << "packed, " << m << " × " << k << " × " << n;
  }

  void multiply_packed(View c, View a, View b) {
    const kernels::PackedOperations& packed = operations_.packed;
    constexpr std::int64_t kAlignment = 64;
    const auto whole = [](std::int64_t bytes) { return base::rounded_up(bytes, kAlignment); };
    MemoryBeforeAGap<std::byte> left(whole(packed.left_bytes(a.rows, a.cols)));
    MemoryBeforeAGap<std::byte> right(whole(packed.right_bytes(b.cols, b.rows)));
    packed.pack_left(a, false, left.data());
    packed.pack_right(b, false, right.data());
    packed.multiply_add(c, left.data(), right.data(), a.cols);
  }

  /// Signed weights lie on an acyclic pattern: no negative cycles.
  template <class S>
  Window<S> closable(std::int64_t n) {
    Window<S> d(n, n);
    d.randomise(random_, least_, 200);
    for (std::int64_t i = 0; i < n; ++i) d.at(i, i) = S::one();
    if (GetParam().sign == Sign::any || S::kKind == Semiring::max_plus) d.make_acyclic();
    return d;
  }

  template <class S>
  void close_and_panels(std::int64_t n, std::int64_t other) {
    Window<S> d = closable<S>(n);
    Window<S> expected = d;
    textbook_close(expected);
    EXPECT_EQ(operations_.close(d.tile(), Cycles::possible), -1);
    EXPECT_TRUE(d == expected) << "close " << n;

    Window<S> row(n, other), column(other, n);
    row.randomise(random_, least_, 200);
    column.randomise(random_, least_, 200);
    Window<S> expected_row = row, expected_column = column, row_before = row,
              column_before = column;
    textbook_multiply_add(expected_row, d, row_before);
    textbook_multiply_add(expected_column, column_before, d);
    operations_.multiply_add(row.tile(), d.tile(), row_before.tile());
    operations_.multiply_add(column.tile(), column_before.tile(), d.tile());
    EXPECT_TRUE(row == expected_row) << "row panel " << n << " × " << other;
    EXPECT_TRUE(column == expected_column) << "column panel " << n << " × " << other;
    if (operations_.packed.multiply_add == nullptr) return;
    row = row_before;
    column = column_before;
    multiply_packed(row.tile(), d.tile(), row.tile());
    multiply_packed(column.tile(), column.tile(), d.tile());
    EXPECT_TRUE(row == expected_row) << "row panel, packed, " << n << " × " << other;
    EXPECT_TRUE(column == expected_column) << "column panel, packed, " << n << " × " << other;
  }

  /// Tiles of a matrix lie side by side, and other threads work on its neighbours.
  template <class S>
  void multiply_add_before_gaps(std::int64_t m, std::int64_t k, std::int64_t n) {
    Window<S> c(m, n), a(m, k), b(k, n);
    c.randomise(random_, least_, 200);
    a.randomise(random_, least_, 200);
    b.randomise(random_, least_, 200);
    Window<S> expected = c;
    textbook_multiply_add(expected, a, b);
    BeforeAGap<S> to(c), left(a), right(b);
    operations_.multiply_add(to.tile(), left.tile(), right.tile());
    to.write_back();
    EXPECT_TRUE(c == expected) << m << " × " << k << " × " << n;
  }

  template <class S>
  void close_before_a_gap(std::int64_t n) {
    Window<S> d = closable<S>(n);
    Window<S> expected = d;
    textbook_close(expected);
    BeforeAGap<S> inside(d);
    EXPECT_EQ(operations_.close(inside.tile(), Cycles::possible), -1);
    inside.write_back();
    EXPECT_TRUE(d == expected) << "close " << n;
  }

  BackEnd back_end_;
  kernels::TileOperations operations_{};
  base::SplitMix64 random_{7};
  std::int64_t least_ = 1;
};

TEST_P(TileConformance, MultiplyAdd) {
  semiring::dispatch(GetParam().semiring, GetParam().type, [&]<class S>() {
    for (const std::int64_t m : {0, 1, 7, 8, 9}) multiply_add<S>(m, 5, 33);
    for (const std::int64_t k : {0, 1, 127, 128, 131}) multiply_add<S>(9, k, 17);
    for (const std::int64_t n : {0, 1, 15, 16, 48, 49, 97}) multiply_add<S>(8, 3, n);
    multiply_add<S>(61, 67, 131);
  });
}

TEST_P(TileConformance, MultiplyAddBeyondOneBlockOfRows) {
  semiring::dispatch(GetParam().semiring, GetParam().type,
                     [&]<class S>() { multiply_add<S>(259, 130, 51); });
}

TEST_P(TileConformance, MultiplyAddBeyondOneBlockOfDepth) {
  semiring::dispatch(GetParam().semiring, GetParam().type, [&]<class S>() {
    for (const std::int64_t k : {191, 192, 193, 401}) multiply_add<S>(7, k, 19);
  });
}

TEST_P(TileConformance, NothingBeyondATileIsTouched) {
  semiring::dispatch(GetParam().semiring, GetParam().type, [&]<class S>() {
    for (const std::int64_t n : {1, 17, 33, 71}) multiply_add_before_gaps<S>(12, 7, n);
    for (const std::int64_t m : {1, 5, 13}) multiply_add_before_gaps<S>(m, 5, 64);
    for (const std::int64_t n : {31, 65}) close_before_a_gap<S>(n);
  });
}

/// What a register tile takes at a time is filled up, and no more than that.
TEST_P(TileConformance, OperandsAreAsManyWholeSliversAsTheyNeed) {
  if (operations_.packed.multiply_add == nullptr) return;
  const auto check = [](const char* side, auto bytes) {
    const std::int64_t one = bytes(1);
    std::int64_t whole = 1;  // rows or columns of a sliver
    while (bytes(whole + 1) == one) ++whole;
    EXPECT_LE(whole, 256) << side;
    for (const std::int64_t slivers : {2, 3, 8}) {
      EXPECT_EQ(bytes(slivers * whole), slivers * one) << side;
      if (whole > 1) {
        EXPECT_EQ(bytes(slivers * whole - 1), slivers * one) << side;
      }
    }
  };
  check("left", [&](std::int64_t rows) { return operations_.packed.left_bytes(rows, 10); });
  check("right", [&](std::int64_t columns) { return operations_.packed.right_bytes(columns, 10); });
}

TEST_P(TileConformance, CloseAndPanels) {
  semiring::dispatch(GetParam().semiring, GetParam().type, [&]<class S>() {
    for (const std::int64_t n : {0, 1, 2, 31, 63, 64, 65, 97}) close_and_panels<S>(n, 29);
    close_and_panels<S>(67, 0);
  });
}

TEST_P(TileConformance, CloseKeepsTheDiagonalWhereCyclesAreExcluded) {
  semiring::dispatch(GetParam().semiring, GetParam().type, [&]<class S>() {
    Window<S> d = closable<S>(70);
    EXPECT_EQ(operations_.close(d.tile(), Cycles::excluded), -1);
    for (std::int64_t i = 0; i < 70; ++i) EXPECT_EQ(d.at(i, i), S::one());
  });
}

/// Negative cycles need signed sums.
class SignedSums : public TileConformance {
 protected:
  /// Two arcs between the first vertex and the last one, which lie in the two halves of a tile.
  template <class S>
  static Window<S> negative_cycle_of_the_ends(std::int64_t n) {
    using T = typename S::Value;
    Window<S> d(n, n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) d.at(i, j) = i == j ? S::one() : S::zero();
    }
    d.at(0, n - 1) = T(1);
    d.at(n - 1, 0) = static_cast<T>(-2);
    return d;
  }
};

TEST_P(SignedSums, CloseReportsTheFirstPivotOnANegativeCycle) {
  semiring::dispatch(Semiring::min_plus, GetParam().type, [&]<class S>() {
    for (const std::int64_t n : {2, 64, 90}) {
      Window<S> d = negative_cycle_of_the_ends<S>(n);
      EXPECT_EQ(operations_.close(d.tile(), Cycles::possible), n - 1);
    }
  });
}

/// A cycle that rounding made negative joins the two halves of a tile that is closed by halves.
TEST_P(SignedSums, CloseKeepsTheDiagonalOfARoundedCycle) {
  semiring::dispatch(Semiring::min_plus, GetParam().type, [&]<class S>() {
    for (const std::int64_t n : {2, 64, 90}) {
      Window<S> d = negative_cycle_of_the_ends<S>(n);
      EXPECT_EQ(operations_.close(d.tile(), Cycles::excluded), -1);
      for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(d.at(i, i), S::one()) << n;
    }
  });
}

std::vector<Case> signed_sums() {
  std::vector<Case> list = cases();
  std::erase_if(
      list, [](const Case& c) { return c.semiring != Semiring::min_plus || c.sign != Sign::any; });
  return list;
}

std::string word_of(const Case& c) {
  return case_word(back_ends()[c.back_end].name, c.semiring, c.type,
                   c.sign == Sign::any ? "_signed" : "");
}

void PrintTo(const Case& c, std::ostream* out) { *out << word_of(c); }

std::string case_name(const testing::TestParamInfo<Case>& each) { return word_of(each.param); }

INSTANTIATE_TEST_SUITE_P(Contract, TileConformance, testing::ValuesIn(cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Contract, SignedSums, testing::ValuesIn(signed_sums()), case_name);

}  // namespace
}  // namespace apsp::conformance::tile_conformance_test
