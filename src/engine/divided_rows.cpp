#include "engine/divided_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/sweep.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

using sparse::Position;
using sparse::SupernodeId;
using sparse::Sweep;
using sparse::TreeShare;

/// Blocks of sources that a process sends at once: short messages, but work for all threads.
std::int64_t blocks_of_round(const TreeShare& share, ValueType type, int threads) {
  constexpr std::int64_t kRound = std::int64_t{1} << 18;  // bytes
  const std::int64_t block =
      share.top_vertices * sparse::FactorRows::most_column_sources(type) * size_of(type);
  return std::max<std::int64_t>(threads, kRound / std::max<std::int64_t>(1, block));
}

sparse::Factor eliminate_divided(const Graph& graph, const planner::Plan& plan,
                                 const TreeShare& share, const Control& control,
                                 ProcessGroup& group) {
  const sparse::EliminationOptions options{
      plan.kernel_semiring(), plan.type, plan.sign, plan.cycles, plan.threads, control, {}};
  std::optional<sparse::SharedElimination> elimination;
  group.run_local([&] { elimination.emplace(graph, share, options); });
  group.communicate([&] {
    for (const TreeShare::Root& root : share.roots) {
      group.broadcast(root.owner, elimination->update(root.id));
    }
  });
  std::optional<sparse::Factor> factor;
  group.run_local([&] { factor = elimination->top(); });
  return std::move(*factor);
}

struct Block {
  std::vector<Vertex> sources{};  // adjacent in the order of the whole tree
  int root = -1;                  // number of their subtree among the roots of a share; −1: none
  base::ByteVector top{};  // [top vertices, lanes] distances; empty if no other process needs them
};

class DividedRows {
 public:
  DividedRows(const sparse::Factor& factor, const planner::Plan& plan, const TreeShare& share,
              flow::ColumnSink& columns, ProcessGroup& group)
      : factor_(factor),
        tree_(factor.tree()),
        plan_(plan),
        share_(share),
        columns_(columns),
        group_(group),
        once_(columns.pairs_once()),
        threads_(static_cast<std::size_t>(std::max(1, plan.threads))) {}

  void count(const Control& control) {
    const std::int64_t at_once = blocks_of_round(share_, plan_.type, plan_.threads);
    const std::int64_t sources = group_.least(
        sparse::FactorRows::column_sources(plan_.type, plan_.n / group_.size(), plan_.threads));
    std::vector<Block> blocks = own_blocks(static_cast<std::size_t>(sources)), received;
    const std::int64_t count = std::ssize(blocks);
    const std::int64_t rounds = -group_.least(-((count + at_once - 1) / at_once));
    base::ProgressTask progress(control, "solving", static_cast<double>(plan_.n), "row");
    const auto begin = [&](std::int64_t round) {
      return static_cast<std::size_t>(count * std::min(round, rounds) /
                                      std::max<std::int64_t>(1, rounds));
    };
    for (std::int64_t round = 0; round <= rounds; ++round) {
      const std::span<Block> own{blocks.data() + begin(round), blocks.data() + begin(round + 1)};
      const auto sweep_one = [&](std::int64_t item, int member) {
        const auto i = static_cast<std::size_t>(item);
        Thread& thread = thread_of(member);
        Block& block = i < own.size() ? own[i] : received[i - own.size()];
        i < own.size() ? sweep(block, thread) : sweep_below(block, thread);
        progress.advance(static_cast<double>(block.sources.size()));
      };
      group_.run_local([&] {
        system::parallel_for(std::ssize(own) + std::ssize(received), plan_.threads, 1, sweep_one);
        base::check_cancelled(control);
      });
      group_.communicate([&] { received = exchanged(own); });
    }
  }

 private:
  struct Thread {
    Sweep sweep;
    flow::ColumnSink::Writer& counts;
  };

  Thread& thread_of(int member) {
    std::unique_ptr<Thread>& thread = threads_[static_cast<std::size_t>(member)];
    if (thread == nullptr) {
      const std::int64_t lanes = sparse::FactorRows::most_column_sources(plan_.type);
      thread.reset(new Thread{Sweep(factor_, plan_.sign, lanes), columns_.part()});
    }
    return *thread;
  }

