// Distances of many pairs: one by one, or from the rows of their sources.
#include <algorithm>
#include <numeric>

#include "api/result_state.hpp"
#include "base/control.hpp"
#include "base/machine.hpp"
#include "base/team.hpp"
#include "query/paths.hpp"

namespace apsp {
namespace {

/// A row of a factor takes as long as so many pairs (bench/results/sparse.md, pairs and
/// rows of a factor).
constexpr std::int64_t kPairsOfAFactorsRow = 50;
/// A value of a matrix, found alone, takes as long as so many of a row.
constexpr std::int64_t kValuesOfAPair = 64;

/// Pairs of one source, by their numbers.
using Group = std::span<const std::size_t>;

}  // namespace

std::vector<double> Result::distances(std::span<const VertexPair> pairs,
                                      const Control& control) const {
  const std::int64_t n = state_->columns->count();
  const store::Store& store = state_->matrix();
  for (const VertexPair& pair : pairs) {
    state_->row_of(pair.from);
    state_->column_of(pair.to);
  }
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pairs[a].from < pairs[b].from; });
  std::vector<Group> groups;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && pairs[order[last]].from == pairs[order[first]].from) ++last;
    groups.emplace_back(order.data() + first, last - first);
  }
  const std::int64_t worth_a_row =
      state_->factor != nullptr ? kPairsOfAFactorsRow : n / kValuesOfAPair;
  std::vector<double> found(pairs.size());
  base::ProgressTask progress(control, "distances", static_cast<double>(pairs.size()), "pair");
  base::share_items(std::ssize(groups), base::thread_count(0), [&](std::int64_t item) {
    base::check_cancelled(control);
    const Group group = groups[static_cast<std::size_t>(item)];
    const std::int64_t row_at = state_->row_of(pairs[group.front()].from);
    const auto column = [&](std::size_t i) { return state_->column_of(pairs[i].to); };
    if (std::ssize(group) > worth_a_row) {
      const std::vector<double> row = query::read_row(store, row_at);
      for (const std::size_t i : group) found[i] = row[static_cast<std::size_t>(column(i))];
    } else {
      for (const std::size_t i : group) found[i] = query::read_value(store, row_at, column(i));
    }
    progress.advance(static_cast<double>(group.size()));
  });
  return found;
}

}  // namespace apsp
