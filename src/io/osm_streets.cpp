#include "io/osm_streets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/fail.hpp"
#include "base/units.hpp"
#include "graph/components.hpp"
#include "io/column_table.hpp"
#include "io/formats.hpp"
#include "io/travel_profile.hpp"
#include "io/vertex_lists.hpp"
#include "system/machine.hpp"

#ifdef APSP_WITH_OSMIUM
#include <osmium/io/pbf_input.hpp>
#include <osmium/osm.hpp>
#include <protozero/pbf_reader.hpp>
#endif

namespace apsp::io {

bool is_osm_extract(std::string_view bytes) {
  return bytes.size() > 16 && bytes.substr(6, 9) == "OSMHeader";
}

bool names_osm_extract(const std::string& path) { return has_suffix(path, ".pbf"); }

namespace {

/// Calls visit(from, to, seconds, backward) for each open direction.
template <class Visit>
void for_each_arc_of(const Street& street, const Visit& visit) {
  const auto seconds = [&](double kmh) { return street.metres / kmh * 3.6; };
  if (street.speeds[0] > 0) visit(street.from, street.to, seconds(street.speeds[0]), false);
  if (street.speeds[1] > 0) visit(street.to, street.from, seconds(street.speeds[1]), true);
}

/// "LINESTRING (24.9 60.1, 24.91 60.2)".
std::string line_of(const StreetNetwork& network, const Street& street, bool backward) {
  std::string line = "LINESTRING (";
  for (std::size_t i = 0; i < street.count; ++i) {
    const std::size_t from_first = backward ? street.count - 1 - i : i;
    const std::uint32_t node = network.nodes[street.first + from_first];
    line += fmt::format("{}{} {}", i > 0 ? ", " : "", network.nodes_at.x[node],
                        network.nodes_at.y[node]);
  }
  return line + ')';
}

}  // namespace

#ifdef APSP_WITH_OSMIUM
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();

/// Returns the end of the blob that begins at `begin`: four bytes with the size of its header, the
/// header, which holds the size of its data, and the data.
std::size_t end_of_blob(std::string_view file, std::size_t begin, const std::string& name) {
  constexpr std::size_t kMostHeader = std::size_t{64} << 10;
  constexpr int kSizeOfData = 3;  // field of a BlobHeader
  std::size_t left = file.size() - begin, header = 0;
  for (std::size_t i = 0; i < 4 && left >= 4; ++i) {
    header = header << 8 | static_cast<unsigned char>(file[begin + i]);
  }
  if (left >= 4 && header > kMostHeader) {
    base::fail_input(name, "the extract is damaged at byte {}", begin);
  }
  std::int64_t data = -1;
  if (left >= 4 && header <= left - 4) {
    protozero::pbf_reader fields(file.data() + begin + 4, header);
    while (fields.next()) {
      fields.tag() == kSizeOfData ? void(data = fields.get_int32()) : fields.skip();
    }
    left -= 4 + header;
  }
  if (data < 0 || static_cast<std::size_t>(data) > left) {
    base::fail_input(name, "the extract is cut short: its part from byte {} on is not complete",
                     begin);
  }
  return begin + 4 + header + static_cast<std::size_t>(data);
}

/// Calls visit(buffer) with objects of these kinds, in the order of the file. A few megabytes are
/// unpacked at once.
template <class Visit>
void visit_objects(const Source& source, osmium::osm_entity_bits::type kinds, const Visit& visit) {
  constexpr std::size_t kPiece = std::size_t{8} << 20;
  const std::string_view file = text_of(source);
  try {
    if (!is_osm_extract(file)) base::fail_input(source.name, "not an extract of OpenStreetMap");
    osmium::thread::Pool pool(system::thread_count(source.options.threads));
    const std::size_t head = end_of_blob(file, 0, source.name);
    std::size_t at = head;
    do {
      std::size_t end = at;
      while (end < file.size() && end - at < kPiece) end = end_of_blob(file, end, source.name);
      std::string piece(file.substr(0, head));
      piece += file.substr(at, end - at);
      at = end;
      osmium::io::Reader reader(osmium::io::File(piece.data(), piece.size(), "pbf"), kinds,
                                osmium::io::read_meta::no, pool);
      if (reader.header().has_multiple_object_versions()) {
        base::fail_input(source.name,
                         "a history of objects is read only as an extract of one time");
      }
      while (const osmium::memory::Buffer buffer = reader.read()) visit(buffer);
      reader.close();
      source.progress.reached(at);
    } while (at < file.size());
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of libosmium, protozero and zlib
    base::fail_input(source.name, "the extract is damaged: {}", error.what());
  }
}

TagOf tags_of(const osmium::OSMObject& object) {
  return [&tags = object.tags()](const char* key) { return tags[key]; };
}

/// The places of nodes; NaN where the extract does not have a node. `ids`: ascending.
Coordinates places_of_nodes(const Source& source, const std::vector<std::int64_t>& ids) {
  const double nowhere = std::numeric_limits<double>::quiet_NaN();
  Coordinates places{std::vector<double>(ids.size(), nowhere),
                     std::vector<double>(ids.size(), nowhere), true};
  visit_objects(source, osmium::osm_entity_bits::node, [&](const osmium::memory::Buffer& buffer) {
    for (const auto& node : buffer.select<osmium::Node>()) {
      const auto found = std::ranges::lower_bound(ids, node.id());
      if (found == ids.end() || *found != node.id() || !node.location().valid()) continue;
      const auto i = static_cast<std::size_t>(found - ids.begin());
      places.x[i] = node.location().lon();
      places.y[i] = node.location().lat();
    }
  });
  return places;
}

struct OpenWay {
  std::int64_t id;
  std::size_t first, count = 0;  // in `references_`
  std::array<double, 2> speeds;
  std::uint32_t kind, name;
};

struct Restriction {
  bool only;
  std::int64_t via;
  std::vector<std::int64_t> from, to;  // ways
};

class StreetReader {
 public:
  explicit StreetReader(const Source& source)
      : source_(source), profile_(read_profile(source.options.profile, source.options.control)) {}

