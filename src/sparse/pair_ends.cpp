#include "sparse/pair_ends.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "system/threads.hpp"

namespace apsp::sparse {

std::vector<Position> distinct_ends(const Tree& tree, std::span<const VertexPair> pairs, End end) {
  constexpr std::size_t kFewInOrder = 32;  // one in so many vertices: they are sorted instead
  std::vector<Position> ends;
  if (pairs.size() < static_cast<std::size_t>(tree.vertices()) / kFewInOrder) {
    for (const VertexPair& pair : pairs) ends.push_back(position_at(tree, pair, end));
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }
  constexpr Position kBits = 64;
  std::vector<std::uint64_t> seen(static_cast<std::size_t>(tree.vertices() / kBits + 1));
  for (const VertexPair& pair : pairs) {
    const Position p = position_at(tree, pair, end);
    at(seen, p / kBits) |= std::uint64_t{1} << (p % kBits);
  }
  for (Position first = 0; first < tree.vertices(); first += kBits) {
    for (std::uint64_t left = at(seen, first / kBits); left != 0; left &= left - 1) {
      ends.push_back(first + std::countr_zero(left));
    }
  }
  return ends;
}

namespace {

/// Returns positions that divide the pairs into about equally many, ascending.
std::vector<Position> dividers(const Tree& tree, std::span<const VertexPair> pairs, End end,
                               std::int64_t parts) {
  constexpr std::size_t kLooks = 4096;
  std::vector<Position> looks;
  for (std::size_t i = 0; i < pairs.size(); i += 1 + pairs.size() / kLooks) {
    looks.push_back(position_at(tree, pairs[i], end));
  }
  std::sort(looks.begin(), looks.end());
  std::vector<Position> dividers;
  for (std::int64_t part = 1; part < parts; ++part) {
    dividers.push_back(at(looks, part * std::ssize(looks) / parts));
  }
  return dividers;
}

}  // namespace

PairsByEnd::PairsByEnd(const Tree& tree, std::span<const VertexPair> pairs, End end,
                       const std::function<bool(const VertexPair&)>& takes, int threads) {
  const std::int64_t parts = threads == 1 || pairs.empty() ? 1 : std::int64_t{8} * threads,
                     count = std::ssize(pairs);
  const std::vector<Position> dividing = dividers(tree, pairs, end, parts);
  // [threads, parts] the place of the next pair of a part that a thread finds
  std::vector<std::int64_t> next(static_cast<std::size_t>(threads * parts));
  const auto visit = [&](auto&& act) {
    system::parallel_for(threads, threads, 1, [&](std::int64_t share) {
      for (std::int64_t i = share * count / threads; i < (share + 1) * count / threads; ++i) {
        const VertexPair& pair = at(pairs, i);
        if (!takes(pair)) continue;
        const Position p = position_at(tree, pair, end);
        const auto part = std::upper_bound(dividing.begin(), dividing.end(), p) - dividing.begin();
        act(at(next, share * parts + part), PairEnd{p, static_cast<std::uint32_t>(i)});
      }
    });
  };
  visit([](std::int64_t& place, PairEnd) { ++place; });
  std::int64_t placed = 0;
  for (std::int64_t part = 0; part < parts; ++part) {
    begin_.push_back(placed);
    for (std::int64_t share = 0; share < threads; ++share) {
      placed += std::exchange(at(next, share * parts + part), placed);
    }
  }
  begin_.push_back(placed);
  entries_.resize(static_cast<std::size_t>(begin_.back()));
  visit([this](std::int64_t& place, PairEnd entry) { at(entries_, place++) = entry; });
}

std::span<PairEnd> PairsByEnd::sorted(std::int64_t part) {
  const std::span<PairEnd> entries(entries_.data() + at(begin_, part),
                                   entries_.data() + at(begin_, part + 1));
  if (!std::is_sorted(entries.begin(), entries.end())) std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace apsp::sparse
