// apsp generate: test graphs, the same on every machine for the same words.
#include <fmt/format.h>
#include <apsp/generate.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/idle_options.hpp"
#include "cli/interruption.hpp"
#include "cli/reading.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

Choices<GraphKind> kind_choices() {
  Choices<GraphKind> choices;
  for (const GraphKind kind :
       {GraphKind::dense, GraphKind::gnp, GraphKind::rmat, GraphKind::grid, GraphKind::geometric,
        GraphKind::path, GraphKind::cycle, GraphKind::complete, GraphKind::star}) {
    choices.emplace_back(name(kind), kind);
  }
  return choices;
}

class Generate : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("KIND", kind_, placeholder(kind_choices()));
    arguments.positional("OUT", out_,
                         "where it goes, in the format of its suffix; - for an edge list on "
                         "standard output");
    declare_shape(arguments);
    declare_weights(arguments);
  }

  int run(Session& session) override {
    if (session.json && out_ == "-") {
      throw Error(ErrorKind::usage, "--json and OUT - both want standard output");
    }
    options_.kind = choose("KIND", kind_, kind_choices());
    const IdleOption of_kinds[] = {
        {"--probability", options_.kind != GraphKind::gnp, "is for gnp graphs: leave it out"},
        {"--rmat", options_.kind != GraphKind::rmat, "is for rmat graphs: leave it out"}};
    refuse_idle(session, of_kinds);
    const Graph graph = [&] {
      const ExitAtOnce guard(session.json);
      return generate(options_);
    }();
    if (cancellation().requested()) throw Error(ErrorKind::interrupted, "interrupted");
    write_to(session, graph, out_);
    const std::string shown = out_ == "-" ? "standard output" : out_;
    session.note(graph_line(graph, shown, session.err()) +
                 fmt::format(" ({}, seed {})", kind_, options_.seed));
    if (session.json) {
      session.print_json({{"kind", kind_},
                          {"seed", options_.seed},
                          {"graph", api::to_json(graph)},
                          {"output", {{"path", out_}, {"bytes", bytes_on_disk(out_)}}}});
    }
    return kExitOk;
  }

 private:
  void declare_shape(Arguments& arguments) {
    arguments.section("Shape");
    arguments.value(
        "--vertices", "N",
        [this](const std::string& text) {
          options_.vertices = integer_value("--vertices", text, 0);
        },
        "how many vertices; 1000 unless given");
    arguments.value(
        "--edges", "M",
        [this](const std::string& text) { options_.edges = integer_value("--edges", text, 1); },
        "rmat: how many edges; 16 a vertex unless given");
    arguments.value(
        "--probability", "P",
        [this](const std::string& text) {
          options_.probability = real_value("--probability", text);
        },
        "gnp: of every edge; 0.01 unless given");
    arguments.value(
        "--radius", "R",
        [this](const std::string& text) { options_.radius = real_value("--radius", text); },
        "geometric: points of the unit square nearer than this are joined; six "
        "neighbours on average unless given");
    arguments.value(
        "--rmat", "A,B,C,D", [this](const std::string& text) { set_rmat(text); },
        "rmat: probabilities of the quarters; 0.45,0.22,0.22,0.11 unless given");
    arguments.flag(
        "--directed", [this] { set_direction(true); }, "arcs (the way it is made)");
    arguments.flag(
        "--undirected", [this] { set_direction(false); }, "edges both ways");
    arguments.value(
        "--seed", "N",
        [this](const std::string& text) { options_.seed = seed_value("--seed", text); },
        "the same seed gives the same graph; 1 unless given");
  }

  void declare_weights(Arguments& arguments) {
    arguments.section("Weights");
    arguments.value(
        "--weights", "LOW:HIGH",
        [this](const std::string& text) {
          const auto [low, high] = range_value("--weights", text);
          options_.least_weight = low;
          options_.greatest_weight = high;
        },
        "their range; 1:100 unless given");
    arguments.flag("--real", options_.real_weights, "real numbers instead of integers");
    arguments.flag("--negative", options_.negative,
                   "shift them so that some are negative and no cycle is (directed graphs)");
  }

  void set_rmat(const std::string& text) {
    const std::vector<double> list = list_value("--rmat", text);
    if (list.size() != 4) {
      throw Error(ErrorKind::usage, "--rmat takes four probabilities, not '" + text + "'");
    }
    std::copy(list.begin(), list.end(), options_.rmat);
  }

  void set_direction(bool directed) {
    if (direction_given_ && options_.directed != directed) {
      throw Error(ErrorKind::usage, "--directed and --undirected exclude each other");
    }
    direction_given_ = true;
    options_.directed = directed;
  }

  GenerateOptions options_;
  std::string kind_;
  std::string out_;
  bool direction_given_ = false;
};

}  // namespace

VerbEntry generate_verb() {
  return {"generate",
          "generate KIND OUT",
          "test graphs",
          "Generate: a graph to try things on. The same words give the same graph on every "
          "machine.",
          {"apsp generate grid town.gr --vertices 400 --undirected",
           "apsp generate rmat web.txt.gz --vertices 4096 --edges 65536 --seed 7",
           "apsp generate gnp - --vertices 500 --weights 0:1 --real | apsp solve -"},
          [] { return std::unique_ptr<Verb>(std::make_unique<Generate>()); }};
}

}  // namespace apsp::cli
