#include "sparse/eliminate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "base/control.hpp"
#include "dense/negative_cycle.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/transpose.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/arc_assembly.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

/// Target size of a subtree, as a share of one thread's work; small enough to balance the load.
constexpr double kShareOfAThread = 0.125;
constexpr double kFrontOverhead = 1000;

std::vector<Subtree> all_subtrees(const Tree& tree) {
  std::vector<Subtree> subtrees;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto w = static_cast<double>(tree.width(s));
    const double side = w + static_cast<double>(tree.structure_size(s));
    const double relaxations = w * side * side;
    subtrees.push_back({s, s, relaxations, relaxations + kFrontOverhead + kAssembly * side * side});
  }
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (tree.parent(s) < 0) continue;
    Subtree& parent = at(subtrees, tree.parent(s));
    parent.first = std::min(parent.first, at(subtrees, s).first);
    parent.relaxations += at(subtrees, s).relaxations;
    parent.cost += at(subtrees, s).cost;
  }
  return subtrees;
}

/// Smaller products are computed without a kernel.
constexpr std::int64_t kForAKernel = 1 << 14;

template <class S>
using ValueOf = typename S::Value;

/// products [count, count] ← downᵗ ⊗ up. down and up: [width, count].
template <class S>
void multiply_one_by_one(kernels::ConstView down, kernels::ConstView up, ValueOf<S>* products) {
  for (std::int64_t j = 0; j < up.rows; ++j) {
    const auto* const from = static_cast<const ValueOf<S>*>(down.data) + j * down.stride;
    const auto* const to = static_cast<const ValueOf<S>*>(up.data) + j * up.stride;
    for (std::int64_t a = 0; a < up.cols; ++a) {
      ValueOf<S>* const line = products + a * up.cols;
      for (std::int64_t b = 0; b < up.cols; ++b) {
        line[b] = S::plus(line[b], S::times(from[a], to[b]));
      }
    }
  }
}

}  // namespace

Subtrees subtrees_of(const Tree& tree, int threads, const TreeShare* share) {
  const std::vector<Subtree> all = all_subtrees(tree);
  double total = 0;
  for (const Subtree& subtree : all) {
    if (tree.parent(subtree.last) < 0) total += subtree.cost;
  }
  const double large = kShareOfAThread * total / threads;
  Subtrees found;
  // Downward from the roots: children have smaller numbers than their parents.
  for (auto s = static_cast<SupernodeId>(all.size()) - 1; s >= 0;) {
    const Subtree& subtree = at(all, s);
    const bool top = share != nullptr && share->is_top(s);
    if (top || (threads > 1 && subtree.cost > large)) {
      found.above.push_back(s--);
    } else {
      found.apart.push_back(subtree);
      s = subtree.first - 1;
    }
  }
  std::reverse(found.above.begin(), found.above.end());
  std::stable_sort(found.apart.begin(), found.apart.end(),
                   [](const Subtree& a, const Subtree& b) { return a.cost > b.cost; });
  return found;
}

namespace {

/// Fronts with fewer entries are filled by one thread, before another one would wake.
constexpr std::int64_t kFilledByOne = std::int64_t{1} << 17;

/// The update matrix of a supernode (Duff 1983), [upper, upper]: distances between the vertices of
/// its row structure through its subtree. It is kept until the parent's front has taken it.
using FrontUpdate = std::unique_ptr<std::byte[]>;

/// A run of `count` columns of an update that are adjacent in the parent's front too, from column
/// `from` of the update and `to` of the front.
struct Stretch {
  std::int32_t from, to, count;
};

struct Scratch {
  std::vector<Stretch> stretches;
  std::vector<Position> row_of;  // [n] by position, the row in the front
  system::AlignedMemory front, product;
  system::AlignedMemory paths;
  std::vector<SupernodeId> open;  // supernodes of a subtree that are still to be visited
};

class Elimination {
 public:
  /// `share`: null, or the tree is its tree.
  Elimination(const Graph& graph, Factor& factor, const EliminationOptions& options, Chosen chosen,
              const TreeShare* share = nullptr)
      : tree_(factor.tree()),
        share_(share),
        factor_(factor),
        options_(options),
        value_size_(size_of(options.type)),
        operations_(kernels::cpu::operations(options.semiring, options.type, options.sign)),
        assembly_(assembly_operations(options.semiring, options.type)),
        chosen_(std::move(chosen)),
        entries_(entries_of(graph, tree_, chosen_)),
        updates_(static_cast<std::size_t>(tree_.supernodes())),
        children_(children_of(tree_)),
        progress_(options.control, "eliminating", tree_.elimination_relaxations(), "relaxation") {}

