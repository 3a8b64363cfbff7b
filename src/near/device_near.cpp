#include "near/device_near.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace apsp::near {
namespace {

int key_size(bool whole) { return whole ? sizeof(std::uint32_t) : sizeof(double); }

}  // namespace

NearGraph::NearGraph(const Graph& graph, ValueType type, double limit_)
    : whole(type != ValueType::f64),
      limit(std::min(limit_, largest_distance(whole ? ValueType::i32 : ValueType::f64))),
      arcs(search::searched_graph(graph, Semiring::min_plus,
                                  whole ? ValueType::i32 : ValueType::f64, search::Direction::kept,
                                  nullptr, search::kOwnNumbers)) {
  if (whole) limit = std::floor(limit);
}

std::int64_t NearBatches::device_bytes(std::int64_t vertices, std::int64_t arcs, bool whole) const {
  constexpr std::int64_t kNumber = sizeof(std::uint32_t), kSlots = 2;
  const std::int64_t arc =
      whole ? sizeof(kernels::SearchArc<std::uint32_t>) : sizeof(kernels::SearchArc<double>);
  const std::int64_t batch = rows * (2 * kNumber + std::int64_t{sizeof(std::int64_t)}) +
                             std::int64_t{sizeof(std::uint64_t)} +
                             pairs * (kNumber + key_size(whole));
  return (vertices + 1) * kNumber + arcs * arc + kSlots * batch +
         kernels::near_bytes(vertices, listed, searches, whole);
}

NearBatches NearBatches::fitting(std::int64_t bytes, std::int64_t sources, std::int64_t vertices,
                                 std::int64_t arcs, bool whole, double reached) {
  constexpr std::int64_t kSearches = 2112;  // 16 blocks for each of 132 multiprocessors
  constexpr std::int64_t kPairs = 1 << 23, kRows = 1 << 16;  // at a time
  constexpr double kFarthest = 16, kSpread = 1.25;           // of one source, of many
  constexpr std::int64_t kListed = 1 << 14;
  const double most = kFarthest * reached + static_cast<double>(kListed);
  NearBatches batches;
  batches.listed =
      most < static_cast<double>(vertices) ? static_cast<std::int64_t>(most) : vertices;
  const double all = kSpread * reached * static_cast<double>(sources);
  batches.pairs =
      vertices + (all < static_cast<double>(kPairs) ? static_cast<std::int64_t>(all) : kPairs);
  const double rows = static_cast<double>(batches.pairs) / (kSpread * std::max(reached, 1.0));
  batches.rows = std::clamp<std::int64_t>(static_cast<std::int64_t>(rows), 1,
                                          std::clamp<std::int64_t>(sources, 1, kRows));
  batches.searches = std::min(batches.rows, kSearches);
  while (batches.rows > 0 && batches.device_bytes(vertices, arcs, whole) > bytes) {
    batches.searches /= 2;
    if (batches.searches == 0) batches.rows = 0;
  }
  return batches;
}

DeviceNear::FoundBatch::FoundBatch(const NearGraph& graph, const NearBatches& how,
                                   kernels::ComputeDevice& device)
    : sources(device, std::vector<std::uint32_t>(static_cast<std::size_t>(how.rows))),
      begin(device, std::vector<std::int64_t>(static_cast<std::size_t>(how.rows))),
      found(device, std::vector<std::int32_t>(static_cast<std::size_t>(how.rows))),
      pairs(device, std::vector<std::uint64_t>(1)),
      targets(device, how.pairs * std::int64_t{sizeof(Vertex)}),
      distances(device, how.pairs * key_size(graph.whole)) {}

DeviceNear::DeviceNear(const NearGraph& graph, const NearBatches& how,
                       kernels::ComputeDevice& device)
    : graph_(graph),
      how_(how),
      device_(device),
      first_(device, graph.arcs.first),
      arcs_(device, graph.arcs.arcs),
      scratch_(device,
               kernels::near_bytes(graph.arcs.vertices, how.listed, how.searches, graph.whole)),
      targets_(static_cast<std::size_t>(how.pairs)),
      distances_(static_cast<std::size_t>(how.pairs * key_size(graph.whole))) {
  for (int i = 0; i < 2; ++i) batches_.emplace_back(graph, how, device);
  const auto pin = [&](std::optional<dense::PinnedMemory>& pinned, auto& values) {
    const std::int64_t bytes = std::ssize(values) * std::int64_t{sizeof(values.front())};
    pinned.emplace(device, kernels::View{values.data(), 1, bytes, bytes}, 1);
  };
  pin(pinned_targets_, targets_);
  pin(pinned_distances_, distances_);
  searches_ = device.make_queue();
  copies_ = device.make_queue(kernels::Priority::high);
  first_.copy_in(device, searches_);
  arcs_.copy_in(device, searches_);
  for (FoundBatch& batch : batches_) {  // a last, smaller block copies whole arrays too
    batch.begin.copy_in(device, searches_);
    batch.found.copy_in(device, searches_);
  }
}

