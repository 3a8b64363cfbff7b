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
/// Vertices between the one whose arcs are fetched from memory and the one that is scanned.
constexpr std::size_t kAhead = 8;
/// Smaller frontiers than this part of the vertices are not worth counting arcs.
constexpr std::size_t kPulledVertices = 64;

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
    return (vertices() + 1) * static_cast<std::int64_t>(sizeof(Vertex));
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
      const auto n = static_cast<std::size_t>(source_.vertices());
      std::fill_n(row, n, kUnreached);
      row[source] = 0;
      queue_.resize(n + 1);
      queue_[0] = source;
      std::size_t begin = 0, end = 1;
      std::int64_t left = std::ssize(source_.out_.targets);
      for (std::int32_t level = 1; begin < end; ++level) {
        base::check_cancelled();
        std::int64_t arcs = 0;
        if ((end - begin) * kPulledVertices > n) {
          for (std::size_t i = begin; i < end; ++i) arcs += source_.out_.degree(queue_[i]);
          left -= arcs;
        }
        const std::size_t first = std::exchange(begin, end);
        end = arcs * kPulledArcs > left ? pull(level, row, end) : push(level, row, first, end);
      }
    }

    /// Appends what the queue's range leads to, and returns its new end. No branch depends on the
    /// row: where vertices have few arcs, every other one would be mispredicted.
    std::size_t push(std::int32_t level, std::int32_t* row, std::size_t begin, std::size_t end) {
      Vertex* const queue = queue_.data();
      std::size_t next = end;
      for (std::size_t i = begin; i < end; ++i) {
        if (i + kAhead < end) __builtin_prefetch(source_.out_.of(queue[i + kAhead]).data());
        for (const Vertex to : source_.out_.of(queue[i])) {
          const std::int32_t before = row[to];
          queue[next] = to;
          next += before == kUnreached ? 1 : 0;
          row[to] = std::min(before, level);
        }
      }
      return next;
    }

    std::size_t pull(std::int32_t level, std::int32_t* row, std::size_t end) {
      for (Vertex v = 0; std::int64_t{v} < source_.vertices(); ++v) {
        if (row[v] != kUnreached) continue;
        for (const Vertex from : source_.in().of(v)) {
          if (row[from] != level - 1) continue;
          row[v] = level;
          queue_[end++] = v;
          break;
        }
      }
      return end;
    }

    const LevelRows& source_;
    std::vector<Vertex> queue_;  // [n + 1] reached vertices, and a place that is overwritten
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