  /// Eliminates all supernodes, or all below the top of a share.
  void run() {
    const Subtrees subtrees = subtrees_of(tree_, options_.threads, share_);
    scratch_.resize(static_cast<std::size_t>(std::max(1, options_.threads)));
    if (options_.threads == 1) open_device(all_of(subtrees.apart));
    system::parallel_for(std::ssize(subtrees.apart), options_.threads, 1,
                         [&](std::int64_t item, int member) {
                           const Subtree& subtree = at(subtrees.apart, item);
                           for (SupernodeId s = subtree.first; s <= subtree.last; ++s) {
                             eliminate(s, 1, at(scratch_, member));
                           }
                           progress_.advance(subtree.relaxations);
                         });
    if (subtrees.above.empty()) return;
    // Frees the threads' memory for subtrees before the largest fronts.
    scratch_.resize(1);
    scratch_.front().front = system::AlignedMemory();
    scratch_.front().product = system::AlignedMemory();
    open_device(subtrees.above);
    for (const SupernodeId s : subtrees.above) {
      if (share_ == nullptr || !share_->is_top(s)) eliminate_above(s);
    }
  }

  void run_top() {
    for (SupernodeId s = 0; s < tree_.supernodes(); ++s) {
      if (share_->is_top(s)) eliminate_above(s);
    }
  }

  /// [upper, upper], the update of a supernode; allocated if it was not computed.
  std::span<std::byte> update(SupernodeId s) {
    const std::int64_t upper = tree_.structure_size(s);
    const auto bytes = static_cast<std::size_t>(upper * upper * value_size_);
    FrontUpdate& kept = at(updates_, s);
    if (kept == nullptr) kept = std::make_unique_for_overwrite<std::byte[]>(bytes);
    return {kept.get(), bytes};
  }

 private:
  void eliminate_above(SupernodeId s) {
    eliminate(s, options_.threads, scratch_.front());
    const auto side = static_cast<double>(tree_.width(s) + tree_.structure_size(s));
    progress_.advance(static_cast<double>(tree_.width(s)) * side * side);
  }

  void eliminate(SupernodeId s, int threads, Scratch& scratch) {
    if (!chosen_.holds(s) || tree_.width(s) == 0) return;  // 0: of another process
    base::check_cancelled(options_.control);
    // A device takes orders from one thread, so it is not used while subtrees are eliminated in
    // parallel.
    const bool together = threads == options_.threads;
    DeviceFronts* const whole = together && options_.share.takes(s) ? &*there_ : nullptr;
    const Front front = assemble(s, whole != nullptr, threads, scratch);
    const FrontResult result{factor_.closed(s), factor_.up(s), factor_.down(s)};
    const FrontWork work{options_.cycles, threads, together ? options_.share : DeviceShare(),
                         whole};
    const std::int64_t pivot =
        eliminate_front(front, result, operations_, work, options_.control, scratch.product);
    if (pivot >= 0) {
      const auto p = static_cast<std::size_t>(tree_.first(s) + pivot);
      dense::throw_negative_cycle(tree_.order().vertex_at[p]);
    }
    keep_update(s, front, threads);
  }

