#include "search/nearest_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "base/pool.hpp"
#include "base/team.hpp"
#include "graph/derived_graphs.hpp"
#include "search/dijkstra_search.hpp"

namespace apsp::search {
namespace {

/// What is farther than any place: of whole distances in 32 bits, the greatest number.
template <class Key>
constexpr Key kFarthest = std::numeric_limits<Key>::has_infinity
                              ? std::numeric_limits<Key>::infinity()
                              : std::numeric_limits<Key>::max();

/// A place and how far it is, as far as is known.
template <class Key>
class PlaceLabel {
 public:
  PlaceLabel() = default;
  PlaceLabel(Key distance, std::uint32_t place) : distance_(distance), twice_place_(2 * place) {}

  Key distance() const { return distance_; }
  std::uint32_t place() const { return twice_place_ / 2; }
  bool is_known() const { return distance_ < kFarthest<Key>; }
  bool is_of(std::uint32_t other) const { return is_known() && place() == other; }
  bool comes_before(Key other, std::uint32_t of) const {
    return distance_ != other ? distance_ < other : place() < of;
  }
  /// To the neighbours.
  bool passed_on() const { return twice_place_ % 2 == 1; }
  void pass_on() { twice_place_ |= 1; }

 private:
  Key distance_ = kFarthest<Key>;
  std::uint32_t twice_place_ = 1;  // and 1 if it was passed on: a label of 8 bytes
};

/// A place that a vertex may be near to.
template <class Key>
struct Offer {
  Key distance;
  Vertex to;
  std::uint32_t place;
};

/// Vertices by the distance at which they are looked at, in buckets; within a bucket in any order.
class Buckets {
 public:
  /// Nothing that comes in exceeds what is looked at by more than `greatest`.
  explicit Buckets(double greatest)
      : inverse_width_(greatest > kLeastGreatest ? kSpan / greatest : 1), ring_(kBuckets) {}

  bool empty() const { return held_ == 0; }
  /// Begins at a distance. Requires: empty.
  void begin_at(double distance) { current_ = number_of(distance); }
  void push(double distance, Vertex v) {
    ring_[number_of(distance) % kBuckets].push_back(v);
    ++held_;
  }
  /// A vertex of the bucket that is looked at; false, and the next one is looked at, where there is
  /// none.
  bool pop(Vertex& v) {
    std::vector<Vertex>& bucket = ring_[current_ % kBuckets];
    if (bucket.empty()) {
      ++current_;
      return false;
    }
    v = bucket.back();
    bucket.pop_back();
    --held_;
    return true;
  }
  /// Whether a distance belongs to the bucket that is looked at, or an earlier one.
  bool is_due(double distance) const { return number_of(distance) <= current_; }
  void clear() {
    for (std::vector<Vertex>& bucket : ring_) bucket.clear();
    held_ = 0;
  }

 private:
  static constexpr double kSpan = 100;              // buckets of the greatest weight
  static constexpr double kLeastGreatest = 1e-300;  // below it all share a bucket
  static constexpr std::size_t kBuckets = 128;

  std::uint64_t number_of(double distance) const {
    return static_cast<std::uint64_t>(distance * inverse_width_);
  }

  double inverse_width_;
  std::uint64_t current_ = 0;
  std::int64_t held_ = 0;
  std::vector<std::vector<Vertex>> ring_;
};

/// Consecutive numbers, and what reaches them from outside and others from them.
template <class Key>
struct Region {
  Vertex first = 0, last = 0;  // [first, last)
  std::vector<Offer<Key>> offers{}, leaving{};

  bool holds(Vertex v) const { return v >= first && v < last; }
};

/// Labels only ever improve, and a vertex whose labels did is looked at again. So the order in
/// which vertices are looked at decides over the time, not over the result. Regions of the graph
/// are looked at one after another, each until nothing in it improves, by any thread: the labels of
/// one are in a cache, and no other thread touches them.
///
/// `Key`: of distances. Whole ones that fit 32 bits halve the memory that a search looks at.
template <class Key>
class NearestSearch {
  using Offer = search::Offer<Key>;
  using Region = search::Region<Key>;

