#pragma once

#include <apsp/semiring.hpp>
#include <string_view>

namespace apsp::semiring {

struct SemiringWords {
  std::string_view paths;    ///< "shortest paths"
  std::string_view measure;  ///< "distance", "width", …: value of a pair
  std::string_view edge;     ///< column of the edges' own values; empty if there are none
  std::string_view so_far;   ///< column of the values from the start
};

SemiringWords words_of(Semiring semiring);

}  // namespace apsp::semiring
