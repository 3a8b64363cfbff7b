#include "sparse/grouped_pairs.hpp"

#include <algorithm>
#include <vector>

#include "base/control.hpp"
#include "sparse/pairs_method.hpp"
#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

class PairsByGroups {
 public:
  PairsByGroups(const FactorRows& rows, std::span<const VertexPair> pairs, End by,
                const TakePair& take)
      : rows_(rows),
        tree_(rows.factor().tree()),
        size_(static_cast<std::size_t>(size_of(rows.type()))),
        pairs_(pairs),
        by_(by),
        take_(take) {}

  /// `group`: pairs with the same vertex at this end. Leaves them in another order.
  void answer(std::span<PairEnd> group, int threads) const {
    rows_.query([&](FactorQuery& query) {
      if (group.size() < kFewestOfAGroup) return by_queries(query, group);
      if (worth_a_row(tree_, changes(group))) return by_row(query, group, threads);
      sweep(query, group);
    });
  }

 private:
  /// The number of other ends, without those that are equal to the one before.
  std::size_t changes(std::span<const PairEnd> group) const {
    const auto other = [&](const PairEnd& one) {
      return vertex_at(pairs_[one.pair], opposite(by_));
    };
    std::size_t count = 1;
    for (std::size_t i = 1; i < group.size(); ++i) {
      if (other(group[i]) != other(group[i - 1])) ++count;
    }
    return count;
  }

  void by_queries(FactorQuery& query, std::span<const PairEnd> group) const {
    std::byte value[sizeof(double)];
    for (const PairEnd& entry : group) {
      query.distance(pairs_[entry.pair].from, pairs_[entry.pair].to, value);
      take_(entry.pair, value);
    }
  }

  void by_row(FactorQuery& query, std::span<const PairEnd> group, int threads) const {
    std::vector<std::byte> row(static_cast<std::size_t>(tree_.vertices()) * size_);
    query.row(vertex_at(pairs_[group.front().pair], by_), by_, row.data(), threads);
    for (const PairEnd& entry : group) {
      take_(entry.pair, row.data() + vertex_at(pairs_[entry.pair], opposite(by_)) * size_);
    }
  }

  void sweep(FactorQuery& query, std::span<PairEnd> group) const {
    for (PairEnd& entry : group) {
      entry.position = position_at(tree_, pairs_[entry.pair], opposite(by_));
    }
    if (!std::is_sorted(group.begin(), group.end())) std::sort(group.begin(), group.end());
    std::vector<Position> others;
    for (const PairEnd& entry : group) others.push_back(entry.position);
    std::vector<std::byte> values(group.size() * size_);
    query.distances(vertex_at(pairs_[group.front().pair], by_), by_, others, values.data());
    for (std::size_t i = 0; i < group.size(); ++i) take_(group[i].pair, values.data() + i * size_);
  }

  const FactorRows& rows_;
  const Tree& tree_;
  std::size_t size_;
  std::span<const VertexPair> pairs_;
  End by_;
  const TakePair& take_;
};

}  // namespace

void distances_by_groups(const FactorRows& rows, std::span<const VertexPair> pairs, End by,
                         int threads, const Control& control, const TakePair& take) {
  base::ProgressTask progress(control, "distances", static_cast<double>(pairs.size()), "pair");
  PairsByEnd ends(
      rows.factor().tree(), pairs, by, [](const VertexPair&) { return true; }, threads);
  std::vector<std::span<PairEnd>> groups;
  for (std::int64_t part = 0; part < ends.parts(); ++part) {
    for (std::span<PairEnd> left = ends.sorted(part); !left.empty();) {
      const auto last = std::find_if(left.begin(), left.end(), [&](const PairEnd& entry) {
        return entry.position != left.front().position;
      });
      groups.push_back(left.first(static_cast<std::size_t>(last - left.begin())));
      left = left.subspan(groups.back().size());
    }
  }
  const PairsByGroups answering(rows, pairs, by, take);
  const auto threads_of_a_row =
      static_cast<int>(threads / std::clamp<std::int64_t>(std::ssize(groups), 1, threads));
  system::parallel_for(std::ssize(groups), threads, [&](std::int64_t i) {
    base::check_cancelled(control);
    answering.answer(at(groups, i), threads_of_a_row);
    progress.advance(static_cast<double>(at(groups, i).size()));
  });
}

}  // namespace apsp::sparse
