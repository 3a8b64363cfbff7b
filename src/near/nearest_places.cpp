#include "near/nearest_places.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "graph/derived_graphs.hpp"
#include "near/low_degrees.hpp"
#include "search/bucket_queue.hpp"
#include "search/dijkstra_search.hpp"
#include "system/pool.hpp"
#include "system/threads.hpp"

namespace apsp::near {
namespace {

/// Greater than all distances.
template <class Key>
constexpr Key kFarthest = std::numeric_limits<Key>::has_infinity
                              ? std::numeric_limits<Key>::infinity()
                              : std::numeric_limits<Key>::max();

/// A facility, below 2^31 − 1, and its distance.
template <class Key>
class PlaceLabel {
 public:
  PlaceLabel() = default;
  PlaceLabel(Key distance, std::uint32_t place) : distance_(distance), twice_place_(2 * place) {}

  Key distance() const { return distance_; }
  std::uint32_t place() const { return twice_place_ / 2; }
  bool is_known() const { return distance_ < kFarthest<Key>; }
  /// Whether this precedes `other` in a list or equals it.
  bool at_most(const PlaceLabel& other) const {
    return distance_ != other.distance_ ? distance_ < other.distance_ : place() <= other.place();
  }
  /// Whether the neighbours know it.
  bool passed_on() const { return twice_place_ % 2 == 1; }
  void pass_on() { twice_place_ |= 1; }

 private:
  Key distance_ = kFarthest<Key>;
  std::uint32_t twice_place_ = ~std::uint32_t{0};  // lowest bit: passed on
};

/// One word with the distance in its upper half, so that one comparison orders labels.
template <>
class PlaceLabel<std::uint32_t> {
 public:
  PlaceLabel() = default;
  PlaceLabel(std::uint32_t distance, std::uint32_t place)
      : word_(std::uint64_t{distance} << 32 | std::uint64_t{place} << 1) {}

  std::uint32_t distance() const { return static_cast<std::uint32_t>(word_ >> 32); }
  std::uint32_t place() const { return static_cast<std::uint32_t>(word_) >> 1; }
  bool is_known() const { return distance() < kFarthest<std::uint32_t>; }
  bool at_most(const PlaceLabel& other) const { return word_ <= (other.word_ | 1); }
  bool passed_on() const { return (word_ & 1) != 0; }
  void pass_on() { word_ |= 1; }

 private:
  std::uint64_t word_ = ~std::uint64_t{0};
};

/// A binary heap that has each vertex once and can decrease its key. Memory is O(vertices).
/// `Before(a, b)`: whether key a is popped before key b.
template <class Key, class Before>
class VertexHeap {
 public:
  explicit VertexHeap(std::size_t vertices) : place_(vertices, kAbsent) {}

  bool empty() const { return entries_.empty(); }

  /// Inserts the vertex or decreases its key. Ignores a greater key.
  void lower(Vertex vertex, const Key& key) {
    std::uint32_t& place = place_[vertex];
    if (place == kAbsent) {
      place = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back({key, vertex});
    } else if (Before()(key, entries_[place].key)) {
      entries_[place].key = key;
    } else {
      return;
    }
    rise(place);
  }

  /// Requires: not empty.
  Vertex pop() {
    const Vertex first = entries_.front().vertex;
    place_[first] = kAbsent;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
    return first;
  }

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  struct Entry {
    Key key;
    Vertex vertex;
  };

