#include "elimination/eliminate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/team.hpp"
#include "elimination/assembly.hpp"
#include "elimination/children.hpp"
#include "elimination/entries.hpp"
#include "elimination/front.hpp"
#include "elimination/subtree_paths.hpp"
#include "elimination/subtrees.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "places/negative_cycle.hpp"

namespace apsp::elimination {
namespace {

/// One thread fills fronts of fewer entries: it is done before another one has woken up.
constexpr std::int64_t kFilledByOne = std::int64_t{1} << 17;

/// The update matrix of a supernode (Duff 1983): paths between its row structure that lead through
/// its subtree. It is kept until the parent's front has taken it.
struct FrontUpdate {
  std::unique_ptr<std::byte[]> values;  // [upper, upper]
};

/// Columns of an update that stand side by side in the parent's front too: `count` of them, from
/// column `from` of the update and column `to` of the front on.
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

class Elimination {
 public:
  Elimination(const Graph& graph, Factor& factor, const EliminationOptions& options, Chosen chosen)
      : tree_(factor.tree()),
        factor_(factor),
        options_(options),
        value_size_(size_of(options.type)),
        operations_(kernels::cpu::operations(options.semiring, options.type, options.sign)),
        assembly_(assembly_operations(options.semiring, options.type)),
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
    base::share_items(std::ssize(subtrees.apart), options_.threads, 1,
                      [&](std::int64_t item, int member) {
                        const Subtree& subtree = subtrees.apart[static_cast<std::size_t>(item)];
                        for (SupernodeId s = subtree.first; s <= subtree.last; ++s) {
                          eliminate(s, 1, scratch[static_cast<std::size_t>(member)]);
                        }
                        progress.advance(subtree.relaxations);
                      });
    // What the threads held for subtrees would stand beside the largest fronts.
    scratch.resize(1);
    scratch.front().front = base::AlignedMemory();
    scratch.front().product = base::AlignedMemory();
    for (const SupernodeId s : subtrees.above) {
      eliminate(s, options_.threads, scratch.front());
      const auto side = static_cast<double>(tree_.width(s) + tree_.structure_size(s));
      progress.advance(static_cast<double>(tree_.width(s)) * side * side);
    }
  }

 private:
  void eliminate(SupernodeId s, int threads, Scratch& scratch) {
    if (!chosen_.holds(s)) return;
    base::check_cancelled(options_.control);
    const Front front = assemble(s, threads, scratch);
    const FrontResult result{factor_.closed(s), factor_.up(s), factor_.down(s)};
    // A device takes orders from one thread: while subtrees are eliminated side by side it has
    // none.
    const FrontWork work{options_.cycles, threads,
                         threads == options_.threads ? options_.closing : DeviceClosing()};
    const std::int64_t pivot =
        eliminate_front(front, result, operations_, work, options_.control, scratch.product);
    if (pivot >= 0) {
      const auto p = static_cast<std::size_t>(tree_.first(s) + pivot);
      places::throw_negative_cycle(tree_.order().vertex_at[p]);
    }
    keep_update(s, front, threads);
  }

  Front assemble(SupernodeId s, int threads, Scratch& scratch) {
    const std::int64_t width = tree_.width(s), side = width + tree_.structure_size(s);
    kernels::View values = factor_.closed(s);
    if (side > width) {
      scratch.front.require(side * side * value_size_);
      values = {scratch.front.data(), side, side, side};
    }
    number_rows(s, scratch.row_of);
    share_rows(side, side, threads, [&](std::int64_t first, std::int64_t rows) {
      assembly_.clear(kernels::part(values, value_size_, first, 0, rows, side));
    });
    assembly_.put(values, width, entries_.of(s), scratch.row_of.data());
    for (const SupernodeId child : children_.of(s)) {
      if (chosen_.holds(child)) {
        add_update(child, values, threads, scratch);
      } else {
        unchanged_.add(child, values, scratch.row_of, scratch.paths);
      }
    }
    return {values, width, factor_.symmetric()};
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

  /// work(first, rows) for bands of all rows: one, or some for each thread where entries are many.
  template <class F>
  static void share_rows(std::int64_t rows, std::int64_t cols, int threads, F&& work) {
    constexpr std::int64_t kBand = 16;
    if (threads == 1 || rows * cols < kFilledByOne) return work(0, rows);
    base::share_items((rows + kBand - 1) / kBand, threads, [&](std::int64_t band) {
      work(band * kBand, std::min(kBand, rows - band * kBand));
    });
  }

  void add_update(SupernodeId child, kernels::View front, int threads, Scratch& scratch) {
    FrontUpdate& update = updates_[static_cast<std::size_t>(child)];
    const auto upper = tree_.upper(child);
    const std::int64_t count = std::ssize(upper);
    find_stretches(upper, scratch);
    const auto add_row = [&](std::int64_t i) {
      const std::int64_t to = row(scratch, upper[static_cast<std::size_t>(i)]) * front.stride;
      const std::int64_t end = factor_.symmetric() ? i + 1 : count;
      for (const Stretch& stretch : scratch.stretches) {
        if (stretch.from >= end) break;
        assembly_.add(update.values.get(), i * count + stretch.from, front.data, to + stretch.to,
                      std::min<std::int64_t>(stretch.count, end - stretch.from));
      }
    };
    share_rows(count, count, threads, [&](std::int64_t first, std::int64_t rows) {
      for (std::int64_t i = first; i < first + rows; ++i) add_row(i);
    });
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

  void keep_update(SupernodeId s, const Front& front, int threads) {
    const std::int64_t upper = tree_.structure_size(s), width = front.width;
    if (upper == 0) return;
    auto& kept = updates_[static_cast<std::size_t>(s)].values;
    const auto row = static_cast<std::size_t>(upper * value_size_);
    kept = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(upper) * row);
    share_rows(upper, upper, threads, [&](std::int64_t first, std::int64_t rows) {
      for (std::int64_t i = first; i < first + rows; ++i) {
        const std::int64_t at = (width + i) * front.matrix.stride + width;
        std::memcpy(kept.get() + static_cast<std::size_t>(i) * row,
                    static_cast<const std::byte*>(front.matrix.data) + at * value_size_, row);
      }
    });
  }

  const Tree& tree_;
  Factor& factor_;
  const EliminationOptions& options_;
  int value_size_;
  kernels::TileOperations operations_;
  AssemblyOperations assembly_;
  Chosen chosen_;
  Entries entries_;
  std::vector<FrontUpdate> updates_;
  Children children_;
  SubtreePaths unchanged_;
};

/// [supernodes] bytes of the updates of each one's children.
std::vector<std::int64_t> updates_of_children(const Tree& tree, int value_size) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(tree.supernodes()));
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const std::int64_t upper = tree.structure_size(s);
    if (upper > 0) bytes[static_cast<std::size_t>(tree.parent(s))] += upper * upper * value_size;
  }
  return bytes;
}

