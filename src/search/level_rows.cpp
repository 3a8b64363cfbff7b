#include "search/level_rows.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "search/links.hpp"
#include "semiring/semirings.hpp"

namespace apsp::search {
namespace {

constexpr std::int32_t kUnreached = semiring::Infinity<std::int32_t>::plus;

/// Scanned arcs of unreached vertices per arc of the frontier; most scans end at the first arcs.
constexpr std::int64_t kPulledArcs = 14;

class LevelRows final : public flow::RowSource {
 public:
  LevelRows(const Graph& graph, bool backwards)
      : out_(links_of(graph)), order_(static_cast<std::size_t>(graph.vertex_count())) {
    if (!graph.symmetric()) in_ = reversed(out_);
    if (!graph.symmetric() && backwards) std::swap(out_, in_);
    std::iota(order_.begin(), order_.end(), Vertex{0});
  }

  std::int64_t vertices() const override { return out_.vertices(); }
  Semiring semiring() const override { return Semiring::min_plus; }
  ValueType type() const override { return ValueType::i32; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return 1; }
  std::int64_t worker_bytes() const override {
    return 2 * vertices() * static_cast<std::int64_t>(sizeof(Vertex));
  }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<Search>(*this); }

 private:
  const Links& in() const { return in_.first.empty() ? out_ : in_; }

  class Search final : public Worker {
   public:
    explicit Search(const LevelRows& source) : source_(source) {}

    void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
      auto* row = static_cast<std::int32_t*>(rows);
      for (const Vertex source : sources) {
        search(source, row);
        row += stride;
      }
    }

   private:
    void search(Vertex source, std::int32_t* row) {
      std::fill_n(row, source_.vertices(), kUnreached);
      row[source] = 0;
      frontier_.assign(1, source);
      std::int64_t left = std::ssize(source_.out_.targets);
      for (std::int32_t level = 1; !frontier_.empty(); ++level) {
        base::check_cancelled();
        std::int64_t arcs = 0;
        for (const Vertex v : frontier_) arcs += source_.out_.degree(v);
        left -= arcs;
        next_.clear();
        if (arcs * kPulledArcs > left) {
          pull(level, row);
        } else {
          push(level, row);
        }
        frontier_.swap(next_);
      }
    }

    void push(std::int32_t level, std::int32_t* row) {
      for (const Vertex v : frontier_) {
        for (const Vertex to : source_.out_.of(v)) {
          if (row[to] != kUnreached) continue;
          row[to] = level;
          next_.push_back(to);
        }
      }
    }

    void pull(std::int32_t level, std::int32_t* row) {
      for (Vertex v = 0; std::int64_t{v} < source_.vertices(); ++v) {
        if (row[v] != kUnreached) continue;
        for (const Vertex from : source_.in().of(v)) {
          if (row[from] != level - 1) continue;
          row[v] = level;
          next_.push_back(v);
          break;
        }
      }
    }

    const LevelRows& source_;
    std::vector<Vertex> frontier_, next_;
  };

  Links out_, in_;  // in_: empty if the graph is symmetric
  std::vector<Vertex> order_;
};

}  // namespace

std::unique_ptr<flow::RowSource> level_rows(const Graph& graph, bool reversed) {
  if (!graph.weight_facts().unit) {
    throw Error(ErrorKind::usage, "breadth-first searches count arcs, so all weights must be 1");
  }
  return std::make_unique<LevelRows>(graph, reversed);
}

}  // namespace apsp::search
