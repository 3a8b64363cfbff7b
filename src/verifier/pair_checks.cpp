#include "verifier/pair_checks.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/control.hpp"
#include "base/value_types.hpp"

namespace apsp::verifier {
namespace {

using store::Plane;

std::vector<Plane> pair_planes_of(const store::Store& store) {
  std::vector<Plane> planes = {Plane::distance, Plane::via};
  if (store.holds(Plane::hops)) planes.push_back(Plane::hops);
  return planes;
}

bool lies_in_memory(const store::Store& store) { return store.data(Plane::via) != nullptr; }

template <class T>
class InMemory final : public PairPlanes {
 public:
  /// `copy`: empty if `store` has the planes in memory.
  InMemory(const store::Store& store, std::unique_ptr<store::Store> copy)
      : copy_(std::move(copy)),
        stride_(store.stride()),
        distance_(static_cast<const T*>(store.data(Plane::distance))),
        via_(static_cast<const std::int32_t*>(store.data(Plane::via))),
        hops_(static_cast<const std::int32_t*>(store.data(Plane::hops))) {}

  double distance(Vertex s, Vertex t) const override {
    return static_cast<double>(distance_[at(s, t)]);
  }
  std::int32_t via(Vertex s, Vertex t) const override { return via_[at(s, t)]; }
  std::int32_t hops(Vertex s, Vertex t) const override { return hops_[at(s, t)]; }

 private:
  std::int64_t at(Vertex s, Vertex t) const { return s * stride_ + t; }

  std::unique_ptr<store::Store> copy_;
  std::int64_t stride_;       // values
  const T* distance_;         // [n, stride_]
  const std::int32_t* via_;   // [n, stride_]
  const std::int32_t* hops_;  // [n, stride_], or nullptr
};

class InStore final : public PairPlanes {
 public:
  explicit InStore(const store::Store& store) : store_(store) {}

  double distance(Vertex s, Vertex t) const override {
    return base::with_type(store_.layout().type, [&]<class T>() {
      return static_cast<double>(value<T>(Plane::distance, s, t));
    });
  }
  std::int32_t via(Vertex s, Vertex t) const override {
    return value<std::int32_t>(Plane::via, s, t);
  }
  std::int32_t hops(Vertex s, Vertex t) const override {
    return value<std::int32_t>(Plane::hops, s, t);
  }

 private:
  template <class T>
  T value(Plane plane, Vertex s, Vertex t) const {
    T result{};
    store_.read(plane, {s, t, 1, 1}, &result, 1);
    return result;
  }

