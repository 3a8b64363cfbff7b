#include "paths/load_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"
#include "paths/backward_paths.hpp"
#include "paths/path_counts.hpp"
#include "paths/path_trees.hpp"
#include "paths/paths.hpp"
#include "paths/rounded_sums.hpp"
#include "semiring/dispatch.hpp"
#include "system/pool.hpp"

namespace apsp::paths {

LoadedArcs::LoadedArcs(const Graph& graph)
    : arcs(graph, graph::all_vertices(graph.vertex_count()), graph.vertex_count()),
      load(arcs.out.arcs.size(), kNone) {}

std::size_t LoadedArcs::index(Vertex from, Vertex to) const {
  const auto begin = arcs.out.arcs.begin() + arcs.out.first[from];
  const auto end = arcs.out.arcs.begin() + arcs.out.first[from + std::size_t{1}];
  const auto at =
      std::lower_bound(begin, end, to, [](const auto& arc, Vertex v) { return arc.to < v; });
  return static_cast<std::size_t>(at - arcs.out.arcs.begin());
}

Trips::Trips(const Demand& given)
    : demand(given),
      columns(given.pairs.empty() ? 0 : given.volumes.size() / given.pairs.size()),
      pairs(given.pairs.size()) {
  std::iota(pairs.begin(), pairs.end(), std::size_t{0});
  const std::size_t count = pairs.size();
  std::erase_if(pairs, [&](std::size_t pair) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (demand.volumes[c * count + pair] > 0) return false;
    }
    return true;
  });
  std::ranges::sort(pairs, {}, [&](std::size_t pair) {
    const VertexPair& ends = demand.pairs[pair];
    return std::tuple(ends.from, ends.to, pair);
  });
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Vertex source = demand.pairs[pairs[i]].from;
    if (sources.empty() || sources.back().source != source) sources.push_back({source, i, i});
    sources.back().last = i + 1;
  }
  for (const OfSource& of : sources) {
    for (std::size_t c = 0; c < columns; ++c) {
      double volume = 0;
      for (std::size_t i = of.first; i < of.last; ++i) {
        volume += demand.volumes[c * count + pairs[i]];
      }
      greatest = std::max(greatest, volume);
    }
  }
}

namespace {

struct Sums {
  Sums(const LoadedArcs& arcs, const Trips& trips)
      : volumes(trips.columns * arcs.loads, rows(trips), trips.greatest),
        left_out(trips.columns, rows(trips), trips.greatest) {}

  static std::int64_t rows(const Trips& trips) {
    return std::max<std::int64_t>(2, std::ssize(trips.sources));
  }
  void add(const Sums& other) {
    volumes.add(other.volumes);
    left_out.add(other.left_out);
    without_path += other.without_path;
    selected.insert(selected.end(), other.selected.begin(), other.selected.end());
    costs.insert(costs.end(), other.costs.begin(), other.costs.end());
  }

  RoundedSums volumes, left_out;
  std::int64_t without_path = 0;
  std::vector<SelectedTrip> selected;
  std::vector<std::pair<Vertex, std::vector<double>>> costs;  // of a source, by column
};

}  // namespace

class LoadRows::Loader {
 public:
  virtual ~Loader() = default;
  virtual void take(const RowBlock& block) = 0;
  virtual void put(Loads& loads) = 0;
};

namespace {

/// The common part of both ways of loading. `Part` loads the trips of a source; each thread has
/// one.
template <class Part>
class LoaderOf final : public LoadRows::Loader {
 public:
  LoaderOf(const Graph& graph, const LoadedArcs& arcs, const Trips& trips, ValueType type,
           bool exact)
      : arcs_(arcs), trips_(trips), parts_([this, &graph, type, exact] {
          return std::make_unique<Loading>(graph, arcs_, trips_, type, exact);
        }) {}