  static std::vector<SupernodeId> all_of(const std::vector<Subtree>& subtrees) {
    std::vector<SupernodeId> all;
    for (const Subtree& subtree : subtrees) {
      for (SupernodeId s = subtree.first; s <= subtree.last; ++s) all.push_back(s);
    }
    return all;
  }

  /// Opens the device if it takes fronts of these supernodes; the memory of such fronts is pinned.
  void open_device(const std::vector<SupernodeId>& supernodes) {
    const DeviceShare& share = options_.share;
    if (share.device == nullptr) return;
    FrontBuffers buffers(share.device->tiles(), value_size_, share.tile);
    std::int64_t largest = 0;
    for (const SupernodeId s : supernodes) {
      const std::int64_t width = tree_.width(s), upper = tree_.structure_size(s);
      if (share.takes(s)) buffers.add(width, upper);
      if (upper > 0) largest = std::max(largest, (width + upper) * (width + upper) * value_size_);
    }
    if (buffers.host_bytes() == 0) return;
    system::AlignedMemory& host = scratch_.front().front;
    host.require(std::max(largest, buffers.host_bytes()));
    there_.emplace(*share.device, buffers, host.data(), value_size_, share.tile);
  }

  Front assemble(SupernodeId s, bool for_device, int threads, Scratch& scratch) {
    const std::int64_t width = tree_.width(s), side = width + tree_.structure_size(s);
    kernels::View values = factor_.closed(s);
    if (side > width || for_device) {
      const std::int64_t stride = for_device ? options_.share.device->tiles().stride(side) : side;
      scratch.front.require(side * stride * value_size_);
      values = {scratch.front.data(), side, side, stride};
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
        add_subtree(child, values, scratch);
      }
    }
    return {values, width, factor_.symmetric()};
  }

  void number_rows(SupernodeId s, std::vector<Position>& row_of) const {
    row_of.resize(static_cast<std::size_t>(tree_.vertices()));  // once, by the thread that uses it
    Position next = 0;
    for (Position p = tree_.first(s); p < tree_.first(s + 1); ++p) at(row_of, p) = next++;
    for (const Position p : tree_.upper(s)) at(row_of, p) = next++;
  }

  template <class F>
  static void share_rows(std::int64_t rows, std::int64_t cols, int threads, F&& work) {
    constexpr std::int64_t kBand = 16;
    if (threads == 1 || rows * cols < kFilledByOne) return work(0, rows);
    system::parallel_for((rows + kBand - 1) / kBand, threads, [&](std::int64_t band) {
      work(band * kBand, std::min(kBand, rows - band * kBand));
    });
  }

  void add_update(SupernodeId child, kernels::View front, int threads, Scratch& scratch) {
    FrontUpdate& update = at(updates_, child);
    const auto upper = tree_.upper(child);
    const std::int64_t count = std::ssize(upper);
    find_stretches(upper, scratch);
    const auto add_row = [&](std::int64_t i) {
      const std::int64_t to = at(scratch.row_of, at(upper, i)) * front.stride;
      const std::int64_t end = factor_.symmetric() ? i + 1 : count;
      for (const Stretch& stretch : scratch.stretches) {
        if (stretch.from >= end) break;
        assembly_.add(update.get(), i * count + stretch.from, front.data, to + stretch.to,
                      std::min<std::int64_t>(stretch.count, end - stretch.from));
      }
    };
    share_rows(count, count, threads, [&](std::int64_t first, std::int64_t rows) {
      for (std::int64_t i = first; i < first + rows; ++i) add_row(i);
    });
    update.reset();
  }

