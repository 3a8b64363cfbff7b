#include <apsp/error.hpp>
#include <apsp/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/value_types.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/choices.hpp"
#include "fuzz/report.hpp"
#include "support/own_semirings.hpp"

namespace apsp::fuzz {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Kind {
  Semiring semiring;
  ValueType type;

  double none() const { return no_path(semiring, type); }
  bool integral() const { return type != ValueType::f32 && type != ValueType::f64; }
};

/// A window of a larger matrix, whose other values nobody may write to.
struct Matrix {
  static constexpr std::byte kUntouched{0x5A};

  Matrix(ValueType type_, std::int64_t rows_, std::int64_t cols_, std::int64_t gap)
      : type(type_),
        rows(rows_),
        cols(cols_),
        stride(std::max<std::int64_t>(1, cols_) + gap),
        bytes(static_cast<std::size_t>(std::max<std::int64_t>(1, rows_) * stride * size_of(type_)),
              kUntouched) {}

  void set(std::int64_t i, std::int64_t j, double value) {
    base::with_type(type, [&]<class T>() {
      const T stored = static_cast<T>(value);
      std::memcpy(at(i, j), &stored, sizeof(T));
    });
  }
  double get(std::int64_t i, std::int64_t j) const {
    double value = 0;
    base::with_type(type, [&]<class T>() {
      T stored;
      std::memcpy(&stored, const_cast<Matrix*>(this)->at(i, j), sizeof(T));
      value = static_cast<double>(stored);
    });
    return value;
  }
  bool gaps_are_untouched() const {
    const std::int64_t size = size_of(type);
    for (std::int64_t at = 0; at < std::ssize(bytes); ++at) {
      if (at / size % stride < cols && at / size / stride < rows) continue;
      if (bytes[static_cast<std::size_t>(at)] != kUntouched) return false;
    }
    return true;
  }
  Operand operand() const { return {bytes.data(), rows, cols, stride}; }

  ValueType type;
  std::int64_t rows, cols, stride;
  std::vector<std::byte> bytes;

 private:
  std::byte* at(std::int64_t i, std::int64_t j) {
    return bytes.data() + (i * stride + j) * size_of(type);
  }
};

/// One in three is "no path". `odd`: now and then what no matrix may hold.
double value_of(const Kind& kind, bool odd, Choices& choices) {
  if (kind.type == ValueType::boolean) return static_cast<double>(choices.below(odd ? 3 : 2));
  static constexpr double kReal[] = {0, 1, 2, 7, 0.1, 1.0 / 3, 1e30, 5e-324, 1e-40, 1e300};
  if (choices.below(3) == 0) return kind.none();
  const std::size_t at = choices.below(std::size(kReal) + 3);
  if (at == std::size(kReal) && odd && !kind.integral()) {
    static constexpr double kOdd[] = {kNan, kInfinity, -kInfinity};
    return kOdd[choices.below(3)];
  }
  if (at == std::size(kReal) && odd && kind.type == ValueType::u16) return 65535;
  if (at == std::size(kReal) && odd) return choices.below(2) == 0 ? 2147483647.0 : -2147483648.0;
  if (at < std::size(kReal) && !kind.integral()) {
    return std::min(kReal[at], largest_distance(kind.type));
  }
  const auto whole = static_cast<double>(choices.take<std::uint16_t>());
  const double least = kind.type == ValueType::u16 ? 0 : -32768;
  return std::clamp(choices.below(4) == 0 ? -whole : whole, least, largest_distance(kind.type));
}

Matrix matrix_of(const Kind& kind, std::int64_t rows, std::int64_t cols, bool odd,
                 Choices& choices) {
  Matrix matrix(kind.type, rows, cols, static_cast<std::int64_t>(choices.below(3)));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) matrix.set(i, j, value_of(kind, odd, choices));
  }
  return matrix;
}

double better(const Kind& kind, double a, double b) {
  const bool least = kind.semiring == Semiring::min_plus || kind.semiring == Semiring::min_max;
  return least ? std::min(a, b) : std::max(a, b);
}

/// A path behind another one, as a value of the type.
double joined(const Kind& kind, double a, double b) {
  if (a == kind.none() || b == kind.none()) return kind.none();
  if (kind.semiring == Semiring::max_min || kind.type == ValueType::boolean) return std::min(a, b);
  if (kind.semiring == Semiring::min_max) return std::max(a, b);
  if (kind.type == ValueType::f32) return static_cast<float>(a) + static_cast<float>(b);
  const double sum = a + b;
  return kind.integral() && kind.semiring == Semiring::min_plus ? std::min(sum, kind.none()) : sum;
}

bool all_are_possible(const Kind& kind, const Matrix& matrix) {
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t j = 0; j < matrix.cols; ++j) {
      const double value = matrix.get(i, j);
      if (value == kind.none()) continue;
      if (!std::isfinite(value) || std::abs(value) > largest_distance(kind.type)) return false;
    }
  }
  return true;
}

