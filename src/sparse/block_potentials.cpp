#include "sparse/block_potentials.hpp"

#include <algorithm>

#include "base/control.hpp"
#include "kernels/listed_rows.hpp"
#include "system/threads.hpp"

namespace apsp::sparse {

BlockPotentials::BlockPotentials(const Factor& factor, bool symmetric, DownwardCopies* copies,
                                 int threads, const BlockCenters* centers)
    : tree_(factor.tree()),
      symmetric_(symmetric),
      threads_(threads),
      centers_(centers),
      query_(factor, kernels::Sign::non_negative, copies),
      row_(static_cast<std::size_t>(tree_.vertices())) {}

void BlockPotentials::find_around(Vertex v) {
  around_.resize(positions_.size());
  query_.distances(v, End::source, positions_, around_.data());
  if (symmetric_) {
    for (std::int32_t& distance : around_) distance *= 2;  // infinite ones are below 2^30
    return;
  }
  back_.resize(positions_.size());
  query_.distances(v, End::target, positions_, back_.data());
  for (std::size_t i = 0; i < around_.size(); ++i) around_[i] += back_[i];
}

/// A source that is as near as any to two that are far from each other, as nearly the farthest ones
/// (Handler 1973, of trees).
Vertex BlockPotentials::find_center(std::span<const Vertex> sources) {
  positions_.clear();
  for (const Vertex s : sources) positions_.push_back(tree_.order().position_of[s]);
  const auto farthest = [&] {
    return sources[static_cast<std::size_t>(std::max_element(around_.begin(), around_.end()) -
                                            around_.begin())];
  };
  find_around(sources.front());
  find_around(farthest());
  const Vertex other = farthest();
  const std::vector<std::int32_t> from_one = around_;
  find_around(other);
  std::size_t best = 0;
  const auto farther = [&](std::size_t i) { return std::max(from_one[i], around_[i]); };
  for (std::size_t i = 1; i < sources.size(); ++i) {
    if (farther(i) < farther(best)) best = i;
  }
  find_around(sources[best]);
  return sources[best];
}

std::optional<Vertex> BlockPotentials::fit(std::span<const Vertex> sources) {
  const Vertex center = find_center(sources);
  if (*std::max_element(around_.begin(), around_.end()) > kernels::kMostReduced) return {};
  return center;
}

void BlockPotentials::fill(std::span<const Vertex> sources, std::span<std::int32_t> potentials) {
  const Vertex center = centers_ == nullptr ? find_center(sources) : centers_->at(sources.front());
  query_.row(center, row_.data(), threads_);
  constexpr std::int64_t kTogether = 1 << 14;
  const std::vector<Vertex>& vertex_at = tree_.order().vertex_at;
  const std::int64_t parts = (std::ssize(potentials) + kTogether - 1) / kTogether;
  system::parallel_for(parts, threads_, [&](std::int64_t part) {
    const auto first = static_cast<std::size_t>(part * kTogether);
    const std::size_t end = std::min(potentials.size(), first + kTogether);
    for (std::size_t p = first; p < end; ++p) potentials[p] = row_[vertex_at[p]];
  });
}

std::int64_t BlockPotentials::bytes(const Tree& tree) {
  return FactorQuery::bytes(tree, ValueType::i32) + DownwardFactor::bytes(tree, ValueType::i32) +
         tree.vertices() * std::int64_t{sizeof(std::int32_t)};
}

ReducedSources reduced_sources(const Factor& factor, bool symmetric,
                               std::span<const Vertex> sources, std::int64_t lanes, int threads) {
  const std::int64_t blocks = (std::ssize(sources) + lanes - 1) / lanes;
  const auto block = [&](std::int64_t b) {
    const std::int64_t first = b * lanes;
    return sources.subspan(static_cast<std::size_t>(first),
                           static_cast<std::size_t>(std::min(lanes, std::ssize(sources) - first)));
  };
  std::vector<std::optional<Vertex>> centers(static_cast<std::size_t>(blocks));
  const auto workers = static_cast<int>(std::min<std::int64_t>(threads, blocks));
  system::on_threads(workers, [&](int number) {
    BlockPotentials potentials(factor, symmetric);
    for (std::int64_t b = number; b < blocks; b += workers) {
      base::check_cancelled();
      centers[static_cast<std::size_t>(b)] = potentials.fit(block(b));
    }
  });
  ReducedSources result;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const auto some = block(b);
    const std::optional<Vertex> center = centers[static_cast<std::size_t>(b)];
    if (center) result.centers[some.front()] = *center;
    auto& to = center ? result.fitting : result.others;
    to.insert(to.end(), some.begin(), some.end());
  }
  return result;
}

}  // namespace apsp::sparse
