// <apsp/semiring.hpp>, <apsp/own_rows.hpp>: a semiring of one's own. The shortest way, and of
// several the widest one; all pairs of a matrix, then some rows of a sparse graph.
#include <apsp/own_rows.hpp>
#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>

#include <algorithm>
#include <iostream>
#include <limits>
#include <utility>
#include <vector>

struct ShortestWidest {
  struct Value {
    int length = 1'000'000'000;  // no path
    int width = 0;
    bool operator==(const Value&) const = default;
  };
  static Value zero() { return {}; }
  static Value one() { return {0, std::numeric_limits<int>::max()}; }
  static Value plus(Value a, Value b) {  // ⊕: the better of two paths
    return b.length < a.length || (b.length == a.length && b.width > a.width) ? b : a;
  }
  static Value times(Value a, Value b) {  // ⊗: one path behind the other
    if (a == zero() || b == zero()) return zero();
    return {a.length + b.length, std::min(a.width, b.width)};
  }
};

int main() {
  using Value = ShortestWidest::Value;
  const std::vector<Value> samples = {{1, 5}, {1, 3}, {2, 9}, {7, 2}};
  const std::string broken = apsp::broken_semiring_law<ShortestWidest>(samples);
  std::cout << "law that does not hold: " << (broken.empty() ? "none" : broken) << '\n';

  // Two ways of length 4 lead from 0 to 3: by 1 a lorry of width 2 gets through, by 2 one of 3.
  constexpr int kTowns = 4;
  std::vector<Value> d(kTowns * kTowns);
  const auto at = [&](int from, int to) -> Value& {
    return d[static_cast<std::size_t>(from * kTowns + to)];
  };
  at(0, 1) = {1, 2};
  at(1, 3) = {3, 9};
  at(0, 2) = {2, 3};
  at(2, 3) = {2, 4};
  apsp::floyd_warshall<ShortestWidest>(apsp::MatrixView<Value>(d.data(), kTowns, kTowns));
  std::cout << "from 0 to 3: length " << at(0, 3).length << ", width " << at(0, 3).width << '\n';

  apsp::GraphBuilder builder(kTowns);
  for (const auto& [from, to] : {std::pair(0, 1), {1, 3}, {0, 2}, {2, 3}}) {
    builder.add_edge(static_cast<apsp::Vertex>(from), static_cast<apsp::Vertex>(to));
  }
  const std::vector<apsp::Vertex> sources = {0}, targets = {3};
  const Value roads[kTowns][kTowns] = {
      {{}, {1, 2}, {2, 3}, {}}, {{}, {}, {}, {3, 9}}, {{}, {}, {}, {2, 4}}, {}};
  Value row;
  std::int32_t before = -1;
  apsp::own_rows<ShortestWidest>(
      std::move(builder).build(),
      [&](apsp::Vertex from, apsp::Vertex to, double) { return roads[from][to]; },
      apsp::MatrixView<Value>(&row, 1, 1), {.sources = sources, .targets = targets},
      apsp::MatrixView<std::int32_t>(&before, 1, 1));
  std::cout << "the last town before 3: " << before << '\n';

  return broken.empty() && row == Value{4, 3} && before == 2 && at(0, 3) == Value{4, 3} &&
                 at(3, 0) == ShortestWidest::zero()
             ? 0
             : 1;
}
