#include "elimination/eliminate.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/team.hpp"
#include "elimination/children.hpp"
#include "elimination/front.hpp"
#include "elimination/subtree_paths.hpp"
#include "elimination/subtrees.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "places/negative_cycle.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/weight.hpp"

namespace apsp::elimination {
namespace {

struct Entry {
  Position row, col;
  double weight;
};

/// Which supernodes are eliminated: all, or those chosen and thus all above them.
class Chosen {
 public:
  Chosen() = default;
  Chosen(const Tree& tree, std::span<const VertexPair> arcs)
      : chosen_(static_cast<std::size_t>(tree.supernodes())) {
    const auto& position_of = tree.order().position_of;
    for (const VertexPair& arc : arcs) {
      SupernodeId s = tree.supernode_of(std::min(position_of[arc.from], position_of[arc.to]));
      for (; s >= 0 && chosen_[static_cast<std::size_t>(s)] == 0; s = tree.parent(s)) {
        chosen_[static_cast<std::size_t>(s)] = 1;
      }
    }
  }
  bool holds_all() const { return chosen_.empty(); }
  bool holds(SupernodeId s) const {
    return chosen_.empty() || chosen_[static_cast<std::size_t>(s)] != 0;
  }

 private:
  std::vector<char> chosen_;  // [supernodes], or empty: all
};

/// Arcs by the supernode that is eliminated first of their two ends, where that is chosen. Of a
/// symmetric graph only those on and below the diagonal.
class Entries {
 public:
  Entries(const Graph& graph, const Tree& tree, const Chosen& chosen)
      : begin_(static_cast<std::size_t>(tree.supernodes()) + 1), chosen_(chosen) {
    for_each(graph, tree, [&](const Entry& entry) { ++begin_[holder(tree, entry) + 1]; });
    for (std::size_t s = 1; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
    entries_.resize(static_cast<std::size_t>(begin_.back()));
    std::vector<std::int64_t> next(begin_.begin(), begin_.end() - 1);
    for_each(graph, tree, [&](const Entry& entry) {
      entries_[static_cast<std::size_t>(next[holder(tree, entry)]++)] = entry;
    });
  }

  std::span<const Entry> of(SupernodeId s) const {
    return {entries_.data() + begin_[static_cast<std::size_t>(s)],
            entries_.data() + begin_[static_cast<std::size_t>(s) + 1]};
  }

 private:
  static std::size_t holder(const Tree& tree, const Entry& entry) {
    return static_cast<std::size_t>(tree.supernode_of(std::min(entry.row, entry.col)));
  }
  template <class F>
  void for_each(const Graph& graph, const Tree& tree, F&& visit) const {
    const auto& position_of = tree.order().position_of;
    if (graph.symmetric() && !chosen_.holds_all()) return for_each_of_chosen(graph, tree, visit);
    graph.visit_all([&](Vertex from, Vertex to, double weight) {
      const Entry entry{position_of[from], position_of[to], weight};
      if (graph.symmetric() && entry.row < entry.col) return;
      if (chosen_.holds(static_cast<SupernodeId>(holder(tree, entry)))) visit(entry);
    });
  }

  /// Of a symmetric graph, whose arcs are seen from their earlier ends: most supernodes are passed.
  template <class F>
  void for_each_of_chosen(const Graph& graph, const Tree& tree, F&& visit) const {
    for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
      if (!chosen_.holds(s)) continue;
      for (Position p = tree.first(s); p < tree.first(s + 1); ++p) {
        const Vertex from = tree.order().vertex_at[static_cast<std::size_t>(p)];
        graph.for_each_arc(from, [&](Vertex to, double weight) {
          const Position later = tree.order().position_of[to];
          if (later >= p) visit(Entry{later, p, weight});
        });
      }
    }
  }

  std::vector<std::int64_t> begin_;  // [supernodes + 1]
  const Chosen& chosen_;
  std::vector<Entry> entries_;
};

/// What a supernode's elimination says of its upper vertices, until the parent takes it.
struct Update {
  std::unique_ptr<std::byte[]> values;  // [upper, upper]
};

/// Some neighbouring columns of an update, and where they are added.
struct Stretch {
  std::int32_t from, to, count;
};

/// What one thread needs.
struct Scratch {
  std::vector<Stretch> stretches;
  std::vector<Position> row_of;  // [n] by position: its row in the front
  base::AlignedMemory front, product;
  SubtreePaths::Scratch paths;
};

template <class S>
class Elimination {
  using T = typename S::Value;

 public:
  Elimination(const Graph& graph, Factor& factor, const EliminationOptions& options, Chosen chosen)
      : tree_(factor.tree()),
        factor_(factor),
        options_(options),
        operations_(kernels::cpu::operations(options.semiring, options.type, options.sign)),
        chosen_(std::move(chosen)),
        entries_(graph, tree_, chosen_),
        updates_(static_cast<std::size_t>(tree_.supernodes())),
        children_(tree_),
        unchanged_(factor, children_, operations_) {}

