#include "reference/recursion.hpp"

namespace apsp::reference {
namespace {

Parts parts_through(Pair pair, std::int64_t via) {
  Parts parts;
  if (via < 0) return parts;
  const auto k = static_cast<Vertex>(via);
  parts.add({pair.from, k});
  parts.add({k, pair.to});
  return parts;
}

}  // namespace

Recursion::Recursion(const PairClaim& pairs, bool falls)
    : pairs_(&pairs),
      falls_(falls),
      n_(static_cast<std::size_t>(pairs.claim.graph.vertex_count())),
      states_(n_ * n_) {}

Parts Recursion::parts_to_follow(Pair pair) const {
  if (!pairs_->is_path(pair)) return {};
  const Parts all = parts_through(pair, pairs_->split(pair));
  if (!falls_) return all;
  Parts equal;
  const double measure = pairs_->measure(pair);
  for (std::size_t i = 0; i < all.count; ++i) {
    if (!(pairs_->measure(all.pairs[i]) < measure)) equal.add(all.pairs[i]);
  }
  return equal;
}

void Recursion::search_row(Vertex s, PairChecker& checker) {
  const auto state = [this](Pair pair) -> PairState& { return states_[pair.from * n_ + pair.to]; };
  for (Vertex t = 0; t < n_; ++t) {
    if (s == t) continue;
    follow(
        {s, t}, stack_, state, [this](Pair pair) { return parts_to_follow(pair); },
        [&](Pair pair) { checker.count_circle(s, pair); });
  }
}

void Walks::begin(Vertex source) {
  source_ = source;
  known_.clear();
}

void Walks::check_path_to(Vertex t) {
  const auto parts = [this](Pair pair) {
    PairEntry& own = entry(pair);
    if (!own.checked) own.via = checker_.check(source_, pair);
    own.checked = true;
    return parts_through(pair, own.via);
  };
  follow(
      {source_, t}, stack_, [this](Pair pair) -> PairState& { return entry(pair).state; }, parts,
      [this](Pair pair) { checker_.count_circle(source_, pair); });
}

}  // namespace apsp::reference
