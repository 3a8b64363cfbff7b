#include "program/random_graph.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "base/random.hpp"
#include "system/threads.hpp"

namespace apsp::bench {
namespace {

using kernels::ConstView;
using kernels::View;

constexpr std::int64_t kRun = RandomWords::kRun;
constexpr std::int32_t kNoArc = 1 << 29;  // no arc, no path: the sum of two still fits
constexpr std::int32_t kWrong = -1;       // no distance: a fraction, negative, or too large
constexpr std::int64_t kSourcesChecked = 8, kSourcesSearched = 64;
constexpr std::int64_t kProbes = 1 << 20, kProbesOfItem = 1 << 12;
constexpr std::int64_t kArcs = 2;  // of a vertex, or-and

template <class T>
const T& entry(ConstView matrix, std::int64_t i, std::int64_t j) {
  return static_cast<const T*>(matrix.data)[i * matrix.stride + j];
}

template <class T>
std::int32_t whole(T value) {
  if (value == semiring::MinPlus<T>::zero()) return kNoArc;
  const auto number = static_cast<double>(value);
  if (!(number >= 0 && number < kNoArc)) return kWrong;
  const auto integer = static_cast<std::int32_t>(number);
  return integer == number ? integer : kWrong;
}

bool reached(const std::uint32_t* row, std::int64_t j) { return (row[j / 32] >> j % 32 & 1) != 0; }

}  // namespace

RandomGraph::RandomGraph(const RandomGraphOptions& options)
    : options_(options), random_(options.n, options.n, options.seed, options.symmetric) {
  if (options.semiring != Semiring::or_and) return;
  base::SplitMix64 random(options.seed);
  heads_.resize(static_cast<std::size_t>(options.n * kArcs));
  for (std::int64_t& head : heads_) {
    head = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(options.n)));
  }
}

std::int32_t RandomGraph::weight_of(std::uint32_t word) const {
  if (word % 8 == 0 && !options_.complete) return kNoArc;
  const int shift = options_.type == ValueType::u16 ? 32 - 13 : 32 - 22;
  return static_cast<std::int32_t>(1 + (word >> shift));
}

std::int32_t RandomGraph::weight(std::int64_t u, std::int64_t v) const {
  return weight_of(random_(u, v));
}

void RandomGraph::fill(View matrix, int threads) const {
  if (options_.semiring != Semiring::or_and) {
    with_sums(options_.type, [&]<class S>() {
      using T = typename S::Value;
      system::parallel_for(n(), threads, [&](std::int64_t i) {
        fill_row(i, 0, n(), static_cast<T*>(matrix.data) + i * matrix.stride);
      });
    });
    return;
  }
  system::parallel_for(n(), threads, [&](std::int64_t i) {
    const auto set = [&](std::int64_t j) {
      if (options_.bits) {
        static_cast<std::uint32_t*>(matrix.data)[i * matrix.stride + j / 32] |= 1u << j % 32;
      } else {
        static_cast<std::uint8_t*>(matrix.data)[i * matrix.stride + j] = 1;
      }
    };
    const std::int64_t size = options_.bits ? 4 : 1;
    std::memset(static_cast<std::byte*>(matrix.data) + i * matrix.stride * size, 0,
                static_cast<std::size_t>(matrix.cols * size));
    set(i);
    for (std::int64_t a = 0; a < kArcs; ++a) set(heads_[static_cast<std::size_t>(i * kArcs + a)]);
  });
}

Verdict RandomGraph::check(ConstView solved, ConstView via, int threads) const {
  if (options_.semiring == Semiring::or_and) return check_reach(solved, threads);
  const std::int64_t row_bytes = n() * size_of(options_.type);
  std::vector<std::byte> rows;
  for (const std::int64_t source : sources()) {
    const auto* const row = static_cast<const std::byte*>(solved.data) +
                            source * solved.stride * size_of(options_.type);
    rows.insert(rows.end(), row, row + row_bytes);
  }
  Verdict verdict = check_rows({rows.data(), std::ssize(sources()), n(), n()}, threads);
  with_sums(options_.type, [&]<class S>() {
    verdict.add(check_triples<typename S::Value>(solved, via, threads));
  });
  return verdict;
}

std::vector<std::int64_t> RandomGraph::sources() const {
  const std::int64_t count = std::min(kSourcesChecked, n());
  std::vector<std::int64_t> all;
  for (std::int64_t s = 0; s < count; ++s) all.push_back((s * n() + n() / 2) / count);
  return all;
}

