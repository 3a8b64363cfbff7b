#include "semiring/semiring_words.hpp"

namespace apsp::semiring {

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

}  // namespace apsp::semiring
