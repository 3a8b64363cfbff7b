// Doubles and their sums without rounding: integers in units of 2^-1074, the least double.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace apsp {

/// A sum of some thousand doubles, of either sign.
class Exact {
 public:
  Exact() = default;
  explicit Exact(double value) {
    int exponent = 0;
    const double fraction = std::frexp(std::abs(value), &exponent);
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kMantissa));
    const int places = exponent - kMantissa + kUnit;
    // Subnormal values end in as many zeros as they have places too few.
    const std::uint64_t shifted = places < 0 ? mantissa >> -places : mantissa;
    const auto place = static_cast<std::size_t>(std::max(0, places));
    words_[place / kBits] = shifted << place % kBits;
    if (place % kBits > 0) words_[place / kBits + 1] = shifted >> (kBits - place % kBits);
    if (value < 0) *this = Exact() - *this;
  }

  Exact operator+(const Exact& other) const { return sum(other.words_, 0, 0); }
  Exact operator-(const Exact& other) const { return sum(other.words_, ~std::uint64_t{0}, 1); }
  Exact magnitude() const { return negative() ? Exact() - *this : *this; }
  bool negative() const { return words_.back() >> (kBits - 1) != 0; }
  bool operator==(const Exact&) const = default;
  std::strong_ordering operator<=>(const Exact& other) const {
    if (negative() != other.negative()) return other.negative() <=> negative();
    for (std::size_t i = kWords; i-- > 0;) {
      if (words_[i] != other.words_[i]) return words_[i] <=> other.words_[i];
    }
    return std::strong_ordering::equal;
  }
  /// To 64 bits.
  long double rounded() const {
    const Exact size = magnitude();
    long double value = 0;
    std::size_t i = kWords;
    while (i > 0 && size.words_[i - 1] == 0) --i;
    for (std::size_t taken = 0; i > 0 && taken < 3; ++taken) {
      --i;
      value +=
          std::ldexp(static_cast<long double>(size.words_[i]), static_cast<int>(i) * kBits - kUnit);
    }
    return negative() ? -value : value;
  }

 private:
  static constexpr int kBits = 64, kMantissa = 53, kUnit = 1074;
  static constexpr std::size_t kWords = 34;
  using Words = std::array<std::uint64_t, kWords>;

  Exact sum(const Words& other, std::uint64_t flip, std::uint64_t carry) const {
    Exact result;
    for (std::size_t i = 0; i < kWords; ++i) {
      __extension__ using Wide = unsigned __int128;
      const Wide sum = Wide{words_[i]} + (other[i] ^ flip) + carry;
      result.words_[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> kBits);
    }
    return result;
  }

  Words words_{};  // two's complement, the lowest first
};

/// [n, n] the value of the best path of every ordered pair; empty: there is none. The empty path
/// has no value for bottlenecks, whose diagonal is empty here. By the textbook's three loops, over
/// numbers that add without rounding: `Exact`, or integers of 64 bits where no sum of two paths
/// passes 2^62.
template <class Number>
class BestValues {
 public:
  BestValues(const Graph& graph, Semiring semiring)
      : n_(static_cast<std::size_t>(graph.vertex_count())),
        sums_(semiring == Semiring::min_plus || semiring == Semiring::max_plus),
        least_(semiring == Semiring::min_plus || semiring == Semiring::min_max),
        values_(n_ * n_) {
    graph.visit_all([&](Vertex u, Vertex v, double weight) {
      if (u != v || sums_) offer(at(u, v), Number(weight));
    });
    for (std::size_t v = 0; sums_ && v < n_; ++v) offer(at(v, v), Number());
    cyclic_ = meets_cycle();
    for (std::size_t k = 0; k < n_ && !cyclic_; ++k) {
      pass(k);
      cyclic_ = meets_cycle();
    }
  }

  const std::optional<Number>& operator()(std::size_t u, std::size_t v) const {
    return values_[u * n_ + v];
  }
  /// The most edges of a walk u … v whose sum is worse by at most `slack`; n − 1 of n vertices. By
  /// the best sums of just so many edges. Not for several threads: those of the last u are kept.
  std::size_t most_edges(const Graph& graph, Vertex u, Vertex v, const Number& slack) const {
    if (walks_from_ != u) find_walks(graph, u);
    std::size_t most = 0;
    for (std::size_t edges = 1; edges < n_; ++edges) {
      const std::optional<Number>& sum = walks_[edges * n_ + v];
      if (!sum) continue;
      const Number more = *sum - *(*this)(u, v);
      if (more <= slack && Number() - more <= slack) most = edges;
    }
    return most;
  }
  /// A cycle is better than the empty path. No value means anything then.
  bool cyclic() const { return cyclic_; }

 private:
  /// The best sums from u by just 0, 1, … n − 1 edges.
  void find_walks(const Graph& graph, Vertex u) const {
    walks_.assign(n_ * n_, std::nullopt);
    walks_[u] = Number();
    for (std::size_t edges = 1; edges < n_; ++edges) {
      const auto* const now = walks_.data() + (edges - 1) * n_;
      auto* const next = walks_.data() + edges * n_;
      graph.visit_all([&](Vertex from, Vertex to, double weight) {
        if (now[from]) offer(next[to], *now[from] + Number(weight));
      });
    }
    walks_from_ = u;
  }
  bool meets_cycle() const {
    for (std::size_t v = 0; sums_ && v < n_; ++v) {
      if (*(*this)(v, v) != Number()) return true;
    }
    return false;
  }
  std::optional<Number>& at(std::size_t u, std::size_t v) { return values_[u * n_ + v]; }
  bool better(const Number& a, const Number& b) const { return least_ ? a < b : a > b; }
  void offer(std::optional<Number>& held, const Number& value) const {
    if (!held || better(value, *held)) held = value;
  }
  Number joined(const Number& a, const Number& b) const {
    if (sums_) return a + b;
    return better(a, b) ? b : a;
  }
  void pass(std::size_t k) {
    for (std::size_t u = 0; u < n_; ++u) {
      if (u == k || !at(u, k)) continue;
      for (std::size_t v = 0; v < n_; ++v) {
        if (v == k || !at(k, v) || (u == v && !sums_)) continue;
        offer(at(u, v), joined(*at(u, k), *at(k, v)));
      }
    }
  }

  std::size_t n_;
  bool sums_, least_, cyclic_ = false;
  std::vector<std::optional<Number>> values_;
  mutable std::vector<std::optional<Number>> walks_;  // [edges, v], from `walks_from_`
  mutable std::optional<Vertex> walks_from_;
};

using ExactDistances = BestValues<Exact>;

}  // namespace apsp