 public:
  NearestSearch(const Graph& graph, std::int64_t k, bool reversed)
      : k_(static_cast<std::size_t>(k)),
        order_(clustered_order(links_of(graph), kCluster)),
        arcs_(search_arcs<Key>(
            reversed && !graph.symmetric() ? graph::reversed(graph) : graph, order_,
            [](Vertex, Vertex, double weight) { return static_cast<Key>(weight); })),
        labels_(order_.size() * k_),
        buckets_(
            [this] { return std::make_unique<Buckets>(static_cast<double>(arcs_.greatest)); }) {}

  NearestPlaces run(std::span<const Vertex> places, int threads, const Control& control) {
    std::vector<Vertex> number(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) number[order_[i]] = static_cast<Vertex>(i);
    std::vector<Vertex> begins;
    for (const Vertex place : places) begins.push_back(number[place]);
    regions_ = regions(order_.size(), begins);
    for (std::size_t i = 0; i < begins.size(); ++i) {
      offer({0, begins[i], static_cast<std::uint32_t>(i)});
    }
    base::ProgressTask progress(control, "searching", static_cast<double>(labels_.size()),
                                "answer");
    for (std::vector<Region*> waiting = offered(); !waiting.empty(); waiting = offered()) {
      base::share_items(std::ssize(waiting), threads, 1, [&](std::int64_t item) {
        look_at(*waiting[static_cast<std::size_t>(item)], control, progress);
      });
      for (Region* const region : waiting) {
        for (const Offer& one : region->leaving) offer(one);
        region->leaving.clear();
      }
    }
    return answers();
  }

 private:
  static constexpr std::size_t kCluster = 512;
  static constexpr std::size_t kLeastRegion = 4096;   // vertices: labels in a second-level cache
  static constexpr std::size_t kPlacesOfRegion = 32;  // on average
  static constexpr std::size_t kFewestPlaces = 4;     // of any region
  static constexpr std::int64_t kStepsOfCheck = 1 << 16;

  /// As many as are worth it, each with some of the places that begin at these numbers: where
  /// labels come from other regions, most of them are found more than once.
  static std::vector<Region> regions(std::size_t n, std::span<const Vertex> begins) {
    std::size_t count =
        std::max<std::size_t>(1, std::min(n / kLeastRegion, begins.size() / kPlacesOfRegion));
    const auto size = [&] { return std::max<std::size_t>(1, (n + count - 1) / count); };
    const auto fewest = [&] {
      std::vector<std::size_t> held((n + size() - 1) / size());
      for (const Vertex begin : begins) ++held[begin / size()];
      return *std::ranges::min_element(held);
    };
    while (count > 1 && fewest() < kFewestPlaces) count /= 2;
    std::vector<Region> all;
    for (std::size_t first = 0; first < n; first += size()) {
      const std::size_t last = std::min(n, first + size());
      all.push_back({static_cast<Vertex>(first), static_cast<Vertex>(last)});
    }
    return all;
  }

  std::span<PlaceLabel<Key>> labels_of(Vertex v) { return {labels_.data() + v * k_, k_}; }

  /// Gives it to the region of its vertex, unless the vertex knows better.
  void offer(const Offer& one) {
    if (!(one.distance < kFarthest<Key>)) return;
    if (labels_of(one.to).back().comes_before(one.distance, one.place)) return;
    regions_[one.to / (regions_.front().last - regions_.front().first)].offers.push_back(one);
  }
  std::vector<Region*> offered() {
    std::vector<Region*> some;
    for (Region& region : regions_) {
      if (!region.offers.empty()) some.push_back(&region);
    }
    return some;
  }

