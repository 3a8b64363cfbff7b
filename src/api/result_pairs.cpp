// Distances of many pairs of a result: one by one, from the rows of their sources, or from labels
// of a factor.
#include <algorithm>
#include <limits>
#include <numeric>

#include "api/result.hpp"
#include "base/control.hpp"
#include "base/machine.hpp"
#include "base/team.hpp"
#include "elimination/hub_label_query.hpp"
#include "elimination/pairs_way.hpp"
#include "paths/paths.hpp"

namespace apsp {
namespace {

/// A value of a matrix, found alone, takes as long as so many of a row.
constexpr std::int64_t kValuesOfAPair = 64;

/// Fewer pairs than these are asked one by one without a look at labels.
constexpr std::size_t kFewPairs = 256;

/// Pairs of one source, by their numbers.
using Group = std::span<const std::size_t>;

/// Asks for the pairs of a source by its row if there are more than `worth_a_row`, or one by one.
std::vector<double> grouped(const Result::State& state, std::span<const VertexPair> pairs,
                            const PairsOptions& options, std::int64_t worth_a_row) {
  const store::Store& store = state.matrix();
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pairs[a].from < pairs[b].from; });
  std::vector<Group> groups;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && pairs[order[last]].from == pairs[order[first]].from) ++last;
    groups.emplace_back(order.data() + first, last - first);
  }
  std::vector<double> found(pairs.size());
  base::ProgressTask progress(options.control, "distances", static_cast<double>(pairs.size()),
                              "pair");
  base::share_items(
      std::ssize(groups), base::thread_count(options.threads), [&](std::int64_t item) {
        base::check_cancelled(options.control);
        const Group group = groups[static_cast<std::size_t>(item)];
        const std::int64_t row_at = state.row_of(pairs[group.front()].from);
        const auto column = [&](std::size_t i) { return state.column_of(pairs[i].to); };
        if (std::ssize(group) > worth_a_row) {
          const std::vector<double> row = paths::read_row(store, row_at);
          for (const std::size_t i : group) found[i] = row[static_cast<std::size_t>(column(i))];
        } else {
          for (const std::size_t i : group) found[i] = paths::read_value(store, row_at, column(i));
        }
        progress.advance(static_cast<double>(group.size()));
      });
  return found;
}

/// What labels may take.
std::int64_t memory_for_labels(const PairsOptions& options) {
  return options.memory > 0 ? options.memory : base::available_memory() / 2;
}

}  // namespace

std::vector<double> Result::distances(std::span<const VertexPair> pairs,
                                      const PairsOptions& options) const {
  if (state_->is_partial()) {
    for (const VertexPair& pair : pairs) {
      api::check_vertex(vertex_count(), pair.from);
      api::check_vertex(vertex_count(), pair.to);
    }
    if (auto found = state_->opened->distances(pairs)) return *std::move(found);
  }
  const State& of = whole();
  of.matrix();
  for (const VertexPair& pair : pairs) {
    of.row_of(pair.from);
    of.column_of(pair.to);
  }
  if (of.factor == nullptr || pairs.size() < kFewPairs) {
    const std::int64_t worth_a_row = of.factor != nullptr ? elimination::kPairsOfAFactorsRow
                                                          : of.columns->count() / kValuesOfAPair;
    return grouped(of, pairs, options, worth_a_row);
  }
  const elimination::FactorRows& rows = *of.factor;
  const elimination::Factor& factor = rows.factor();
  const elimination::LabelPlan plan(factor.tree(), factor.type(), factor.symmetric(), pairs,
                                    options.control);
  const int threads = base::thread_count(options.threads);
  const elimination::PairsWay way =
      way_of_pairs(factor.tree(), factor.type(), plan, pairs, memory_for_labels(options));
  if (way.from != elimination::PairsFrom::labels) {
    const bool by_rows = way.from == elimination::PairsFrom::rows;
    return grouped(of, pairs, options, by_rows ? 0 : elimination::kPairsOfAFactorsRow);
  }
  std::vector<double> found(pairs.size());
  const auto take = [&](std::size_t first, std::span<const std::uint32_t> numbers,
                        const void* values) {
    const auto* value = static_cast<const std::byte*>(values);
    for (const std::uint32_t number : numbers) {
      const VertexPair& pair = pairs[first + number];
      found[first + number] =
          paths::as_double(factor.semiring(), factor.type(), value, pair.from == pair.to);
      value += size_of(factor.type());
    }
  };
  distances_by_labels(factor, rows.sign(), pairs, plan, way.runs, threads, options.control, take);
  return found;
}

}  // namespace apsp
