#include "engine/rows_on_device.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/seconds_since.hpp"
#include "engine/drive_sinks.hpp"
#include "engine/run.hpp"
#include "flow/row_source.hpp"
#include "kernels/row_kernels.hpp"
#include "paths/device_predecessors.hpp"
#include "search/device_hops.hpp"
#include "search/device_search.hpp"
#include "search/dijkstra_rows.hpp"
#include "sparse/block_potentials.hpp"
#include "sparse/device_rows.hpp"
#include "sparse/device_sweep.hpp"
#include "store/selection.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

using Sources = std::span<const Vertex>;

/// Returns `planned`, or nothing if `columns` is null. Requires: `columns` supports it.
statistics::CountMethod way_of(const statistics::CountMethod& planned,
                               const flow::ColumnSink* columns) {
  if (columns == nullptr) return {};
  const bool taken = planned.counts() && (planned.binned ? columns->takes_binned()
                                                         : columns->count_limit() >= planned.limit);
  if (!taken) throw Error(ErrorKind::defect, "statistics do not take what a device counts");
  statistics::CountMethod way = planned;
  way.component = columns->component();
  return way;
}

class SinksOnDevice {
 public:
  /// Throws `Error` (does_not_fit).
  SinksOnDevice(std::span<flow::RowSink* const> sinks, kernels::ComputeDevice& device, int ordinal,
                ValueType type)
      : ordinal_(ordinal), type_(type) {
    for (flow::RowSink* const sink : sinks) {
      if (sink->on_device()) parts_.emplace_back(sink, sink->part_on(device));
    }
  }

  dense::TakeOnDevice take() {
    if (parts_.empty()) return {};
    return [this](Sources some, kernels::View rows) {
      for (auto& [sink, part] : parts_) {
        sink->take_on_device({some, rows.data, rows.stride, type_, ordinal_}, *part);
      }
    };
  }
  void finish() {
    for (auto& [sink, part] : parts_) part->finish();
  }

 private:
  int ordinal_;
  ValueType type_;
  std::vector<std::pair<flow::RowSink*, std::unique_ptr<flow::DeviceRowSink>>> parts_;
};

class OnDevices : public RowProducer {
 public:
  /// `lanes`: sources in a batch.
  OnDevices(const planner::Plan& plan, std::int64_t lanes, const Control& control)
      : plan_(plan), control_(control), lanes_(lanes) {}

  std::int64_t block_rows(std::int64_t sources, int processes) const override {
    return std::min(lanes_, sources / processes + 1);
  }

 protected:
  /// Devices claim blocks and call count(device, blocks, ordinal). Sums of integers are exact.
  template <class F>
  DeviceReport on_claimed_blocks(Sources sources, flow::ColumnSink* columns, F&& count) {
    return timed([&](const OpenDevices& devices) { claim(devices, sources, columns, count); });
  }
  template <class F>
  void claim(const OpenDevices& devices, Sources sources, flow::ColumnSink* columns, F&& count) {
    search::SourceBlocks blocks(sources, lanes_, control_);
    std::vector<flow::CountedDistances> counted(devices.size());
    system::on_threads(
        plan_.on_device->devices(),
        [&](int number) {
          const auto i = static_cast<std::size_t>(number);
          counted[i] = count(*devices[i], blocks, plan_.on_device->ordinal(number));
        },
        [&] { blocks.stop(); });
    if (columns != nullptr && !sources.empty()) {
      for (std::size_t i = 1; i < counted.size(); ++i) counted.front().add(counted[i]);
      columns->take_counted(counted.front());
    }
  }

  template <class F>
  DeviceReport timed(F&& run) {
    return with_devices(*plan_.on_device, [&](const OpenDevices& devices) {
      const auto start = std::chrono::steady_clock::now();
      run(devices);
      return base::seconds_since(start);
    });
  }

