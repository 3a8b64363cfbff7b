// Sorting of a row whose arcs come in a given order: by target, then weight, recording the places
// of parallel arcs whose weights do not show that order.
//
// Arcs carry their number in the row. A whole weight, target and number are packed into one word,
// as wide as necessary. Up to some hundred words are compared; more are sorted by digits from the
// lowest (LSD), which is stable and O(k) per digit, and takes half of the time for long rows. Rows
// of real weights are sorted by the digits of their targets, then each target's arcs by comparison.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/control.hpp"

namespace apsp::graph {

/// The place of an arc among its parallel arcs.
struct PlaceOfArc {
  std::uint32_t arc, place;
};

/// Buffers of one thread, reused from row to row.
class GivenRow {
 public:
  /// `Record`: to() and weight(); integer records also have `key`, the target above 32 bits of
  /// weight. Fills `targets` and `weights` [arcs] and adds to `places`. `first_arc`: the number of
  /// the row's first arc. Requires: fewer than 2^32 arcs.
  template <class Record>
  void sort(std::span<const Record> arcs, Vertex* targets, double* weights, std::uint32_t first_arc,
            std::vector<PlaceOfArc>& places) {
    numbers_.resize(arcs.size());
    bool packed = false;
    if constexpr (requires(const Record& arc) { arc.key; }) {
      packed = sort_packed(arcs, targets, weights);
    }
    if (!packed) sort_numbered(arcs, targets, weights);
    add_places({targets, arcs.size()}, first_arc, places);
  }

 private:
  static constexpr std::size_t kMostCompared = 512;
  static constexpr int kDigit = 11;  // bits; the counts fit a first-level cache
  static constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct NumberedArc {
    std::uint64_t order;
    Vertex to;
    std::uint32_t number;
  };

  /// Increases with the weight; −0 comes before 0.
  static std::uint64_t order_of(double weight) {
    const auto bits = std::bit_cast<std::uint64_t>(weight);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }
  static double weight_of(std::uint64_t order) {
    return std::bit_cast<double>((order & kSign) != 0 ? order & ~kSign : ~order);
  }

  /// Returns false without effect if target, weight and number need more than a word.
  template <class Record>
  bool sort_packed(std::span<const Record> arcs, Vertex* targets, double* weights) {
    std::uint64_t any = 0;
    for (const Record& arc : arcs) any |= arc.key;
    const int of_weight = width_of(any & 0xffffffffU);
    const int of_number = width_of(arcs.size() - 1);
    const int behind = of_weight + of_number;
    const int bits = width_of(any >> 32) + behind;
    if (bits > 64) return false;
    words_.resize(arcs.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const std::uint64_t weight = arcs[i].key & 0xffffffffU;
      words_[i] = (std::uint64_t{arcs[i].to()} << of_weight | weight) << of_number | i;
    }
    if (words_.size() <= kMostCompared) {
      std::sort(words_.begin(), words_.end());
    } else {
      sort_by_digits(std::span(words_), other_words_, of_number, bits,
                     [](std::uint64_t word) { return word; });
    }
    const std::uint64_t number_mask = (std::uint64_t{1} << of_number) - 1;
    const std::uint64_t weight_mask = (std::uint64_t{1} << of_weight) - 1;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t word = words_[i] >> of_number;
      targets[i] = static_cast<Vertex>(word >> of_weight);
      weights[i] = static_cast<double>(word & weight_mask);
      numbers_[i] = static_cast<std::uint32_t>(words_[i] & number_mask);
    }
    return true;
  }