  void take(const RowBlock& block) override {
    parts_.use([&](Loading& loading) {
      const auto* row = static_cast<const std::byte*>(block.values);
      for (const Vertex source : block.sources) {
        const auto of =
            std::ranges::lower_bound(trips_.sources, source, {}, &Trips::OfSource::source);
        keep_path_trips(*of, row, block.type, loading.sums);
        loading.part.load(*of, row, loading.sums);
        row += block.stride * size_of(block.type);
      }
    });
  }

  void put(Loads& loads) override {
    Sums total(arcs_, trips_);
    parts_.for_each([&](Loading& loading) { total.add(loading.sums); });
    loads.volumes.resize(trips_.columns * arcs_.loads);
    for (std::size_t i = 0; i < loads.volumes.size(); ++i) {
      loads.volumes[i] = total.volumes.total(i);
    }
    loads.left_out.resize(trips_.columns);
    loads.costs.assign(trips_.columns, 0.0);
    std::ranges::sort(total.costs);
    for (std::size_t c = 0; c < trips_.columns; ++c) {
      loads.left_out[c] = total.left_out.total(c);
      for (const auto& [source, costs] : total.costs) loads.costs[c] += costs[c];
    }
    loads.without_path = total.without_path;
    std::ranges::sort(total.selected);
    loads.selected = std::move(total.selected);
  }

 private:
  struct Loading {
    Loading(const Graph& graph, const LoadedArcs& arcs, const Trips& trips, ValueType type,
            bool exact)
        : part(graph, arcs, trips, type, exact), sums(arcs, trips) {}
    Part part;
    Sums sums;
  };

  /// Costs, and trips without a path.
  void keep_path_trips(const Trips::OfSource& of, const std::byte* row, ValueType type,
                       Sums& sums) const {
    std::vector<double> costs(trips_.columns);
    const std::size_t count = trips_.demand.pairs.size();
    for (std::size_t i = of.first; i < of.last; ++i) {
      const std::size_t pair = trips_.pairs[i];
      const Vertex to = trips_.demand.pairs[pair].to;
      const double distance =
          as_double(Semiring::min_plus, type, row + to * static_cast<std::size_t>(size_of(type)),
                    to == of.source);
      const bool reached = std::isfinite(distance);
      sums.without_path += !reached;
      for (std::size_t c = 0; c < trips_.columns; ++c) {
        const double volume = trips_.demand.volumes[c * count + pair];
        if (reached) {
          costs[c] += volume * distance;
        } else {
          sums.left_out.add_at(c, volume);
        }
      }
    }
    sums.costs.emplace_back(of.source, std::move(costs));
  }

  const LoadedArcs& arcs_;
  const Trips& trips_;
  system::Pool<Loading> parts_;
};

/// One path a trip.
class OnePath {
 public:
  OnePath(const Graph& graph, const LoadedArcs& arcs, const Trips& trips, ValueType type,
          bool exact)
      : arcs_(arcs),
        trips_(trips),
        children_(static_cast<std::size_t>(graph.vertex_count()), kUnseen),
        place_(children_.size()) {
    if (exact && graph.weight_facts().least > 0) {
      backward_.emplace(arcs.arcs, type);
    } else {
      tree_.emplace(graph, Semiring::min_plus, type);
    }
  }

  void load(const Trips::OfSource& of, const void* distances, Sums& sums) {
    if (backward_) {
      backward_->begin(of.source, distances);
      for (std::size_t i = of.first; i < of.last; ++i) {
        backward_->reach(trips_.demand.pairs[trips_.pairs[i]].to);
      }
    }
    const std::span<const std::int64_t> before =
        backward_ ? backward_->before() : tree_->of(of.source, distances);
    gather(of, before);
    fill(of);
    flow_back(of.source, before, sums);
    if (!arcs_.selected.empty()) list_selected(of, before, sums);
    for (const Vertex v : seen_) children_[v] = kUnseen;
  }

 private:
  static constexpr std::uint32_t kUnseen = LoadedArcs::kNone;

