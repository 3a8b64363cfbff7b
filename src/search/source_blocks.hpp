// Blocks of sources that several devices take, each the next one when it has room.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/control.hpp"

namespace apsp::search {

/// Blocks of sources that several devices find distances from: each claims the next one when it has
/// room. A block always begins at a multiple of `lanes`, whoever claims it, so that lists of sweeps
/// are those that were counted for the plan (elimination/device_up_sweep.hpp).
class SourceBlocks {
 public:
  struct SourceBlock {
    std::size_t first, count;  // of the sources
  };

  /// `sources` outlive it. One task of progress, of all devices together.
  SourceBlocks(std::span<const Vertex> sources, std::int64_t lanes, const Control& control)
      : sources_(sources),
        lanes_(static_cast<std::size_t>(lanes)),
        control_(control),
        progress_(control, "solving", static_cast<double>(sources.size()), "row") {}

  std::span<const Vertex> sources() const { return sources_; }
  std::int64_t lanes() const { return static_cast<std::int64_t>(lanes_); }

  /// The next block; none: all are claimed, or `stop` was called. From any thread. Throws `Error`
  /// (interrupted).
  std::optional<SourceBlock> claim() {
    base::check_cancelled(control_);
    const std::size_t first = next_.fetch_add(lanes_);
    if (first >= sources_.size()) return std::nullopt;
    return SourceBlock{first, std::min(lanes_, sources_.size() - first)};
  }
  /// One of the devices has failed: nobody claims any more.
  void stop() { next_ = sources_.size(); }
  /// So many sources are done.
  void advance(std::size_t count) { progress_.advance(static_cast<double>(count)); }
  const Control& control() const { return control_; }

 private:
  std::span<const Vertex> sources_;
  std::size_t lanes_;
  const Control& control_;
  std::atomic<std::size_t> next_{0};
  base::ProgressTask progress_;
};

}  // namespace apsp::search
