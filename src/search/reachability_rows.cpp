#include "search/reachability_rows.hpp"

#include <algorithm>
#include <vector>

#include "graph/arc_walk.hpp"
#include "search/bit_steps.hpp"
#include "search/links.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::search {
namespace {

class ReachabilityRows final : public flow::RowSource {
 public:
  explicit ReachabilityRows(const Graph& graph)
      : components_(component_links(graph)), order_(graph::all_vertices(graph.vertex_count())) {}

  std::int64_t vertices() const override { return std::ssize(order_); }
  Semiring semiring() const override { return Semiring::or_and; }
  ValueType type() const override { return ValueType::boolean; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return kSourcesAtOnce; }
  std::int64_t worker_bytes() const override {
    return kLineBytes * (components_.before.vertices() + vertices());
  }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<ReachWorker>(*this); }

 private:
  class ReachWorker final : public Worker {
   public:
    explicit ReachWorker(const ReachabilityRows& source)
        : components_(source.components_),
          steps_(bit_steps(ValueType::boolean)),
          memory_(source.worker_bytes()),
          of_component_(memory_.as<SourceBits>()),
          of_vertex_(of_component_ + components_.before.vertices()) {}

    void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
      auto* row = static_cast<std::uint8_t*>(rows);
      while (!sources.empty()) {
        const std::size_t count = std::min<std::size_t>(kSourcesAtOnce, sources.size());
        compute_block(sources.first(count), row, stride);
        sources = sources.subspan(count);
        row += kSourcesAtOnce * stride;
      }
    }

   private:
    void compute_block(std::span<const Vertex> sources, std::uint8_t* rows, std::int64_t stride) {
      std::fill(of_component_, of_component_ + components_.before.vertices(), SourceBits{});
      for (std::size_t i = 0; i < sources.size(); ++i) {
        of_component_[components_.of[sources[i]]].words[i / 64] |= std::uint64_t{1} << i % 64;
      }
      steps_.flow(components_.before, of_component_);
      const std::int64_t n = std::ssize(components_.of);
      for (std::int64_t v = 0; v < n; ++v) {
        of_vertex_[v] = of_component_[components_.of[static_cast<std::size_t>(v)]];
      }
      steps_.write({n, std::ssize(sources), of_vertex_, nullptr, 0, rows, stride});
    }

    const ComponentLinks& components_;
    BitSteps steps_;
    system::AlignedMemory memory_;
    SourceBits* of_component_;  // [components] sources that reach it
    SourceBits* of_vertex_;
  };

  ComponentLinks components_;
  std::vector<Vertex> order_;
};

}  // namespace

std::unique_ptr<flow::RowSource> reachability_rows(const Graph& graph) {
  return std::make_unique<ReachabilityRows>(graph);
}

}  // namespace apsp::search