  /// front ← front ⊕ the update matrix of a subtree's root, computed from the factor. If the factor
  /// is symmetric, only entries on and below the diagonal.
  ///
  /// A path is the best one over the supernodes of the subtree: `down` of a supernode, then `up`. A
  /// supernode with at most one row-structure vertex above the subtree adds nothing, and nor do its
  /// descendants, so few supernodes are visited.
  void add_subtree(SupernodeId root, kernels::View front, Scratch& scratch) const {
    const Position end = tree_.first(root + 1);
    semiring::dispatch(operations_.semiring, operations_.type, [&]<class S>() {
      scratch.open.assign(1, root);
      while (!scratch.open.empty()) {
        const SupernodeId s = scratch.open.back();
        scratch.open.pop_back();
        const auto upper = tree_.upper(s);
        if (upper.size() < 2 || upper[upper.size() - 2] < end) continue;
        const auto first = std::lower_bound(upper.begin(), upper.end(), end);
        add_supernode<S>(s, {first, upper.end()}, front, scratch);
        const auto below = children_.of(s);
        scratch.open.insert(scratch.open.end(), below.begin(), below.end());
      }
    });
  }

  template <class S>
  void add_supernode(SupernodeId s, std::span<const Position> above, kernels::View front,
                     Scratch& scratch) const {
    using T = ValueOf<S>;
    const Factor& factor = factor_;
    const std::int64_t width = tree_.width(s), count = std::ssize(above);
    const std::int64_t skipped = tree_.structure_size(s) - count;
    const auto up = kernels::part(factor.up(s), sizeof(T), 0, skipped, width, count);
    const auto down = kernels::part(factor.down(s), sizeof(T), 0, skipped, width, count);
    scratch.paths.require(count * (count + width) * std::int64_t{sizeof(T)});
    T* const products = scratch.paths.as<T>();
    std::fill(products, products + count * count, S::zero());
    if (width * count * count < kForAKernel) {
      multiply_one_by_one<S>(down, up, products);
    } else {
      const kernels::View left{products + count * count, count, width, width};
      kernels::transpose(left, down, sizeof(T));
      operations_.multiply_add({products, count, count, count}, left, up);
    }
    for (std::int64_t a = 0; a < count; ++a) {
      T* const line = static_cast<T*>(front.data) + at(scratch.row_of, at(above, a)) * front.stride;
      const std::int64_t end = factor_.symmetric() ? a + 1 : count;
      for (std::int64_t b = 0; b < end; ++b) {
        T& value = line[at(scratch.row_of, at(above, b))];
        value = S::plus(value, products[a * count + b]);
      }
    }
  }

  static void find_stretches(std::span<const Position> upper, Scratch& scratch) {
    scratch.stretches.clear();
    for (std::size_t i = 0; i < upper.size(); ++i) {
      const std::int32_t to = at(scratch.row_of, upper[i]);
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
    std::byte* const kept = update(s).data();
    const auto row = static_cast<std::size_t>(upper * value_size_);
    share_rows(upper, upper, threads, [&](std::int64_t first, std::int64_t rows) {
      for (std::int64_t i = first; i < first + rows; ++i) {
        const std::int64_t at = (width + i) * front.matrix.stride + width;
        std::memcpy(kept + static_cast<std::size_t>(i) * row,
                    static_cast<const std::byte*>(front.matrix.data) + at * value_size_, row);
      }
    });
  }

  const Tree& tree_;
  const TreeShare* share_;
  Factor& factor_;
  const EliminationOptions& options_;
  int value_size_;
  kernels::TileOperations operations_;
  AssemblyOperations assembly_;
  Chosen chosen_;
  BySupernode<Entry> entries_;
  std::vector<FrontUpdate> updates_;
  Children children_;
  base::ProgressTask progress_;
  std::vector<Scratch> scratch_;  // [threads]
  std::optional<DeviceFronts> there_;
};

/// [supernodes] bytes of the updates of the children.
std::vector<std::int64_t> updates_of_children(const Tree& tree, int value_size) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(tree.supernodes()));
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const std::int64_t upper = tree.structure_size(s);
    if (upper > 0) at(bytes, tree.parent(s)) += upper * upper * value_size;
  }
  return bytes;
}

