#include "sparse/downward_factor.hpp"

#include <algorithm>
#include <numeric>

#include "base/rounded_up.hpp"
#include "semiring/dispatch.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

using kernels::cpu::kDownwardColumns;
using kernels::cpu::kDownwardSlack;
constexpr std::int64_t kHeader = 2;  // width and columns of a block

std::int64_t padded(std::int64_t columns) { return base::rounded_up(columns, kDownwardColumns); }

}  // namespace

DownwardFactor::DownwardFactor(const Factor& factor, End end, int threads, std::int64_t positions)
    : tree_(factor.tree()),
      semiring_(factor.semiring()),
      type_(factor.type()),
      block_of_(static_cast<std::size_t>(tree_.supernodes())),
      place_(static_cast<std::size_t>(tree_.supernodes())) {
  arrange(positions);
  structure_.resize(static_cast<std::size_t>(parts_.back().structure));
  vertices_.resize(static_cast<std::size_t>(tree_.vertices()));
  // A block's last columns may be padding, which reads as much of what follows.
  values_ = system::AlignedMemory(
      (tree_.upper_entries() + tree_.height()) * size_of(factor.type()) + kDownwardSlack);
  semiring::dispatch(factor.semiring(), factor.type(), [&]<class S>() {
    using T = typename S::Value;
    system::parallel_for(std::ssize(parts_) - 1, threads, [&](std::int64_t part) {
      fill<T>(factor, end, static_cast<std::size_t>(part));
    });
    T* const last = values_.as<T>() + tree_.upper_entries();
    std::fill(last, last + tree_.height() + kDownwardSlack / size_of(factor.type()), S::zero());
  });
}

std::int64_t DownwardFactor::bytes(const Tree& tree, ValueType type) {
  const std::int64_t numbers = tree.vertices() + tree.upper_begin(tree.supernodes()) +
                               (kHeader + kDownwardColumns + 3) * tree.supernodes();
  return numbers * std::int64_t{sizeof(std::int32_t)} +
         (tree.upper_entries() + tree.height()) * size_of(type) + kDownwardSlack;
}

void DownwardFactor::arrange(std::int64_t positions) {
  const std::vector<Siblings> runs = runs_of_siblings(tree_, positions);
  std::vector<SupernodeId> ends;  // of parts, in blocks
  auto run = runs.begin();
  for (SupernodeId s = tree_.supernodes() - 1; s >= 0; --s) {
    if (run != runs.end() && run->last == s) {
      s = run++->first;
    } else {
      blocks_.push_back(s);
    }
  }
  ends.push_back(static_cast<SupernodeId>(blocks_.size()));
  std::vector<std::uint16_t> depth(static_cast<std::size_t>(tree_.supernodes()));
  std::vector<std::pair<std::uint64_t, SupernodeId>> sorted;
  for (const auto [first, last] : runs) {
    sorted.clear();
    for (SupernodeId s = last; s >= first; --s) {
      const SupernodeId parent = tree_.parent(s);
      if (parent >= 0 && parent <= last) at(depth, s) = at(depth, parent) + 1;
      const auto capped = [](std::int64_t count) {
        return static_cast<std::uint64_t>(std::min<std::int64_t>(count, 255));
      };
      sorted.emplace_back(std::uint64_t{at(depth, s)} << 16 |
                              capped(padded(tree_.structure_size(s)) / kDownwardColumns) << 8 |
                              capped(tree_.width(s) / 8),
                          s);
    }
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [key, s] : sorted) blocks_.push_back(s);
    ends.push_back(static_cast<SupernodeId>(blocks_.size()));
  }
  Part next{};
  parts_.push_back(next);
  for (const SupernodeId end : ends) {
    auto place = parts_.size() > 1 ? top_ : Position{0};
    for (; next.block < end; ++next.block) {
      const SupernodeId s = at(blocks_, next.block);
      at(block_of_, s) = next.block;
      at(place_, s) = place;
      place += tree_.width(s);
      next.structure += kHeader + padded(tree_.structure_size(s));
      next.values += tree_.width(s) * tree_.structure_size(s);
      next.vertex += tree_.width(s);
    }
    if (parts_.size() == 1) top_ = place;
    longest_ = std::max(longest_, place - top_);
    parts_.push_back(next);
  }
}

