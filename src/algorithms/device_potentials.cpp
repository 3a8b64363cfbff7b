#include "algorithms/device_potentials.hpp"

#include <vector>

#include "algorithms/negative_cycle.hpp"
#include "base/control.hpp"

namespace apsp {

using base::PathSum;
using kernels::Potential;
using kernels::QueueId;
using kernels::Tile;

namespace {

constexpr std::int32_t kNone = -1;

template <class T>
std::int64_t bytes_of(std::int64_t count) {
  return count * static_cast<std::int64_t>(sizeof(T));
}

/// A vertex on a cycle of the predecessors, −1 without one. Walks up from every vertex, and stops
/// where an earlier walk was. O(n).
std::int64_t vertex_on_cycle(std::span<const std::int32_t> predecessors) {
  const auto n = static_cast<std::int32_t>(predecessors.size());
  std::vector<std::int32_t> walk(predecessors.size(), kNone);  // [n] the walk that came by
  for (std::int32_t start = 0; start < n; ++start) {
    std::int32_t v = start;
    while (v != kNone && walk[static_cast<std::size_t>(v)] == kNone) {
      walk[static_cast<std::size_t>(v)] = start;
      v = predecessors[static_cast<std::size_t>(v)];
    }
    if (v != kNone && walk[static_cast<std::size_t>(v)] == start) return v;
  }
  return -1;
}

}  // namespace

DevicePotentials::DevicePotentials(kernels::Device& device, std::int64_t n)
    : device_(device), n_(n), potentials_(device, bytes_of<Potential>(n)) {}

std::int64_t DevicePotentials::device_bytes(const kernels::Device& device, std::int64_t n) {
  return bytes_of<Potential>(n) + bytes_of<PathSum>(n) + bytes_of<std::int32_t>(n) +
         bytes_of<std::uint8_t>(n) + bytes_of<std::int64_t>(1) + device.potential_scratch_bytes(n);
}

template <class T>
void DevicePotentials::copy_in(QueueId queue, DeviceBuffer& to, std::span<const T> from) {
  const auto count = static_cast<std::int64_t>(from.size());
  device_.copy_in(queue, Tile{to.data(), 1, count, count},
                  kernels::ConstTile{from.data(), 1, count, count}, sizeof(T));
}

template <class T>
std::vector<T> DevicePotentials::copy_out(QueueId queue, const DeviceBuffer& from,
                                          std::int64_t count) {
  std::vector<T> to(static_cast<std::size_t>(count));
  device_.copy_out(queue, {to.data(), 1, count, count},
                   kernels::ConstTile{from.data(), 1, count, count}, sizeof(T));
  device_.synchronize(queue);
  return to;
}

void DevicePotentials::bring(QueueId queue, std::span<const Potential> potentials) {
  copy_in(queue, potentials_, potentials);
}

void DevicePotentials::begin(QueueId queue) {
  const auto n = static_cast<std::size_t>(n_);
  sums_ = {device_, bytes_of<PathSum>(n_)};
  predecessors_ = {device_, bytes_of<std::int32_t>(n_)};
  changed_ = {device_, bytes_of<std::uint8_t>(n_)};
  lowered_ = {device_, bytes_of<std::int64_t>(1)};
  scratch_ = {device_, device_.potential_scratch_bytes(n_)};
  const std::vector<PathSum> nothing(n, 0);
  const std::vector<std::int32_t> none(n, kNone);
  const std::vector<std::uint8_t> all(n, 1);
  copy_in<PathSum>(queue, sums_, nothing);
  copy_in<std::int32_t>(queue, predecessors_, none);
  copy_in<std::uint8_t>(queue, changed_, all);
  device_.synchronize(queue);
}

void DevicePotentials::look_for_cycle(QueueId queue) {
  throw_negative_cycle(vertex_on_cycle(copy_out<std::int32_t>(queue, predecessors_, n_)));
}

void DevicePotentials::find(QueueId queue, kernels::ConstTile weights, const base::PathUnit& unit,
                            const Control& control) {
  if (n_ == 0) return;
  begin(queue);
  const kernels::PotentialSearch search{reinterpret_cast<PathSum*>(sums_.data()),
                                        reinterpret_cast<std::int32_t*>(predecessors_.data()),
                                        reinterpret_cast<std::uint8_t*>(changed_.data()),
                                        reinterpret_cast<std::int64_t*>(lowered_.data()),
                                        scratch_.data()};
  std::int64_t look_after = 1;
  for (std::int64_t pass = 1;; ++pass) {
    base::check_cancelled(control);
    device_.relax_potentials(queue, weights, unit, search);
    if (copy_out<std::int64_t>(queue, lowered_, 1).front() == 0) break;
    if (pass < look_after) continue;
    look_for_cycle(queue);
    look_after = 2 * pass;
  }
  std::vector<Potential> found;
  found.reserve(static_cast<std::size_t>(n_));
  for (const PathSum sum : copy_out<PathSum>(queue, sums_, n_)) {
    found.push_back(base::as_double_double(sum, unit));
  }
  copy_in<Potential>(queue, potentials_, found);
  device_.synchronize(queue);
  for (DeviceBuffer* const used : {&sums_, &predecessors_, &changed_, &lowered_, &scratch_}) {
    *used = {};
  }
}

}  // namespace apsp