/// C ← C ⊕ A ⊗ B, value by value.
void ask_product(const Kind& kind, Choices& choices) {
  const auto side = [&] { return static_cast<std::int64_t>(choices.below(20)); };
  const std::int64_t m = side(), k = side(), n = side();
  const bool odd = choices.below(4) == 0;
  const Matrix a = matrix_of(kind, m, k, odd, choices), b = matrix_of(kind, k, n, odd, choices);
  Matrix c = matrix_of(kind, m, n, false, choices);
  const Matrix before = c;
  MultiplyAddOptions options{.threads = 1};
  detail::multiply_add(kind.semiring, kind.type, {c.operand(), a.operand(), b.operand()}, options);
  if (!c.gaps_are_untouched()) report("a product writes outside its matrix");
  if (!all_are_possible(kind, a) || !all_are_possible(kind, b)) return;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double expected = before.get(i, j);
      for (std::int64_t p = 0; p < k; ++p) {
        expected = better(kind, expected, joined(kind, a.get(i, p), b.get(p, j)));
      }
      if (c.get(i, j) != expected) report("a value of a product is wrong");
    }
  }
}

/// Distances in whole numbers are those of three loops. Real ones need not round the same way.
void ask_closure(const Kind& kind, Choices& choices) {
  const auto n = static_cast<std::int64_t>(choices.below(20));
  const bool odd = choices.below(4) == 0;
  Matrix d = matrix_of(kind, n, n, odd, choices);
  const bool possible = all_are_possible(kind, d);
  std::vector<double> expected(static_cast<std::size_t>(n * n));
  const auto at = [&](std::int64_t i, std::int64_t j) -> double& {
    return expected[static_cast<std::size_t>(i * n + j)];
  };
  bool negative = false;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      at(i, j) =
          i == j ? better(kind, d.get(i, j), empty_path(kind.semiring, kind.type)) : d.get(i, j);
      negative |= d.get(i, j) < 0;
    }
  }
  FloydWarshallOptions options{.threads = 1, .tile = choices.below(2) == 0 ? 0 : 8};
  detail::floyd_warshall(kind.semiring, kind.type, d.bytes.data(), n, d.stride, options);
  if (!d.gaps_are_untouched()) report("a solve writes outside its matrix");
  const bool sums = kind.semiring == Semiring::min_plus || kind.semiring == Semiring::max_plus;
  if (!possible || (sums && (negative || !kind.integral()))) return;
  for (std::int64_t p = 0; p < n; ++p) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        at(i, j) = better(kind, at(i, j), joined(kind, at(i, p), at(p, j)));
      }
    }
  }
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      if (d.get(i, j) != at(i, j)) report("a distance is wrong");
    }
  }
}

/// A semiring of one's own gives what three loops give, value by value: by the tiles of Floyd and
/// Warshall, or as a product.
template <class S>
void ask_own(Choices& choices) {
  using Value = typename S::Value;
  const auto n = static_cast<std::int64_t>(choices.below(70));
  const auto at = [n](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i * n + j);
  };
  const auto matrix = [&] {
    std::vector<Value> values(at(n, 0));
    for (Value& value : values) {
      value = choices.below(3) > 0 ? S::zero() : edge_value<S>([&](std::int32_t most) {
        return 1 + static_cast<std::int32_t>(choices.below(static_cast<std::size_t>(most)));
      });
    }
    return values;
  };
  const auto relax = [&](std::vector<Value>& c, const std::vector<Value>& a,
                         const std::vector<Value>& b) {
    for (std::int64_t p = 0; p < n; ++p) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          c[at(i, j)] = S::plus(c[at(i, j)], S::times(a[at(i, p)], b[at(p, j)]));
        }
      }
    }
  };
  std::vector<Value> found = matrix(), expected = found;
  const MatrixView<Value> view{found.data(), n, n};
  if (choices.below(2) == 0) {
    const std::vector<Value> a = matrix(), b = matrix();
    multiply_add<S>(view, {a.data(), n, n}, {b.data(), n, n}, {.threads = 1});
    relax(expected, a, b);
  } else {
    const auto tile = static_cast<std::int64_t>(choices.below(20));
    floyd_warshall<S>(view, {.threads = 1, .tile = tile});
    for (std::int64_t i = 0; i < n; ++i) expected[at(i, i)] = S::plus(expected[at(i, i)], S::one());
    relax(expected, expected, expected);
  }
  if (found != expected) report("a value over a semiring of one's own is wrong");
}

void ask_own_of(std::size_t kind, Choices& choices) {
  switch (kind) {
    case 0:
      return ask_own<Sums>(choices);
    case 1:
      return ask_own<ShortestWidest>(choices);
    case 2:
      return ask_own<FirstEdge>(choices);
    default:
      return ask_own<Sets>(choices);
  }
}

}  // namespace

void check_matrices(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  Kind kind{all_semirings()[choices.below(all_semirings().size())],
            all_value_types()[choices.below(all_value_types().size())]};
  const std::uint8_t question = choices.byte();
  try {
    if (question >= 192) {
      ask_own_of(question % 4, choices);
    } else {
      question % 2 == 0 ? ask_product(kind, choices) : ask_closure(kind, choices);
    }
  } catch (const Error& error) {
    const bool of_values = error.kind() == ErrorKind::usage || error.kind() == ErrorKind::input ||
                           error.kind() == ErrorKind::negative_cycle ||
                           error.kind() == ErrorKind::does_not_fit;
    if (!of_values) report(std::string("an error of the wrong kind: ") + error.what());
  } catch (const std::exception& other) {
    report(std::string("an exception that is no Error: ") + other.what());
  }
}

}  // namespace apsp::fuzz