  void run() {
    base::ProgressTask progress(options_.control, "eliminating", tree_.elimination_relaxations(),
                                "relaxation");
    const Subtrees subtrees = subtrees_of(tree_, options_.threads);
    std::vector<Scratch> scratch(static_cast<std::size_t>(std::max(1, options_.threads)));
    for (Scratch& one : scratch) one.row_of.resize(static_cast<std::size_t>(tree_.vertices()));
    base::share_items(std::ssize(subtrees.apart), options_.threads,
                      [&](std::int64_t item, int member) {
                        const Subtree& subtree = subtrees.apart[static_cast<std::size_t>(item)];
                        for (SupernodeId s = subtree.first; s <= subtree.last; ++s) {
                          eliminate(s, 1, scratch[static_cast<std::size_t>(member)]);
                        }
                        progress.advance(subtree.relaxations);
                      });
    for (const SupernodeId s : subtrees.above) {
      eliminate(s, options_.threads, scratch.front());
      const auto side = static_cast<double>(tree_.width(s) + tree_.upper_count(s));
      progress.advance(static_cast<double>(tree_.width(s)) * side * side);
    }
  }

 private:
  void eliminate(SupernodeId s, int threads, Scratch& scratch) {
    if (!chosen_.holds(s)) return;
    base::check_cancelled(options_.control);
    const Front front = assemble(s, scratch);
    const FrontResult result{factor_.closed(s), factor_.up(s), factor_.down(s)};
    const std::int64_t pivot = eliminate_front(front, result, operations_, options_.cycles, threads,
                                               options_.control, scratch.product);
    if (pivot >= 0) {
      const auto p = static_cast<std::size_t>(tree_.first(s) + pivot);
      places::throw_negative_cycle(tree_.order().vertex_at[p]);
    }
    keep_update(s, front);
  }

  Front assemble(SupernodeId s, Scratch& scratch) {
    const std::int64_t width = tree_.width(s), side = width + tree_.upper_count(s);
    const auto bytes =
        static_cast<std::int64_t>(side * side * static_cast<std::int64_t>(sizeof(T)));
    scratch.front.require(bytes);
    T* const values = scratch.front.template as<T>();
    std::fill(values, values + side * side, S::zero());
    number_rows(s, scratch.row_of);
    for (std::int64_t i = 0; i < width; ++i) values[i * (side + 1)] = S::one();
    for (const Entry& entry : entries_.of(s)) {
      T& value = values[std::int64_t{row(scratch, entry.row)} * side + row(scratch, entry.col)];
      value = S::plus(value, semiring::weight_as<S>(entry.weight));
    }
    for (const SupernodeId child : children_.of(s)) {
      if (chosen_.holds(child)) {
        add_update(child, values, side, scratch);
      } else {
        unchanged_.add(child, {values, side, side, side}, scratch.row_of, scratch.paths);
      }
    }
    return {{values, side, side, side}, width, factor_.symmetric()};
  }

  static Position row(const Scratch& scratch, Position p) {
    return scratch.row_of[static_cast<std::size_t>(p)];
  }

  void number_rows(SupernodeId s, std::vector<Position>& row_of) const {
    Position next = 0;
    for (Position p = tree_.first(s); p < tree_.first(s + 1); ++p) {
      row_of[static_cast<std::size_t>(p)] = next++;
    }
    for (const Position p : tree_.upper(s)) row_of[static_cast<std::size_t>(p)] = next++;
  }

  void add_update(SupernodeId child, T* values, std::int64_t side, Scratch& scratch) {
    Update& update = updates_[static_cast<std::size_t>(child)];
    const auto upper = tree_.upper(child);
    find_stretches(upper, scratch);
    const auto* from = reinterpret_cast<const T*>(update.values.get());
    for (std::size_t i = 0; i < upper.size(); ++i, from += upper.size()) {
      T* const to = values + std::int64_t{row(scratch, upper[i])} * side;
      const auto end = static_cast<std::int32_t>(factor_.symmetric() ? i + 1 : upper.size());
      for (const Stretch& stretch : scratch.stretches) {
        if (stretch.from >= end) break;
        add_stretch(from + stretch.from, to + stretch.to,
                    std::min(stretch.count, end - stretch.from));
      }
    }
    update.values.reset();
  }