  /// `seen_` ← the vertices of all paths, without the source; `children_` ← their next vertices.
  void gather(const Trips::OfSource& of, std::span<const std::int64_t> before) {
    seen_.assign(1, of.source);
    children_[of.source] = 0;
    for (std::size_t i = of.first; i < of.last; ++i) {
      Vertex v = trips_.demand.pairs[trips_.pairs[i]].to;
      while (children_[v] == kUnseen && before[v] >= 0) {
        children_[v] = 0;
        place_[v] = static_cast<std::uint32_t>(seen_.size());
        seen_.push_back(v);
        v = static_cast<Vertex>(before[v]);
      }
    }
    place_[of.source] = 0;
    for (std::size_t i = 1; i < seen_.size(); ++i) ++children_[before_of(before, i)];
  }
  Vertex before_of(std::span<const std::int64_t> before, std::size_t i) const {
    return static_cast<Vertex>(before[seen_[i]]);
  }

  /// `volume_` [seen, columns] ← the trips to each vertex.
  void fill(const Trips::OfSource& of) {
    volume_.assign(seen_.size() * trips_.columns, 0.0);
    const std::size_t count = trips_.demand.pairs.size();
    for (std::size_t i = of.first; i < of.last; ++i) {
      const std::size_t pair = trips_.pairs[i];
      const Vertex to = trips_.demand.pairs[pair].to;
      if (children_[to] == kUnseen) continue;
      double* const volume = &volume_[place_[to] * trips_.columns];
      for (std::size_t c = 0; c < trips_.columns; ++c) {
        volume[c] += trips_.demand.volumes[c * count + pair];
      }
    }
  }

  /// Goes from the ends of the paths to the source. `order_` ← the vertices in this order.
  void flow_back(Vertex source, std::span<const std::int64_t> before, Sums& sums) {
    order_.clear();
    for (const Vertex v : seen_) {
      if (children_[v] == 0 && v != source) order_.push_back(v);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Vertex v = order_[i], u = static_cast<Vertex>(before[v]);
      const double* const volume = &volume_[place_[v] * trips_.columns];
      double* const more = &volume_[place_[u] * trips_.columns];
      const std::uint32_t load = arcs_.load[arcs_.index(u, v)];
      for (std::size_t c = 0; c < trips_.columns; ++c) {
        if (load != LoadedArcs::kNone && volume[c] > 0) {
          sums.volumes.add_at(c * arcs_.loads + load, volume[c]);
        }
        more[c] += volume[c];
      }
      if (--children_[u] == 0 && u != source) order_.push_back(u);
    }
  }

  /// The last selected arc of each path, and before it the others.
  void list_selected(const Trips::OfSource& of, std::span<const std::int64_t> before, Sums& sums) {
    struct Link {
      std::uint32_t arc, next;
    };
    std::vector<Link> links;
    std::vector<std::uint32_t> last(seen_.size(), kUnseen);
    for (std::size_t i = order_.size(); i-- > 0;) {
      const Vertex v = order_[i], u = static_cast<Vertex>(before[v]);
      std::uint32_t& mine = last[place_[v]];
      mine = last[place_[u]];
      const std::uint32_t arc = arcs_.selected[arcs_.index(u, v)];
      if (arc == LoadedArcs::kNone) continue;
      links.push_back({arc, mine});
      mine = static_cast<std::uint32_t>(links.size() - 1);
    }
    for (std::size_t i = of.first; i < of.last; ++i) {
      const std::size_t pair = trips_.pairs[i];
      const Vertex to = trips_.demand.pairs[pair].to;
      if (children_[to] == kUnseen) continue;
      for (std::uint32_t at = last[place_[to]]; at != kUnseen; at = links[at].next) {
        sums.selected.push_back({links[at].arc, static_cast<std::int64_t>(pair)});
      }
    }
  }

  const LoadedArcs& arcs_;
  const Trips& trips_;
  std::optional<BackwardPaths> backward_;
  std::optional<PredecessorTree> tree_;  // without `backward_`
  std::vector<std::uint32_t> children_;  // [n] kUnseen: on no path
  std::vector<std::uint32_t> place_;     // [n] in `seen_`, of its vertices
  std::vector<Vertex> seen_, order_;
  std::vector<double> volume_;
};

/// All shortest paths of a trip.
template <class T>
class AllPaths {
 public:
  using K = std::conditional_t<std::is_same_v<T, double>, double, std::uint32_t>;

