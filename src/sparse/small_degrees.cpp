#include "sparse/small_degrees.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/control.hpp"

namespace apsp::sparse {
namespace {

constexpr Vertex kNobody = ~Vertex{0};
/// After so many vertices of a chain, the next one waits for the next round, which finds a chain
/// that is shorter by this factor. So the tree of a long chain has few levels.
constexpr int kLongestRun = 16;

/// The graph as it shrinks. An edge has an entry in the list of each end, and each entry knows the
/// other: eliminating a vertex of degree 2 turns two edges into one without a search. Parallel
/// edges remain until `merge_parallel`.
class Shrinking {
 public:
  explicit Shrinking(const Pattern& pattern)
      : pattern_(pattern),
        to_(pattern.neighbours),
        twin_(pattern.neighbours.size()),
        degree_(static_cast<std::size_t>(pattern.vertices())),
        gone_(static_cast<std::size_t>(pattern.vertices())),
        left_(degree_.size()) {
    std::iota(left_.begin(), left_.end(), Vertex{0});
    // Lists are sorted, so the lists of later vertices hold v at their next entry.
    std::vector<std::int64_t> next(pattern.offsets.begin(), pattern.offsets.end() - 1);
    for (Vertex v = 0; v < degree_.size(); ++v) {
      base::poll(v);
      degree_[v] = static_cast<std::uint32_t>(pattern.degree(v));
      for (std::int64_t slot = pattern.offsets[v]; slot < pattern.offsets[v + 1]; ++slot) {
        twin(slot) = static_cast<std::uint32_t>(next[to(slot)]++);
      }
    }
  }

  void run(SmallDegrees& found) {
    bool again = true;
    while (again) {
      const bool held = eliminate_round(found.eliminated);
      std::erase_if(left_, [&](Vertex v) { return bool{gone_[v]}; });
      again = merge_parallel() || held;
    }
    keep_rest(found);
  }

 private:
  Vertex& to(std::int64_t slot) { return at(to_, slot); }
  std::uint32_t& twin(std::int64_t slot) { return at(twin_, slot); }

  bool eliminate_round(std::vector<Vertex>& eliminated) {
    held_.assign(degree_.size(), false);
    bool held = false;
    int run_length = 0;
    for (std::size_t i = left_.size(); i > 0; --i) wait(left_[i - 1]);
    while (!waiting_[1].empty() || !waiting_[2].empty()) {
      std::vector<Vertex>& stack = waiting_[waiting_[1].empty() ? 2 : 1];
      const Vertex v = stack.back();
      stack.pop_back();
      if (gone_[v] || held_[v]) continue;
      base::poll(eliminated.size());
      const bool goes_on = v == beside_[0] || v == beside_[1];
      run_length = goes_on ? run_length + 1 : 0;
      if (run_length == kLongestRun) {
        held_[v] = held = true;
        continue;
      }
      eliminate(v);
      eliminated.push_back(v);
    }
    return held;
  }

  void wait(Vertex v) {
    if (!gone_[v] && degree_[v] <= 2) waiting_[degree_[v] <= 1 ? 1 : 2].push_back(v);
  }

  void eliminate(Vertex v) {
    std::array<std::int64_t, 2> edges{};
    std::size_t count = 0;
    for (std::int64_t slot = pattern_.offsets[v]; count < degree_[v]; ++slot) {
      if (to(slot) != kNobody) edges[count++] = slot;
    }
    gone_[v] = true;
    if (count == 2 && to(edges[0]) != to(edges[1])) {
      join(edges[0], edges[1]);
    } else {
      for (std::size_t i = 0; i < count; ++i) drop(twin(edges[i]), to(edges[i]));
    }
    beside_ = {kNobody, kNobody};
    for (std::size_t i = 0; i < count; ++i) {
      beside_[i] = to(edges[i]);
      wait(beside_[i]);
    }
  }

  void join(std::int64_t one, std::int64_t other) {
    to(twin(one)) = to(other);
    to(twin(other)) = to(one);
    const std::uint32_t a = twin(one), b = twin(other);
    twin(a) = b;
    twin(b) = a;
  }

  void drop(std::int64_t slot, Vertex of) {
    to(slot) = kNobody;
    --degree_[of];
  }

  bool merge_parallel() {
    std::vector<Vertex> seen_from(degree_.size(), kNobody);
    bool uncovered = false;
    for (const Vertex v : left_) {
      base::poll(v);
      for_each_edge(v, [&](std::int64_t slot) {
        const Vertex other = to(slot);
        if (seen_from[other] != v) {
          seen_from[other] = v;
          return;
        }
        drop(twin(slot), other);
        drop(slot, v);
        uncovered = uncovered || degree_[other] <= 2 || degree_[v] <= 2;
      });
    }
    return uncovered;
  }

  template <class F>
  void for_each_edge(Vertex v, F&& visit) {
    for (std::int64_t slot = pattern_.offsets[v]; slot < pattern_.offsets[v + 1]; ++slot) {
      if (to(slot) != kNobody) visit(slot);
    }
  }

  void keep_rest(SmallDegrees& found) {
    std::vector<Vertex> place(degree_.size());
    found.rest = std::move(left_);
    for (std::size_t i = 0; i < found.rest.size(); ++i) {
      place[found.rest[i]] = static_cast<Vertex>(i);
    }
    for (const Vertex v : found.rest) {
      base::poll(found.core.offsets.size());
      const auto begin = std::ssize(found.core.neighbours);
      for_each_edge(v,
                    [&](std::int64_t slot) { found.core.neighbours.push_back(place[to(slot)]); });
      std::sort(found.core.neighbours.begin() + begin, found.core.neighbours.end());
      found.core.offsets.push_back(std::ssize(found.core.neighbours));
    }
  }

  const Pattern& pattern_;
  std::vector<Vertex> to_;           // [neighbours]; kNobody: the edge was removed
  std::vector<std::uint32_t> twin_;  // [neighbours] the entry of the same edge at its other end
  std::vector<std::uint32_t> degree_;
  std::vector<bool> gone_;
  std::vector<Vertex> left_;  // ascending, at the beginning of a round
  std::vector<bool> held_;
  std::array<Vertex, 2> beside_ = {kNobody, kNobody};  // neighbours of the last eliminated vertex
  std::array<std::vector<Vertex>, 3> waiting_;         // stacks by degree, 1 and 2
};

}  // namespace

SmallDegrees eliminate_small_degrees(const Pattern& pattern) {
  SmallDegrees found;
  Shrinking(pattern).run(found);
  return found;
}

}  // namespace apsp::sparse
