#include "cli/point_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "cli/option_values.hpp"
#include "io/points.hpp"

namespace apsp::cli {

void declare_points(Arguments& arguments, PointOptions& options) {
  arguments.value(
      "--snap", "vertex|arc",
      [&options](const std::string& text) {
        options.snap = choose<Snap>("--snap", text, {{"vertex", Snap::vertex}, {"arc", Snap::arc}});
      },
      "points in tables with the titles lon,lat or x,y, or in a .geojson, go to the nearest vertex "
      "(default) or place on an arc; needs --positions");
  parsed(arguments, "--snap-limit", "D", real_value, options.limit,
         "refuses points that are farther from their places: metres for degrees");
}

std::optional<PlacedPoints> PointReader::points(const std::string& path) {
  if (path.empty() || (path == "-" && !options_.snap)) return std::nullopt;
  auto found = read_list(context_, io::read_point_table, path, options_.snap.has_value());
  if (!found) return std::nullopt;
  const bool may_be_vertices = positions_.empty() && !options_.snap;
  if (may_be_vertices && graph_.find(found->names.front())) return std::nullopt;
  return placed(std::move(*found), path);
}

std::optional<PlacedPairs> PointReader::pairs(const std::string& path) {
  if (path.ends_with(".npy") || (path == "-" && !options_.snap)) return std::nullopt;
  auto found = read_list(context_, io::read_point_pairs, path);
  if (!found) return std::nullopt;
  PlacedPoints from = placed(std::move(found->first), path);
  return PlacedPairs{std::move(from), placed(std::move(found->second), path)};
}

PlacedPoints PointReader::placed(PointTable points, const std::string& path) {
  used_ = true;
  refuse_if(positions_.empty(),
            "{} holds points, and it is not known where the vertices are: name a file of their "
            "places with --positions FILE",
            path);
  if (!at_) at_ = read_list(context_, io::read_places, positions_, graph_);
  std::vector<Place> places = snap(graph_, *at_, points.at,
                                   {.to = options_.snap.value_or(Snap::vertex),
                                    .limit = options_.limit,
                                    .control = context_.control()});
  const bool metres = points.at.degrees || at_->degrees;
  PlacedPoints all{std::move(places), std::move(points)};
  const auto farthest = std::ranges::max_element(all.places, {}, &Place::walk);
  context_.note(
      fmt::format("{}: {} at {}, the farthest is '{}' with {}{}", path,
                  base::counted(std::ssize(all.places), "point", "points"),
                  options_.snap == Snap::arc ? "places on arcs" : "vertices",
                  all.points.names[static_cast<std::size_t>(farthest - all.places.begin())],
                  base::format_value(farthest->walk), metres ? " m" : ""));
  return all;
}

void PointReader::require_used() const {
  refuse_if(!used_ && (options_.snap || context_.gave("--snap-limit")),
            "--snap and --snap-limit are for points: name a table with the titles lon,lat or x,y");
}

void add_walks(const std::string& title, const PlacedPoints& points, io::Columns& columns) {
  constexpr auto kPlace = static_cast<std::int64_t>(sizeof(Place) / sizeof(double));
  columns.add(title, &points.places[0].walk, kPlace);
}

void add_point_columns(const PointTable& points, io::Columns& columns) {
  for (const PointColumn& of : points.columns) {
    std::string title = of.title;
    while (std::ranges::find(columns.titles, title, &io::TableColumn::title) !=
           columns.titles.end())
      title += '_';
    of.texts.empty() ? columns.add(title, of.numbers.data()) : columns.add(title, of.texts.data());
  }
}

bool are_vertices(const std::vector<Place>& places) {
  return std::ranges::all_of(places, &Place::is_vertex);
}

}  // namespace apsp::cli
