#include "paths/betweenness.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <functional>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/control.hpp"
#include "dense/device_buffer.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "paths/path_counts.hpp"
#include "paths/pendant_trees.hpp"
#include "paths/rounded_sums.hpp"
#include "semiring/dispatch.hpp"
#include "system/pool.hpp"

namespace apsp::paths {
namespace {

/// [counted] ω of PathCounts.
std::vector<double> stand_for(const PendantTrees& trees) {
  std::vector<double> vertices;
  for (const Vertex v : trees.order().first(static_cast<std::size_t>(trees.remaining()))) {
    vertices.push_back(static_cast<double>(trees.vertices(v)));
  }
  return vertices;
}

}  // namespace

/// Vertices are numbers in `PendantTrees::order`.
class BetweennessRows::Counter {
 public:
  virtual ~Counter() = default;
  virtual void take(const RowBlock& block) = 0;
  virtual std::unique_ptr<flow::DeviceRowSink> part_on(kernels::ComputeDevice& device,
                                                       const ShareBatches& how) = 0;
  virtual void complete() = 0;
  virtual double of_vertex(std::size_t number) const = 0;
  /// Calls visit(neighbour's number, weight, share) for each arc of a vertex, in order.
  using Visit = std::function<void(Vertex to, double weight, double share)>;
  virtual void visit_arcs(std::size_t number, const Visit& visit) const = 0;
  /// Requires: the arc exists.
  virtual double of_arc(std::size_t from, std::size_t to) const = 0;
};

namespace {

/// The counted graph. `K`: as of `CountedArcs`.
template <class K>
struct CountedPaths {
  CountedPaths(const Graph& graph, const PendantTrees& pendant, const BetweennessQuestion& question)
      : trees(pendant),
        arcs(graph, trees.order(), trees.remaining()),
        columns(trees.order().begin(), trees.order().begin() + trees.remaining()),
        stand_for(paths::stand_for(trees)),
        number(trees.order().size()),
        // Ends in symmetric graphs: pairs_at().
        ends(question.endpoints && !graph.symmetric()),
        flows(question.arcs) {
    for (std::size_t i = 0; i < number.size(); ++i) {
      number[trees.order()[i]] = static_cast<Vertex>(i);
    }
  }

  std::int64_t most_rows() const {
    return std::max<std::int64_t>(2, std::ssize(trees.row_sources()));
  }
  /// Pairs that one row counts, at most.
  double most_share() const {
    double sources = 1;
    for (const Vertex source : trees.row_sources()) sources = std::max(sources, times(source));
    return sources * static_cast<double>(number.size());
  }
  /// All paths from a pendant tree enter the counted graph at its root.
  Vertex source_number(Vertex source) const { return number[trees.root(source)]; }
  /// The number of sources that a row represents.
  double times(Vertex source) const { return static_cast<double>(trees.sources_of_row(source)); }
  std::size_t flow_count() const { return flows ? arcs.out.arcs.size() : 0; }

  const PendantTrees& trees;
  CountedArcs<K> arcs;
  std::vector<Vertex> columns;    // [counted]
  std::vector<double> stand_for;  // [counted]
  std::vector<Vertex> number;     // [n]
  bool ends, flows;
};

struct DependencySums {
  template <class K>
  explicit DependencySums(const CountedPaths<K>& of)
      : vertices(of.arcs.counted, of.most_rows(), of.most_share()),
        arcs(of.flow_count(), of.most_rows(), of.most_share()) {}

  void add(const DependencySums& other) {
    vertices.add(other.vertices);
    arcs.add(other.arcs);
  }

