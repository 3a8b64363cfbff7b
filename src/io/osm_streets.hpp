// Streets of OpenStreetMap extracts (PBF), read by libosmium where the build has it.
//
// Ways that a profile of travel opens are cut into streets at crossings: nodes that two ways share,
// that end a way, or that a way passes twice. Two passes over the file, of some megabytes at once,
// take 12 bytes for each node of a way and 29 for each different node. Streets and the graph take
// their own memory.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/turns.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/source.hpp"
#include "io/street_lines.hpp"

namespace apsp::io {

bool is_osm_extract(std::string_view bytes);
/// Whether the suffix of `path` is that of an extract.
bool names_osm_extract(const std::string& path);

/// A part of a way between two crossings.
struct Street {
  Vertex from = 0, to = 0;
  double metres = 0;                 ///< sum of great circles
  std::array<double, 2> speeds{};    ///< km/h forward and backward; 0: closed
  std::size_t first = 0, count = 0;  ///< its nodes in `StreetNetwork::nodes`
  std::int64_t way = 0;              ///< OpenStreetMap's number
  std::uint32_t kind = 0, name = 0;  ///< in `StreetNetwork::words`
};

struct StreetNetwork {
  Graph graph;     ///< arcs weigh seconds, or metres; named by OpenStreetMap's numbers of nodes
  Coordinates at;  ///< [vertices]
  std::vector<Street> streets;
  std::vector<std::uint32_t> nodes;  ///< of all streets, one after another
  Coordinates nodes_at;              ///< [different nodes]
  std::vector<std::string> words;    ///< values of highway and name
  std::vector<Turn> forbidden;       ///< by restrictions of turns; cost: infinity
};

/// Reads the streets of `source`, as the options `profile`, `all_streets` and `weight` say. Throws
/// `Error`: usage, input, input_output, interrupted.
StreetNetwork read_street_network(const Source& source);
StreetNetwork read_street_network(const std::string& path, const ReadOptions& options);

/// Writes a row for each arc: from, to, seconds, metres, from_lon, from_lat, to_lon, to_lat, way,
/// highway, name, geometry (WKT). Throws as `ColumnTable`.
void write_streets(const StreetNetwork& network, const std::string& path, const Control& control);
/// Writes the forbidden turns: from, via, to, cost. Throws as `ColumnTable`.
void write_forbidden_turns(const StreetNetwork& network, const std::string& path,
                           const Control& control);

/// The lines of the streets between vertices of a graph of the same names.
StreetLines lines_of_streets(const StreetNetwork& network, const Graph& graph);

/// The places of the first `count` vertices, named by numbers of nodes. Throws as
/// `read_street_network`.
Coordinates places_in_extract(const Source& source, const Graph& graph, std::int64_t count);

}  // namespace apsp::io
