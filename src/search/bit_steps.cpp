#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/bit_steps.cpp"
#include "base/targets.hpp"
// base/targets.hpp chooses the instruction sets before this.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/value_types.hpp"
#include "search/bit_steps.hpp"
#include "semiring/semirings.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::search::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::CappedTag<std::uint64_t, 8>;

HWY_INLINE void join(SourceBits& into, const SourceBits& bits) {
  const Words d;
  for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
    hn::Store(hn::Or(hn::Load(d, into.words + i), hn::Load(d, bits.words + i)), d, into.words + i);
  }
}
/// into ← bits & ~without. Returns whether it is nonzero.
HWY_INLINE bool leave_out(const SourceBits& bits, const SourceBits& without, SourceBits& into) {
  const Words d;
  auto any = hn::Zero(d);
  for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
    const auto rest = hn::AndNot(hn::Load(d, without.words + i), hn::Load(d, bits.words + i));
    hn::Store(rest, d, into.words + i);
    any = hn::Or(any, rest);
  }
  return !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}
HWY_INLINE bool is_zero(const SourceBits& bits) {
  const Words d;
  auto any = hn::Zero(d);
  for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) any = hn::Or(any, hn::Load(d, bits.words + i));
  return hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}

/// The sources `found` reach v first on this level.
HWY_INLINE void record(const LevelStep& step, Vertex v, const SourceBits& found) {
  join(step.seen[v], found);
  SourceBits missing;
  step.full[v] = leave_out(step.sources, step.seen[v], missing) ? 0 : 1;
  const std::int64_t n = step.links->vertices();
  for (auto digits = static_cast<std::uint64_t>(step.level); digits != 0; digits &= digits - 1) {
    join(step.planes[std::countr_zero(digits) * n + v], found);
  }
}

std::int64_t pull(const LevelStep& step) {
  // Vertices with many neighbours are full after a few. A check costs as much as one neighbour.
  constexpr std::ptrdiff_t kBetweenLooks = 8;
  const auto n = static_cast<Vertex>(step.links->vertices());
  std::int64_t count = 0;
  for (Vertex v = 0; v < n; ++v) {
    if (step.full[v] != 0) continue;
    const std::span<const Vertex> before = step.links->of(v);
    SourceBits found{};
    SourceBits missing;
    leave_out(step.sources, step.seen[v], missing);
    for (auto u = before.begin(); u != before.end();) {
      const auto stop = u + std::min(kBetweenLooks, before.end() - u);
      for (; u != stop; ++u) join(found, step.frontier[*u]);
      SourceBits left;
      if (u != before.end() && !leave_out(missing, found, left)) break;
    }
    if (!leave_out(found, step.seen[v], found)) continue;
    step.next[v] = found;
    record(step, v, found);
    step.reached[count++] = v;
  }
  return count;
}

std::int64_t push(const LevelStep& step) {
  std::int64_t count = 0;
  for (const Vertex v : step.from) {
    for (const Vertex to : step.links->of(v)) {
      if (step.full[to] != 0) continue;
      SourceBits found;
      if (!leave_out(step.frontier[v], step.seen[to], found)) continue;
      if (is_zero(step.next[to])) step.reached[count++] = to;
      join(step.next[to], found);
    }
  }
  for (std::int64_t i = 0; i < count; ++i) {
    record(step, step.reached[i], step.next[step.reached[i]]);
  }
  return count;
}

void flow(const Links& before, SourceBits* into) {
  const auto n = static_cast<Vertex>(before.vertices());
  for (Vertex v = 0; v < n; ++v) {
    for (const Vertex u : before.of(v)) join(into[v], into[u]);
  }
}

/// Transposes 64 × 64 bits (Warren 2012, §7-3).
HWY_INLINE void transpose(std::uint64_t* words) {
  std::uint64_t mask = 0x00000000FFFFFFFFU;
  for (std::size_t half = 32; half != 0; half /= 2, mask ^= mask << half) {
    for (std::size_t block = 0; block < 64; block += 2 * half) {
      for (std::size_t i = block; i < block + half; ++i) {
        const std::uint64_t change = (words[i] >> half ^ words[i + half]) & mask;
        words[i] ^= change << half;
        words[i + half] ^= change;
      }
    }
  }
}

