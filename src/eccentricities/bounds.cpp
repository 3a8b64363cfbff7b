#include "eccentricities/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "system/threads.hpp"

namespace apsp::eccentricities {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// The greatest value of `row` among the positions that `counts` accepts; −infinity: none.
template <class Counts>
double greatest(const std::vector<double>& row, const Counts& counts) {
  double most = -kUnbounded;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] > most && counts(i)) most = row[i];
  }
  return most;
}

}  // namespace

Bounds::Bounds(std::int64_t vertices, bool symmetric, const Goal& goal, double tolerance,
               int threads)
    : symmetric_(symmetric), goal_(goal), tolerance_(tolerance), threads_(threads) {
  const auto n = static_cast<std::size_t>(vertices);
  vertex_.resize(n);
  std::iota(vertex_.begin(), vertex_.end(), Vertex{0});
  sum_.resize(n);
  out_ = {std::vector<double>(n, 0), std::vector<double>(n, kUnbounded)};
  if (!symmetric) in_ = out_;
  known_.assign(n, std::numeric_limits<double>::quiet_NaN());
}

double Bounds::bytes(std::int64_t vertices, bool symmetric, const Goal& goal) {
  const int sides = symmetric ? 1 : 2;
  const double rows = 2 + sides * (2.0 + (goal.diameter ? double{kCentres} : 0));
  return static_cast<double>(vertices) * (sizeof(double) * rows + sizeof(Vertex));
}

template <class F>
void Bounds::for_each_position(F&& act) {
  constexpr std::size_t kChunk = std::size_t{1} << 14;
  const std::size_t chunks = (vertex_.size() + kChunk - 1) / kChunk;
  system::parallel_for(static_cast<std::int64_t>(chunks), threads_, 1, [&](std::int64_t chunk) {
    const std::size_t first = static_cast<std::size_t>(chunk) * kChunk;
    const std::size_t end = std::min(first + kChunk, vertex_.size());
    for (std::size_t i = first; i < end; ++i) act(i);
  });
}

bool Bounds::wanted_for_radius(std::size_t i) const {
  // Central vertices are the centres of paths, whether or not the radius is asked for.
  return goal_.sets && goal_.radius ? out_.lower[i] <= shortest_ && !is_exact(i)
                                    : out_.lower[i] < shortest_;
}

Bounds::Sizes Bounds::note(const Searched& found) {
  const auto [vertex, from, to] = found;
  const auto farthest = std::max_element(from.begin(), from.end());
  const auto remotest = symmetric_ ? farthest : std::max_element(to.begin(), to.end());
  const Sizes sizes{*farthest, *remotest};
  const auto end = static_cast<Vertex>(farthest - from.begin());
  known_[vertex] = sizes.out;
  if (!any_ || sizes.out > longest_) {
    longest_ = sizes.out;
    diameter_ends_ = {vertex, end};
  }
  if (tolerance_ == 0 && sizes.in > longest_) {
    longest_ = sizes.in;
    diameter_ends_ = {static_cast<Vertex>(remotest - to.begin()), vertex};
  }
  if (sizes.out < shortest_) {
    shortest_ = sizes.out;
    radius_ends_ = {vertex, end};
  }
  any_ = true;
  return sizes;
}

void Bounds::narrow(const Searched& by, const Sizes& sizes, std::size_t i) {
  const double less = 1 - tolerance_, more = 1 + tolerance_;
  const Vertex u = vertex_[i];
  const double there = by.to[u], back = by.from[u];
  const auto narrow_side = [&](Side& side, double leads, double returns, double size) {
    side.lower[i] = std::max({side.lower[i], leads * less, size * less - returns * more});
    side.upper[i] = std::min(side.upper[i], (leads + size) * more);
    if (u == by.vertex) side.lower[i] = side.upper[i] = size;
  };
  sum_[i] += there + back;
  narrow_side(out_, there, back, sizes.out);
  if (!symmetric_) narrow_side(in_, back, there, sizes.in);
}

void Bounds::add(std::span<const Searched> found) {
  std::vector<Sizes> sizes;
  for (const Searched& one : found) sizes.push_back(note(one));
  for_each_position([&](std::size_t i) {
    for (std::size_t k = 0; k < found.size(); ++k) narrow(found[k], sizes[k], i);
  });
  if (!goal_.diameter) return;
  for (std::size_t k = 0; k < found.size(); ++k) {
    keep_centre(sizes[k].out + sizes[k].in, found[k]);
  }
}

void Bounds::keep_centre(double size, const Searched& found) {
  if (centres_.size() == kCentres) {
    const auto worst = std::ranges::max_element(centres_, {}, &Centre::size);
    if (worst->size <= size) return;
    std::swap(*worst, centres_.back());
    centres_.pop_back();
  }
  Centre& centre = centres_.emplace_back();
  centre.size = size;
  const auto gather = [&](std::span<const double> row, std::vector<double>& into) {
    into.reserve(vertex_.size());
    for (const Vertex u : vertex_) into.push_back(row[u]);
  };
  gather(found.to, centre.to);
  if (!symmetric_) gather(found.from, centre.from);
}