  void put(std::size_t at, const Entry& entry) {
    entries_[at] = entry;
    place_[entry.vertex] = static_cast<std::uint32_t>(at);
  }
  void rise(std::size_t at) {
    const Entry entry = entries_[at];
    while (at > 0 && Before()(entry.key, entries_[(at - 1) / 2].key)) {
      put(at, entries_[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    put(at, entry);
  }
  void sink(const Entry& entry) {
    std::size_t at = 0;
    for (std::size_t child = 1; child < entries_.size(); child = 2 * at + 1) {
      const std::size_t other = child + 1;
      if (other < entries_.size() && Before()(entries_[other].key, entries_[child].key)) {
        child = other;
      }
      if (!Before()(entries_[child].key, entry.key)) break;
      put(at, entries_[child]);
      at = child;
    }
    put(at, entry);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> place_;
};

/// Inserts a known label into a list in which a facility occurs once. Returns whether it belongs.
template <class Key>
bool take_in(std::span<PlaceLabel<Key>> labels, const PlaceLabel<Key>& one) {
  if (labels.back().at_most(one)) return false;
  std::size_t here = 0;
  for (; labels[here].at_most(one); ++here) {
    if (labels[here].place() == one.place()) return false;
  }
  std::size_t last = here;  // the label to drop: an older one of the facility, or the farthest
  while (last + 1 < labels.size() && labels[last].place() != one.place()) ++last;
  for (; last > here; --last) labels[last] = labels[last - 1];
  labels[here] = one;
  return true;
}

template <class Key>
struct Offer {
  PlaceLabel<Key> label;
  Vertex to;
};

/// Consecutive vertices, with labels that enter and leave.
template <class Key>
struct Region {
  Vertex first = 0, last = 0;
  std::vector<Offer<Key>> offers{}, leaving{};

  bool holds(Vertex v) const { return v >= first && v < last; }
};

/// Label correcting: a vertex with better labels is relaxed again. One thread relaxes a region
/// until nothing in it improves. After a few times the relaxations of Dijkstra's algorithm, as with
/// one weight far above the others, the search continues by distance (Dijkstra 1959).
template <class Key>
class NearestSearch {
  using Offer = near::Offer<Key>;
  using Region = near::Region<Key>;

 public:
  using Labels = std::vector<PlaceLabel<Key>>;

  /// `arcs` must outlive this.
  NearestSearch(const search::SearchArcs<Key>& arcs, std::int64_t k)
      : k_(static_cast<std::size_t>(k)),
        arcs_(arcs),
        relaxations_left_(kLeastRelaxations + kMostCorrections * k * std::ssize(arcs.arcs)),
        buckets_([this] {
          return std::make_unique<search::LabelBuckets>(static_cast<double>(arcs_.greatest));
        }) {}

  /// [n, k] labels; the first vertices of n have arcs. `begins`: the vertex of each facility.
  Labels run(std::size_t n, std::span<const Vertex> begins, int threads, const Control& control) {
    labels_.resize(n * k_);
    regions_ = regions(static_cast<std::size_t>(arcs_.vertices()), begins);
    for (std::size_t i = 0; i < begins.size(); ++i) {
      offer({{0, static_cast<std::uint32_t>(i)}, begins[i]});
    }
    base::ProgressTask progress(control, "searching", static_cast<double>(labels_.size()),
                                "answer");
    for (std::vector<Region*> waiting = offered(); !waiting.empty(); waiting = offered()) {
      system::parallel_for(std::ssize(waiting), threads, 1, [&](std::int64_t item) {
        look_at(*waiting[static_cast<std::size_t>(item)], control, progress);
      });
      if (relaxations_left_ < 0) {
        finish_in_order(waiting, control);
        break;
      }
      for (Region* const region : waiting) {
        for (const Offer& one : region->leaving) offer(one);
        region->leaving.clear();
      }
    }
    return std::move(labels_);
  }

 private:
  static constexpr std::size_t kLeastRegion = 8192;   // vertices: labels fit a second-level cache
  static constexpr std::size_t kPlacesOfRegion = 32;  // average
  static constexpr std::size_t kFewestPlaces = 4;
  static constexpr std::int64_t kStepsOfCheck = 1 << 16;
  /// Average relaxations of a label. Road networks need at most two.
  static constexpr std::int64_t kMostCorrections = 4;
  static constexpr std::int64_t kLeastRelaxations = 1 << 18;  // a millisecond
  static constexpr std::int64_t kRelaxationsOfCheck = 1 << 14;

  /// Each region has some facilities: labels from other regions are mostly corrected later.
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

  /// Queues a label for its region unless the vertex has k better ones.
  void offer(const Offer& one) {
    if (!one.label.is_known() || labels_of(one.to).back().at_most(one.label)) return;
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
    const auto distance = [](const Offer& one) {
      return static_cast<double>(one.label.distance());
    };
    std::ranges::sort(region.offers, {}, distance);
    buckets_.use([&](search::LabelBuckets& buckets) {
      buckets.clear();  // an exception may have left some
      std::size_t next = 0;
      std::int64_t steps = 0, relaxed = 0;
      for (Vertex v = 0;;) {
        if (buckets.empty()) {
          if (next == region.offers.size()) break;
          buckets.begin_at(distance(region.offers[next]));
        }
        for (; next < region.offers.size() && buckets.is_due(distance(region.offers[next]));
             ++next) {
          improve(region.offers[next].to, region.offers[next].label, buckets);
        }
        if (!buckets.pop(v)) continue;
        relaxed += pass_on(v, region, buckets);
        if (relaxed >= kRelaxationsOfCheck) {
          relaxations_left_ -= relaxed;
          relaxed = 0;
          if (relaxations_left_ < 0) return leave(region, next);
        }
        if (++steps % kStepsOfCheck != 0) continue;
        base::check_cancelled(control);
        progress.advance(kStepsOfCheck);
      }
      relaxations_left_ -= relaxed;
      progress.advance(static_cast<double>(steps % kStepsOfCheck));
      region.offers.clear();
    });
  }

  /// Stops early: keeps the offers from `next` on.
  static void leave(Region& region, std::size_t next) {
    region.offers.erase(region.offers.begin(),
                        region.offers.begin() + static_cast<std::ptrdiff_t>(next));
  }

  /// Finishes the search by distance. `stopped`: regions with pending offers. O(k m log n).
  void finish_in_order(std::span<Region* const> stopped, const Control& control) {
    const auto take = [&](const Offer& one) {
      if (one.label.is_known()) take_in(labels_of(one.to), one.label);
    };
    for (Region* const region : stopped) {
      for (const std::vector<Offer>* const some : {&region->offers, &region->leaving}) {
        std::ranges::for_each(*some, take);
      }
      *region = {};
    }
    const auto before = [](const PlaceLabel<Key>& a, const PlaceLabel<Key>& b) {
      return !b.at_most(a);
    };
    const auto waiting = [](const PlaceLabel<Key>& label) {
      return label.is_known() && !label.passed_on();
    };
    const auto vertices = static_cast<std::size_t>(arcs_.vertices());
    VertexHeap<PlaceLabel<Key>, decltype(before)> heap(vertices);
    const auto put_in = [&](Vertex v) {
      const auto next = std::ranges::find_if(labels_of(v), waiting);
      if (next != labels_of(v).end()) heap.lower(v, *next);
    };
    for (Vertex v = 0; v < vertices; ++v) put_in(v);
    for (std::int64_t steps = 1; !heap.empty(); ++steps) {
      if (steps % kStepsOfCheck == 0) base::check_cancelled(control);
      const Vertex v = heap.pop();
      PlaceLabel<Key>& label = *std::ranges::find_if(labels_of(v), waiting);
      label.pass_on();
      const PlaceLabel<Key> known = label;
      for (const search::KeyedArc<Key>& arc : arcs_of(v)) {
        const PlaceLabel<Key> one(known.distance() + arc.weight, known.place());
        if (one.is_known() && take_in(labels_of(arc.to), one)) heap.lower(arc.to, one);
      }
      put_in(v);
    }
  }

  std::span<const search::KeyedArc<Key>> arcs_of(Vertex v) const {
    return {arcs_.arcs.data() + arcs_.first[v],
            arcs_.arcs.data() + arcs_.first[v + std::size_t{1}]};
  }

  void improve(Vertex v, const PlaceLabel<Key>& label, search::LabelBuckets& buckets) {
    if (take_in(labels_of(v), label)) buckets.push(static_cast<double>(label.distance()), v);
  }

  /// Returns the number of relaxed arcs.
  std::int64_t pass_on(Vertex v, Region& region, search::LabelBuckets& buckets) {
    const std::span<const search::KeyedArc<Key>> arcs = arcs_of(v);
    std::int64_t relaxed = 0;
    for (PlaceLabel<Key>& label : labels_of(v)) {
      if (label.passed_on() || !buckets.is_due(static_cast<double>(label.distance()))) continue;
      label.pass_on();
      const PlaceLabel<Key> known = label;  // a loop of length 0 may move it
      relaxed += std::ssize(arcs);
      for (const search::KeyedArc<Key>& arc : arcs) {
        const PlaceLabel<Key> one(known.distance() + arc.weight, known.place());
        if (!region.holds(arc.to)) {
          region.leaving.push_back({one, arc.to});
        } else if (one.is_known()) {
          improve(arc.to, one, buckets);
        }
      }
    }
    return relaxed;
  }

  std::size_t k_;
  const search::SearchArcs<Key>& arcs_;
  Labels labels_;  // [n, k]
  std::vector<Region> regions_;
  std::atomic<std::int64_t> relaxations_left_;
  system::Pool<search::LabelBuckets> buckets_;
};

template <class Key>
NearestPlaces answers(std::span<const PlaceLabel<Key>> labels, std::span<const Vertex> number,
                      std::size_t k) {
  NearestPlaces all;
  all.count = static_cast<std::int64_t>(k);
  all.places.reserve(labels.size());
  all.distances.reserve(labels.size());
  for (const Vertex at : number) {
    for (const PlaceLabel<Key>& label : labels.subspan(at * k, k)) {
      const bool known = label.is_known();
      all.places.push_back(known ? std::int64_t{label.place()} : NearestPlaces::kNone);
      all.distances.push_back(known ? static_cast<double>(label.distance())
                                    : std::numeric_limits<double>::infinity());
    }
  }
  return all;
}

std::vector<Vertex> numbers_among(std::span<const Vertex> vertices,
                                  std::span<const Vertex> number) {
  std::vector<Vertex> numbers;
  for (const Vertex v : vertices) numbers.push_back(number[v]);
  return numbers;
}

template <class Key>
NearestPlaces searched(const Graph& graph, std::span<const Vertex> places, std::size_t k,
                       int threads, const Control& control) {
  constexpr std::int64_t kCluster = 512;
  const std::vector<Vertex> order = search::clustered_order(search::links_of(graph), kCluster);
  const auto arcs = search::search_arcs<Key>(
      graph, order, [](Vertex, Vertex, double weight) { return static_cast<Key>(weight); });
  std::vector<Vertex> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<Vertex>(i);
  const auto labels = NearestSearch<Key>(arcs, static_cast<std::int64_t>(k))
                          .run(order.size(), numbers_among(places, number), threads, control);
  return answers<Key>(labels, number, k);
}

/// `mine` ← the k best labels that the neighbours pass on over `arcs`. Requires: `mine` is unknown.
void follow_from(std::span<const WholeArc> arcs, auto&& labels_of,
                 std::span<PlaceLabel<std::uint32_t>> mine) {
  const auto through = [](const WholeArc& arc, const PlaceLabel<std::uint32_t>& label) {
    return PlaceLabel<std::uint32_t>(label.distance() + arc.weight, label.place());
  };
  if (arcs.empty()) return;
  const auto first = labels_of(arcs.front().to);
  for (std::size_t i = 0; i < mine.size() && first[i].is_known(); ++i) {
    mine[i] = through(arcs.front(), first[i]);
  }
  for (const WholeArc& arc : arcs.subspan(1)) {
    for (const PlaceLabel<std::uint32_t>& label : labels_of(arc.to)) {
      if (!label.is_known()) break;
      const PlaceLabel<std::uint32_t> one = through(arc, label);
      if (mine.back().at_most(one)) break;  // so are all later ones
      take_in(mine, one);
    }
  }
}

/// Searches the core, then derives eliminated vertices, the last one first.
NearestPlaces searched_core(const Graph& graph, std::span<const Vertex> places, std::size_t k,
                            int threads, const Control& control) {
  const CoreGraph core = eliminate_low_degrees(graph, places, control);
  std::vector<PlaceLabel<std::uint32_t>> labels =
      NearestSearch<std::uint32_t>(core.arcs, static_cast<std::int64_t>(k))
          .run(core.number.size(), numbers_among(places, core.number), threads, control);
  const auto labels_of = [&](Vertex v) { return std::span(labels).subspan(core.number[v] * k, k); };
  for (std::size_t turn = core.eliminated.vertices.size(); turn > 0; --turn) {
    follow_from(core.eliminated.arcs_of(turn - 1), labels_of,
                labels_of(core.eliminated.vertices[turn - 1]));
  }
  return answers<std::uint32_t>(labels, core.number, k);
}

/// Whether all distances, and one more arc, are integers of 32 bits.
bool fits_32_bits(const Graph& graph) {
  const WeightFacts facts = graph.weight_facts();
  return facts.integral && facts.longest_path + facts.greatest < kFarthest<std::uint32_t>;
}

}  // namespace

NearestPlaces nearest_places(const Graph& graph, std::span<const Vertex> places, std::int64_t k,
                             bool to_places, int threads, const Control& control) {
  const auto count = static_cast<std::size_t>(k);
  if (may_eliminate(graph)) return searched_core(graph, places, count, threads, control);
  const auto search = [&](const Graph& of) {
    return fits_32_bits(of) ? searched<std::uint32_t>(of, places, count, threads, control)
                            : searched<double>(of, places, count, threads, control);
  };
  return to_places && !graph.symmetric() ? search(graph::reversed(graph)) : search(graph);
}

double nearest_places_bytes(const Graph& graph, std::int64_t k) {
  const auto n = static_cast<double>(graph.vertex_count());
  const auto arcs = static_cast<double>(graph.arc_count());
  const auto answers = static_cast<double>(k);
  constexpr double kAnswer = 16, kLabel = 8, kLabelOfReals = 16;  // bytes
  if (may_eliminate(graph)) return n * (answers * (kAnswer + kLabel) + 24) + 28 * arcs;
  const double label = fits_32_bits(graph) ? kLabel : kLabelOfReals;
  return n * (answers * (kAnswer + label) + 40) + 44 * arcs;
}

}  // namespace apsp::near