  /// Pushes rows to the sinks on the host, one device at a time. Empty if there is no such sink.
  sparse::TakeTrees trees_to_sinks(RowSinks sinks) {
    std::vector<flow::RowSink*> on_host;
    std::copy_if(sinks.begin(), sinks.end(), std::back_inserter(on_host),
                 [](const flow::RowSink* sink) { return !sink->on_device(); });
    if (on_host.empty()) return {};
    return [this, on_host = std::move(on_host)](Sources some, const void* rows, std::int64_t stride,
                                                const std::byte* predecessors) {
      const std::lock_guard lock(giving_);
      push_trees({some, rows, stride, plan_.type}, predecessors, on_host, plan_.threads);
    };
  }
  sparse::TakeRows to_sinks(RowSinks sinks) {
    sparse::TakeTrees trees = trees_to_sinks(sinks);
    if (!trees) return {};
    return [give = std::move(trees)](Sources some, const void* rows, std::int64_t stride) {
      give(some, rows, stride, nullptr);
    };
  }
  flow::CountedDistances give_found(const Graph& graph, const sparse::Order& order,
                                    kernels::ComputeDevice& device, int ordinal,
                                    dense::DeviceBlocks& found, sparse::SourceBlocks& blocks,
                                    const statistics::CountMethod& way, RowSinks sinks) {
    SinksOnDevice on_device(sinks, device, ordinal, plan_.type);
    const sparse::DeviceRows how = pieces();
    auto counted = [&] {
      if (!plan_.rows()->uses.finds_predecessors) {
        return sparse::rows_from_device(order, plan_.selection.targets, plan_.type, device, found,
                                        blocks, how, way, to_sinks(sinks), on_device.take());
      }
      paths::DevicePredecessors predecessors(graph, plan_.semiring, plan_.type, device,
                                             blocks.sources(), how.piece);
      return sparse::trees_from_device(order, plan_.type, device, found, predecessors, blocks, how,
                                       way, trees_to_sinks(sinks), on_device.take());
    }();
    on_device.finish();
    return counted;
  }

  sparse::DeviceRows pieces() const {
    return sparse::DeviceRows::of(lanes_, plan_.targets(), plan_.type);
  }

  const planner::Plan& plan_;
  const Control& control_;

 private:
  std::int64_t lanes_;
  std::mutex giving_;
};

class Sweeps final : public OnDevices {
 public:
  Sweeps(const Graph& graph, const sparse::Factor& factor, const planner::Plan& plan,
         const planner::SweepsOnDevice& how, const Control& control)
      : OnDevices(plan, how.lanes, control), graph_(graph), factor_(factor), how_(how) {}

  Sources order() const override { return factor_.tree().order().vertex_at; }

  std::optional<DeviceReport> rows(Sources vertices, RowSinks sinks,
                                   flow::ColumnSink* columns) override {
    const std::vector<Vertex> sources = flow::in_bands(order(), vertices, widest_band(sinks));
    const statistics::CountMethod way = way_of(how_.counting, columns);
    return on_claimed_blocks(sources, columns, [&](auto& device, auto& claimed, int ordinal) {
      kernels::required(device.gathered_rows()).keep_listed(how_.form);
      sparse::DeviceSweep sweep(factor_, device, sources, how_.lanes, threads_of_each(),
                                how_.partition);
      return give_found(graph_, factor_.tree().order(), device, ordinal, sweep, claimed, way,
                        sinks);
    });
  }

  std::optional<DeviceReport> count(Sources vertices, flow::ColumnSink& columns,
                                    std::int64_t) override {
    std::vector<Vertex> sources = flow::in_bands(order(), vertices, 0);
    const statistics::CountMethod way = way_of(how_.counting, &columns);
    return timed([&](const OpenDevices& devices) {
      if (how_.reduces && way.component.empty()) {
        sparse::DownwardCopies copies(factor_, 0);
        const auto [fitting, others, centers] = sparse::reduced_sources(
            factor_, graph_.symmetric(), sources, how_.lanes, plan_.threads);
        count(devices, fitting, columns, way, kernels::ListedForm::reduced, &copies, &centers);
        sources = others;
      }
      count(devices, sources, columns, way, how_.form);
    });
  }

 private:
  void count(const OpenDevices& devices, Sources sources, flow::ColumnSink& columns,
             const statistics::CountMethod& way, kernels::ListedForm form,
             sparse::DownwardCopies* copies = nullptr,
             const sparse::BlockCenters* centers = nullptr) {
    if (sources.empty()) return;
    claim(devices, sources, &columns, [&](auto& device, auto& claimed, int) {
      kernels::required(device.gathered_rows()).keep_listed(form);
      std::optional<sparse::BlockPotentials> potentials;
      if (form == kernels::ListedForm::reduced) {
        potentials.emplace(factor_, graph_.symmetric(), copies, threads_of_each(), centers);
      }
      sparse::DeviceSweep sweep(factor_, device, sources, claimed.lanes(), threads_of_each(),
                                how_.partition, potentials ? &*potentials : nullptr);
      return sparse::count_on_device(factor_.tree().order(), device, sweep, claimed, way);
    });
  }
  /// Host threads that pack the factor for one device.
  int threads_of_each() const { return std::max(1, plan_.threads / plan_.on_device->devices()); }

  const Graph& graph_;
  const sparse::Factor& factor_;
  const planner::SweepsOnDevice& how_;
};

void check_searched(const Graph& graph, const planner::Plan& plan,
                    const Potentials* potentials = nullptr) {
  search::check_dijkstra(graph, plan.semiring, plan.type, potentials, plan.distance_bound);
}