  AllPaths(const Graph& graph, const LoadedArcs& arcs, const Trips& trips, ValueType, bool)
      : arcs_(arcs),
        trips_(trips),
        order_(graph::all_vertices(graph.vertex_count())),
        counted_(graph, order_, graph.vertex_count()),
        volume_(order_.size()),
        counts_(counted_, volume_, true) {}

  void load(const Trips::OfSource& of, const void* distances, Sums& sums) {
    const T* const row = static_cast<const T*>(distances);
    const std::size_t count = trips_.demand.pairs.size();
    for (std::size_t c = 0; c < trips_.columns; ++c) {
      std::ranges::fill(volume_, 0.0);
      for (std::size_t i = of.first; i < of.last; ++i) {
        const std::size_t pair = trips_.pairs[i];
        volume_[trips_.demand.pairs[pair].to] += trips_.demand.volumes[c * count + pair];
      }
      volume_[of.source] = 0;
      for (std::size_t v = 0; v < order_.size(); ++v) {
        const bool reached = row[v] != semiring::MinPlus<T>::zero();
        counts_.set(v, reached ? static_cast<K>(row[v]) : CountedArcs<K>::kUnreached);
      }
      counts_.count(of.source, false);
      const std::span<const double> flows = counts_.flows();
      for (std::size_t arc = 0; arc < flows.size(); ++arc) {
        if (flows[arc] > 0) sums.volumes.add_at(c * arcs_.loads + arcs_.load[arc], flows[arc]);
      }
    }
  }

 private:
  const LoadedArcs& arcs_;
  const Trips& trips_;
  std::vector<Vertex> order_;
  CountedArcs<K> counted_;
  std::vector<double> volume_;  // [n] of the trips of a source
  PathCounts<K> counts_;
};

store::Selection rows_of(const Trips& trips) {
  std::vector<Vertex> sources;
  for (const Trips::OfSource& of : trips.sources) sources.push_back(of.source);
  return {std::move(sources), {}};
}

}  // namespace

LoadRows::LoadRows(const Graph& graph, const LoadedArcs& arcs, const Trips& trips, ValueType type,
                   bool exact, bool split)
    : RowSink(graph.vertex_count(), type, rows_of(trips)) {
  if (!split) {
    loader_ = std::make_unique<LoaderOf<OnePath>>(graph, arcs, trips, type, exact);
    return;
  }
  loader_ = semiring::dispatch(Semiring::min_plus, type, [&]<class S>() -> std::unique_ptr<Loader> {
    if constexpr (S::kKind == Semiring::min_plus) {
      return std::make_unique<LoaderOf<AllPaths<typename S::Value>>>(graph, arcs, trips, type,
                                                                     exact);
    } else {
      return nullptr;
    }
  });
}

LoadRows::~LoadRows() = default;

void LoadRows::accept(const RowBlock& block) { loader_->take(block); }

void LoadRows::put(Loads& loads) const { loader_->put(loads); }

std::int64_t LoadRows::bytes(const Graph& graph, const Trips& trips, std::size_t loads, bool split,
                             int threads) {
  // A vertex: labels of a tree or of counts, order, volumes. An arc of a split: two copies, a flow.
  constexpr std::int64_t kVertex = 160, kArc = 40, kPair = 16, kLoad = 2 * sizeof(double);
  const std::int64_t n = graph.vertex_count(), columns = static_cast<std::int64_t>(trips.columns);
  const std::int64_t part = n * (kVertex + columns * std::int64_t{sizeof(double)}) +
                            (split ? graph.arc_count() * kArc : 0) +
                            columns * static_cast<std::int64_t>(loads) * kLoad;
  return (threads + 1) * part + std::ssize(trips.demand.pairs) * kPair + graph.arc_count() * kArc;
}

}  // namespace apsp::paths
