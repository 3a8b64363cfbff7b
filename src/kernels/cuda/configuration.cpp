#include "kernels/cuda/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apsp::kernels::cuda {
namespace {

/// Threads that saturate a multiprocessor of an H200.
constexpr double kBusyThreads = 384;

std::int64_t blocks_in(std::int64_t values, std::int64_t block) {
  return (values + block - 1) / block;
}

}  // namespace

std::string describe(const Configuration& c) {
  return fmt::format(
      "{} × {} words a block, {} × {} a thread, {} threads, {} stages, {} blocks a "
      "multiprocessor",
      c.rows, c.cols, c.thread_rows, c.thread_cols, c.threads(), c.stages, c.blocks);
}

Blocks blocks_of(std::int64_t values, std::int64_t block, Range kept) {
  const std::int64_t all = blocks_in(values, block);
  const std::int64_t end = std::min(kept.end, all * block);
  if (kept.begin >= end) return {all, all, 0};
  const std::int64_t begin = kept.begin / block;
  const std::int64_t count = blocks_in(end, block) - begin;
  return {all - count, begin, count};
}

bool suits(const Configuration& configuration, int lanes, const Update& u) {
  const auto whole = [](std::int64_t value, std::int64_t block) { return value % block == 0; };
  // The end of the kept range may be the ragged end of the matrix.
  const auto range = [&](Range kept, std::int64_t block, std::int64_t end) {
    return kept.begin >= kept.end ||
           (whole(kept.begin, block) && (whole(kept.end, block) || kept.end >= end));
  };
  const std::int64_t rows = configuration.rows;
  const std::int64_t cols = std::int64_t{configuration.cols} * lanes;
  return range(u.skipped_rows, rows, u.c.rows) && range(u.skipped_cols, cols, u.c.cols) &&
         whole(u.triangle, rows) && whole(u.triangle, cols);
}

double score(const Candidate& candidate, int lanes, int multiprocessors, const Update& u) {
  const Configuration& c = candidate.configuration;
  const std::int64_t blocks =
      blocks_of(u.c.rows, c.rows, u.skipped_rows).count *
      blocks_of(u.c.cols, std::int64_t{c.cols} * lanes, u.skipped_cols).count;
  const std::int64_t fullest = (blocks + multiprocessors - 1) / multiprocessors;
  const auto together = static_cast<double>(std::min<std::int64_t>(fullest, c.blocks));
  const double busy = std::min(1.0, together * c.threads() / kBusyThreads);
  return static_cast<double>(fullest) * c.rows * c.cols / (candidate.rate * busy);
}

std::size_t choose(std::span<const Candidate> candidates, int lanes, int multiprocessors,
                   const Update& update) {
  std::size_t chosen = candidates.size() - 1;
  double least = score(candidates[chosen], lanes, multiprocessors, update);
  for (std::size_t i = chosen; i-- > 0;) {
    if (!suits(candidates[i].configuration, lanes, update)) continue;
    const double time = score(candidates[i], lanes, multiprocessors, update);
    if (time > least) continue;
    least = time;
    chosen = i;
  }
  return chosen;
}

}  // namespace apsp::kernels::cuda
