// apsp nearest: the nearest of some places for every vertex.
#include <apsp/near.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/answer.hpp"
#include "cli/exit_code.hpp"
#include "cli/near_view.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class Nearest : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.section("Options");
    arguments.text("--to", "LIST|@FILE", places_,
                   "the places: names of vertices separated by commas, or a file with one on each "
                   "line");
    parsed(arguments, "-k,--count", "K", at_least<1>, count_,
           "how many places of each vertex; default: 1");
    arguments.flag("--from-places", from_places_,
                   "along paths from a place to each vertex, where directions differ; default: "
                   "from each vertex to a place");
    declare_table(arguments, output_);
    declare_reading(arguments, network_.reading);
  }

  int run(Session& session) override {
    refuse_if(places_.empty(),
              "--to is missing: name the places, or a file of them with --to @FILE");
    check_table(output_, network_, {file_of(places_)});
    const Graph& graph = read_network(session, network_);
    const std::vector<Vertex> places =
        chosen_vertices({"--to", places_}, graph, 1, session.control());
    const NearestPlaces found =
        nearest(graph, places, count_, from_places_ ? Towards::vertices : Towards::places,
                session.control());
    write_table(session, output_,
                [&](io::OutputFile& file) { put_rows(file, graph, places, found); });
    if (session.json) {
      session.print_json(
          {{"vertices", graph.vertex_count()},
           {"places", places.size()},
           {"count", count_},
           {"without_place", without_place(found)},
           {"output", output_.empty() ? nlohmann::json() : nlohmann::json(output_)}});
    }
    return kExitOk;
  }

 private:
  static void put_rows(io::OutputFile& file, const Graph& graph, const std::vector<Vertex>& places,
                       const NearestPlaces& found) {
    file.put("vertex,rank,place,distance\n");
    file.expect_rows(std::ssize(found.places));
    for (std::size_t i = 0; i < found.places.size(); ++i, file.end_row()) {
      if (found.places[i] == NearestPlaces::kNone) continue;
      const auto count = static_cast<std::size_t>(found.count);
      const Vertex place = places[static_cast<std::size_t>(found.places[i])];
      file.put(csv_field(graph.name(static_cast<Vertex>(i / count))), ',', i % count + 1, ',',
               csv_field(graph.name(place)), ',', found.distances[i], '\n');
    }
  }

  static std::int64_t without_place(const NearestPlaces& found) {
    std::int64_t vertices = 0;
    for (std::size_t i = 0; i < found.places.size(); i += static_cast<std::size_t>(found.count)) {
      vertices += found.places[i] == NearestPlaces::kNone;
    }
    return vertices;
  }

  StoredResult network_;
  std::string places_, output_;
  std::int64_t count_ = 1;
  bool from_places_ = false;
};

}  // namespace

VerbEntry nearest_verb() {
  return {"nearest GRAPH --to PLACES",
          "the nearest places of every vertex",
          "Nearest: for every vertex the K nearest of some places, with distances, as a table. "
          "Places at the same distance come in the order of the list.",
          {"apsp nearest roads.gr --to @hospitals.txt -k 3 -o nearest.csv",
           "apsp nearest roads.gr --to 17,2093 --from-places     from the fire stations",
           "apsp nearest roads.zarr --to @schools.txt            the graph of a result"},
          make_verb<Nearest>};
}

}  // namespace apsp::cli
