// Bounds of the eccentricities of a strongly connected graph, from the distances of a few vertices.
//
// A search from v, and one to v, give for every u (Takes 2011; Borassi 2015, §3):
//
//   d(u, v) ≤ ecc(u) ≤ d(u, v) + ecc(v)        ecc(u) ≥ ecc(v) − d(v, u)
//
// For the diameter, bounds also come from pairs (Crescenzi 2013, §2, with any centre and several of
// them): d(u, w) ≤ d(u, c) + d(c, w), and w counts only if it may be the end of a path that is
// longer than the longest one found. The rows of the most central vertices are kept for this.
//
// Vertices whose bounds decide the question are dropped, so an update takes time in proportion to
// the others.
#pragma once

#include <apsp/eccentricity.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace apsp::eccentricities {

struct Goal {
  bool diameter = true;
  bool radius = true;
  bool all = false;   ///< every eccentricity
  bool sets = false;  ///< all vertices of the centre and of the periphery
};

/// [n] distances of a vertex to all others, and from all others; the same row if they are
/// symmetric.
struct Searched {
  Vertex vertex = 0;
  std::span<const double> from, to;
};

class Bounds {
 public:
  static constexpr std::size_t kCentres = 8;

  /// `tolerance`: a bound of the relative error of distances; 0: they are exact. `symmetric`:
  /// distances are, so rows to a vertex are those from it. `threads` share the updates.
  Bounds(std::int64_t vertices, bool symmetric, const Goal& goal, double tolerance,
         int threads = 1);

  static double bytes(std::int64_t vertices, bool symmetric, const Goal& goal);

  /// Adds the distances of some vertices. O(n) for each, and less for the vertices that are
  /// decided.
  void add(std::span<const Searched> found);
  /// Derives bounds from pairs, and drops decided vertices.
  void tighten();
  /// At most `count` distinct vertices whose distances help most; none: all is decided.
  std::vector<Vertex> next(std::size_t count);

  ProvenRange diameter() const;
  ProvenRange radius() const;
  VertexPair diameter_ends() const { return diameter_ends_; }
  VertexPair radius_ends() const { return radius_ends_; }
  std::size_t undecided() const { return vertex_.size(); }
  /// [n] eccentricities, NaN where they are not known.
  const std::vector<double>& known() const { return known_; }

 private:
  /// Bounds of one direction, by position.
  struct Side {
    std::vector<double> lower, upper;
  };
  struct Centre {
    double size = 0;               // of both eccentricities
    std::vector<double> to, from;  // by position; `from` is empty if distances are symmetric
  };

  const std::vector<double>& from_centre(const Centre& c) const {
    return symmetric_ ? c.to : c.from;
  }
  const Side& in_side() const { return symmetric_ ? out_ : in_; }
  bool may_exceed(double upper) const {
    return goal_.diameter && (goal_.sets ? upper >= longest_ : upper > longest_);
  }
  bool is_exact(std::size_t i) const { return out_.lower[i] == out_.upper[i]; }
  bool is_known(std::size_t i) const {
    return out_.upper[i] - out_.lower[i] <= 4 * tolerance_ * out_.upper[i];
  }
  bool wanted_for_diameter(std::size_t i) const {
    return may_exceed(out_.upper[i]) && !is_exact(i);
  }
  bool wanted_for_radius(std::size_t i) const;
  bool is_wanted(std::size_t i) const {
    return wanted_for_diameter(i) || wanted_for_radius(i) || (goal_.all && !is_known(i));
  }
  template <class F>
  void for_each_position(F&& act);
  struct Sizes {
    double out = 0, in = 0;
  };
  Sizes note(const Searched& found);
  void narrow(const Searched& by, const Sizes& sizes, std::size_t i);
  void keep_centre(double size, const Searched& found);
  void bound_pairs();
  void drop_decided();

  bool symmetric_;
  Goal goal_;
  double tolerance_;
  int threads_;
  bool any_ = false;  // rows were added
  std::size_t turn_ = 0;
  std::vector<Vertex> vertex_;  // by position, ascending
  std::vector<double> sum_;     // of distances from and to the searched vertices
  Side out_, in_;
  std::vector<Centre> centres_;
  std::vector<double> known_;
  double longest_ = 0, shortest_ = std::numeric_limits<double>::infinity();
  double ceiling_ = 0, floor_ = std::numeric_limits<double>::infinity();  // of dropped vertices
  VertexPair diameter_ends_, radius_ends_;
};

}  // namespace apsp::eccentricities