  void look_at(Region& region, const Control& control, base::ProgressTask& progress) {
    base::check_cancelled(control);
    std::ranges::sort(region.offers, {}, &Offer::distance);
    buckets_.lend([&](Buckets& buckets) {
      buckets.clear();  // an exception may have left some
      std::size_t next = 0;
      std::int64_t steps = 0;
      for (Vertex v = 0;;) {
        if (buckets.empty()) {
          if (next == region.offers.size()) break;
          buckets.begin_at(static_cast<double>(region.offers[next].distance));
        }
        for (; next < region.offers.size() &&
               buckets.is_due(static_cast<double>(region.offers[next].distance));
             ++next) {
          improve(region.offers[next], buckets);
        }
        if (!buckets.pop(v)) continue;
        pass_on(v, region, buckets);
        if (++steps % kStepsOfCheck != 0) continue;
        base::check_cancelled(control);
        progress.advance(kStepsOfCheck);
      }
      progress.advance(static_cast<double>(steps % kStepsOfCheck));
    });
    region.offers.clear();
  }

  /// Takes a label into the list of a vertex, which is sorted and names a place once, if it belongs
  /// there.
  void improve(const Offer& one, Buckets& buckets) {
    const std::span<PlaceLabel<Key>> labels = labels_of(one.to);
    if (!(one.distance < kFarthest<Key>)) return;
    if (labels.back().comes_before(one.distance, one.place)) return;
    std::size_t last = 0;  // the label that goes
    while (last + 1 < k_ && !labels[last].is_of(one.place)) ++last;
    if (labels[last].is_of(one.place) && labels[last].distance() <= one.distance) return;
    for (; last > 0 && !labels[last - 1].comes_before(one.distance, one.place); --last) {
      labels[last] = labels[last - 1];
    }
    labels[last] = {one.distance, one.place};
    buckets.push(static_cast<double>(one.distance), one.to);
  }

  void pass_on(Vertex v, Region& region, Buckets& buckets) {
    const auto begin = arcs_.arcs.begin() + arcs_.first[v];
    const auto end = arcs_.arcs.begin() + arcs_.first[v + std::size_t{1}];
    for (PlaceLabel<Key>& label : labels_of(v)) {
      if (label.passed_on() || !buckets.is_due(static_cast<double>(label.distance()))) continue;
      label.pass_on();
      const PlaceLabel<Key> known = label;  // a loop of length 0 may move it
      for (auto arc = begin; arc != end; ++arc) {
        const Offer one{known.distance() + arc->weight, arc->to, known.place()};
        if (region.holds(arc->to)) {
          improve(one, buckets);
        } else {
          region.leaving.push_back(one);
        }
      }
    }
  }

  NearestPlaces answers() {
    NearestPlaces all;
    all.count = static_cast<std::int64_t>(k_);
    all.places.resize(labels_.size(), NearestPlaces::kNone);
    all.distances.resize(labels_.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::span<const PlaceLabel<Key>> labels = labels_of(static_cast<Vertex>(i));
      for (std::size_t j = 0; j < k_; ++j) {
        if (!labels[j].is_known()) continue;
        all.places[order_[i] * k_ + j] = labels[j].place();
        all.distances[order_[i] * k_ + j] = static_cast<double>(labels[j].distance());
      }
    }
    return all;
  }

  std::size_t k_;
  std::vector<Vertex> order_;            // [n] vertex of each number
  SearchArcs<Key> arcs_;                 // among numbers
  std::vector<PlaceLabel<Key>> labels_;  // [n, k] by number
  std::vector<Region> regions_;          // rising
  base::Pool<Buckets> buckets_;
};

/// Whether all distances, and one arc more, are whole numbers of 32 bits.
bool fits_32_bits(const Graph& graph) {
  const WeightFacts facts = graph.weight_facts();
  return facts.integral && facts.longest_path + facts.greatest < kFarthest<std::uint32_t>;
}

}  // namespace

NearestPlaces nearest_places(const Graph& graph, std::span<const Vertex> places, std::int64_t k,
                             bool to_places, int threads, const Control& control) {
  if (fits_32_bits(graph)) {
    return NearestSearch<std::uint32_t>(graph, k, to_places).run(places, threads, control);
  }
  return NearestSearch<double>(graph, k, to_places).run(places, threads, control);
}

}  // namespace apsp::search
