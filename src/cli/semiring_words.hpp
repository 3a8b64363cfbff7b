// What people call the numbers of each semiring.
#pragma once

#include <string_view>

#include <apsp/semiring.hpp>

namespace apsp::cli {

struct SemiringWords {
  std::string_view paths;    ///< "shortest paths"
  std::string_view measure;  ///< "distance", "width", …: of a pair
  std::string_view edge;     ///< column of the edges' own values; empty: they have none
  std::string_view so_far;   ///< column of the values from the start
};

SemiringWords words_of(Semiring semiring);

/// A path's value from the value before its last edge. Requires: not or-and.
double extended(Semiring semiring, double so_far, double edge);
/// Whether `a` is the better of two parallel edges.
bool better(Semiring semiring, double a, double b);

}  // namespace apsp::cli