  StreetNetwork read() {
    visit_objects(source_, osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation,
                  [this](const osmium::memory::Buffer& buffer) {
                    for (const auto& way : buffer.select<osmium::Way>()) take(way);
                    for (const auto& relation : buffer.select<osmium::Relation>()) take(relation);
                  });
    find_places();
    cut_ways();
    if (network_.streets.empty()) {
      base::fail_input(source_.name, "no street of the extract is open to the profile {}",
                       source_.options.profile);
    }
    keep_component();
    forbid_turns();
    tell();
    return std::move(network_);
  }

 private:
  void take(const osmium::Way& way) {
    const TravelSpeeds speeds = profile_.speeds(tags_of(way));
    reversible_ += speeds.reversible ? 1 : 0;
    if (!speeds.any()) return;
    OpenWay open{.id = way.id(),
                 .first = references_.size(),
                 .speeds = {speeds.forward, speeds.backward},
                 .kind = word(way.tags()["highway"]),
                 .name = word(way.tags().get_value_by_key("name", ""))};
    for (const osmium::NodeRef& node : way.nodes()) {
      const bool again = references_.size() > open.first && references_.back() == node.ref();
      if (!again) references_.push_back(node.ref());
    }
    open.count = references_.size() - open.first;
    if (open.count > 1) ways_.push_back(open);
  }

