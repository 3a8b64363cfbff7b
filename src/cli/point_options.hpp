// Points on a map in place of vertices: --snap, --snap-limit, and lists of points in files.
#pragma once

#include <apsp/table.hpp>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "io/column_table.hpp"

namespace apsp::cli {

struct PointOptions {
  std::optional<Snap> snap{};
  double limit = std::numeric_limits<double>::infinity();
};

/// The ends of pairs.
struct PlacedPairs {
  PlacedPoints from, to;
};

void declare_points(Arguments& arguments, PointOptions& options);

/// Reads points and finds their places. Positions of the vertices are read once.
class PointReader {
 public:
  /// `positions`: the file of --positions, else of --coordinates. All arguments outlive this.
  PointReader(Context& context, const Graph& graph, const PointOptions& options,
              const std::string& positions)
      : context_(context), graph_(graph), options_(options), positions_(positions) {}

  /// The points of a file, or nothing if `path` is empty or its table is one of vertices.
  std::optional<PlacedPoints> points(const std::string& path);
  /// The ends of pairs, or nothing if the table is one of vertices.
  std::optional<PlacedPairs> pairs(const std::string& path);
  /// Throws `Error` (usage) if options of points were given and nothing was read.
  void require_used() const;

 private:
  PlacedPoints placed(PointTable points, const std::string& path);

  Context& context_;
  const Graph& graph_;
  const PointOptions& options_;
  const std::string& positions_;
  std::optional<Coordinates> at_;
  bool used_ = false;
};

/// Adds the walk from each point to its place. `points` outlives the columns.
void add_walks(const std::string& title, const PlacedPoints& points, io::Columns& columns);
/// Adds the columns that a table of points had. Titles that the table has get an underscore.
/// `points` outlives the columns.
void add_point_columns(const PointTable& points, io::Columns& columns);

bool are_vertices(const std::vector<Place>& places);

}  // namespace apsp::cli
