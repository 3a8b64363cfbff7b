#include "sparse/hub_label_query.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "kernels/cpu/vector_operations.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

constexpr std::size_t kSlab = std::size_t{1} << 16;

struct LabelProduct {
  const std::byte *x, *y;
  std::int64_t values;
};

/// Prefetches both labels; the processor's prefetchers start again with each label.
void fetch(const LabelProduct& product, std::int64_t value_bytes) {
  constexpr std::int64_t kLine = 64;
  for (std::int64_t i = 0; i < product.values * value_bytes; i += kLine) {
    __builtin_prefetch(product.x + i);
    __builtin_prefetch(product.y + i);
  }
}

class PairsOfRuns {
 public:
  PairsOfRuns(const Factor& factor, kernels::Sign sign, const Labels& from, const Labels& to,
              SupernodeRun sources, SupernodeRun targets)
      : tree_(factor.tree()),
        size_(size_of(factor.type())),
        vectors_(kernels::cpu::vector_operations(factor.semiring(), factor.type(), sign)),
        from_(from),
        to_(to),
        sources_(sources),
        targets_(targets) {}

  /// Calls take(numbers, values) with those of `pairs` that are between the runs, if there are any.
  template <class Take>
  void answer(std::span<const VertexPair> pairs, const Take& take) const {
    std::vector<std::uint32_t> numbers;
    std::vector<LabelProduct> products;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Position p = position(pairs[i].from), q = position(pairs[i].to);
      const SupernodeId a = tree_.supernode_of(p), b = tree_.supernode_of(q);
      if (!sources_.holds(a) || !targets_.holds(b)) continue;
      numbers.push_back(static_cast<std::uint32_t>(i));
      const SupernodeId common = common_ancestor(tree_, a, b);
      const std::int64_t shared = common < 0 ? 0 : tree_.slot(common) + tree_.width(common);
      products.push_back({from_.of(p), to_.of(q), shared});
    }
    if (numbers.empty()) return;
    std::vector<std::byte> values(numbers.size() * static_cast<std::size_t>(size_));
    for (std::size_t i = 0; i < products.size(); ++i) {
      if (i + 1 < products.size()) fetch(products[i + 1], size_);
      vectors_.meet(products[i].x, products[i].y, products[i].values,
                    values.data() + i * static_cast<std::size_t>(size_));
    }
    take(std::span<const std::uint32_t>(numbers), values.data());
  }

 private:
  Position position(Vertex v) const { return tree_.order().position_of[v]; }

  const Tree& tree_;
  std::int64_t size_;
  kernels::cpu::VectorOperations vectors_;
  const Labels& from_;
  const Labels& to_;
  SupernodeRun sources_, targets_;
};

}  // namespace

void distances_by_labels(const Factor& factor, kernels::Sign sign,
                         std::span<const VertexPair> pairs, const LabelPlan& plan,
                         std::span<const SupernodeRun> runs, int threads, const Control& control,
                         const TakePairs& take) {
  base::ProgressTask progress(control, "distances", static_cast<double>(pairs.size()), "pair");
  const auto slabs = static_cast<std::int64_t>((pairs.size() + kSlab - 1) / kSlab);
  const auto labels = [&](End end, SupernodeRun run) {
    return std::make_unique<const Labels>(factor, sign, end, plan.chosen(), run, threads, control);
  };
  for (const SupernodeRun& sources : runs) {
    const auto from = labels(End::source, sources);
    for (const SupernodeRun& targets : runs) {
      const bool same = factor.symmetric() && targets.begin == sources.begin;
      std::unique_ptr<const Labels> others;
      if (!same) others = labels(End::target, targets);
      const Labels& to = others != nullptr ? *others : *from;
      const PairsOfRuns between(factor, sign, *from, to, sources, targets);
      system::for_each_row(slabs, threads, control, [&](std::int64_t slab) {
        const std::size_t first = static_cast<std::size_t>(slab) * kSlab;
        between.answer(pairs.subspan(first, std::min(kSlab, pairs.size() - first)),
                       [&](std::span<const std::uint32_t> numbers, const void* values) {
                         take(first, numbers, values);
                         progress.advance(static_cast<double>(numbers.size()));
                       });
      });
    }
  }
}

}  // namespace apsp::sparse