Verdict RandomGraph::check_rows(ConstView solved, int threads) const {
  const std::vector<std::int64_t> source = sources();
  const std::int64_t count = std::ssize(source);
  std::vector<std::int32_t> rows(static_cast<std::size_t>(count * n()));
  const auto distance = [&](std::int64_t s, std::int64_t v) -> std::int32_t& {
    return rows[static_cast<std::size_t>(s * n() + v)];
  };
  with_sums(options_.type, [&]<class S>() {
    for (std::int64_t s = 0; s < count; ++s) {
      for (std::int64_t v = 0; v < n(); ++v) {
        distance(s, v) = whole(entry<typename S::Value>(solved, s, v));
      }
    }
  });
  std::atomic<bool> right{true};
  system::parallel_for((n() + kRun - 1) / kRun, threads, 1, [&](std::int64_t item) {
    const std::int64_t first = item * kRun;
    std::array<std::array<std::int32_t, kRun>, kSourcesChecked> least;
    for (auto& row : least) row.fill(kNoArc);
    std::array<std::uint32_t, kRun> words;
    std::array<std::int32_t, kRun> weights;
    for (std::int64_t u = 0; u < n(); ++u) {
      random_.run(u, first, words.data());
      for (std::size_t c = 0; c < kRun; ++c) weights[c] = weight_of(words[c]);
      // An arc to itself is none.
      if (u >= first && u < first + kRun) weights[static_cast<std::size_t>(u - first)] = kNoArc;
      for (std::int64_t s = 0; s < count; ++s) {
        const std::int32_t until = distance(s, u);
        auto& best = least[static_cast<std::size_t>(s)];
        for (std::size_t c = 0; c < kRun; ++c) best[c] = std::min(best[c], until + weights[c]);
      }
    }
    for (std::int64_t s = 0; s < count; ++s) {
      for (std::int64_t v = first; v < std::min(first + kRun, n()); ++v) {
        const std::int32_t found =
            least[static_cast<std::size_t>(s)][static_cast<std::size_t>(v - first)];
        if (distance(s, v) != (v == source[static_cast<std::size_t>(s)] ? 0 : found)) right = false;
      }
    }
  });
  return {right, count * n()};
}

template <class T>
Verdict RandomGraph::check_triples(ConstView solved, ConstView via, int threads) const {
  if (n() == 0) return {};
  const auto holds = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const std::int32_t there = whole(entry<T>(solved, i, j));
    const std::int32_t to = whole(entry<T>(solved, i, k));
    const std::int32_t from = whole(entry<T>(solved, k, j));
    const std::int32_t arc = i == j ? 0 : weight(i, j);
    const bool possible = there >= (i == j ? 0 : 1) && to >= 0 && from >= 0;
    if (!possible || there > to + from || there > arc) return false;
    if (via.data == nullptr) return true;
    const std::int64_t middle = entry<std::int32_t>(via, i, j);
    if (middle == kernels::kNoVia) return there == arc;
    if (middle < 0 || middle >= n() || middle == i || middle == j) return false;
    return there == whole(entry<T>(solved, i, middle)) + whole(entry<T>(solved, middle, j));
  };
  std::atomic<bool> right{true};
  system::parallel_for(kProbes / kProbesOfItem, threads, [&](std::int64_t item) {
    // Streams of neighbouring seeds would be the same stream, one number apart.
    base::SplitMix64 seeds(options_.seed * 0x632BE59BD9B4E019u + static_cast<std::uint64_t>(item));
    base::SplitMix64 random(seeds.next());
    const auto vertex = [&] {
      return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n())));
    };
    for (std::int64_t p = 0; p < kProbesOfItem; ++p) {
      const std::int64_t i = vertex(), j = vertex(), k = vertex();
      if (!holds(i, j, k)) right = false;
    }
  });
  return {right, kProbes};
}

Verdict RandomGraph::check_reach(ConstView solved, int threads) const {
  const std::int64_t count = std::min(kSourcesSearched, n()), words = (n() + 31) / 32;
  std::atomic<bool> right{true};
  system::parallel_for(count, threads, 1, [&](std::int64_t s) {
    const std::int64_t source = s * n() / count;
    std::vector<std::uint32_t> expected(static_cast<std::size_t>(words), 0);
    const auto set = [&](std::int64_t v) {
      expected[static_cast<std::size_t>(v / 32)] |= 1u << v % 32;
    };
    std::vector<std::int64_t> queue{source};
    set(source);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (std::int64_t a = 0; a < kArcs; ++a) {
        const std::int64_t v = heads_[static_cast<std::size_t>(queue[next] * kArcs + a)];
        if (reached(expected.data(), v)) continue;
        set(v);
        queue.push_back(v);
      }
    }
    for (std::int64_t v = 0; v < n(); ++v) {
      const bool found = options_.bits ? reached(&entry<std::uint32_t>(solved, source, 0), v)
                                       : entry<std::uint8_t>(solved, source, v) != 0;
      if (found != reached(expected.data(), v)) right = false;
    }
  });
  return {right, count * n()};
}

}  // namespace apsp::bench
