// Some blocks of all sources, spread evenly, swept and counted by one GPU or by several, and what
// all blocks would take.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/team.hpp"
#include "elimination/device_rows.hpp"
#include "elimination/device_sweep.hpp"
#include "elimination/factor_rows.hpp"
#include "semiring/dispatch.hpp"
#include "statistics/device_count.hpp"
#include "sweep_times.hpp"
#include "swept_rows.hpp"

namespace apsp::bench {

using OpenDevices = std::vector<std::unique_ptr<kernels::ComputeDevice>>;

struct SampledBlocks {
  std::vector<Vertex> sources;       // block after block
  std::int64_t lanes = 0;            // sources of a block
  std::int64_t blocks = 0, all = 0;  // those that are here, and of all sources
};

/// The middle one of each of so many equal runs of blocks.
inline SampledBlocks sample_of(std::span<const Vertex> order, std::int64_t lanes,
                               std::int64_t blocks) {
  const auto n = std::ssize(order);
  SampledBlocks sample;
  sample.lanes = lanes;
  sample.all = (n + lanes - 1) / lanes;
  sample.blocks = std::clamp<std::int64_t>(blocks, 1, sample.all);
  for (std::int64_t i = 0; i < sample.blocks; ++i) {
    const std::int64_t first = (2 * i + 1) * sample.all / (2 * sample.blocks) * lanes;
    const auto some = order.subspan(static_cast<std::size_t>(first),
                                    static_cast<std::size_t>(std::min(lanes, n - first)));
    sample.sources.insert(sample.sources.end(), some.begin(), some.end());
  }
  return sample;
}

/// Seconds of a sample. Lists, copies of the factor and a first block are one part; counters are
/// made and fetched once, however many blocks there are.
struct SampleTimes {
  double making = 0, sweeping = 0;
  double beginning = 0, counting = 0, fetching = 0;
  flow::CountedDistances counted{};
};

/// By all of the devices, each of which claims blocks.
inline SampleTimes run_sample(const elimination::Factor& factor, const OpenDevices& devices,
                              std::size_t count, const SampledBlocks& sample,
                              const statistics::CountMethod& way, int threads) {
  const Control control;
  const std::span<const Vertex> sources = sample.sources;
  std::vector<std::unique_ptr<elimination::DeviceSweep>> sweeps(count);
  std::vector<std::unique_ptr<statistics::DeviceCounter>> counters(count);
  std::vector<flow::CountedDistances> counted(count);
  const auto each = [&](auto&& act) {
    return seconds([&] {
      base::on_threads(static_cast<int>(count),
                       [&](int number) { act(static_cast<std::size_t>(number)); });
    });
  };
  const auto all_blocks = [&](const auto& found) {
    elimination::SourceBlocks blocks(sources, sample.lanes, control);
    return each([&](std::size_t i) {
      while (const auto block = blocks.claim()) {
        sweeps[i]->begin(sources.subspan(block->first, block->count));
        found(i, static_cast<std::int64_t>(block->first));
        sweeps[i]->end();
      }
      sweeps[i]->finish();
    });
  };
  SampleTimes times;
  times.making = each([&](std::size_t i) {
    sweeps[i] = std::make_unique<elimination::DeviceSweep>(
        factor, *devices[i], sources, sample.lanes, std::max(1, threads / static_cast<int>(count)));
    sweeps[i]->begin(
        sources.first(std::min(sources.size(), static_cast<std::size_t>(sample.lanes))));
    sweeps[i]->end();
    sweeps[i]->finish();
  });
  times.sweeping = all_blocks([](std::size_t, std::int64_t) {});
  if (!way.counts()) return times;
  const std::vector<Vertex>& order = factor.tree().order().vertex_at;
  times.beginning = each([&](std::size_t i) {
    counters[i] = statistics::device_counter(*devices[i], sweeps[i]->queue(), std::ssize(order),
                                             order, sources, way);
    counters[i]->begin();
    sweeps[i]->finish();
  });
  times.counting = all_blocks([&](std::size_t i, std::int64_t first) {
    counters[i]->add(sweeps[i]->distances(), 0, sweeps[i]->column_labels(), first);
  });
  times.fetching = each([&](std::size_t i) { counted[i] = counters[i]->counted(); });
  times.fetching += seconds([&] {
    for (std::size_t i = 1; i < count; ++i) counted.front().add(counted[i]);
  });
  times.counted = std::move(counted.front());
  return times;
}

/// What all blocks would take after `before` seconds of reading, order and elimination.
inline void show_sample_times(const SampleTimes& times, const SampledBlocks& sample, double n,
                              std::size_t gpus, double before) {
  fmt::print("  {} of {} blocks of {} sources, by {}:\n", sample.blocks, sample.all, sample.lanes,
             gpus == 1 ? "one GPU" : fmt::format("{} GPUs", gpus));
  const double pairs = static_cast<double>(sample.sources.size()) * n;
  const double share = n * n / pairs;
  const auto whole = [&](const char* what, double sampled, double once) {
    const double all = sampled * share;
    show(what, sampled / static_cast<double>(sample.blocks), rate_of(pairs, sampled));
    fmt::print("    all blocks: {:.1f} min; with {:.1f} s before and behind them {:.1f} min{}\n",
               all / 60, once, (all + once) / 60, rate_of(n * n, all + once));
  };
  show("  lists, copies of the factor", times.making);
  whole("  a block swept", times.sweeping, before + times.making);
  if (times.counting == 0) return;
  show("  counters made and fetched", times.beginning + times.fetching);
  whole("  a block swept and counted", times.counting,
        before + times.making + times.beginning + times.fetching);
}

/// Of some sources of the sample: how many have another greatest distance than the CPU finds.
inline std::int64_t wrong_in_sample(std::shared_ptr<const elimination::Factor> factor,
                                    const SampledBlocks& sample,
                                    const flow::CountedDistances& counted) {
  constexpr std::size_t kLooked = 8;
  const ValueType type = factor->type();
  const auto n = std::ssize(factor->tree().order().vertex_at);
  const elimination::FactorRows rows(factor, kernels::Sign::non_negative);
  const auto worker = rows.worker();
  std::int64_t wrong = 0;
  semiring::dispatch(factor->semiring(), type, [&]<class S>() {
    using T = typename S::Value;
    const double relative = type == ValueType::f32 ? 1e-5 : type == ValueType::f64 ? 1e-13 : 0;
    std::vector<T> row(static_cast<std::size_t>(n));
    const std::size_t looked = std::min(kLooked, sample.sources.size());
    for (std::size_t i = 0; i < looked; ++i) {
      const Vertex source = sample.sources[i * sample.sources.size() / looked];
      worker->compute({&source, 1}, row.data(), n);
      double greatest = -1;
      for (std::size_t v = 0; v < row.size(); ++v) {
        if (v != source && row[v] != S::zero()) {
          greatest = std::max(greatest, static_cast<double>(row[v]));
        }
      }
      const auto& from = counted.from;
      const double there = counted.placed         ? counted.placed->from[source].distance
                           : from[source].reaches ? static_cast<double>(from[source].greatest)
                                                  : -1;
      wrong += std::abs(there - greatest) <= relative * greatest ? 0 : 1;
    }
  });
  return wrong;
}

inline bool same_counts(const flow::CountedDistances& a, const flow::CountedDistances& b) {
  const auto& of_a = a.placed ? a.placed->counts : a.counts;
  const auto& of_b = b.placed ? b.placed->counts : b.counts;
  return of_a == of_b;
}

/// The sample by one device, then by all of them. Returns whether all that was compared agrees.
inline bool show_sample(const std::shared_ptr<const elimination::Factor>& factor,
                        const OpenDevices& devices, const SampledBlocks& sample,
                        const statistics::CountMethod& way, int threads, double before) {
  const auto n = static_cast<double>(factor->tree().vertices());
  const SampleTimes one = run_sample(*factor, devices, 1, sample, way, threads);
  show_sample_times(one, sample, n, 1, before);
  bool right = true;
  if (devices.size() > 1) {
    const SampleTimes all = run_sample(*factor, devices, devices.size(), sample, way, threads);
    show_sample_times(all, sample, n, devices.size(), before);
    fmt::print("  rate of {} GPUs beside one: {:.3f} swept", devices.size(),
               one.sweeping / all.sweeping);
    if (way.counts()) fmt::print(", {:.3f} swept and counted", one.counting / all.counting);
    const bool same = same_counts(one.counted, all.counted);
    fmt::print("; counts as of one: {}\n", same ? "yes" : "NO");
    right = same;
  }
  const std::int64_t differ = way.counts() ? wrong_in_sample(factor, sample, one.counted) : 0;
  if (way.counts())
    fmt::print("  sources whose greatest distance differs from the CPU's: {}\n", differ);
  const std::int64_t wrong = wrong_in_rows(factor, *devices.front());
  fmt::print("  distances of some rows that differ from the CPU's: {}\n", wrong);
  return right && differ == 0 && wrong == 0;
}

}  // namespace apsp::bench
