#include "cli/semiring_words.hpp"

#include <algorithm>

namespace apsp::cli {

SemiringWords words_of(Semiring semiring) {
  switch (semiring) {
    case Semiring::min_plus:
      return {"shortest paths", "distance", "edge", "so far"};
    case Semiring::max_min:
      return {"widest paths", "width", "edge", "width so far"};
    case Semiring::min_max:
      return {"minimax paths", "largest edge", "edge", "largest so far"};
    case Semiring::max_plus:
      return {"longest paths", "length", "edge", "so far"};
    case Semiring::or_and:
      return {"reachability", "reachable", "", ""};
  }
  return {"paths", "value", "edge", "so far"};
}

double extended(Semiring semiring, double so_far, double edge) {
  if (semiring == Semiring::max_min) return std::min(so_far, edge);
  if (semiring == Semiring::min_max) return std::max(so_far, edge);
  return so_far + edge;
}

bool better(Semiring semiring, double a, double b) {
  const bool larger = semiring == Semiring::max_min || semiring == Semiring::max_plus;
  return larger ? a > b : a < b;
}

}  // namespace apsp::cli