  void take(const osmium::Relation& relation) {
    if (std::string_view(relation.tags().get_value_by_key("type", "")) != "restriction") return;
    const std::string_view kind = profile_.restriction(tags_of(relation));
    Restriction read{.only = kind.starts_with("only_"), .via = 0, .from = {}, .to = {}};
    if (!read.only && !kind.starts_with("no_")) return;
    std::size_t vias = 0;
    bool by_ways = false;
    for (const osmium::RelationMember& member : relation.members()) {
      const std::string_view role = member.role();
      const bool way = member.type() == osmium::item_type::way;
      if (role == "via") {
        by_ways = by_ways || way;
        read.via = member.ref();
        ++vias;
      } else if (way && (role == "from" || role == "to")) {
        (role == "from" ? read.from : read.to).push_back(member.ref());
      }
    }
    if (by_ways) {
      ++by_ways_;
    } else if (vias != 1 || read.from.empty() || read.to.empty() ||
               (read.only && read.to.size() > 1)) {
      ++unusable_;
    } else {
      restrictions_.push_back(std::move(read));
    }
  }

  std::uint32_t word(const char* text) {
    const auto [at, is_new] =
        numbers_.emplace(text, static_cast<std::uint32_t>(network_.words.size()));
    if (is_new) network_.words.emplace_back(text);
    return at->second;
  }

  /// Reads the places of all nodes of open ways; NaN where the extract does not have a node.
  void find_places() {
    ids_ = references_;
    std::ranges::sort(ids_);
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    if (ids_.size() >= kNone) {
      base::fail(ErrorKind::does_not_fit, "{}: its streets have {} nodes, and at most {} are read",
                 source_.name, ids_.size(), kNone);
    }
    network_.nodes_at = places_of_nodes(source_, ids_);
  }

  /// Calls visit(way, first, count) for runs of known nodes in `network_.nodes`.
  template <class Visit>
  void for_each_run(const Visit& visit) const {
    for (const OpenWay& way : ways_) {
      std::size_t first = way.first;
      for (std::size_t i = way.first; i <= way.first + way.count; ++i) {
        if (i < way.first + way.count && !std::isnan(network_.nodes_at.x[network_.nodes[i]]))
          continue;
        if (i > first + 1) visit(way, first, i - first);
        first = i + 1;
      }
    }
  }

  void cut_ways() {
    network_.nodes.resize(references_.size());
    for (std::size_t i = 0; i < references_.size(); ++i) {
      const auto found = std::ranges::lower_bound(ids_, references_[i]);
      network_.nodes[i] = static_cast<std::uint32_t>(found - ids_.begin());
    }
    references_ = {};
    missing_ = std::ranges::count_if(network_.nodes_at.x, [](double x) { return std::isnan(x); });
    // How often streets pass a node, up to 2: an end counts twice.
    std::vector<std::uint8_t> passes(ids_.size());
    for_each_run([&](const OpenWay&, std::size_t first, std::size_t count) {
      for (std::size_t i = first; i < first + count; ++i) {
        std::uint8_t& passed = passes[network_.nodes[i]];
        const bool end = i == first || i + 1 == first + count;
        passed = static_cast<std::uint8_t>(end || passed > 0 ? 2 : 1);
      }
    });
    vertex_of_.assign(ids_.size(), kNone);
    for (std::size_t node = 0; node < ids_.size(); ++node) {
      if (passes[node] < 2) continue;
      vertex_of_[node] = static_cast<Vertex>(node_of_.size());
      node_of_.push_back(static_cast<std::uint32_t>(node));
    }
    for_each_run([&](const OpenWay& way, std::size_t first, std::size_t count) {
      for (std::size_t begin = first, i = first + 1; i < first + count; ++i) {
        if (vertex_of_[network_.nodes[i]] == kNone) continue;
        add_street(way, begin, i + 1 - begin);
        begin = i;
      }
    });
    ways_ = {};
  }

  void add_street(const OpenWay& way, std::size_t first, std::size_t count) {
    Street street{.from = vertex_of_[network_.nodes[first]],
                  .to = vertex_of_[network_.nodes[first + count - 1]],
                  .speeds = way.speeds,
                  .first = first,
                  .count = count,
                  .way = way.id,
                  .kind = way.kind,
                  .name = way.name};
    for (std::size_t i = first + 1; i < first + count; ++i) {
      street.metres +=
          great_circle_length(network_.nodes_at, network_.nodes[i - 1], network_.nodes[i]);
    }
    network_.streets.push_back(street);
  }