  template <class Record>
  void sort_numbered(std::span<const Record> arcs, Vertex* targets, double* weights) {
    numbered_.clear();
    Vertex any = 0;
    for (const Record& arc : arcs) {
      any |= arc.to();
      numbered_.push_back(
          {order_of(arc.weight()), arc.to(), static_cast<std::uint32_t>(numbered_.size())});
    }
    const std::span all(numbered_);
    if (all.size() <= kMostCompared) {
      std::sort(all.begin(), all.end(), [](const NumberedArc& a, const NumberedArc& b) {
        return a.to < b.to || (a.to == b.to && before(a, b));
      });
    } else {
      sort_by_digits(all, other_numbered_, 0, width_of(any),
                     [](const NumberedArc& arc) { return std::uint64_t{arc.to}; });
      for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        for (end = begin + 1; end < all.size() && all[end].to == all[begin].to;) ++end;
        sort_parallel(all.subspan(begin, end - begin));
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      targets[i] = all[i].to;
      weights[i] = weight_of(all[i].order);
      numbers_[i] = all[i].number;
    }
  }

  static bool before(const NumberedArc& a, const NumberedArc& b) {
    return a.order < b.order || (a.order == b.order && a.number < b.number);
  }

  /// Sorts arcs of one target by weight; equal ones stay in the given order.
  void sort_parallel(std::span<NumberedArc> arcs) {
    if (arcs.size() <= kMostCompared) return std::sort(arcs.begin(), arcs.end(), before);
    std::uint64_t differing = 0;
    for (const NumberedArc& arc : arcs) differing |= arc.order ^ arcs.front().order;
    if (differing == 0) return;
    sort_by_digits(arcs, other_numbered_, std::countr_zero(differing), width_of(differing),
                   [](const NumberedArc& arc) { return arc.order; });
  }

  static int width_of(std::uint64_t bits) { return static_cast<int>(std::bit_width(bits)); }

  /// Sorts by the bits [low, high) of key(item).
  template <class Item, class Key>
  static void sort_by_digits(std::span<Item> items, std::vector<Item>& buffer, int low, int high,
                             const Key& key) {
    const int digits = (high - low + kDigit - 1) / kDigit;
    if (digits == 0) return;
    const int width = (high - low + digits - 1) / digits;
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    if (buffer.size() < items.size()) buffer.resize(items.size());
    std::span<Item> from = items, to = std::span(buffer).first(items.size());
    for (int shift = low; shift < high; shift += width) {
      base::check_cancelled();
      std::array<std::uint32_t, (std::size_t{1} << kDigit) + 1> begins{};
      for (const Item& item : from) ++begins[(key(item) >> shift & mask) + 1];
      for (std::size_t digit = 1; digit < begins.size(); ++digit)
        begins[digit] += begins[digit - 1];
      for (const Item& item : from) to[begins[key(item) >> shift & mask]++] = item;
      std::swap(from, to);
    }
    if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
  }

  void add_places(std::span<const Vertex> targets, std::uint32_t first_arc,
                  std::vector<PlaceOfArc>& places) {
    std::size_t count = 0;
    for (std::size_t begin = 0, end = 0; begin < targets.size(); begin = end) {
      bool rising = true;
      for (end = begin + 1; end < targets.size() && targets[end] == targets[begin]; ++end) {
        rising &= numbers_[end - 1] < numbers_[end];
      }
      if (rising) continue;
      if (count == 0) place_.assign(targets.size(), kNone);
      count += end - begin;
      for (std::size_t i = begin; i < end; ++i) {
        place_[numbers_[i]] = static_cast<std::uint32_t>(begin);
      }
    }
    if (count == 0) return;
    next_.assign(targets.size(), 0);
    for (std::uint32_t& place : place_) {
      if (place != kNone) place = next_[place]++;
    }
    if (places.capacity() < places.size() + count) {
      places.reserve(std::max(places.size() + count, 2 * places.size()));
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const std::uint32_t place = place_[numbers_[i]];
      if (place != kNone) places.push_back({first_arc + static_cast<std::uint32_t>(i), place});
    }
  }

  std::vector<std::uint64_t> words_, other_words_;
  std::vector<NumberedArc> numbered_, other_numbered_;
  std::vector<std::uint32_t> numbers_;
  // Indexed by the number of an arc: the first arc of its target if they need places, then its
  // place. Indexed by such a first arc: the next place.
  std::vector<std::uint32_t> place_, next_;
};

}  // namespace apsp::graph
