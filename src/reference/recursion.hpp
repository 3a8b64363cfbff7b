// From pairs to the parts that via splits them into, each pair once, on a stack of its own: finds
// pairs that are parts of themselves. A depth-first search with three states; O(pairs reached).
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reference/pair_checks.hpp"

namespace apsp::reference {

enum class PairState : std::uint8_t { unseen, under_way, done };

/// Up to two pairs.
struct Parts {
  std::array<Pair, 2> pairs{};
  std::size_t count = 0;
  void add(Pair pair) { pairs[count++] = pair; }
};

/// `state(pair)`: a reference that stays; `parts(pair)`: what to follow; `circle(pair)`: a part of
/// this pair is under way.
template <class State, class PartsOf, class Circle>
void follow(Pair start, std::vector<Pair>& stack, State&& state, PartsOf&& parts, Circle&& circle) {
  stack.assign(1, start);
  while (!stack.empty()) {
    const Pair pair = stack.back();
    PairState& own = state(pair);
    if (own == PairState::done) {
      stack.pop_back();
      continue;
    }
    const Parts next = parts(pair);
    own = PairState::under_way;
    bool waits = false;
    for (std::size_t i = 0; i < next.count && !waits; ++i) {
      const PairState part = state(next.pairs[i]);
      if (part == PairState::under_way) {
        circle(pair);
        break;
      }
      waits = part == PairState::unseen;
      if (waits) stack.push_back(next.pairs[i]);
    }
    if (waits) continue;
    own = PairState::done;
    stack.pop_back();
  }
}

/// Searches all pairs for circles, given that every pair alone is right. Memory: a byte a pair.
class Recursion {
 public:
  /// `falls`: nowhere is a part's measure larger than the whole's. Then a circle can only lead
  /// through parts of equal measure, and others are not followed.
  Recursion(const PairClaim& pairs, bool falls);

  /// From every pair of the row.
  void search_row(Vertex s, PairChecker& checker);

 private:
  Parts parts_to_follow(Pair pair) const;

  const PairClaim* pairs_;
  bool falls_;
  std::size_t n_;
  std::vector<PairState> states_;  // [n, n]
  std::vector<Pair> stack_;
};

/// Checks the paths from one source, down to their edges.
class Walks {
 public:
  explicit Walks(const PairClaim& pairs) : checker_(pairs) {}

  void begin(Vertex source);
  void check_path_to(Vertex t);
  Tally& tally() { return checker_.tally(); }
  std::int64_t pairs_checked() { return tally().of(Check::via).tested; }

 private:
  struct PairEntry {
    PairState state = PairState::unseen;
    std::int64_t via = -1;
    bool checked = false;
  };
  PairEntry& entry(Pair pair) { return known_[std::uint64_t{pair.from} << 32 | pair.to]; }

  PairChecker checker_;
  Vertex source_ = 0;
  std::unordered_map<std::uint64_t, PairEntry> known_;
  std::vector<Pair> stack_;
};

}  // namespace apsp::reference