  Graph graph_of_streets(bool in_metres) const {
    GraphBuilder builder(std::ssize(node_of_));
    for (const Street& street : network_.streets) {
      for_each_arc_of(street, [&](Vertex from, Vertex to, double seconds, bool) {
        builder.add_edge(from, to, in_metres ? street.metres : seconds);
      });
    }
    std::vector<std::string> labels;
    labels.reserve(node_of_.size());
    for (const std::uint32_t node : node_of_) labels.push_back(std::to_string(ids_[node]));
    builder.set_distinct_labels(std::move(labels));
    return std::move(builder).build();
  }

  void keep_component() {
    const bool in_metres = source_.options.weight == "metres";
    network_.graph = graph_of_streets(in_metres);
    vertices_ = std::ssize(node_of_);
    const auto largest = graph::largest_of_several(network_.graph);
    components_ = largest ? largest->components : 1;
    if (largest && !source_.options.all_streets) {
      const auto outside = [&](const Street& street) {
        return largest->holds[street.from] == 0 || largest->holds[street.to] == 0;
      };
      std::erase_if(network_.streets, outside);
      std::vector<Vertex> number(node_of_.size(), kNone);
      std::vector<std::uint32_t> kept;
      for (const Vertex v : largest->vertices) {
        number[v] = static_cast<Vertex>(kept.size());
        kept.push_back(node_of_[v]);
      }
      node_of_ = std::move(kept);
      for (Street& street : network_.streets) {
        street.from = number[street.from];
        street.to = number[street.to];
      }
      network_.graph = graph_of_streets(in_metres);
    }
    network_.at.degrees = true;
    for (const std::uint32_t node : node_of_) {
      network_.at.x.push_back(network_.nodes_at.x[node]);
      network_.at.y.push_back(network_.nodes_at.y[node]);
    }
  }

  void forbid_turns() {
    std::unordered_map<std::int64_t, std::vector<const Street*>> streets;
    for (const Restriction& one : restrictions_) {
      for (const std::int64_t way : one.from) streets[way];
      for (const std::int64_t way : one.to) streets[way];
    }
    for (const Street& street : network_.streets) {
      if (const auto found = streets.find(street.way); found != streets.end()) {
        found->second.push_back(&street);
      }
    }
    // The neighbour of `via` along a way, in the direction of travel: empty if the way does not
    // touch `via`, kNone if several streets do.
    const auto neighbour = [&](std::int64_t way, Vertex via, bool arriving) {
      std::optional<Vertex> found;
      for (const Street* const street : streets[way]) {
        for_each_arc_of(*street, [&](Vertex from, Vertex to, double, bool) {
          if ((arriving ? to : from) != via) return;
          found = found || from == to ? kNone : arriving ? from : to;
        });
      }
      return found;
    };
    for (const Restriction& one : restrictions_) {
      const auto id = std::ranges::lower_bound(node_of_, one.via, {},
                                               [&](std::uint32_t node) { return ids_[node]; });
      if (id == node_of_.end() || ids_[*id] != one.via) continue;  // outside this network
      const auto via = static_cast<Vertex>(id - node_of_.begin());
      bool usable = true;
      for (const std::int64_t from_way : one.from) {
        for (const std::int64_t to_way : one.to) {
          const auto from = neighbour(from_way, via, true), to = neighbour(to_way, via, false);
          if (!from || !to) continue;
          usable = usable && *from != kNone && *to != kNone;
          if (*from == kNone || *to == kNone) continue;
          if (!one.only) network_.forbidden.push_back({*from, via, *to, kInfinity});
          if (!one.only) continue;
          network_.graph.for_each_arc(via, [&, to = *to](Vertex other, double) {
            if (other != to) network_.forbidden.push_back({*from, via, other, kInfinity});
          });
        }
      }
      unusable_ += usable ? 0 : 1;
    }
    const auto key = [](const Turn& turn) { return std::tuple(turn.from, turn.via, turn.to); };
    std::vector<Turn>& turns = network_.forbidden;
    std::ranges::sort(turns, {}, key);
    const auto same = [&](const Turn& a, const Turn& b) { return key(a) == key(b); };
    turns.erase(std::unique(turns.begin(), turns.end(), same), turns.end());
  }