  /// Upper vertices whose rows in the front follow each other.
  static void find_stretches(std::span<const Position> upper, Scratch& scratch) {
    scratch.stretches.clear();
    for (std::size_t i = 0; i < upper.size(); ++i) {
      const std::int32_t to = row(scratch, upper[i]);
      if (scratch.stretches.empty() ||
          scratch.stretches.back().to + scratch.stretches.back().count != to) {
        scratch.stretches.push_back({static_cast<std::int32_t>(i), to, 0});
      }
      ++scratch.stretches.back().count;
    }
  }

  static void add_stretch(const T* from, T* to, std::int32_t count) {
#pragma omp simd
    for (std::int32_t j = 0; j < count; ++j) to[j] = S::plus(to[j], from[j]);
  }

  void keep_update(SupernodeId s, const Front& front) {
    const std::int64_t upper = tree_.upper_count(s), width = front.width;
    if (upper == 0) return;
    auto& kept = updates_[static_cast<std::size_t>(s)].values;
    kept = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(upper * upper) *
                                                       sizeof(T));
    T* to = reinterpret_cast<T*>(kept.get());
    const T* from = static_cast<const T*>(front.matrix.data) + width * (front.matrix.stride + 1);
    for (std::int64_t i = 0; i < upper; ++i, to += upper, from += front.matrix.stride) {
      std::copy(from, from + upper, to);
    }
  }

  const Tree& tree_;
  Factor& factor_;
  const EliminationOptions& options_;
  kernels::TileOperations operations_;
  Chosen chosen_;
  Entries entries_;
  std::vector<Update> updates_;
  Children children_;
  SubtreePaths unchanged_;
};

/// [supernodes] bytes of the updates of each one's children.
std::vector<std::int64_t> updates_of_children(const Tree& tree, int value_size) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(tree.supernodes()));
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const std::int64_t upper = tree.upper_count(s);
    if (upper > 0) bytes[static_cast<std::size_t>(tree.parent(s))] += upper * upper * value_size;
  }
  return bytes;
}

/// Bytes that the elimination of supernodes [first, last], children before parents, holds at most;
/// `held`: of updates that wait, before and after.
std::int64_t most_held(const Tree& tree, SupernodeId first, SupernodeId last, int value_size,
                       const std::vector<std::int64_t>& of_children, std::int64_t& held) {
  std::int64_t most = held;
  for (SupernodeId s = first; s <= last; ++s) {
    const std::int64_t width = tree.width(s), upper = tree.upper_count(s), side = width + upper;
    held += upper * upper * value_size;
    most = std::max(most, held + (side * side + upper * width) * value_size);
    held -= of_children[static_cast<std::size_t>(s)];
  }
  return most;
}

}  // namespace

Factor eliminate(const Graph& graph, std::shared_ptr<const Tree> tree,
                 const EliminationOptions& options) {
  Factor factor(std::move(tree), options.semiring, options.type, graph.symmetric());
  semiring::dispatch(options.semiring, options.type,
                     [&]<class S>() { Elimination<S>(graph, factor, options, {}).run(); });
  return factor;
}

Factor eliminate_again(const Factor& before, const Graph& graph,
                       std::span<const VertexPair> changed, const EliminationOptions& options) {
  if (graph.symmetric() && !before.symmetric()) {
    return eliminate(graph, before.shared_tree(), options);
  }
  Factor factor = before.copy(graph.symmetric());
  semiring::dispatch(options.semiring, options.type, [&]<class S>() {
    Elimination<S>(graph, factor, options, {factor.tree(), changed}).run();
  });
  return factor;
}

std::int64_t elimination_bytes(const Graph& graph, const Tree& tree, ValueType type, int threads) {
  // Subtrees: as many at a time as there are threads, each at its most; their roots' updates wait.
  const Subtrees subtrees = subtrees_of(tree, threads);
  const std::vector<std::int64_t> of_children = updates_of_children(tree, size_of(type));
  std::vector<std::int64_t> most;
  std::int64_t waiting = 0;
  for (const Subtree& subtree : subtrees.apart) {
    std::int64_t held = 0;
    most.push_back(most_held(tree, subtree.first, subtree.last, size_of(type), of_children, held));
    waiting += held;
  }
  std::sort(most.begin(), most.end(), std::greater<>());
  std::int64_t bytes = waiting;
  for (std::size_t i = 0; i < std::min(most.size(), static_cast<std::size_t>(threads)); ++i) {
    bytes += most[i];
  }
  std::int64_t above = 0, held = waiting;
  for (const SupernodeId s : subtrees.above) {
    above = std::max(above, most_held(tree, s, s, size_of(type), of_children, held));
  }
  const std::int64_t arcs =
      graph.symmetric() ? (graph.arc_count() + graph.loop_count() + 1) / 2 : graph.arc_count();
  return std::max(bytes, above) + arcs * static_cast<std::int64_t>(sizeof(Entry)) +
         tree.vertices() * (threads + 6) * std::int64_t{8};
}

}  // namespace apsp::elimination
