// apsp nearest: the nearest of some places for every vertex.
#include <apsp/near.hpp>
#include <cmath>

#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/memory_use.hpp"
#include "cli/near_view.hpp"
#include "cli/option_values.hpp"
#include "cli/path_output.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class Nearest : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.section("Options");
    declare_metric(arguments, network_);
    arguments.text("--to", "LIST|@FILE", places_,
                   "the places: names of vertices separated by commas, or a file with one on each "
                   "line; with the titles `vertex,name` the names go into the table");
    parsed(arguments, "-k,--count", "K", at_least<1>, count_,
           "how many places of each vertex; default: 1");
    arguments.flag("--from-places", from_places_,
                   "along paths from a place to each vertex, where directions differ; default: "
                   "from each vertex to a place");
    arguments.flag("--verify", verify_,
                   "check the places by their properties, without a search; exit 1 if it fails");
    declare_table(arguments, output_);
    declare_reading(arguments, network_.reading);
    declare_threads(arguments);
    declare_memory(arguments);
  }

  int run(Context& context) override {
    refuse_if(places_.empty(),
              "--to is missing: name the places, or a file of them with --to @FILE");
    check_table(output_, network_.reading, {network_.path, file_of(places_)});
    const Graph& graph = read_network(context, network_);
    const std::vector<Vertex> places =
        chosen_vertices({"--to", places_}, graph, 1, &context, &names_);
    const Towards towards = from_places_ ? Towards::vertices : Towards::places;
    const NearestPlaces found = nearest(graph, places, count_, towards, context.control());
    write(context, graph, places, found);
    nlohmann::json object = {
        {"vertices", graph.vertex_count()},
        {"places", places.size()},
        {"count", count_},
        {"without_place", without_place(found)},
        {"output", output_.path.empty() ? nlohmann::json() : nlohmann::json(output_.path)}};
    int code = kExitOk;
    if (verify_) {
      const VerifyReport report =
          verify(found, graph, places, towards, {.control = context.control()});
      code = tell_verified(context, report, object);
    }
    if (context.json) context.print_json(object);
    return code;
  }

 private:
  struct Ranked {
    Vertex vertex;
    std::int64_t rank;
    Vertex place;
    double distance;
    std::size_t listed;
  };

  template <class F>
  static void for_each(const std::vector<Vertex>& places, const NearestPlaces& found,
                       const F& put) {
    const auto count = static_cast<std::size_t>(found.count);
    for (std::size_t i = 0; i < found.places.size(); ++i) {
      if (found.places[i] == NearestPlaces::kNone) continue;
      const auto listed = static_cast<std::size_t>(found.places[i]);
      put(Ranked{static_cast<Vertex>(i / count), static_cast<std::int64_t>(i % count) + 1,
                 places[listed], found.distances[i], listed});
    }
  }

  void write(Context& context, const Graph& graph, const std::vector<Vertex>& places,
             const NearestPlaces& found) const {
    if (output_.is_map()) {
      return write_map(context, output_, network_.reading, graph, [&](MapFile& map) {
        for_each(places, found, [&](const Ranked& of) {
          nlohmann::json about = {{"vertex", map.name(of.vertex)},
                                  {"rank", of.rank},
                                  {"place", map.name(of.place)},
                                  {"distance", of.distance}};
          if (!names_.empty()) about["name"] = names_[of.listed];
          map.point(of.vertex, about);
        });
      });
    }
    std::vector<io::TableColumn> columns = {{"vertex", io::ColumnKind::vertex},
                                            {"rank", io::ColumnKind::whole},
                                            {"place", io::ColumnKind::vertex},
                                            {"distance"}};
    if (!names_.empty()) columns.push_back({"name", io::ColumnKind::text});
    write_table(context, output_, graph, columns, [&](io::ColumnTable& table) {
      table.expect_rows(std::ssize(found.places));
      for_each(places, found, [&](const Ranked& of) {
        std::vector<io::ColumnValues> values = {
            io::Stepped<Vertex>{&of.vertex}, io::Stepped<std::int64_t>{&of.rank},
            io::Stepped<Vertex>{&of.place}, io::Stepped<double>{&of.distance}};
        if (!names_.empty()) values.push_back(io::Stepped<std::string>{&names_[of.listed]});
        table.put(1, values);
      });
    });
  }

  static std::int64_t without_place(const NearestPlaces& found) {
    std::int64_t vertices = 0;
    for (std::size_t i = 0; i < found.places.size(); i += static_cast<std::size_t>(found.count)) {
      vertices += found.places[i] == NearestPlaces::kNone;
    }
    return vertices;
  }

  StoredResult network_;
  TableOutput output_;
  std::string places_;
  std::vector<std::string> names_;  ///< [places] if the list has names, else empty
  std::int64_t count_ = 1;
  bool from_places_ = false, verify_ = false;
};

}  // namespace

VerbEntry nearest_verb() {
  return {"nearest GRAPH --to PLACES",
          "the nearest places of every vertex",
          "Nearest: for every vertex the K nearest of some places, with distances, as a table. "
          "Places at the same distance come in the order of the list.",
          {"apsp nearest roads.gr --to @hospitals.txt -k 3 -o nearest.csv",
           "apsp nearest roads.gr --to 17,2093 --from-places     from the fire stations",
           "apsp nearest roads.zarr --to @schools.txt -o near.geojson --positions at.csv"},
          make_verb<Nearest>};
}

}  // namespace apsp::cli