  template <class... Args>
  void remark(fmt::format_string<Args...> words, Args&&... args) {
    network_.graph = network_.graph.with_remark(fmt::format(words, std::forward<Args>(args)...));
  }

  void tell() {
    const std::int64_t kept = network_.graph.vertex_count();
    if (kept < vertices_) {
      remark("the largest strong component of {}: {} of {} crossings (`all_streets` keeps all)",
             base::format_count(components_), base::format_count(kept),
             base::format_count(vertices_));
    } else if (components_ > 1) {
      remark("{} strong components: some crossings do not reach others",
             base::format_count(components_));
    }
    if (missing_ > 0) {
      remark("the extract lacks {} of its streets, which end before",
             base::counted(missing_, "node", "nodes"));
    }
    if (reversible_ > 0) {
      remark("{} whose direction changes with the time of day left out",
             base::counted(reversible_, "way", "ways"));
    }
    if (by_ways_ + unusable_ > 0) {
      remark(
          "{} that no table of turns holds: {} by way of other ways, {} without one street to "
          "come from or go to",
          base::counted(by_ways_ + unusable_, "restriction", "restrictions"), by_ways_, unusable_);
    }
  }

  const Source& source_;
  TravelProfile profile_;
  StreetNetwork network_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // of network_.words
  std::vector<OpenWay> ways_;
  std::vector<Restriction> restrictions_;
  std::vector<std::int64_t> references_;  // to nodes, of all open ways
  std::vector<std::int64_t> ids_;         // [different nodes] ascending
  std::vector<Vertex> vertex_of_;         // [different nodes] before the component is chosen
  std::vector<std::uint32_t> node_of_;    // [vertices]
  std::int64_t vertices_ = 0, components_ = 0, missing_ = 0, reversible_ = 0, by_ways_ = 0,
               unusable_ = 0;
};

}  // namespace

StreetNetwork read_street_network(const Source& source) {
  const ReadOptions& options = source.options;
  if (options.profile.empty()) {
    base::fail(
        ErrorKind::usage,
        "{} holds streets for all travellers: choose `profile=car`, bike, foot or a file of a "
        "profile",
        source.name);
  }
  if (options.directed == false) {
    base::fail(ErrorKind::usage, "streets have directions: leave `directed=false` out");
  }
  if (!options.weight.empty() && options.weight != "seconds" && options.weight != "metres") {
    base::fail(ErrorKind::usage, "streets have the weights seconds and metres, not '{}'",
               options.weight);
  }
  return StreetReader(source).read();
}

Coordinates places_in_extract(const Source& source, const Graph& graph, std::int64_t count) {
  std::vector<std::pair<std::int64_t, Vertex>> vertices;
  for (Vertex v = 0; v < count; ++v) {
    if (const auto id = integer_of(graph.name(v))) vertices.emplace_back(*id, v);
  }
  std::ranges::sort(vertices);
  std::vector<std::int64_t> ids;
  for (const auto& [id, v] : vertices) ids.push_back(id);
  const Coordinates sorted = places_of_nodes(source, ids);
  Coordinates places{std::vector<double>(static_cast<std::size_t>(count)), {}, true};
  places.y = places.x;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Vertex v = vertices[i].second;
    places.x[v] = sorted.x[i];
    places.y[v] = sorted.y[i];
    if (std::isnan(sorted.x[i])) {
      base::fail_input(source.name, "the extract has no node {}, which is a vertex", ids[i]);
    }
  }
  if (ids.size() < places.x.size()) {
    base::fail_input(source.name, "vertices are not named by numbers of nodes");
  }
  return places;
}

