#include "paths/via_path.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/statistics.hpp>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "base/control.hpp"
#include "paths/paths.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::paths {
namespace {

using store::Plane;

constexpr std::int32_t kNoVia = -1;

[[noreturn]] void circle(std::int64_t i, std::int64_t j) {
  throw Error(ErrorKind::input,
              fmt::format("the intermediate vertices from vertex number {} to {} lead in a circle: "
                          "the matrix is damaged, or rounded sums of negative weights closed it; "
                          "paths from the distances need no such matrix",
                          i, j));
}

/// `head` ← head · tail without the cycles that this closes. Requires: tail begins where head ends.
void join(std::vector<Vertex>& head, const std::vector<Vertex>& tail) {
  const std::unordered_set<Vertex> in_tail(tail.begin(), tail.end());
  const auto meeting =
      std::find_if(head.begin(), head.end(), [&](Vertex v) { return in_tail.contains(v); });
  const auto rest = std::find(tail.begin(), tail.end(), *meeting);
  head.erase(meeting, head.end());
  head.insert(head.end(), rest, tail.end());
}

/// Expands pairs on an explicit stack. A path moves to the first pair that uses it, so memory is
/// O(e). A pair needed again (cycles that cost nothing) is expanded once more and kept.
class Expansion {
 public:
  explicit Expansion(const store::Store& store) : store_(store) {}

  std::vector<Vertex> path(Vertex s, Vertex t) {
    begin({s, t});
    while (!stack_.empty()) step(stack_.back());
    return std::move(known_.at(key({s, t})).path);
  }

 private:
  enum class State { under_way, known, passed_on };
  struct PathEntry {
    std::int32_t via = kNoVia;
    State state = State::under_way;
    bool kept = false;  // copied, not moved, from now on
    std::vector<Vertex> path{};
  };

  static std::uint64_t key(VertexPair pair) { return std::uint64_t{pair.from} << 32 | pair.to; }

  void begin(VertexPair pair) {
    known_[key(pair)] = {.via = read_via(pair)};
    stack_.push_back(pair);
  }

  void step(VertexPair pair) {
    PathEntry& current = known_.at(key(pair));  // stays where it is when the map grows
    if (current.via == kNoVia) {
      current.path = {pair.from, pair.to};
    } else {
      const VertexPair first{pair.from, static_cast<Vertex>(current.via)};
      const VertexPair second{static_cast<Vertex>(current.via), pair.to};
      if (!done(first) || !done(second)) return;
      current.path = take(first);
      join(current.path, take(second));
    }
    current.state = State::known;
    stack_.pop_back();
  }

  /// Whether the half's path is known; if not, expands it next.
  bool done(VertexPair half) {
    const auto at = known_.find(key(half));
    if (at == known_.end()) {
      begin(half);
      return false;
    }
    PathEntry& entry = at->second;
    if (entry.state == State::under_way) circle(half.from, half.to);
    if (entry.state == State::known) return true;
    entry.state = State::under_way;
    entry.kept = true;
    stack_.push_back(half);
    return false;
  }

  /// Requires: the half's path is known.
  std::vector<Vertex> take(VertexPair half) {
    PathEntry& entry = known_.at(key(half));
    if (entry.kept) return entry.path;
    entry.state = State::passed_on;
    return std::move(entry.path);
  }

  std::int32_t read_via(VertexPair pair) const {
    std::int32_t via = kNoVia;
    store_.read(Plane::via, {pair.from, pair.to, 1, 1}, &via, 1);
    const bool inside = via >= kNoVia && via < store_.layout().n;
    if (!inside || via == static_cast<std::int64_t>(pair.from) ||
        via == static_cast<std::int64_t>(pair.to)) {
      circle(pair.from, pair.to);
    }
    return via;
  }

  const store::Store& store_;
  std::unordered_map<std::uint64_t, PathEntry> known_;
  std::vector<VertexPair> stack_;
};

class HopCount {
 public:
  HopCount(const std::int32_t* via, std::int32_t* hops, std::int64_t n, std::int64_t stride)
      : via_(via), hops_(hops), n_(n), stride_(stride) {}

  static constexpr std::int32_t kUnknown = std::numeric_limits<std::int32_t>::min();

  void count(std::int64_t i, std::int64_t j) {
    stack_ = {{i, j}};
    while (!stack_.empty()) step(stack_.back());
  }

 private:
  static constexpr std::int32_t kUnderWay = kUnknown + 1;
  struct VertexPair {
    std::int64_t i, j;
  };

  std::int32_t& hops(VertexPair pair) const { return hops_[pair.i * stride_ + pair.j]; }

  void step(VertexPair pair) {
    std::int32_t& own = hops(pair);
    if (own >= -1) return stack_.pop_back();
    const std::int64_t k = via_[pair.i * stride_ + pair.j];
    if (k == kNoVia) {
      own = 1;
      return stack_.pop_back();
    }
    if (k < 0 || k >= n_ || k == pair.i || k == pair.j) circle(pair.i, pair.j);
    const std::int32_t first = hops({pair.i, k}), second = hops({k, pair.j});
    if (first == kUnderWay || second == kUnderWay) circle(pair.i, pair.j);
    if (first == kUnknown || second == kUnknown) {
      own = kUnderWay;
      stack_.push_back(first == kUnknown ? VertexPair{pair.i, k} : VertexPair{k, pair.j});
      return;
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    own = static_cast<std::int32_t>(std::min(kMost, std::int64_t{first} + second));
    stack_.pop_back();
  }

  const std::int32_t* via_;  // [n, stride]
  std::int32_t* hops_;       // [n, stride]
  std::int64_t n_, stride_;
  std::vector<VertexPair> stack_;
};

}  // namespace

std::vector<Vertex> path_from_via(const store::Store& store, Vertex s, Vertex t) {
  if (!store.holds(Plane::via)) {
    throw Error(ErrorKind::usage, "this result holds no intermediate vertices: solve with via");
  }
  for (const Vertex v : {s, t}) require_place(store.layout().n, v);
  if (s == t) return {s};
  if (read_value(store, s, t) == no_path_of_rows(store.layout().semiring)) return {};
  return Expansion(store).path(s, t);
}

void write_hops(store::Store& store, const Control& control) {
  const store::Layout& layout = store.layout();
  const std::int64_t n = layout.n, stride = store.stride();
  auto* const hops = static_cast<std::int32_t*>(store.data(Plane::hops));
  const auto* const via = static_cast<const std::int32_t*>(store.data(Plane::via));
  semiring::dispatch(layout.semiring, layout.type, [&]<class S>() {
    const auto* const distance = static_cast<const typename S::Value*>(store.data(Plane::distance));
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const std::int64_t at = i * stride + j;
        hops[at] = distance[at] == S::zero() ? -1 : HopCount::kUnknown;
      }
      hops[i * stride + i] = 0;
    }
  });
  base::ProgressTask task(control, "hops", static_cast<double>(n), "row");
  HopCount counter(via, hops, n, stride);
  for (std::int64_t i = 0; i < n; ++i) {
    base::check_cancelled(control);
    for (std::int64_t j = 0; j < n; ++j) counter.count(i, j);
    task.advance(1);
  }
}

}  // namespace apsp::paths
