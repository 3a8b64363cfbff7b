// apsp generate: test graphs. The same words give the same graph on every machine.
#include <fmt/format.h>
#include <apsp/graph.hpp>

#include <algorithm>

#include "api/json.hpp"
#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/option_values.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

Choices<GraphKind> kind_choices() {
  return named_choices(std::initializer_list<GraphKind>{
      GraphKind::dense, GraphKind::gnp, GraphKind::rmat, GraphKind::grid, GraphKind::geometric,
      GraphKind::path, GraphKind::cycle, GraphKind::complete, GraphKind::star, GraphKind::roads});
}

class Generate : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("KIND", kind_, alternatives(words_of(kind_choices())));
    arguments.positional(
        "OUT", out_,
        "the output, in the format of its suffix; - for an edge list on standard output");
    declare_shape(arguments);
    declare_weights(arguments);
  }

  int run(Context& context) override {
    refuse_if(context.json && out_ == "-",
              "--json and OUT - both write to standard output: leave one out");
    options_.directed = directed_.value_or(options_.directed);
    options_.kind = choose("KIND", kind_, kind_choices());
    const IdleOption of_kinds[] = {
        {"--probability", options_.kind != GraphKind::gnp, "is for gnp graphs: leave it out"},
        {"--rmat", options_.kind != GraphKind::rmat, "is for rmat graphs: leave it out"}};
    context.refuse_idle(of_kinds);
    const Graph graph = generate(options_);
    write_to(context, graph, out_);
    const std::string shown = out_ == "-" ? "standard output" : out_;
    context.note(graph_line(graph, shown, context.err()) +
                 fmt::format(" ({}, seed {})", kind_, options_.seed));
    if (context.json) {
      context.print_json({{"kind", kind_},
                          {"seed", options_.seed},
                          {"graph", api::to_json(graph)},
                          {"output", {{"path", out_}, {"bytes", bytes_on_disk(out_)}}}});
    }
    return kExitOk;
  }

 private:
  void declare_shape(Arguments& arguments) {
    arguments.section("Shape");
    parsed(arguments, "--vertices", "N", at_least<0>, options_.vertices,
           "number of vertices; default: 1000");
    parsed(arguments, "--edges", "M", at_least<1>, options_.edges,
           "rmat: number of edges; default: 16 for each vertex");
    parsed(arguments, "--probability", "P", real_value, options_.probability,
           "gnp: probability of every edge; default: 0.01");
    parsed(
        arguments, "--radius", "R", real_value, options_.radius,
        "geometric: points of the unit square nearer than this are joined; default: six neighbours "
        "on average");
    arguments.value(
        "--rmat", "A,B,C,D", [this](const std::string& text) { set_rmat(text); },
        "rmat: probabilities of the quarters; default: 0.45,0.22,0.22,0.11");
    declare_direction(arguments, directed_, "arcs (the default)", "edges both ways");
    parsed(arguments, "--seed", "N", seed_value, options_.seed,
           "the same seed gives the same graph; default: 1");
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
        "range of the weights, both ends included; default: 1:100");
    arguments.flag("--real", options_.real_weights, "real numbers instead of integers");
    arguments.flag("--negative", options_.negative,
                   "shift weights so that some are negative but no cycle is (directed graphs)");
  }

  void set_rmat(const std::string& text) {
    const std::vector<double> list = list_value("--rmat", text);
    refuse_if(list.size() != 4, "--rmat takes four probabilities, not '{}'", text);
    std::copy(list.begin(), list.end(), options_.rmat);
  }

  GenerateOptions options_;
  std::string kind_;
  std::string out_;
  std::optional<bool> directed_;
};

}  // namespace

VerbEntry generate_verb() {
  return {"generate KIND OUT",
          "test graphs",
          "Generate: a test graph. The same command gives the same graph on every machine.",
          {"apsp generate grid town.gr --vertices 400 --undirected",
           "apsp generate rmat web.txt.gz --vertices 4096 --edges 65536 --seed 7",
           "apsp generate gnp - --vertices 500 --weights 0:1 --real | apsp solve -"},
          make_verb<Generate>};
}

}  // namespace apsp::cli
