#include "paths/device_dependencies.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <utility>

namespace apsp::paths {
namespace {

/// Of a counted vertex, in or out.
template <class K>
std::uint32_t most_arcs(const CountedArcs<K>& arcs) {
  std::size_t most = 0;
  for (std::size_t v = 0; v < arcs.counted; ++v) {
    most = std::max({most, arcs.from(v).size(), arcs.into(v).size()});
  }
  return static_cast<std::uint32_t>(most);
}

}  // namespace

std::int64_t ShareBatches::device_bytes(const SharedSizes& sizes) const {
  constexpr std::int64_t kNumber = sizeof(std::uint32_t), kValue = sizeof(double);
  const auto [vertices, counted, arcs, symmetric, whole] = sizes;
  const std::int64_t arc =
      whole ? sizeof(search::KeyedArc<std::uint32_t>) : sizeof(search::KeyedArc<double>);
  const std::int64_t copies = symmetric ? 1 : 2;
  const std::int64_t graph =
      copies * ((vertices + 1) * kNumber + arcs * arc) + counted * (kNumber + kValue);
  const std::int64_t sums = 2 * (counted + arcs) * kValue + kNumber;
  const std::int64_t row = counted * (whole ? kNumber : kValue) + kNumber + kValue;
  return graph + sums + 2 * rows * row + kernels::share_bytes(counted, searches);
}

ShareBatches ShareBatches::fitting(std::int64_t bytes, std::int64_t all, const SharedSizes& sizes) {
  constexpr std::int64_t kSearches = 1056;  // eight blocks for each of 132 multiprocessors
  ShareBatches batches{std::min(all, 2 * kSearches), std::min(all, kSearches)};
  while (batches.rows > 0 && batches.device_bytes(sizes) > bytes) {
    batches.rows /= 2;
    batches.searches = std::min(batches.searches, batches.rows);
  }
  return batches;
}

template <class K>
DeviceShares<K>::DeviceShares(const SharedPaths<K>& paths, const ShareBatches& how,
                              kernels::ComputeDevice& device,
                              std::function<Source(Vertex)> source_of,
                              std::function<void(const Sums&)> take)
    : paths_(paths),
      how_(how),
      device_(device),
      source_of_(std::move(source_of)),
      take_(std::move(take)),
      columns_(device, paths.columns),
      stand_for_(device, paths.stand_for),
      out_first_(device, paths.arcs.out.first),
      in_first_(device, paths.arcs.in.first),
      out_(device, paths.arcs.out.arcs),
      in_(device, paths.arcs.in.arcs),
      vertex_sums_(device, std::vector<double>(2 * paths.arcs.counted)),
      arc_sums_(device, std::vector<double>(paths.flows ? 2 * paths.arcs.out.arcs.size() : 0)),
      found_(device, std::vector<std::uint32_t>(1)),
      scratch_(device, kernels::share_bytes(counted(), how.searches)),
      most_arcs_(most_arcs(paths.arcs)) {
  static_assert(sizeof(search::KeyedArc<K>) == sizeof(kernels::SearchArc<K>));
  const auto rows = static_cast<std::size_t>(how.rows);
  for (int i = 0; i < kStages; ++i) {
    stages_.push_back(
        {dense::DeviceBuffer(device, how.rows * counted() * static_cast<std::int64_t>(sizeof(K))),
         {device, std::vector<std::uint32_t>(rows)},
         {device, std::vector<double>(rows)}});
  }
  gathers_ = device.make_queue();
  counts_ = device.make_queue();
  columns_.copy_in(device, gathers_);
  stand_for_.copy_in(device, counts_);
  out_first_.copy_in(device, counts_);
  in_first_.copy_in(device, counts_);
  out_.copy_in(device, counts_);
  in_.copy_in(device, counts_);
  vertex_sums_.copy_in(device, counts_);
  if (paths.flows) arc_sums_.copy_in(device, counts_);
  found_.copy_in(device, counts_);
}

template <class K>
DeviceShares<K>::~DeviceShares() {
  dense::drain(device_, gathers_);
  dense::drain(device_, counts_);
}

template <class K>
void DeviceShares<K>::take(const DeviceRowBlock& block) {
  const auto columns = static_cast<std::int64_t>(paths_.arcs.out.first.size()) - 1;
  const kernels::ConstView all{block.values, std::ssize(block.sources), columns, block.stride};
  const int size = size_of(block.type);
  for (std::int64_t row = 0; row < all.rows;) {
    const std::int64_t rows = std::min(all.rows - row, how_.rows - staged_);
    Stage& into = stage();
    if (staged_ == 0 && into.counted >= 0) device_.await(into.counted);
    for (std::int64_t i = 0; i < rows; ++i) {
      const Source source = source_of_(block.sources[static_cast<std::size_t>(row + i)]);
      into.sources.set(staged_ + i, source.number);
      into.times.set(staged_ + i, source.times);
    }
    const kernels::View staged{
        into.rows.data() + staged_ * counted() * static_cast<std::int64_t>(sizeof(K)), rows,
        counted(), counted()};
    kernels_.gather_distances(gathers_, {.to = staged,
                                         .from = kernels::part(all, size, row, 0, rows, columns),
                                         .columns = columns_.data(),
                                         .whole = CountedArcs<K>::kWhole});
    staged_ += rows;
    row += rows;
    if (staged_ == how_.rows) count();
  }
  device_.synchronize(gathers_);  // the rows may change from now on
}

template <class K>
void DeviceShares<K>::count() {
  if (staged_ == 0) return;
  Stage& from = stage();
  device_.wait(counts_, device_.record(gathers_));
  from.sources.copy_in(device_, counts_);
  from.times.copy_in(device_, counts_);
  kernels_.share_paths(counts_,
                       {.rows = staged_,
                        .vertices = counted(),
                        .whole = CountedArcs<K>::kWhole,
                        .distances = from.rows.data(),
                        .sources = from.sources.data(),
                        .times = from.times.data(),
                        .out = rows_of(true),
                        .in = rows_of(paths_.arcs.out.symmetric),
                        .arc_count = std::ssize(paths_.arcs.out.arcs),
                        .most_arcs = most_arcs_,
                        .stand_for = stand_for_.data(),
                        .ends = paths_.ends,
                        .of_vertices = {vertex_sums_.data(), vertex_sums_.data() + counted()},
                        .of_arcs = sums_of_arcs(),
                        .round_high = paths_.round_high,
                        .round_low = paths_.round_low,
                        .found = found_.data(),
                        .searches = how_.searches,
                        .scratch = scratch_.data()});
  from.counted = device_.record(counts_);
  stage_ = (stage_ + 1) % kStages;
  staged_ = 0;
}

template <class K>
kernels::CountedArcRows DeviceShares<K>::rows_of(bool out) const {
  const auto* const arcs = out ? out_.data() : in_.data();
  return {out ? out_first_.data() : in_first_.data(), reinterpret_cast<const std::byte*>(arcs)};
}

template <class K>
kernels::SlicedSums DeviceShares<K>::sums_of_arcs() const {
  if (!paths_.flows) return {};
  return {arc_sums_.data(), arc_sums_.data() + paths_.arcs.out.arcs.size()};
}

template <class K>
void DeviceShares<K>::finish() {
  count();
  vertex_sums_.copy_out(device_, counts_);
  if (paths_.flows) arc_sums_.copy_out(device_, counts_);
  found_.copy_out(device_, counts_);
  device_.synchronize(counts_);
  const std::uint32_t found = found_.host().front();
  if ((found & kernels::kTooManyPaths) != 0) throw_too_many_paths();
  if ((found & kernels::kTornPaths) != 0) {
    if (!CountedArcs<K>::kWhole) throw_lost_weights(static_cast<double>(paths_.arcs.least));
    throw Error(ErrorKind::defect, "the distances that a device found do not belong to the graph");
  }
  const auto halves = [](const std::vector<double>& sums) {
    return std::pair(std::span(sums).first(sums.size() / 2), std::span(sums).last(sums.size() / 2));
  };
  const auto [high, low] = halves(vertex_sums_.host());
  const auto [arcs_high, arcs_low] = halves(arc_sums_.host());
  take_({high, low, arcs_high, arcs_low});
}

template class DeviceShares<std::uint32_t>;
template class DeviceShares<double>;

}  // namespace apsp::paths