/// Bytes that are held while supernodes are eliminated one after another, children before parents.
class Held {
 public:
  Held(const Tree& tree, ValueType type, int threads)
      : tree_(tree),
        type_(type),
        threads_(threads),
        of_children_(updates_of_children(tree, size_of(type))) {}

  /// Begins anew, with updates of so many bytes that wait for their parents.
  void begin(std::int64_t waiting) {
    waiting_ = most_waiting_ = waiting;
    front_ = product_ = closing_ = 0;
  }
  void eliminate(SupernodeId s) {
    const std::int64_t size = size_of(type_);
    const std::int64_t width = tree_.width(s), upper = tree_.structure_size(s),
                       side = width + upper;
    waiting_ += upper * upper * size;
    most_waiting_ = std::max(most_waiting_, waiting_);
    waiting_ -= of_children_[static_cast<std::size_t>(s)];
    if (upper > 0) {  // else the front is the factor's
      front_ = std::max(front_, side * side * size);
      product_ = std::max(product_, upper * width * size);
    }
    closing_ = std::max(closing_, closing_bytes(width, threads_, type_));
  }
  /// Updates that wait: now, and at most.
  std::int64_t waiting() const { return waiting_; }
  std::int64_t most_waiting() const { return most_waiting_; }
  /// What a thread keeps from one supernode to the next: as much as the largest of them took.
  std::int64_t scratch() const { return front_ + product_ + closing_; }

 private:
  const Tree& tree_;
  ValueType type_;
  int threads_;
  std::vector<std::int64_t> of_children_;  // [supernodes]
  std::int64_t waiting_ = 0, most_waiting_ = 0;
  std::int64_t front_ = 0, product_ = 0, closing_ = 0;
};

std::int64_t sum_of_largest(std::vector<std::int64_t> values, int count) {
  std::sort(values.begin(), values.end(), std::greater<>());
  values.resize(std::min(values.size(), static_cast<std::size_t>(count)));
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

}  // namespace

Factor eliminate(const Graph& graph, std::shared_ptr<const Tree> tree,
                 const EliminationOptions& options) {
  Factor factor(std::move(tree), options.semiring, options.type, graph.symmetric());
  Elimination(graph, factor, options, {}).run();
  return factor;
}

Factor customize(const Factor& before, const Graph& graph, std::span<const VertexPair> changed,
                 const EliminationOptions& options) {
  if (graph.symmetric() && !before.symmetric()) {
    return eliminate(graph, before.shared_tree(), options);
  }
  Factor factor = before.copy(graph.symmetric());
  Elimination(graph, factor, options, {factor.tree(), changed}).run();
  return factor;
}

std::int64_t elimination_bytes(const Graph& graph, const Tree& tree, ValueType type, int threads) {
  // Of subtrees as many at a time as there are threads. A thread may still have the scratch memory
  // of its largest one where another one's updates are at their most.
  const Subtrees subtrees = subtrees_of(tree, threads);
  Held one(tree, type, 1);
  std::vector<std::int64_t> scratch, updates;
  std::int64_t waiting = 0;  // updates of the roots of subtrees
  for (const Subtree& subtree : subtrees.apart) {
    one.begin(0);
    for (SupernodeId s = subtree.first; s <= subtree.last; ++s) one.eliminate(s);
    scratch.push_back(one.scratch());
    updates.push_back(one.most_waiting() - one.waiting());
    waiting += one.waiting();
  }
  const std::int64_t apart =
      waiting + sum_of_largest(scratch, threads) + sum_of_largest(updates, threads);
  Held above(tree, type, threads);
  above.begin(waiting);
  for (const SupernodeId s : subtrees.above) above.eliminate(s);
  const std::int64_t arcs =
      graph.symmetric() ? (graph.arc_count() + graph.loop_count() + 1) / 2 : graph.arc_count();
  return std::max(apart, above.most_waiting() + above.scratch()) +
         arcs * static_cast<std::int64_t>(sizeof(Entry)) +
         tree.vertices() * (threads + 6) * std::int64_t{8};
}

}  // namespace apsp::elimination
