// Maps: the lines of a drawing coloured by the values of their ends, and a path over them.
//
// Lines of one class of colour are one path of the picture, whose colours come from the page's
// style, so that they change with it.
#pragma once

#include <apsp/graph.hpp>
#include <span>
#include <string>
#include <string_view>

#include "report/drawing.hpp"

namespace apsp::report {

/// values: [n]; lines have the mean of their ends. Up to some thousand vertices are drawn
/// themselves, with name and value to be pointed at, and a few dozen with their names. `what`: the
/// value, for those who cannot see the picture.
std::string coloured_map(const Graph& graph, const Drawing& drawing, std::span<const double> values,
                         std::string_view what);

/// The drawing in one pale colour, and over it a path with its ends named. Requires: not empty.
std::string path_map(const Graph& graph, const Drawing& drawing, std::span<const Vertex> path,
                     std::string_view what);

}  // namespace apsp::report
