#include "paths/betweenness.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <type_traits>

#include "base/control.hpp"
#include "base/sum_slices.hpp"
#include "paths/device_dependencies.hpp"
#include "paths/path_counts.hpp"
#include "paths/pendant_trees.hpp"
#include "semiring/dispatch.hpp"
#include "statistics/column_sums.hpp"
#include "system/pool.hpp"

namespace apsp::paths {
namespace {

/// Sums columns in two slices: 2 · (53 − log2(rows)) binary digits below `greatest`.
class RoundedSums {
 public:
  RoundedSums(std::size_t columns, std::int64_t rows, double greatest)
      : sums_(static_cast<std::int64_t>(columns), rows),
        slices_(sums_.slices(std::max(greatest, 1.0), std::max(greatest, 1.0), 2, 0)) {}
  RoundedSums(const RoundedSums&) = delete;
  RoundedSums& operator=(const RoundedSums&) = delete;

  void add(std::span<const double> values, double times) {
    double* const high = slices_.held[0].sums;
    double* const low = slices_.held[1].sums;
    const double round_high = slices_.held[0].round, round_low = slices_.held[1].round;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i] * times;
      const double part = (value + round_high) - round_high;
      high[i] += part;
      low[i] += ((value - part) + round_low) - round_low;
    }
  }
  void add(const RoundedSums& other) { sums_.add(other.sums_); }
  void add(std::span<const double> high, std::span<const double> low) {
    for (std::size_t i = 0; i < high.size(); ++i) {
      slices_.held[0].sums[i] += high[i];
      slices_.held[1].sums[i] += low[i];
    }
  }
  const statistics::Slices& slices() const { return slices_; }
  double total(std::size_t column) const { return sums_.total(static_cast<std::int64_t>(column)); }

 private:
  statistics::ColumnSums sums_;
  statistics::Slices slices_;
};

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

template <class T>
class CounterOf final : public BetweennessRows::Counter {
 public:
  using K = std::conditional_t<std::is_same_v<T, double>, double, std::uint32_t>;

  CounterOf(const Graph& graph, const PendantTrees& trees, const BetweennessQuestion& question)
      : trees_(trees),
        arcs_(graph, trees.order(), trees.remaining()),
        columns_(trees.order().begin(), trees.order().begin() + trees.remaining()),
        stand_for_(stand_for(trees)),
        number_(trees.order().size()),
        // Ends in symmetric graphs: pairs_at().
        ends_(question.endpoints && !graph.symmetric()),
        flows_(question.arcs),
        parts_([this] { return std::make_unique<Part>(*this); }) {
    for (std::size_t i = 0; i < number_.size(); ++i) {
      number_[trees.order()[i]] = static_cast<Vertex>(i);
    }
  }

  void take(const RowBlock& block) override {
    parts_.lend([&](Part& part) {
      const T* row = static_cast<const T*>(block.values);
      for (const Vertex source : block.sources) {
        take(source, row, part);
        row += block.stride;
      }
    });
  }

  std::unique_ptr<flow::DeviceRowSink> part_on(kernels::ComputeDevice& device,
                                               const ShareBatches& how) override {
    using Shares = DeviceShares<K>;
    const std::lock_guard lock(adding_);
    if (!on_devices_) on_devices_.emplace(*this);
    const statistics::Slices& slices = on_devices_->vertices.slices();
    const SharedPaths<K> paths{
        arcs_, columns_, stand_for_, ends_, flows_, slices.held[0].round, slices.held[1].round};
    return std::make_unique<Shares>(
        paths, how, device,
        [this](Vertex source) {
          return typename Shares::Source{number_[trees_.root(source)],
                                         static_cast<double>(trees_.sources_of_row(source))};
        },
        [this](const typename Shares::Sums& sums) {
          const std::lock_guard adding(adding_);
          on_devices_->vertices.add(sums.vertices_high, sums.vertices_low);
          on_devices_->arcs.add(sums.arcs_high, sums.arcs_low);
        });
  }

  void complete() override {
    total_.emplace(*this);
    if (on_devices_) {
      total_->vertices.add(on_devices_->vertices);
      total_->arcs.add(on_devices_->arcs);
    }
    parts_.for_each([&](Part& part) {
      total_->vertices.add(part.sums.vertices);
      total_->arcs.add(part.sums.arcs);
    });
  }

  double of_vertex(std::size_t number) const override {
    return number < arcs_.counted ? total_->vertices.total(number) : 0.0;
  }
  void visit_arcs(std::size_t number, const Visit& visit) const override {
    std::size_t place = arcs_.out.first[number];
    for (const search::KeyedArc<K>& arc : arcs_.from(number)) {
      visit(arc.to, static_cast<double>(arc.weight), total_->arcs.total(place++));
    }
  }
  double of_arc(std::size_t from, std::size_t to) const override {
    const auto arcs = arcs_.from(from);
    const Vertex target = trees_.order()[to];
    const auto at = std::lower_bound(arcs.begin(), arcs.end(), target,
                                     [this](const search::KeyedArc<K>& arc, Vertex least) {
                                       return trees_.order()[arc.to] < least;
                                     });
    return total_->arcs.total(arcs_.out.first[from] + static_cast<std::size_t>(at - arcs.begin()));
  }

 private:
  struct Sums {
    explicit Sums(const CounterOf& of)
        : vertices(of.arcs_.counted, of.most_rows(), of.most_share()),
          arcs(of.flows_ ? of.arcs_.out.arcs.size() : 0, of.most_rows(), of.most_share()) {}
    RoundedSums vertices, arcs;
  };
  struct Part {
    explicit Part(const CounterOf& of) : counts(of.arcs_, of.stand_for_, of.flows_), sums(of) {}
    PathCounts<K> counts;
    Sums sums;
  };

  std::int64_t most_rows() const {
    return std::max<std::int64_t>(2, std::ssize(trees_.row_sources()));
  }
  /// Pairs that one row counts, at most.
  double most_share() const {
    double sources = 1;
    for (const Vertex source : trees_.row_sources()) {
      sources = std::max(sources, static_cast<double>(trees_.sources_of_row(source)));
    }
    return sources * static_cast<double>(number_.size());
  }

  void take(Vertex source, const T* row, Part& part) {
    using S = semiring::MinPlus<T>;
    for (std::size_t i = 0; i < arcs_.counted; ++i) {
      const T distance = row[trees_.order()[i]];
      part.counts.set(i, distance == S::zero() ? arcs_.kUnreached : static_cast<K>(distance));
    }
    // All paths from a pendant tree enter the counted graph at its root.
    part.counts.count(number_[trees_.root(source)], ends_);
    const auto times = static_cast<double>(trees_.sources_of_row(source));
    part.sums.vertices.add(part.counts.shares(), times);
    part.sums.arcs.add(part.counts.flows(), times);
  }

  const PendantTrees& trees_;
  CountedArcs<K> arcs_;
  std::vector<Vertex> columns_;    // [counted]
  std::vector<double> stand_for_;  // [counted]
  std::vector<Vertex> number_;     // [n]
  bool ends_, flows_;
  system::Pool<Part> parts_;
  std::mutex adding_;
  std::optional<Sums> on_devices_, total_;
};

}  // namespace

namespace {

store::Selection rows_from(std::span<const Vertex> sources) {
  return {std::vector<Vertex>(sources.begin(), sources.end()), {}};
}

}  // namespace

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
