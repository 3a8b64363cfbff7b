#include "sparse/labels.hpp"

#include <algorithm>
#include <cstring>

#include "base/control.hpp"
#include "base/rounded_up.hpp"
#include "semiring/dispatch.hpp"
#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

/// Values of one label of s: whole lines of 64 bytes.
std::int64_t label_values(const Tree& tree, SupernodeId s, ValueType type) {
  return base::rounded_up(tree.slot(s) + tree.width(s), 64 / size_of(type));
}

}  // namespace

struct Labels::Part {
  SupernodeId s;
  std::int64_t first, rows;
};

std::int64_t Labels::bytes(const Tree& tree, SupernodeId s, ValueType type) {
  return tree.width(s) * label_values(tree, s, type) * size_of(type);
}

std::int64_t Labels::stride(SupernodeId s) const { return label_values(tree_, s, factor_.type()); }

std::byte* Labels::row(SupernodeId s, std::int64_t j) const {
  return const_cast<std::byte*>(values_.data()) + at(begin_, s) +
         j * stride(s) * size_of(factor_.type());
}

Labels::Labels(const Factor& factor, kernels::Sign sign, End end, std::span<const char> chosen,
               SupernodeRun run, int threads, const Control& control)
    : factor_(factor),
      tree_(factor.tree()),
      operations_(kernels::cpu::row_operations(factor.semiring(), factor.type(), sign)),
      begin_(static_cast<std::size_t>(tree_.supernodes())) {
  for (const std::vector<Part>& parts : place(chosen, run)) {
    system::for_each_row(std::ssize(parts), threads, control,
                         [&](std::int64_t i) { fill(at(parts, i), end); });
  }
}

std::vector<std::vector<Labels::Part>> Labels::place(std::span<const char> chosen,
                                                     SupernodeRun run) {
  // of a part, so that several threads share a wide supernode
  constexpr std::int64_t kMostRows = 32;
  std::vector<std::vector<Part>> by_depth;
  std::vector<std::int32_t> depth(static_cast<std::size_t>(tree_.supernodes()));
  std::int64_t bytes = 0;
  const auto add = [&](SupernodeId s) {
    const SupernodeId parent = tree_.parent(s);
    at(depth, s) = parent < 0 ? 0 : at(depth, parent) + 1;
    if (std::ssize(by_depth) <= at(depth, s)) by_depth.emplace_back();
    at(begin_, s) = bytes;
    bytes += Labels::bytes(tree_, s, factor_.type());
    for (std::int64_t first = 0; first < tree_.width(s); first += kMostRows) {
      at(by_depth, at(depth, s)).push_back({s, first, std::min(kMostRows, tree_.width(s) - first)});
    }
  };
  // In a postorder all ancestors outside the run are above its last supernode.
  std::vector<SupernodeId> above;
  for (SupernodeId s = run.end - 1; s >= 0; s = tree_.parent(s)) {
    if (s >= run.end && at(chosen, s) != 0) above.push_back(s);
  }
  std::for_each(above.rbegin(), above.rend(), add);
  for (SupernodeId s = run.end - 1; s >= run.begin; --s) {
    if (at(chosen, s) != 0) add(s);
  }
  values_ = system::AlignedMemory(bytes);
  return by_depth;
}

void Labels::fill(const Part& part, End end) const {
  const SupernodeId s = part.s;
  const std::int64_t size = size_of(factor_.type());
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    auto* const values = reinterpret_cast<typename S::Value*>(row(s, part.first));
    std::fill(values, values + part.rows * stride(s), S::zero());
  });
  const kernels::ConstView arcs = end == End::source ? factor_.up(s) : factor_.down(s);
  const auto upper = tree_.upper(s);
  std::vector<std::int32_t> rows(upper.size());
  for (std::size_t begin = 0, next = 0; begin < upper.size(); begin = next) {
    const SupernodeId u = tree_.supernode_of(upper[begin]);
    for (; next < upper.size() && upper[next] < tree_.first(u + 1); ++next) {
      rows[next] = upper[next] - tree_.first(u);
    }
    const auto first = static_cast<std::int64_t>(begin);
    const auto count = static_cast<std::int64_t>(next - begin);
    operations_.multiply_gathered(
        {row(s, part.first), part.rows, stride(u), stride(s)},
        {static_cast<const std::byte*>(arcs.data) + (part.first * arcs.stride + first) * size,
         part.rows, count, arcs.stride},
        {row(u, 0), tree_.width(u), stride(u), stride(u)}, rows.data() + begin);
  }
  fill_own(part, end);
}

