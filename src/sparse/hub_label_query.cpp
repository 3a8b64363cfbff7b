#include "sparse/hub_label_query.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/control.hpp"
#include "kernels/cpu/vector_operations.hpp"
#include "system/aligned_memory.hpp"
#include "system/pool.hpp"
#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

constexpr std::int64_t kLine = 64;

/// Prefetches a label; the processor's prefetchers start again with each label.
void fetch(const std::byte* label, std::int64_t bytes) {
  for (std::int64_t i = 0; i < bytes; i += kLine) __builtin_prefetch(label + i);
}

class PairsByLabels {
 public:
  PairsByLabels(const Factor& factor, kernels::Sign sign, std::span<const VertexPair> pairs,
                StoredLabels stored, int threads, const Control& control, const TakePair& take)
      : factor_(factor),
        tree_(factor.tree()),
        vectors_(kernels::cpu::vector_operations(factor.semiring(), factor.type(), sign)),
        pairs_(pairs),
        end_(stored.end),
        threads_(threads),
        control_(control),
        progress_(control, "distances", static_cast<double>(pairs.size()), "pair"),
        take_(take),
        storing_([&factor, sign, end = end_] {
          return std::make_unique<PathLabels>(factor, sign, end);
        }),
        passing_([&factor, sign, end = opposite(end_)] {
          return std::make_unique<PathLabels>(factor, sign, end);
        }),
        place_(system::AlignedMemory::on_small_pages(tree_.vertices() *
                                                     std::int64_t{sizeof(std::uint32_t)})) {}

  void run(std::int64_t blocks) {
    const std::vector<Position> ends = distinct_ends(tree_, pairs_, end_);
    std::int64_t bytes = 0, longest = 0;
    for (const Position p : ends) {
      bytes += label_bytes(p);
      longest = std::max(longest, label_bytes(p));
    }
    const std::int64_t most = bytes / blocks;
    stored_.require(std::min(bytes, most + longest));
    for (std::size_t first = 0, last = 0; first < ends.size(); first = last) {
      std::int64_t lines = 0;
      for (; last < ends.size() && (last == first || lines * kLine < most); ++last) {
        place(ends[last]) = static_cast<std::uint32_t>(lines);
        lines += label_bytes(ends[last]) / kLine;
      }
      store({ends.data() + first, last - first});
      answer(ends[first], ends[last - 1]);
    }
  }

 private:
  std::uint32_t& place(Position p) { return place_.as<std::uint32_t>()[p]; }
  std::byte* label_at(Position p) { return stored_.data() + place(p) * kLine; }
  std::int64_t label_bytes(Position p) const {
    return PathLabels::label_bytes(tree_, tree_.supernode_of(p), factor_.type());
  }

  void store(std::span<const Position> ends) {
    // Enough for threads to share, and so few that neighbours have most of their paths in common.
    const std::int64_t parts = std::int64_t{8} * threads_, count = std::ssize(ends);
    system::for_each_row(parts, threads_, control_, [&](std::int64_t part) {
      storing_.use([&](PathLabels& labels) {
        for (std::int64_t i = part * count / parts; i < (part + 1) * count / parts; ++i) {
          const Position p = at(ends, i);
          std::memcpy(label_at(p), labels.of(p), static_cast<std::size_t>(label_bytes(p)));
        }
      });
    });
  }

  /// Answers the pairs whose stored end is in [first, last].
  void answer(Position first, Position last) {
    PairsByEnd pairs(
        tree_, pairs_, opposite(end_),
        [&](const VertexPair& pair) {
          const Position p = position_at(tree_, pair, end_);
          return first <= p && p <= last;
        },
        threads_);
    system::for_each_row(pairs.parts(), threads_, control_, [&](std::int64_t part) {
      passing_.use([&](PathLabels& labels) { answer(pairs.sorted(part), labels); });
    });
  }

  void answer(std::span<const PairEnd> entries, PathLabels& labels) {
    constexpr std::size_t kSome = 256;
    std::vector<Position> others(kSome);
    for (; !entries.empty(); entries = entries.subspan(std::min(kSome, entries.size()))) {
      base::check_cancelled(control_);
      const auto some = entries.first(std::min(kSome, entries.size()));
      for (std::size_t i = 0; i < some.size(); ++i) {
        others[i] = position_at(tree_, pairs_[some[i].pair], end_);
      }
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (i + 1 < some.size()) fetch(label_at(others[i + 1]), label_bytes(others[i + 1]));
        const SupernodeId common = common_ancestor(tree_, tree_.supernode_of(some[i].position),
                                                   tree_.supernode_of(others[i]));
        const std::int64_t shared = common < 0 ? 0 : tree_.slot(common) + tree_.width(common);
        std::byte value[kLine];
        vectors_.meet(labels.of(some[i].position), label_at(others[i]), shared, value);
        take_(some[i].pair, value);
      }
      progress_.advance(static_cast<double>(some.size()));
    }
  }

  const Factor& factor_;
  const Tree& tree_;
  kernels::cpu::VectorOperations vectors_;
  std::span<const VertexPair> pairs_;
  End end_;
  int threads_;
  const Control& control_;
  base::ProgressTask progress_;
  const TakePair& take_;
  system::Pool<PathLabels> storing_, passing_;
  system::AlignedMemory place_;  // [n] by position: the first line of the vertex's label
  system::AlignedMemory stored_;
};

}  // namespace

void distances_by_labels(const Factor& factor, kernels::Sign sign,
                         std::span<const VertexPair> pairs, StoredLabels stored, int threads,
                         const Control& control, const TakePair& take) {
  PairsByLabels(factor, sign, pairs, stored, threads, control, take).run(stored.blocks);
}

}  // namespace apsp::sparse