class Hops final : public OnDevices {
 public:
  Hops(const Graph& graph, const planner::Plan& plan, const planner::HopsOnDevice& how,
       const Control& control)
      : OnDevices(plan, how.lanes, control),
        graph_(graph),
        how_(how),
        before_(search::links_before(graph)),
        order_(search::clustered_order(before_, kernels::kLevelLine)),
        natural_(sparse::natural_order(plan.n)) {
    check_searched(graph, plan);
  }

  Sources order() const override { return order_; }

  std::optional<DeviceReport> rows(Sources vertices, RowSinks sinks, flow::ColumnSink*) override {
    const std::vector<Vertex> sources = flow::in_bands(order_, vertices, widest_band(sinks));
    return on_claimed_blocks(sources, nullptr, [&](auto& device, auto& claimed, int ordinal) {
      search::DeviceHops hops(before_, plan_.type, device, sources, how_.lanes, most());
      return give_found(graph_, natural_, device, ordinal, hops, claimed, {}, sinks);
    });
  }

  std::optional<DeviceReport> count(Sources vertices, flow::ColumnSink& columns,
                                    std::int64_t) override {
    const std::vector<Vertex> sources = flow::in_bands(order_, vertices, 0);
    const statistics::CountMethod way = way_of(how_.counting, &columns);
    return on_claimed_blocks(sources, &columns, [&](auto& device, auto& claimed, int) {
      search::DeviceHops hops(before_, plan_.type, device, sources, claimed.lanes(), most());
      return sparse::count_on_device(natural_, device, hops, claimed, way);
    });
  }

 private:
  /// The longest path searched for, in arcs.
  std::int64_t most() const { return search::DeviceHops::most_of(plan_.n, plan_.distance_bound); }

  const Graph& graph_;
  const planner::HopsOnDevice& how_;
  search::Links before_;
  std::vector<Vertex> order_;
  sparse::Order natural_;
};

class NearFar final : public OnDevices {
 public:
  NearFar(const Graph& graph, const planner::Plan& plan, const planner::SearchesOnDevice& how,
          const Potentials* potentials, const Control& control)
      : OnDevices(plan, how.batches.batch, control),
        how_(how),
        order_(store::VertexList().of(plan.n)) {
    check_searched(graph, plan, potentials);
    // Counts sum the distances to a vertex, found by a reversed search from it. Binned distances
    // may be rounded, so they need searches from their sources.
    const bool reversed =
        plan.rows()->uses.gives_columns && !graph.symmetric() && !how.counting.binned;
    graph_ = search::searched_graph(
        graph, plan.semiring, plan.type,
        reversed ? search::Direction::reversed : search::Direction::kept, potentials);
  }

  Sources order() const override { return order_; }
  std::int64_t block_rows(std::int64_t sources, int processes) const override {
    return std::min(kSearches, sources / processes + 1);
  }

  std::optional<DeviceReport> rows(Sources vertices, RowSinks sinks, flow::ColumnSink*) override {
    return on_claimed_blocks(vertices, nullptr, [&](auto& device, auto& claimed, int ordinal) {
      SinksOnDevice on_device(sinks, device, ordinal, plan_.type);
      search::rows_by_searches(graph_, device, plan_.selection.targets, how_.batches, claimed,
                               to_sinks(sinks), on_device.take());
      on_device.finish();
      return flow::CountedDistances();
    });
  }

  std::optional<DeviceReport> count(Sources vertices, flow::ColumnSink& columns,
                                    std::int64_t) override {
    const statistics::CountMethod way = way_of(how_.counting, &columns);
    return on_claimed_blocks(vertices, &columns, [&](auto& device, auto& claimed, int) {
      return search::count_by_searches(graph_, device, how_.batches, claimed, way);
    });
  }

 private:
  /// Independent searches that a process gets at once.
  static constexpr std::int64_t kSearches = 64;

  const planner::SearchesOnDevice& how_;
  std::vector<Vertex> order_;
  search::SearchedGraph graph_;
};

}  // namespace

std::unique_ptr<RowProducer> rows_by_sweeps(const Graph& graph, const sparse::Factor& factor,
                                            const planner::Plan& plan,
                                            const planner::SweepsOnDevice& how,
                                            const Control& control) {
  return std::make_unique<Sweeps>(graph, factor, plan, how, control);
}

std::unique_ptr<RowProducer> rows_by_near_far(const Graph& graph, const planner::Plan& plan,
                                              const planner::SearchesOnDevice& how,
                                              const Potentials* potentials,
                                              const Control& control) {
  return std::make_unique<NearFar>(graph, plan, how, potentials, control);
}

std::unique_ptr<RowProducer> rows_by_hops(const Graph& graph, const planner::Plan& plan,
                                          const planner::HopsOnDevice& how,
                                          const Control& control) {
  return std::make_unique<Hops>(graph, plan, how, control);
}

}  // namespace apsp::engine
