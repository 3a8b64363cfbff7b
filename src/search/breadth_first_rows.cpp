#include "search/breadth_first_rows.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <bit>
#include <vector>

#include "base/control.hpp"
#include "search/bit_steps.hpp"
#include "search/links.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::search {
namespace {

int digits_of(std::int64_t number) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

/// A pushed arc costs three lines, one of them written; a pulled arc reads one.
constexpr std::int64_t kPushedArc = 2;

class BreadthFirstRows final : public flow::RowSource {
 public:
  BreadthFirstRows(const Graph& graph, ValueType type)
      : type_(type), steps_(bit_steps(type)), out_(links_of(graph)) {
    if (!graph.symmetric()) in_ = reversed(out_);
    order_ = clustered_order(out_, kSourcesAtOnce);
  }

  std::int64_t vertices() const override { return out_.vertices(); }
  Semiring semiring() const override { return Semiring::min_plus; }
  ValueType type() const override { return type_; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return kSourcesAtOnce; }
  std::int64_t worker_bytes() const override {
    constexpr auto kOfLists = static_cast<std::int64_t>(2 * sizeof(Vertex) + 1);
    return vertices() * (kLineBytes * (3 + plane_limit()) + kOfLists);
  }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<Search>(*this); }

 private:
  class Search final : public Worker {
   public:
    explicit Search(const BreadthFirstRows& source)
        : source_(source),
          n_(source.vertices()),
          lines_(n_ * kLineBytes * (3 + source.plane_limit())),
          seen_(lines_.as<SourceBits>()),
          frontier_(seen_ + n_),
          next_(seen_ + 2 * n_),
          planes_(seen_ + 3 * n_),
          full_(static_cast<std::size_t>(n_)),
          reached_(static_cast<std::size_t>(n_)),
          from_(static_cast<std::size_t>(n_)) {}

    void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
      const auto bytes = static_cast<std::int64_t>(size_of(source_.type_));
      for (std::size_t first = 0; first < sources.size(); first += kSourcesAtOnce) {
        const auto part =
            sources.subspan(first, std::min<std::size_t>(kSourcesAtOnce, sources.size() - first));
        const std::int64_t levels = search(part);
        source_.steps_.write(
            {n_, std::ssize(part), seen_, planes_, digits_of(levels),
             static_cast<std::byte*>(rows) + static_cast<std::int64_t>(first) * stride * bytes,
             stride});
      }
    }

   private:
    std::int64_t search(std::span<const Vertex> sources) {
      begin(sources);
      std::int64_t level = 0;
      while (frontier_count_ > 0) {
        base::check_cancelled();
        ++level;
        const bool pulls = arcs_to_reach_ < kPushedArc * arcs_of_frontier_;
        const std::span<const Vertex> from(from_.data(), static_cast<std::size_t>(frontier_count_));
        const LevelStep step{pulls ? &source_.in() : &source_.out_,
                             bits_,
                             seen_,
                             full_.data(),
                             frontier_,
                             next_,
                             from,
                             reached_.data(),
                             level,
                             planes_};
        const std::int64_t count = (pulls ? source_.steps_.pull : source_.steps_.push)(step);
        end_level(count);
      }
      check(level - 1);
      return level - 1;
    }

    void begin(std::span<const Vertex> sources) {
      std::fill(full_.begin(), full_.end(), std::uint8_t{0});
      bits_ = {};
      frontier_count_ = 0;
      arcs_of_frontier_ = 0;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const Vertex v = sources[i];
        for (SourceBits* const line : {&bits_, seen_ + v, frontier_ + v}) {
          line->words[i / 64] |= std::uint64_t{1} << i % 64;
        }
        from_[static_cast<std::size_t>(frontier_count_++)] = v;
        arcs_of_frontier_ += source_.out_.degree(v);
      }
      if (sources.size() == 1) full_[sources[0]] = 1;
      arcs_to_reach_ = std::ssize(source_.out_.targets);
    }

    void end_level(std::int64_t count) {
      for (std::int64_t i = 0; i < frontier_count_; ++i) {
        frontier_[from_[static_cast<std::size_t>(i)]] = {};
      }
      std::swap(frontier_, next_);
      std::swap(from_, reached_);
      frontier_count_ = count;
      arcs_of_frontier_ = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        const Vertex v = from_[static_cast<std::size_t>(i)];
        arcs_of_frontier_ += source_.out_.degree(v);
        if (full_[v] != 0) arcs_to_reach_ -= source_.in().degree(v);
      }
    }

    void check(std::int64_t levels) {
      if (static_cast<double>(levels) <= largest_distance(source_.type_)) return;
      std::fill(seen_, seen_ + n_ * (3 + source_.plane_limit()), SourceBits{});
      throw Error(ErrorKind::does_not_fit,
                  fmt::format("a distance of {} hops, which {} does not hold; take a wider type",
                              levels, name(source_.type_)));
    }

    const BreadthFirstRows& source_;
    std::int64_t n_;
    system::AlignedMemory lines_;
    SourceBits* seen_;  // [n], zero between calls, as all lines
    SourceBits* frontier_;
    SourceBits* next_;
    SourceBits* planes_;
    SourceBits bits_ = {};
    std::vector<std::uint8_t> full_;
    std::vector<Vertex> reached_, from_;  // [n] lists of next and frontier
    std::int64_t frontier_count_ = 0;
    std::int64_t arcs_of_frontier_ = 0;
    std::int64_t arcs_to_reach_ = 0;  // to vertices that are not full
  };

  /// Enough digits for n − 1, the most hops of a shortest path.
  int plane_limit() const { return digits_of(vertices()); }
  const Links& in() const { return in_.first.empty() ? out_ : in_; }

  ValueType type_;
  BitSteps steps_;
  Links out_;
  Links in_;  // empty: the graph is symmetric
  std::vector<Vertex> order_;
};

}  // namespace

std::unique_ptr<flow::RowSource> breadth_first_rows(const Graph& graph, ValueType type) {
  if (!supported(Semiring::min_plus, type)) {
    throw Error(ErrorKind::usage,
                fmt::format("hops have no values of type {}; reachability has rows of its own",
                            name(type)));
  }
  if (graph.arc_count() > 0 && !graph.weight_facts().unit) {
    throw Error(ErrorKind::usage,
                "a breadth-first search counts arcs, and not all weights are 1: use dijkstra_rows");
  }
  return std::make_unique<BreadthFirstRows>(graph, type);
}

}  // namespace apsp::search