DeviceNear::~DeviceNear() {
  dense::drain(device_, searches_);
  dense::drain(device_, copies_);
}

std::vector<Vertex> DeviceNear::run(search::SourceBlocks& blocks,
                                    const std::function<void(const NearRowsFound&)>& take) {
  const auto rows = static_cast<std::size_t>(how_.rows);
  std::vector<Vertex> waiting;  // claimed, and not searched yet
  const auto next = [&] {
    waiting.insert(waiting.end(), again_.begin(), again_.end());
    again_.clear();
    while (waiting.size() < rows) {
      const auto block = blocks.claim();
      if (!block) break;
      const auto sources = blocks.sources().subspan(block->first, block->count);
      waiting.insert(waiting.end(), sources.begin(), sources.end());
    }
    const std::size_t count = std::min(rows, waiting.size());
    std::vector<Vertex> some(waiting.end() - static_cast<std::ptrdiff_t>(count), waiting.end());
    waiting.resize(waiting.size() - count);
    return some;
  };
  for (std::size_t i = 0;; ++i) {
    FoundBatch &free = batches_[i % 2], &other = batches_[(i + 1) % 2];
    std::vector<Vertex> sources = next();
    if (sources.empty() && other.searched.empty()) break;
    if (!sources.empty()) issue(free, std::move(sources));
    if (!other.searched.empty()) fetch(other, blocks, take);
  }
  blocks.advance(too_many_.size());
  return std::move(too_many_);
}

void DeviceNear::issue(FoundBatch& batch, std::vector<Vertex> sources) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    batch.sources.set(static_cast<std::int64_t>(i), sources[i]);
  }
  batch.searched = std::move(sources);
  batch.sources.copy_in(device_, searches_);
  batch.pairs.clear(device_, searches_);
  kernels_.search_near(searches_, {.rows = std::ssize(batch.searched),
                                   .vertices = graph_.arcs.vertices,
                                   .arc_count = graph_.arcs.arc_count(),
                                   .whole = graph_.whole,
                                   .sources = batch.sources.data(),
                                   .first = first_.data(),
                                   .arcs = arcs_.data(),
                                   .limit = graph_.limit,
                                   .targets = reinterpret_cast<Vertex*>(batch.targets.data()),
                                   .distances = batch.distances.data(),
                                   .most_pairs = how_.pairs,
                                   .begin = batch.begin.data(),
                                   .found = batch.found.data(),
                                   .pairs = batch.pairs.data(),
                                   .searches = how_.searches,
                                   .listed = how_.listed,
                                   .fresh = std::exchange(fresh_, false),
                                   .scratch = scratch_.data()});
  batch.done = device_.record(searches_);
}

void DeviceNear::fetch(FoundBatch& batch, search::SourceBlocks& blocks,
                       const std::function<void(const NearRowsFound&)>& take) {
  device_.wait(copies_, batch.done);
  batch.begin.copy_out(device_, copies_);
  batch.found.copy_out(device_, copies_);
  batch.pairs.copy_out(device_, copies_);
  device_.synchronize(copies_);
  const std::int64_t pairs =
      std::min(static_cast<std::int64_t>(batch.pairs.host().front()), how_.pairs);
  const auto copy_pairs = [&](auto& to, const std::byte* from, int size) {
    device_.copy_out(copies_, {to.data(), 1, pairs, pairs}, {from, 1, pairs, pairs}, size);
  };
  copy_pairs(targets_, batch.targets.data(), sizeof(Vertex));
  copy_pairs(distances_, batch.distances.data(), key_size(graph_.whole));
  device_.synchronize(copies_);
  const std::vector<Vertex> sources = std::move(batch.searched);
  batch.searched.clear();
  const std::size_t rows = sources.size();
  take({sources, std::span(batch.begin.host()).first(rows),
        std::span(batch.found.host()).first(rows), targets_.data(), distances_.data()});
  std::size_t done = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int32_t found = batch.found.host()[i];
    if (found == kernels::kNoRoomForRow) again_.push_back(sources[i]);
    if (found == kernels::kTooManyInRow) too_many_.push_back(sources[i]);
    done += found >= 0 ? 1 : 0;
  }
  blocks.advance(done);
}

}  // namespace apsp::near