struct Held {
  const Tree& tree;
  ValueType type;
  int threads;
  const std::vector<std::int64_t>& of_children;
  std::int64_t waiting = 0, most_waiting = 0;  // updates of children that wait: now, and at most
  std::int64_t front = 0, product = 0, closing = 0;

  void eliminate(SupernodeId s) {
    const std::int64_t size = size_of(type);
    const std::int64_t width = tree.width(s), upper = tree.structure_size(s), side = width + upper;
    waiting += upper * upper * size;
    most_waiting = std::max(most_waiting, waiting);
    waiting -= at(of_children, s);
    if (upper > 0) {  // otherwise the front is the factor's own memory
      front = std::max(front, side * side * size);
      product = std::max(product, upper * width * size);
    }
    closing = std::max(closing, closing_bytes(width, threads, type));
  }
  std::int64_t scratch() const { return front + product + closing; }
};

std::int64_t sum_of_largest(std::vector<std::int64_t> values, int count) {
  std::sort(values.begin(), values.end(), std::greater<>());
  values.resize(std::min(values.size(), static_cast<std::size_t>(count)));
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

/// Bytes of row structures, as positions and slots, and of the arrays by supernode.
std::int64_t structure_bytes(const Tree& tree) {
  constexpr std::int64_t kUpper = 2 * sizeof(Position), kSupernode = 40;
  return tree.upper_begin(tree.supernodes()) * kUpper + tree.supernodes() * kSupernode;
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

struct SharedElimination::State {
  State(const Graph& graph, const TreeShare& share, const EliminationOptions& given)
      : options(given),
        factor(share.tree, given.semiring, given.type, graph.symmetric()),
        elimination(graph, factor, options, {}, &share) {}

  EliminationOptions options;
  Factor factor;
  Elimination elimination;
};

SharedElimination::SharedElimination(const Graph& graph, const TreeShare& share,
                                     const EliminationOptions& options)
    : state_(std::make_unique<State>(graph, share, options)) {
  state_->elimination.run();
  for (const TreeShare::Root& root : share.roots) update(root.id);
}

SharedElimination::~SharedElimination() = default;

std::span<std::byte> SharedElimination::update(SupernodeId root) {
  return state_->elimination.update(root);
}

Factor SharedElimination::top() {
  state_->elimination.run_top();
  return std::move(state_->factor);
}

std::int64_t elimination_bytes(const Graph& graph, const Tree& tree, ValueType type, int threads,
                               const TreeShare* share) {
  // Up to `threads` subtrees are eliminated at a time. A thread may still hold the memory of its
  // largest subtree while another one holds its most updates.
  const Subtrees subtrees = subtrees_of(tree, threads, share);
  const std::vector<std::int64_t> of_children = updates_of_children(tree, size_of(type));
  std::vector<std::int64_t> scratch, updates;
  std::int64_t waiting = 0;
  for (const Subtree& subtree : subtrees.apart) {
    Held one{tree, type, 1, of_children};
    for (SupernodeId s = subtree.first; s <= subtree.last; ++s) one.eliminate(s);
    scratch.push_back(one.scratch());
    updates.push_back(one.most_waiting - one.waiting);
    waiting += one.waiting;
  }
  const std::int64_t apart =
      waiting + sum_of_largest(scratch, threads) + sum_of_largest(updates, threads);
  Held above{tree, type, threads, of_children, waiting, waiting};
  for (const SupernodeId s : subtrees.above) above.eliminate(s);
  const std::int64_t arcs =
      graph.symmetric() ? (graph.arc_count() + graph.loop_count() + 1) / 2 : graph.arc_count();
  return std::max(apart, above.most_waiting + above.scratch()) +
         arcs * static_cast<std::int64_t>(sizeof(Entry)) +
         tree.vertices() * (threads + 6) * std::int64_t{8} + structure_bytes(tree);
}

}  // namespace apsp::sparse