  const store::Store& store_;
};

std::unique_ptr<store::Store> copy_of(const store::Store& store, const Control& control) {
  store::Layout layout = store.layout();
  layout.planes = pair_planes_of(store);
  auto copy = store::make_memory_store(layout);
  const std::int64_t n = layout.n;
  const std::int64_t band = std::max<std::int64_t>(1, layout.tile);
  base::ProgressTask progress(control, "reading", static_cast<double>(copied_bytes(store)), "byte");
  for (const Plane plane : layout.planes) {
    const std::int64_t size = store::value_size(layout, plane);
    auto* const to = static_cast<std::byte*>(copy->data(plane));
    for (std::int64_t row = 0; row < n; row += band) {
      base::check_cancelled(control);
      const std::int64_t rows = std::min(band, n - row);
      store.read(plane, {row, 0, rows, n}, to + row * copy->stride() * size, copy->stride());
      progress.advance(static_cast<double>(rows * n * size));
    }
  }
  return copy;
}

constexpr std::int32_t kNoVia = -1;
constexpr std::int64_t kMostHops = std::numeric_limits<std::int32_t>::max();

}  // namespace

std::int64_t copied_bytes(const store::Store& store) {
  if (lies_in_memory(store)) return 0;
  std::int64_t bytes_a_pair = 0;
  for (const Plane plane : pair_planes_of(store)) {
    bytes_a_pair += store::value_size(store.layout(), plane);
  }
  return store.layout().n * store.layout().n * bytes_a_pair;
}

std::unique_ptr<PairPlanes> planes_in_memory(const store::Store& store, const Control& control) {
  return base::with_type(store.layout().type, [&]<class T>() -> std::unique_ptr<PairPlanes> {
    if (lies_in_memory(store)) return std::make_unique<InMemory<T>>(store, nullptr);
    auto copy = copy_of(store, control);
    const store::Store& copied = *copy;
    return std::make_unique<InMemory<T>>(copied, std::move(copy));
  });
}

std::unique_ptr<PairPlanes> planes_in_store(const store::Store& store) {
  return std::make_unique<InStore>(store);
}

std::int64_t PairClaim::split(Pair pair) const {
  const std::int64_t k = planes.via(pair.from, pair.to);
  const bool between = k >= 0 && k < claim.graph.vertex_count() &&
                       k != static_cast<std::int64_t>(pair.from) &&
                       k != static_cast<std::int64_t>(pair.to);
  return between ? k : kNoVia;
}

double PairClaim::slack(Pair whole, Vertex k, double first, double second) const {
  const double largest = std::max({magnitude[whole.from], magnitude[k], std::abs(first),
                                   std::abs(second), std::abs(distance(whole))});
  const double tolerance = claim.tolerance_of_row(largest);
  return claim.slack(tolerance, largest, claim.reduced(first, whole.from, k),
                     claim.reduced(second, k, whole.to)) +
         claim.noise(tolerance, first, whole.from, k) +
         claim.noise(tolerance, second, k, whole.to) +
         claim.noise(tolerance, distance(whole), whole.from, whole.to);
}

double PairClaim::measure(Pair pair) const {
  if (counts_edges) return planes.hops(pair.from, pair.to);
  if (!claim.additive) return distance(pair);
  return claim.mixed_signs ? 0 : std::abs(distance(pair));
}

void PairClaim::measure_row(Vertex s) {
  double largest = 0;
  for (Vertex t = 0; t < magnitude.size(); ++t) {
    const double value = distance({s, t});
    if (value != claim.none && std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  magnitude[s] = largest;
}

std::int64_t PairChecker::check(Vertex source, Pair pair) {
  tally_.count_tested(Check::via, 1);
  if (pairs_->counts_edges) tally_.count_tested(Check::hops, 1);
  const double distance = pairs_->distance(pair);
  const std::int64_t via = pairs_->planes.via(pair.from, pair.to);
  if (pair.from == pair.to || distance == claim_->none) {
    const bool empty = pair.from == pair.to;
    const char* const because = empty ? "the path is empty" : "there is no path";
    if (via != kNoVia) {
      tally_.count_failure(Check::via, source, [&] {
        return fmt::format("via {} is number {}, but {}", ends(pair), via, because);
      });
    }
    check_hops(source, pair, empty ? 0 : -1, because);
    return kNoVia;
  }
  if (via == kNoVia) {
    if (check_edge(source, pair, distance)) check_hops(source, pair, 1, "the path is an edge");
    return kNoVia;
  }
  if (!check_split(source, pair, distance, via)) return kNoVia;
  check_hops_of_parts(source, pair, static_cast<Vertex>(via));
  return via;
}

bool PairChecker::check_edge(Vertex source, Pair pair, double distance) {
  const double row = pairs_->magnitude[pair.from];
  const double largest = std::max(row, std::abs(distance));
  const double tolerance = claim_->tolerance_of_row(largest);
  bool found = false;
  claim_->graph.for_each_arc_between(pair.from, pair.to, [&](double exact) {
    const double weight = claim_->arc(pair.from, pair.to, exact);
    const double slack = claim_->slack(tolerance, largest, claim_->one, weight) +
                         claim_->noise(tolerance, distance, pair.from, pair.to);
    const double length = claim_->reduced(distance, pair.from, pair.to);
    found = found || std::abs(length - claim_->join(claim_->one, weight)) <= slack;
  });
  if (found) return true;
  tally_.count_failure(Check::via, source, [&] {
    return fmt::format("via {} says that the path is an edge, but there is none of {}", ends(pair),
                       claim_->text(distance));
  });
  return false;
}

bool PairChecker::check_split(Vertex source, Pair pair, double distance, std::int64_t via) {
  if (pairs_->split(pair) != via) {
    tally_.count_failure(Check::via, source, [&] {
      return fmt::format("via {} is number {}, which is not a vertex between them", ends(pair),
                         via);
    });
    return false;
  }
  const auto k = static_cast<Vertex>(via);
  const double first = pairs_->distance({pair.from, k});
  const double second = pairs_->distance({k, pair.to});
  if (first != claim_->none && second != claim_->none &&
      std::abs(distance - claim_->join(first, second)) <= pairs_->slack(pair, k, first, second)) {
    return true;
  }
  tally_.count_failure(Check::via, source, [&] {
    return fmt::format("distance {} is {}, but its parts by way of {} are {} and {}", ends(pair),
                       claim_->text(distance), name(k), claim_->text(first), claim_->text(second));
  });
  return false;
}

void PairChecker::check_hops(Vertex source, Pair pair, std::int64_t expected, const char* because) {
  if (!pairs_->counts_edges) return;
  const std::int64_t hops = pairs_->planes.hops(pair.from, pair.to);
  if (hops == expected) return;
  tally_.count_failure(Check::hops, source, [&] {
    return fmt::format("hops {} are {}, but {}", ends(pair), hops, because);
  });
}

void PairChecker::check_hops_of_parts(Vertex source, Pair pair, Vertex via) {
  if (!pairs_->counts_edges) return;
  const std::int64_t hops = pairs_->planes.hops(pair.from, pair.to);
  const std::int64_t first = pairs_->planes.hops(pair.from, via);
  const std::int64_t second = pairs_->planes.hops(via, pair.to);
  if (first >= 1 && second >= 1 && hops == std::min(first + second, kMostHops)) return;
  tally_.count_failure(Check::hops, source, [&] {
    return fmt::format("hops {} are {}, but its parts by way of {} have {} and {}", ends(pair),
                       hops, name(via), first, second);
  });
}

void PairChecker::count_circle(Vertex source, Pair pair) {
  tally_.count_failure(Check::via, source, [&] {
    return fmt::format("via {} is {}, and its parts lead back to this pair: a circle, no path",
                       ends(pair), name(static_cast<Vertex>(pairs_->split(pair))));
  });
}

std::string PairChecker::ends(Pair pair) const {
  return fmt::format("from {} to {}", name(pair.from), name(pair.to));
}

}  // namespace apsp::verifier