/// bytes[v] |= digit for each set bit v.
HWY_INLINE void add_digit(std::uint64_t bits, std::uint8_t digit, std::uint8_t* bytes) {
  const hn::CappedTag<std::uint8_t, 64> d;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const std::uint64_t from_here = bits >> i;
    std::uint8_t mask_bytes[8];
    std::memcpy(mask_bytes, &from_here, 8);
    const auto mask = hn::LoadMaskBits(d, mask_bytes);
    const auto value = hn::IfThenElseZero(mask, hn::Set(d, digit));
    hn::Store(hn::Or(hn::Load(d, bytes + i), value), d, bytes + i);
  }
}

template <class S>
HWY_INLINE void write_values(std::uint64_t seen, const std::uint64_t (*planes)[64], int plane_count,
                             std::size_t source, std::int64_t count, typename S::Value* row) {
  using T = typename S::Value;
  alignas(64) std::uint8_t reached[64] = {}, low[64] = {}, high[64] = {};
  alignas(64) T values[64];
  add_digit(seen, 1, reached);
  for (int j = 0; j < std::min(plane_count, 8); ++j) {
    add_digit(planes[j][source], static_cast<std::uint8_t>(1 << j), low);
  }
  if constexpr (S::kKind == Semiring::or_and) {
    for (std::size_t v = 0; v < 64; ++v) values[v] = reached[v];
  } else if (plane_count <= 8) {
    for (std::size_t v = 0; v < 64; ++v) {
      values[v] = reached[v] != 0 ? static_cast<T>(low[v]) : S::zero();
    }
  } else {
    for (int j = 8; j < std::min(plane_count, 16); ++j) {
      add_digit(planes[j][source], static_cast<std::uint8_t>(1 << (j - 8)), high);
    }
    for (std::size_t v = 0; v < 64; ++v) {
      std::int32_t level = low[v] + 256 * high[v];
      for (int j = 16; j < plane_count; ++j) {
        level |= static_cast<std::int32_t>(planes[j][source] >> v & 1) << j;
      }
      values[v] = reached[v] != 0 ? static_cast<T>(level) : S::zero();
    }
  }
  if (count == 64) {
    std::memcpy(row, values, sizeof(values));
  } else {
    std::copy(values, values + count, row);
  }
}

/// Word `word` of the lines of `count` vertices, transposed: one word for each source.
HWY_INLINE void transpose(const SourceBits* lines, std::int64_t count, std::int64_t word,
                          std::uint64_t* reversed) {
  for (std::int64_t v = 0; v < count; ++v) reversed[v] = lines[v].words[word];
  std::fill(reversed + count, reversed + 64, 0);
  transpose(reversed);
}

template <class S>
void write(const BitRows& to) {
  auto* const rows = static_cast<typename S::Value*>(to.rows);
  alignas(64) std::uint64_t seen[64], planes[32][64];
  for (std::int64_t v = 0; v < to.n; v += 64) {
    const std::int64_t count = std::min<std::int64_t>(64, to.n - v);
    for (std::int64_t first = 0; first < to.sources; first += 64) {
      transpose(to.seen + v, count, first / 64, seen);
      for (int j = 0; j < to.plane_count; ++j) {
        transpose(to.planes + j * to.n + v, count, first / 64, planes[j]);
      }
      const std::int64_t last = std::min<std::int64_t>(64, to.sources - first);
      for (std::int64_t i = 0; i < last; ++i) {
        const auto source = static_cast<std::size_t>(i);
        write_values<S>(seen[i], planes, to.plane_count, source, count,
                        rows + (first + i) * to.stride + v);
      }
    }
    std::fill(to.seen + v, to.seen + v + count, SourceBits{});
    for (int j = 0; j < to.plane_count; ++j) {
      SourceBits* const plane = to.planes + j * to.n + v;
      std::fill(plane, plane + count, SourceBits{});
    }
  }
}

BitSteps bit_steps(ValueType type) {
  return base::with_type(type, []<class T>() -> BitSteps {
    if constexpr (sizeof(T) == 1) {
      return {&pull, &push, &flow, &write<semiring::OrAnd<T>>};
    } else {
      return {&pull, &push, &flow, &write<semiring::MinPlus<T>>};
    }
  });
}

}  // namespace apsp::search::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::search {

HWY_EXPORT(bit_steps);

BitSteps bit_steps(ValueType type) { return HWY_DYNAMIC_DISPATCH(bit_steps)(type); }

}  // namespace apsp::search
#endif