  RoundedSums vertices, arcs;
};

/// Counts rows in device memory. Rows are gathered in the order of the counted vertices into one of
/// two stages. A full stage is counted while the device finds the next rows.
template <class K>
class RowsOnDevice final : public flow::DeviceRowSink {
 public:
  /// Claims memory. The arguments outlive it. `finish` adds to `sums` under `adding`. Throws
  /// `Error` (does_not_fit).
  RowsOnDevice(const CountedPaths<K>& paths, const ShareBatches& how,
               kernels::ComputeDevice& device, DependencySums& sums, std::mutex& adding)
      : paths_(paths),
        how_(how),
        device_(device),
        sums_(sums),
        adding_(adding),
        columns_(device, paths.columns),
        stand_for_(device, paths.stand_for),
        out_first_(device, paths.arcs.out.first),
        in_first_(device, paths.arcs.in.first),
        out_(device, paths.arcs.out.arcs),
        in_(device, paths.arcs.in.arcs),
        vertex_sums_(device, std::vector<double>(2 * paths.arcs.counted)),
        arc_sums_(device, std::vector<double>(2 * paths.flow_count())),
        found_(device, std::vector<std::uint32_t>(1)),
        scratch_(device, kernels::share_bytes(counted(), how.searches)) {
    static_assert(sizeof(search::KeyedArc<K>) == sizeof(kernels::SearchArc<K>));
    for (std::size_t v = 0; v < paths.arcs.counted; ++v) {
      const std::size_t arcs = std::max(paths.arcs.from(v).size(), paths.arcs.into(v).size());
      most_arcs_ = std::max(most_arcs_, static_cast<std::uint32_t>(arcs));
    }
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
  ~RowsOnDevice() override {
    dense::drain(device_, gathers_);
    dense::drain(device_, counts_);
  }

  void take(const DeviceRowBlock& block) override {
    const auto columns = static_cast<std::int64_t>(paths_.arcs.out.first.size()) - 1;
    const kernels::ConstView all{block.values, std::ssize(block.sources), columns, block.stride};
    const int size = size_of(block.type);
    for (std::int64_t row = 0; row < all.rows;) {
      const std::int64_t rows = std::min(all.rows - row, how_.rows - staged_);
      Stage& into = stage();
      if (staged_ == 0 && into.counted >= 0) device_.await(into.counted);
      for (std::int64_t i = 0; i < rows; ++i) {
        const Vertex source = block.sources[static_cast<std::size_t>(row + i)];
        into.sources.set(staged_ + i, paths_.source_number(source));
        into.times.set(staged_ + i, paths_.times(source));
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

  /// Throws `Error`: usage (too many paths), defect (rows of another graph).
  void finish() override {
    count();
    vertex_sums_.copy_out(device_, counts_);
    if (paths_.flows) arc_sums_.copy_out(device_, counts_);
    found_.copy_out(device_, counts_);
    device_.synchronize(counts_);
    const std::uint32_t found = found_.host().front();
    if ((found & kernels::kTooManyPaths) != 0) throw_too_many_paths();
    if ((found & kernels::kTornPaths) != 0) {
      if (!CountedArcs<K>::kWhole) throw_lost_weights(static_cast<double>(paths_.arcs.least));
      throw Error(ErrorKind::defect,
                  "the distances that a device found do not belong to the graph");
    }
    const auto halves = [](const std::vector<double>& sums) {
      return std::pair(std::span(sums).first(sums.size() / 2),
                       std::span(sums).last(sums.size() / 2));
    };
    const auto [high, low] = halves(vertex_sums_.host());
    const auto [arcs_high, arcs_low] = halves(arc_sums_.host());
    const std::lock_guard adding(adding_);
    sums_.vertices.add(high, low);
    sums_.arcs.add(arcs_high, arcs_low);
  }

 private:
  static constexpr int kStages = 2;

  struct Stage {
    dense::DeviceBuffer rows;                   // [how.rows, counted]
    dense::DeviceArray<std::uint32_t> sources;  // [how.rows]
    dense::DeviceArray<double> times;           // [how.rows]
    kernels::EventId counted = -1;              // end of the count of earlier rows
  };

  std::int64_t counted() const { return static_cast<std::int64_t>(paths_.arcs.counted); }
  Stage& stage() { return stages_[static_cast<std::size_t>(stage_)]; }

  /// Queues the count of what is staged.
  void count() {
    if (staged_ == 0) return;
    Stage& from = stage();
    const statistics::Slices& slices = sums_.vertices.slices();
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
                          .round_high = slices.held[0].round,
                          .round_low = slices.held[1].round,
                          .found = found_.data(),
                          .searches = how_.searches,
                          .scratch = scratch_.data()});
    from.counted = device_.record(counts_);
    stage_ = (stage_ + 1) % kStages;
    staged_ = 0;
  }

  kernels::CountedArcRows rows_of(bool out) const {
    const auto* const arcs = out ? out_.data() : in_.data();
    return {out ? out_first_.data() : in_first_.data(), reinterpret_cast<const std::byte*>(arcs)};
  }
  kernels::SlicedSums sums_of_arcs() const {
    if (!paths_.flows) return {};
    return {arc_sums_.data(), arc_sums_.data() + paths_.flow_count()};
  }

  const CountedPaths<K>& paths_;
  ShareBatches how_;
  kernels::ComputeDevice& device_;
  kernels::ShortestPathKernels& kernels_ = kernels::required(device_.shortest_paths());
  DependencySums& sums_;
  std::mutex& adding_;
  dense::DeviceCopy<Vertex> columns_;
  dense::DeviceCopy<double> stand_for_;
  dense::DeviceCopy<std::uint32_t> out_first_, in_first_;
  dense::DeviceCopy<search::KeyedArc<K>> out_, in_;
  dense::DeviceArray<double> vertex_sums_, arc_sums_;  // two planes each
  dense::DeviceArray<std::uint32_t> found_;
  dense::DeviceBuffer scratch_;
  std::vector<Stage> stages_;
  int stage_ = 0;
  std::int64_t staged_ = 0;      // rows
  std::uint32_t most_arcs_ = 0;  // of a counted vertex, in or out
  kernels::QueueId gathers_, counts_;
};

template <class T>
class CounterOf final : public BetweennessRows::Counter {
 public:
  using K = std::conditional_t<std::is_same_v<T, double>, double, std::uint32_t>;

  CounterOf(const Graph& graph, const PendantTrees& trees, const BetweennessQuestion& question)
      : paths_(graph, trees, question), parts_([this] { return std::make_unique<Part>(paths_); }) {}

  void take(const RowBlock& block) override {
    parts_.use([&](Part& part) {
      const T* row = static_cast<const T*>(block.values);
      for (const Vertex source : block.sources) {
        take(source, row, part);
        row += block.stride;
      }
    });
  }

  std::unique_ptr<flow::DeviceRowSink> part_on(kernels::ComputeDevice& device,
                                               const ShareBatches& how) override {
    const std::lock_guard lock(adding_);
    if (!on_devices_) on_devices_.emplace(paths_);
    return std::make_unique<RowsOnDevice<K>>(paths_, how, device, *on_devices_, adding_);
  }

  void complete() override {
    total_.emplace(paths_);
    if (on_devices_) total_->add(*on_devices_);
    parts_.for_each([&](Part& part) { total_->add(part.sums); });
  }

  double of_vertex(std::size_t number) const override {
    return number < paths_.arcs.counted ? total_->vertices.total(number) : 0.0;
  }
  void visit_arcs(std::size_t number, const Visit& visit) const override {
    std::size_t place = paths_.arcs.out.first[number];
    for (const search::KeyedArc<K>& arc : paths_.arcs.from(number)) {
      visit(arc.to, static_cast<double>(arc.weight), total_->arcs.total(place++));
    }
  }
  double of_arc(std::size_t from, std::size_t to) const override {
    const auto arcs = paths_.arcs.from(from);
    const std::span<const Vertex> order = paths_.trees.order();
    const auto at = std::lower_bound(
        arcs.begin(), arcs.end(), order[to],
        [&](const search::KeyedArc<K>& arc, Vertex least) { return order[arc.to] < least; });
    return total_->arcs.total(paths_.arcs.out.first[from] +
                              static_cast<std::size_t>(at - arcs.begin()));
  }

 private:
  struct Part {
    explicit Part(const CountedPaths<K>& of) : counts(of.arcs, of.stand_for, of.flows), sums(of) {}
    PathCounts<K> counts;
    DependencySums sums;
  };

  void take(Vertex source, const T* row, Part& part) {
    for (std::size_t i = 0; i < paths_.columns.size(); ++i) {
      const T distance = row[paths_.columns[i]];
      const bool reached = distance != semiring::MinPlus<T>::zero();
      part.counts.set(i, reached ? static_cast<K>(distance) : CountedArcs<K>::kUnreached);
    }
    part.counts.count(paths_.source_number(source), paths_.ends);
    const double times = paths_.times(source);
    part.sums.vertices.add(part.counts.shares(), times);
    part.sums.arcs.add(part.counts.flows(), times);
  }

  CountedPaths<K> paths_;
  system::Pool<Part> parts_;
  std::mutex adding_;
  std::optional<DependencySums> on_devices_, total_;
};

store::Selection rows_from(std::span<const Vertex> sources) {
  return {std::vector<Vertex>(sources.begin(), sources.end()), {}};
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

BetweennessRows::BetweennessRows(const Graph& graph, const PendantTrees& trees, ValueType type,
                                 BetweennessQuestion question, const ShareBatches& on_device)
    : RowSink(graph.vertex_count(), type, rows_from(trees.row_sources())),
      graph_(graph),
      trees_(trees),
      question_(question),
      on_device_(on_device),
      counter_(
          semiring::dispatch(Semiring::min_plus, type, [&]<class S>() -> std::unique_ptr<Counter> {
            if constexpr (S::kKind == Semiring::min_plus) {
              return std::make_unique<CounterOf<typename S::Value>>(graph, trees, question);
            } else {
              return nullptr;
            }
          })) {
  if (trees.row_sources().empty()) expect({});  // an empty selection means all rows
}

BetweennessRows::~BetweennessRows() = default;

void BetweennessRows::accept(const RowBlock& block) { counter_->take(block); }

std::unique_ptr<flow::DeviceRowSink> BetweennessRows::part_on(kernels::ComputeDevice& device) {
  return counter_->part_on(device, on_device_);
}

void BetweennessRows::complete() { counter_->complete(); }

std::vector<double> BetweennessRows::of_vertices() const {
  const std::span<const Vertex> order = trees_.order();
  std::vector<double> found(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::int64_t pairs = trees_.pairs_through(order[i]);
    if (question_.endpoints && graph_.symmetric()) pairs += trees_.pairs_at(order[i]);
    found[order[i]] = counter_->of_vertex(i) + static_cast<double>(pairs);
  }
  return found;
}

std::vector<ArcShare> BetweennessRows::of_arcs() const {
  const std::span<const Vertex> order = trees_.order();
  std::vector<Vertex> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<Vertex>(i);
  std::vector<ArcShare> found;
  for (Vertex from = 0; from < order.size(); ++from) {
    base::poll(from);
    counter_->visit_arcs(number[from], [&](Vertex neighbour, double weight, double share) {
      const Vertex to = order[neighbour];
      if (!graph_.directed()) {
        if (to < from) return;
        share += counter_->of_arc(neighbour, number[from]) +
                 static_cast<double>(trees_.pairs_along(to, from));
      }
      found.push_back(
          {from, to, weight, share + static_cast<double>(trees_.pairs_along(from, to))});
    });
  }
  return found;
}

std::int64_t BetweennessRows::bytes(const Graph& graph, const PendantTrees& trees,
                                    const BetweennessQuestion& question, int threads) {
  constexpr std::int64_t kArc = sizeof(search::KeyedArc<double>), kVertex = 8 + 4 + 4 + 4;
  // A vertex: label, share, order, two keys, two slices. An arc: flow, two slices.
  constexpr std::int64_t kVertexOfThread = 16 + 8 + 4 + 16 + 16, kArcOfThread = 8 + 16;
  const std::int64_t n = std::ssize(trees.order()), arcs = graph.arc_count();
  const std::int64_t parts = threads + 1;
  return arcs * kArc * (graph.symmetric() ? 1 : 2) + n * kVertex + parts * n * kVertexOfThread +
         (question.arcs ? parts * arcs * kArcOfThread : 0);
}

}  // namespace apsp::paths
