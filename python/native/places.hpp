// Places of points, as Python holds them.
#pragma once

#include <nanobind/nanobind.h>

#include <apsp/table.hpp>
#include <optional>
#include <vector>

namespace apsp::python {

struct PlaceList {
  std::vector<Place> places;
};

/// The points of (PlaceList, names, [(title, texts or numbers)]), or of None.
std::optional<PlacedPoints> points_of(const nanobind::object& given);

}  // namespace apsp::python
