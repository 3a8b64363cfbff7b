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

/// Blocks of sources for several devices. Each block begins at a multiple of `lanes`, so that lists
/// of sweeps are as planned (sparse/device_up_sweep.hpp).
class SourceBlocks {
 public:
  struct SourceBlock {
    std::size_t first, count;
  };

  /// Requires: `sources` outlives this.
  SourceBlocks(std::span<const Vertex> sources, std::int64_t lanes, const Control& control)
      : sources_(sources),
        lanes_(static_cast<std::size_t>(lanes)),
        control_(control),
        progress_(control, "solving", static_cast<double>(sources.size()), "row") {}

  std::span<const Vertex> sources() const { return sources_; }
  std::int64_t lanes() const { return static_cast<std::int64_t>(lanes_); }

  /// Returns the next block, or nothing after the last one or `stop`. Thread-safe. Throws `Error`
  /// (interrupted).
  std::optional<SourceBlock> claim() {
    base::check_cancelled(control_);
    const std::size_t first = next_.fetch_add(lanes_);
    if (first >= sources_.size()) return std::nullopt;
    return SourceBlock{first, std::min(lanes_, sources_.size() - first)};
  }
  void stop() { next_ = sources_.size(); }
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