template <class T>
void DownwardFactor::fill(const Factor& factor, End end, std::size_t part) {
  std::int32_t* structure = structure_.data() + parts_[part].structure;
  T* value = values_.as<T>() + parts_[part].values;
  Vertex* vertex = vertices_.data() + parts_[part].vertex;
  for (SupernodeId block = parts_[part].block; block < parts_[part + 1].block; ++block) {
    const SupernodeId s = at(blocks_, block);
    const auto upper = tree_.upper(s);
    const kernels::ConstView arcs = factor.upward(s, opposite(end));
    *structure++ = tree_.width(s);
    *structure++ = static_cast<std::int32_t>(upper.size());
    for (const Position p : upper) {
      const SupernodeId holder = tree_.supernode_of(p);
      *structure++ = at(place_, holder) + p - tree_.first(holder);
    }
    for (std::int64_t k = std::ssize(upper); k < padded(std::ssize(upper)); ++k) *structure++ = -1;
    const auto* const from = static_cast<const T*>(arcs.data);
    for (std::int64_t k = 0; k < arcs.cols; ++k) {
      for (std::int64_t j = 0; j < arcs.rows; ++j) *value++ = from[j * arcs.stride + k];
    }
    vertex = std::copy_n(tree_.order().vertex_at.begin() + tree_.first(s), arcs.rows, vertex);
  }
}

template <class T>
void DownwardFactor::descend_part(const kernels::cpu::VectorOperations& vectors,
                                  std::span<const Entered> path, const T* from, std::size_t part,
                                  T* base, T* row) const {
  constexpr std::int64_t kAhead = 64;  // rows are too long for the caches of one core
  const Part& begin = parts_[part];
  T* const first = base + (part > 0 ? top_ : 0);
  kernels::cpu::DownwardBlocks next{structure_.data() + begin.structure,
                                    values_.as<T>() + begin.values, first};
  SupernodeId block = begin.block;
  const SupernodeId end = parts_[part + 1].block;
  const auto after = std::ranges::lower_bound(path, block, {}, &Entered::block);
  for (auto on = after; on != path.end() && on->block < end; ++on) {
    vectors.descend(next, on->block - block, base, nullptr);
    vectors.descend(next, 1, base, from + on->slot);
    block = on->block + 1;
  }
  vectors.descend(next, end - block, base, nullptr);
  const Vertex* const vertices = vertices_.data() + begin.vertex;
  const std::int64_t count = parts_[part + 1].vertex - begin.vertex;
  for (std::int64_t i = 0; i < count; ++i) {
    __builtin_prefetch(row + vertices[std::min(i + kAhead, count - 1)], 1);
    row[vertices[i]] = first[i];
  }
}

void DownwardFactor::descend(const kernels::cpu::VectorOperations& vectors,
                             std::span<const SupernodeId> path, const void* from, int threads,
                             system::AlignedMemory& room, void* row) const {
  std::vector<Entered> entered;
  for (const SupernodeId s : path) entered.push_back({at(block_of_, s), tree_.slot(s)});
  std::ranges::sort(entered, {}, &Entered::block);
  semiring::dispatch(semiring_, type_, [&]<class S>() {
    using T = typename S::Value;
    constexpr std::int64_t kSlack = kDownwardSlack / sizeof(T);
    const std::int64_t each = top_ + longest_ + 2 * kSlack;
    room.require(threads * each * std::int64_t{sizeof(T)});
    const auto base_of = [&](int member) { return room.as<T>() + member * each + kSlack; };
    const auto sweep = [&](std::size_t part, T* base) {
      descend_part<T>(vectors, entered, static_cast<const T*>(from), part, base,
                      static_cast<T*>(row));
    };
    for (int member = 0; member < threads; ++member) base_of(member)[-1] = S::zero();
    sweep(0, base_of(0));
    std::vector<char> begun(static_cast<std::size_t>(threads));
    begun[0] = 1;
    system::parallel_for(std::ssize(parts_) - 2, threads, [&](std::int64_t part, int member) {
      T* const base = base_of(member);
      if (!std::exchange(at(begun, member), 1)) std::copy_n(base_of(0), top_, base);
      sweep(static_cast<std::size_t>(part) + 1, base);
    });
  });
}

const DownwardFactor* DownwardCopies::next_row(End end, int threads) {
  const std::lock_guard lock(mutex_);
  const auto of = static_cast<std::size_t>(factor_.symmetric() ? End::source : end);
  if (copies_[of] == nullptr && ++rows_[of] > rows_before_ / threads &&
      DownwardFactor::bytes(factor_.tree(), factor_.type()) <= system::available_memory() / 2) {
    copies_[of] = std::make_unique<const DownwardFactor>(factor_, end, threads, positions_);
  }
  return copies_[of].get();
}

}  // namespace apsp::sparse