#else

StreetNetwork read_street_network(const Source& source) {
  base::fail_input(source.name,
                   "OpenStreetMap's extracts need libosmium, which this build has not (Debian: "
                   "libosmium2-dev)");
}

Coordinates places_in_extract(const Source& source, const Graph&, std::int64_t) {
  return read_street_network(source).at;
}

#endif

StreetNetwork read_street_network(const std::string& path, const ReadOptions& options) {
  return with_source(hold_input(path, {}), display_name(path), options, {},
                     [](const Source& source) {
                       const GraphFormat format = recognise(source.bytes, source.name);
                       require_useful(source.options, format, source.name);
                       return read_street_network(source);
                     });
}

void write_streets(const StreetNetwork& network, const std::string& path, const Control& control) {
  std::array<Vertex, 2> ends{};
  std::array<double, 2> weights{};
  std::array<double, 4> at{};
  std::int64_t way = 0;
  std::array<std::string, 3> texts;
  Columns row;
  row.add("from", &ends[0]);
  row.add("to", &ends[1]);
  row.add("seconds", &weights[0]);
  row.add("metres", &weights[1]);
  row.add("from_lon", &at[0]);
  row.add("from_lat", &at[1]);
  row.add("to_lon", &at[2]);
  row.add("to_lat", &at[3]);
  row.add("way", &way);
  row.add("highway", &texts[0]);
  row.add("name", &texts[1]);
  row.add("geometry", &texts[2]);
  ColumnTable table(path, row.titles, network.graph, control, true);
  for (const Street& street : network.streets) {
    way = street.way;
    texts = {network.words[street.kind], network.words[street.name], ""};
    for_each_arc_of(street, [&](Vertex from, Vertex to, double seconds, bool backward) {
      ends = {from, to};
      weights = {seconds, street.metres};
      at = {network.at.x[from], network.at.y[from], network.at.x[to], network.at.y[to]};
      texts[2] = line_of(network, street, backward);
      table.put(1, row.cells);
    });
  }
  table.commit();
}

StreetLines lines_of_streets(const StreetNetwork& network, const Graph& graph) {
  StreetLines lines;
  for (const Street& street : network.streets) {
    const auto from = graph.find(network.graph.name(street.from)),
               to = graph.find(network.graph.name(street.to));
    if (!from || !to) continue;
    std::vector<MapPoint> line;
    for (std::size_t i = street.first; i < street.first + street.count; ++i) {
      const std::uint32_t node = network.nodes[i];
      line.emplace_back(network.nodes_at.x[node], network.nodes_at.y[node]);
    }
    lines.add(*from, *to, std::move(line));
  }
  return lines;
}

void write_forbidden_turns(const StreetNetwork& network, const std::string& path,
                           const Control& control) {
  Turn turn;
  Columns row;
  row.add("from", &turn.from);
  row.add("via", &turn.via);
  row.add("to", &turn.to);
  row.add("cost", &turn.cost);
  ColumnTable table(path, row.titles, network.graph, control);
  for (const Turn& forbidden : network.forbidden) {
    turn = forbidden;
    table.put(1, row.cells);
  }
  table.commit();
}

namespace {

Graph read_osm(const Source& source) {
  const StreetNetwork network = read_street_network(source);
  if (network.forbidden.empty()) return network.graph;
  return network.graph.with_remark(fmt::format(
      "{} not forbidden: `apsp convert` writes them (`restrictions=FILE`), and `turns=FILE` takes "
      "them",
      base::counted(std::ssize(network.forbidden), "turn is", "turns are")));
}

}  // namespace

extern const Format osm_format = {.name = "osm",
                                  .suffixes = {".pbf"},
                                  .recognises = is_osm_extract,
                                  .read = read_osm,
                                  .has_attributes = true};

}  // namespace apsp::io