void Bounds::bound_pairs() {
  // Below `cap`, paths to vertices that are no possible ends do not matter.
  const double cap = goal_.sets ? std::nextafter(longest_, 0.0) : longest_;
  std::vector<double> ends, starts;
  for (const Centre& centre : centres_) {
    ends.push_back(greatest(from_centre(centre),
                            [&](std::size_t i) { return may_exceed(in_side().upper[i]); }));
    starts.push_back(greatest(centre.to, [&](std::size_t i) { return may_exceed(out_.upper[i]); }));
  }
  const double more = 1 + tolerance_;
  for_each_position([&](std::size_t i) {
    double out = kUnbounded, in = kUnbounded;
    for (std::size_t c = 0; c < centres_.size(); ++c) {
      out = std::min(out, centres_[c].to[i] + ends[c]);
      in = std::min(in, starts[c] + from_centre(centres_[c])[i]);
    }
    out_.upper[i] = std::max(out_.lower[i], std::min(out_.upper[i], std::max(cap, out * more)));
    if (symmetric_) return;
    in_.upper[i] = std::max(in_.lower[i], std::min(in_.upper[i], std::max(cap, in * more)));
  });
}

void Bounds::drop_decided() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < vertex_.size(); ++i) {
    if (is_known(i) && std::isnan(known_[vertex_[i]])) known_[vertex_[i]] = out_.lower[i];
    if (!is_wanted(i) && !may_exceed(in_side().upper[i])) {
      ceiling_ = std::max(ceiling_, out_.upper[i]);
      floor_ = std::min(floor_, out_.lower[i]);
      continue;
    }
    const auto move = [&](auto& values) { values[kept] = values[i]; };
    move(vertex_), move(sum_), move(out_.lower), move(out_.upper);
    if (!symmetric_) move(in_.lower), move(in_.upper);
    for (Centre& centre : centres_) {
      move(centre.to);
      if (!symmetric_) move(centre.from);
    }
    ++kept;
  }
  vertex_.resize(kept), sum_.resize(kept);
  for (auto* values : {&out_.lower, &out_.upper, &in_.lower, &in_.upper}) {
    values->resize(std::min(values->size(), kept));
  }
  for (Centre& centre : centres_) {
    centre.to.resize(kept);
    if (!symmetric_) centre.from.resize(kept);
  }
}

void Bounds::tighten() {
  if (goal_.diameter) bound_pairs();
  drop_decided();
}

std::vector<Vertex> Bounds::next(std::size_t count) {
  std::vector<std::size_t> far, near, remote;
  for (std::size_t i = 0; i < vertex_.size(); ++i) {
    const bool open = goal_.all && !is_known(i);
    if (open || wanted_for_diameter(i)) far.push_back(i);
    if (open || wanted_for_radius(i)) near.push_back(i);
    if (!symmetric_ && in_.lower[i] < in_.upper[i]) remote.push_back(i);
  }
  std::vector<Vertex> found;
  if (far.empty() && (near.empty() || !goal_.radius)) return found;
  const auto more_than = [&](const std::vector<double>& bound) {
    return [&](std::size_t a, std::size_t b) {
      return std::pair(bound[a], sum_[a]) > std::pair(bound[b], sum_[b]);
    };
  };
  const auto less_than = [&](std::size_t a, std::size_t b) {
    return std::pair(out_.lower[a], sum_[a]) < std::pair(out_.lower[b], sum_[b]);
  };
  const auto take = [&](std::vector<std::size_t>& of, const auto& before) {
    const std::size_t some = std::min(count, of.size());
    std::partial_sort(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(some), of.end(), before);
    of.resize(some);
  };
  take(near, less_than);
  take(far, more_than(out_.upper));
  take(remote, more_than(in_.upper));
  // Central and peripheral vertices take turns, those of each kind that are most so first.
  const std::vector<std::size_t>* const lists[] = {&far, &near, &remote};
  const std::size_t kinds = std::size(lists);
  for (std::size_t place = 0; place < count && found.size() < count; ++place) {
    for (std::size_t kind = 0; kind < kinds && found.size() < count; ++kind) {
      const auto& list = *lists[(turn_ + kind) % kinds];
      if (place >= list.size()) continue;
      const Vertex v = vertex_[list[place]];
      if (std::ranges::find(found, v) == found.end()) found.push_back(v);
    }
  }
  turn_ += found.size();
  return found;
}

ProvenRange Bounds::diameter() const {
  double most = std::max(longest_, ceiling_);
  for (const double upper : out_.upper) most = std::max(most, upper);
  return {longest_, most};
}

ProvenRange Bounds::radius() const {
  double least = std::min(shortest_, floor_);
  for (const double lower : out_.lower) least = std::min(least, lower);
  return {least, shortest_};
}

}  // namespace apsp::eccentricities
