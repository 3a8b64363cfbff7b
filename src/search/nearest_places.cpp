#include "search/nearest_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/control.hpp"
#include "graph/derived_graphs.hpp"
#include "search/dijkstra_search.hpp"

namespace apsp::search {
namespace {

/// A place and how far it is, as far as is known.
struct PlaceLabel {
  double distance = std::numeric_limits<double>::infinity();
  std::uint32_t place = 0;
  bool passed_on = true;  // to the neighbours

  bool is_of(std::uint32_t other) const { return std::isfinite(distance) && place == other; }
  bool comes_before(double other, std::uint32_t of) const {
    return distance != other ? distance < other : place < of;
  }
};

/// Vertices by the distance at which they are looked at, in buckets; within a bucket in any order.
class Buckets {
 public:
  /// Nothing that comes in exceeds what is looked at by more than `greatest`.
  explicit Buckets(double greatest)
      : inverse_width_(greatest > kLeastGreatest ? kSpan / greatest : 1), ring_(kBuckets) {}

  void push(double distance, Vertex v) {
    ring_[number_of(distance) % kBuckets].push_back(v);
    ++held_;
  }
  bool pop(Vertex& v) {
    if (held_ == 0) return false;
    while (ring_[current_ % kBuckets].empty()) ++current_;
    v = ring_[current_ % kBuckets].back();
    ring_[current_ % kBuckets].pop_back();
    --held_;
    return true;
  }
  /// Whether a distance belongs to the bucket that is looked at, or an earlier one.
  bool is_due(double distance) const { return number_of(distance) <= current_; }

 private:
  static constexpr double kSpan = 1000;             // buckets of the greatest weight
  static constexpr double kLeastGreatest = 1e-300;  // below it all share a bucket
  static constexpr std::size_t kBuckets = 1024;

  std::uint64_t number_of(double distance) const {
    return static_cast<std::uint64_t>(distance * inverse_width_);
  }

  double inverse_width_;
  std::uint64_t current_ = 0;
  std::int64_t held_ = 0;
  std::vector<std::vector<Vertex>> ring_;
};

/// Labels only ever improve, and a vertex whose labels did is looked at again. So the order in
/// which vertices are looked at decides over the time, not over the result.
class NearestSearch {
 public:
  NearestSearch(const Graph& graph, std::int64_t k, bool reversed)
      : k_(static_cast<std::size_t>(k)),
        order_(clustered_order(links_of(graph), kCluster)),
        arcs_(search_arcs<double>(reversed && !graph.symmetric() ? graph::reversed(graph) : graph,
                                  order_, [](Vertex, Vertex, double weight) { return weight; })),
        labels_(order_.size() * k_),
        buckets_(arcs_.greatest) {}

  NearestPlaces run(std::span<const Vertex> places, const Control& control) {
    std::vector<Vertex> number(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) number[order_[i]] = static_cast<Vertex>(i);
    for (std::size_t i = 0; i < places.size(); ++i) {
      improve(number[places[i]], 0, static_cast<std::uint32_t>(i));
    }
    base::ProgressTask progress(control, "searching", static_cast<double>(labels_.size()),
                                "answer");
    Vertex v = 0;
    for (std::int64_t steps = 1; buckets_.pop(v); ++steps) {
      pass_on(v);
      if (steps % kStepsOfCheck != 0) continue;
      base::check_cancelled(control);
      progress.advance(kStepsOfCheck);
    }
    return answers();
  }

 private:
  static constexpr std::int64_t kCluster = 512;
  static constexpr std::int64_t kStepsOfCheck = 1 << 16;

  std::span<PlaceLabel> labels_of(Vertex v) { return {labels_.data() + v * k_, k_}; }

  /// Takes a label into the list of a vertex, which is sorted and names a place once, if it belongs
  /// there.
  void improve(Vertex v, double distance, std::uint32_t place) {
    const std::span<PlaceLabel> labels = labels_of(v);
    if (!(distance < std::numeric_limits<double>::infinity())) return;
    if (labels.back().comes_before(distance, place)) return;
    std::size_t last = 0;  // the label that goes
    while (last + 1 < k_ && !labels[last].is_of(place)) ++last;
    if (labels[last].is_of(place) && labels[last].distance <= distance) return;
    for (; last > 0 && !labels[last - 1].comes_before(distance, place); --last) {
      labels[last] = labels[last - 1];
    }
    labels[last] = {distance, place, false};
    buckets_.push(distance, v);
  }

  void pass_on(Vertex v) {
    const auto begin = arcs_.arcs.begin() + arcs_.first[v];
    const auto end = arcs_.arcs.begin() + arcs_.first[v + std::size_t{1}];
    for (PlaceLabel& label : labels_of(v)) {
      if (label.passed_on || !buckets_.is_due(label.distance)) continue;
      label.passed_on = true;
      const PlaceLabel known = label;  // a loop of length 0 may move it
      for (auto arc = begin; arc != end; ++arc) {
        improve(arc->to, known.distance + arc->weight, known.place);
      }
    }
  }

  NearestPlaces answers() {
    NearestPlaces all;
    all.count = static_cast<std::int64_t>(k_);
    all.places.resize(labels_.size());
    all.distances.resize(labels_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::span<const PlaceLabel> labels = labels_of(static_cast<Vertex>(i));
      for (std::size_t j = 0; j < k_; ++j) {
        const bool any = std::isfinite(labels[j].distance);
        all.places[order_[i] * k_ + j] = any ? labels[j].place : NearestPlaces::kNone;
        all.distances[order_[i] * k_ + j] = labels[j].distance;
      }
    }
    return all;
  }

  std::size_t k_;
  std::vector<Vertex> order_;       // [n] vertex of each number
  SearchArcs<double> arcs_;         // among numbers
  std::vector<PlaceLabel> labels_;  // [n, k] by number
  Buckets buckets_;
};

}  // namespace

NearestPlaces nearest_places(const Graph& graph, std::span<const Vertex> places, std::int64_t k,
                             bool to_places, const Control& control) {
  return NearestSearch(graph, k, to_places).run(places, control);
}

}  // namespace apsp::search
