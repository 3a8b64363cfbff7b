#include "graph/mirrored.hpp"

#include <bit>
#include <type_traits>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "graph/symmetric_matrix.hpp"
#include "system/machine.hpp"

namespace apsp {
namespace {

/// Rows are sorted by target, then weight, so the arcs u → v with u < v, visited by increasing u,
/// must match the arcs of row v to smaller vertices in their order.
std::optional<Edge> find_unmirrored_in_rows(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  const auto offsets = graph.offsets();
  const auto targets = graph.targets();
  const auto weights = graph.weights();
  std::vector<std::size_t> next(n);
  for (std::size_t v = 0; v < n; ++v) next[v] = static_cast<std::size_t>(offsets[v]);

  // Rows are visited at random, so the next positions are prefetched two steps ahead.
  const std::size_t arcs = targets.size();
  constexpr std::size_t kNear = 16, kFar = 32;
  const auto ask_ahead = [&](std::size_t a) {
    if (a + kFar < arcs) __builtin_prefetch(&next[targets[a + kFar]]);
    if (a + kNear >= arcs) return;
    const std::size_t mirror = next[targets[a + kNear]];
    __builtin_prefetch(targets.data() + mirror);
    __builtin_prefetch(weights.data() + mirror);
  };

  for (std::size_t u = 0; u < n; ++u) {
    base::poll(u);
    const auto last = static_cast<std::size_t>(offsets[u + 1]);
    // All arcs of row u to smaller vertices must be matched by now.
    std::size_t a = next[u];
    if (a < last && targets[a] < u) return Edge{static_cast<Vertex>(u), targets[a], weights[a]};
    while (a < last && targets[a] == u) ++a;
    for (; a < last; ++a) {
      ask_ahead(a);
      const Vertex v = targets[a];
      const std::size_t mirror = next[v]++;
      if (mirror >= static_cast<std::size_t>(offsets[v + 1])) {
        return Edge{static_cast<Vertex>(u), v, weights[a]};
      }
      if (targets[mirror] == u && weights[mirror] == weights[a]) continue;
      // Row v has an arc that was not matched earlier, or lacks this one.
      const bool v_has_more =
          targets[mirror] < u || (targets[mirror] == u && weights[mirror] < weights[a]);
      if (v_has_more) return Edge{v, targets[mirror], weights[mirror]};
      return Edge{static_cast<Vertex>(u), v, weights[a]};
    }
  }
  return std::nullopt;
}

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

std::uint64_t reduced(Wide value) {
  for (int fold = 0; fold < 3; ++fold) value = (value & kPrime) + (value >> 61);
  const auto low = static_cast<std::uint64_t>(value);
  return low >= kPrime ? low - kPrime : low;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return reduced(static_cast<Wide>(a) * b);
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return reduced(static_cast<Wide>(a) + b); }
std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return sum(a, kPrime - b); }

std::vector<std::uint64_t> drawn(std::int64_t n, std::uint64_t seed) {
  base::SplitMix64 random(seed);
  std::vector<std::uint64_t> values(static_cast<std::size_t>(n));
  for (std::uint64_t& value : values) value = random.below(kPrime);
  return values;
}

template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(value + 0.0);
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value + 0.0F);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

class LineSums {
 public:
  explicit LineSums(std::int64_t n) : x_(drawn(n, 1)), y_(drawn(n, 2)) {}

  /// values: [n]. Sums of up to 2^32 products of 32 by 61 bits fit 128 bits.
  template <class T>
  graph::MirrorSums sums(const T* values, std::int64_t line) const {
    constexpr bool kWide = sizeof(T) == 8;
    Wide with_x = 0, with_y = 0, high_with_x = 0, high_with_y = 0;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const std::uint64_t bits = bits_of(values[j]), low = bits & 0xFFFFFFFFu;
      with_x += static_cast<Wide>(low) * x_[j];
      with_y += static_cast<Wide>(low) * y_[j];
      if constexpr (kWide) {
        high_with_x += static_cast<Wide>(bits >> 32) * x_[j];
        high_with_y += static_cast<Wide>(bits >> 32) * y_[j];
      }
    }
    return {across(line, with_x, with_y), kWide ? across(line, high_with_x, high_with_y) : 0};
  }

 private:
  std::uint64_t across(std::int64_t line, Wide with_x, Wide with_y) const {
    const auto i = static_cast<std::size_t>(line);
    return difference(product(x_[i], reduced(with_y)), product(y_[i], reduced(with_x)));
  }

  std::vector<std::uint64_t> x_, y_;
};

}  // namespace

std::optional<Edge> find_unmirrored(const Graph& graph, int threads) {
  const WeightMatrix* const matrix = graph.matrix();
  if (matrix == nullptr) return find_unmirrored_in_rows(graph);
  const auto place = graph::find_asymmetry({matrix->data, matrix->n, matrix->n, matrix->type},
                                           system::thread_count(threads));
  graph.release_pages();
  if (!place) return std::nullopt;
  std::optional<Edge> lone;
  const auto look_for = [&](Vertex u, Vertex v) {
    if (lone) return;
    graph.for_each_arc_between(u, v, [&](double weight) { lone = Edge{u, v, weight}; });
  };
  const auto row = static_cast<Vertex>(place->row), col = static_cast<Vertex>(place->col);
  look_for(row, col);
  look_for(col, row);
  return lone;
}

}  // namespace apsp

namespace apsp::graph {
void MirrorSums::add(const MirrorSums& other) {
  low = sum(low, other.low);
  high = sum(high, other.high);
}

MirrorSums mirror_sums(const WeightMatrix& matrix, Lines lines, int threads) {
  const LineSums line_sums(matrix.n);
  std::vector<MirrorSums> parts(static_cast<std::size_t>(threads));
  matrix.with_type([&]<class T>() {
    const T* const data = static_cast<const T*>(matrix.data);
    for_each_band(matrix, lines, threads, [&](std::int64_t first, std::int64_t count, int member) {
      MirrorSums band;
      for (std::int64_t line = first; line < first + count; ++line) {
        band.add(line_sums.sums(data + line * matrix.n, line));
      }
      parts[static_cast<std::size_t>(member)].add(band);
    });
  });
  MirrorSums all;
  for (const MirrorSums& part : parts) all.add(part);
  return all;
}

}  // namespace apsp::graph