  /// Blocks of up to `most` sources: this process's vertices, and some of the top's.
  std::vector<Block> own_blocks(std::size_t most) const {
    std::vector<Block> blocks;
    std::int64_t of_top = 0;
    std::size_t root = 0;
    Position begin = 0;
    for (SupernodeId s = 0; s < tree_.supernodes(); ++s) {
      const SupernodeId parent = tree_.parent(s);
      const bool top = share_.is_top(s);
      if (!top && parent >= 0 && !share_.is_top(parent)) continue;
      // The end of a subtree, or a supernode of the top.
      const bool is_root = root < share_.roots.size() && share_.roots[root].id == s;
      for (Position first = begin; first < tree_.first(s + 1);) {
        const Position end =
            std::min<Position>(tree_.first(s + 1), first + static_cast<Position>(most));
        if (!top || of_top++ % group_.size() == group_.rank()) {
          blocks.push_back(
              {{vertex_at(first), vertex_at(end)}, is_root ? static_cast<int>(root) : -1});
        }
        first = end;
      }
      begin = tree_.first(s + 1);
      if (is_root) ++root;
    }
    return blocks;
  }

  const Vertex* vertex_at(Position p) const { return tree_.order().vertex_at.data() + p; }

  /// The vertices that receive distances from a block. If pairs come once, they come from the
  /// source that is earlier in the whole tree, as by one process. Other shares have a subtree's
  /// place.
  Position lowest(const Block& block) const {
    if (!once_) return 0;
    const Position own = tree_.order().position_of[block.sources.front()];
    return own >= 0 ? own : tree_.first(share_.roots[static_cast<std::size_t>(block.root)].id);
  }

  void give(Thread& thread, Position first, kernels::ConstView values) const {
    thread.counts.take({vertex_at(first), static_cast<std::size_t>(values.rows)}, values.data,
                       values.stride);
  }

  void sweep(Block& block, Thread& thread) const {
    const std::int64_t row =
        Sweep::lanes_of(std::ssize(block.sources), plan_.type) * size_of(plan_.type);
    const bool of_top =
        share_.is_top(tree_.supernode_of(tree_.order().position_of[block.sources.front()]));
    const bool needed = group_.size() > 1 && (of_top || block.root >= 0);
    if (needed) block.top.resize(static_cast<std::size_t>(share_.top_vertices * row));
    thread.counts.begin(block.sources);
    thread.sweep.run(
        block.sources,
        [&](Position first, kernels::ConstView values) {
          const SupernodeId s = tree_.supernode_of(first);
          if (needed && share_.is_top(s)) {
            const Position to = sparse::at(share_.top_row, s) + first - tree_.first(s);
            std::memcpy(block.top.data() + to * row, values.data,
                        static_cast<std::size_t>(values.rows * row));
          }
          give(thread, first, values);
        },
        lowest(block));
    thread.counts.end();
  }

  void sweep_below(const Block& block, Thread& thread) const {
    const std::int64_t lanes = Sweep::lanes_of(std::ssize(block.sources), plan_.type);
    thread.counts.begin(block.sources);
    thread.sweep.run_below(
        share_, {block.top.data(), share_.top_vertices, lanes, lanes},
        [&](Position first, kernels::ConstView values) { give(thread, first, values); },
        lowest(block));
    thread.counts.end();
  }

  /// Returns the blocks of the others.
  std::vector<Block> exchanged(std::span<Block> own) {
    base::ByteWriter writer;
    writer.put(
        std::count_if(own.begin(), own.end(), [](const Block& b) { return !b.top.empty(); }));
    for (Block& block : own) {
      if (block.top.empty()) continue;
      writer.put(block.sources);
      writer.put(block.root);
      writer.put(block.top);
      block = {};
    }
    std::vector<Block> received;
    for (int owner = 0; owner < group_.size(); ++owner) {
      const bool own_turn = owner == group_.rank();
      const base::ByteVector bytes =
          group_.share(own_turn ? writer.take() : base::ByteVector(), owner);
      if (own_turn) continue;
      base::ByteReader reader(bytes);
      for (auto left = reader.get<std::ptrdiff_t>(); left > 0; --left) {
        Block& block = received.emplace_back();
        reader.read(block.sources);
        reader.read(block.root);
        reader.read(block.top);
      }
    }
    return received;
  }

  const sparse::Factor& factor_;
  const sparse::Tree& tree_;
  const planner::Plan& plan_;
  const TreeShare& share_;
  flow::ColumnSink& columns_;
  ProcessGroup& group_;
  bool once_;
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace

void count_divided(const Graph& graph, const planner::Plan& plan, const Control& control,
                   flow::ColumnSink& columns, ProcessGroup& group) {
  const TreeShare& share = *plan.divided();
  const sparse::Factor factor = eliminate_divided(graph, plan, share, control, group);
  DividedRows(factor, plan, share, columns, group).count(control);
}

std::int64_t round_bytes(const TreeShare& share, ValueType type, int threads, int processes) {
  const std::int64_t blocks = blocks_of_round(share, type, threads);
  const std::int64_t sources = sparse::FactorRows::most_column_sources(type);
  // The blocks, the message, and the blocks that arrive.
  return (processes + 2) * blocks * sources * (share.top_vertices * size_of(type) + 4);
}

}  // namespace apsp::engine