void Labels::fill_own(const Part& part, End end) const {
  const std::int64_t size = size_of(factor_.type());
  const kernels::ConstView closed = factor_.closed(part.s);
  const auto* const values = static_cast<const std::byte*>(closed.data);
  for (std::int64_t j = part.first; j < part.first + part.rows; ++j) {
    std::byte* const own = row(part.s, j) + tree_.slot(part.s) * size;
    if (end == End::source || factor_.symmetric()) {
      std::memcpy(own, values + j * closed.stride * size,
                  static_cast<std::size_t>(closed.cols * size));
      continue;
    }
    for (std::int64_t i = 0; i < closed.rows; ++i) {
      std::memcpy(own + i * size, values + (i * closed.stride + j) * size,
                  static_cast<std::size_t>(size));
    }
  }
}

LabelPlan::LabelPlan(const Tree& tree, ValueType type, bool symmetric,
                     std::span<const VertexPair> pairs, const Control& control)
    : tree_(tree),
      type_(type),
      symmetric_(symmetric),
      chosen_(static_cast<std::size_t>(tree.supernodes())) {
  const double ends = symmetric ? 1 : 2;
  const auto count = [&](SupernodeId s) {
    bytes_ += ends * static_cast<double>(Labels::bytes(tree, s, type));
    double entries = 0;
    for (const Position slot : tree.upper_slots(s)) entries += slot;
    relaxations_ += ends * entries * tree.width(s);
  };
  constexpr std::size_t kSurelyAll = 8;  // pairs for each vertex
  if (pairs.size() / kSurelyAll >= static_cast<std::size_t>(tree.vertices())) {
    std::fill(chosen_.begin(), chosen_.end(), char{1});
    for (SupernodeId s = 0; s < tree.supernodes() && !pairs.empty(); ++s) count(s);
    return;
  }
  // pairs between two checks for a cancellation
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i % kAtOnce == 0) base::check_cancelled(control);
    for (const Vertex end : {pairs[i].from, pairs[i].to}) {
      mark_above(tree, tree.order().position_of[end], chosen_, char{1}, count);
    }
  }
}

std::vector<SupernodeRun> LabelPlan::runs(std::int64_t memory) const {
  constexpr int kBoth = 2;
  const std::int64_t places = tree_.supernodes() * std::int64_t{sizeof(std::int64_t)};
  if (bytes_ + static_cast<double>((symmetric_ ? 1 : kBoth) * places) <=
      static_cast<double>(memory)) {
    return {{0, tree_.supernodes()}};
  }
  const std::int64_t path =
      tree_.height() * base::rounded_up(tree_.height(), 64 / size_of(type_)) * size_of(type_);
  const std::int64_t room = memory / kBoth - places - path;
  std::vector<SupernodeRun> runs;
  std::int64_t bytes = 0;
  for (SupernodeId s = 0; s < tree_.supernodes(); ++s) {
    const std::int64_t more = at(chosen_, s) != 0 ? Labels::bytes(tree_, s, type_) : 0;
    if (more > room) return {};
    if (runs.empty() || bytes + more > room) {
      runs.push_back({s, s});
      bytes = 0;
    }
    runs.back().end = s + 1;
    bytes += more;
  }
  return runs;
}

}  // namespace apsp::sparse
