// apsp solve: distances for all pairs.
#include "cli/reading.hpp"
#include "cli/solve_run.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class Solve : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_solving(arguments, request_);
    SolveOptions& options = request_.solving;
    arguments.section("Result");
    arguments.flag("--resume", options.resume,
                   "go on from what an interrupted or killed run left beside OUT: apsp solve "
                   "--resume OUT, or with the words of that run; from the beginning if it left "
                   "nothing");
    arguments.flag("--predecessors", options.predecessors,
                   "store the predecessor matrix too (.zarr)");
    arguments.flag(
        "--via", options.via,
        "store an intermediate vertex of every path too (.zarr); takes about twice as long");
    arguments.flag("--hops", options.hops, "--via, and the number of edges of every path (.zarr)");
    arguments.value(
        "--top", "K",
        [this](const std::string& text) {
          request_.top = static_cast<std::size_t>(integer_value("--top", text, 0));
        },
        "how many central vertices to list; 5 unless given");
    arguments.section("Method");
    choice(arguments, "--semiring", semiring_choices(), options.semiring,
           "what better means: least sum, widest, smallest largest edge, longest (acyclic graphs), "
           "or reachable at all");
    choice(arguments, "--dtype", types(), options.value_type,
           "values of the matrix: auto takes the narrowest integer type that surely holds every "
           "distance, and f32 for real weights");
    choice(
        arguments, "--algorithm", algorithms(), options.algorithm,
        "how to solve: auto takes what promises to be fastest and fits, floyd-warshall for dense "
        "and small graphs, nested-dissection or searches for sparse ones");
    declare_reading(arguments, request_.reading);
  }

  int run(Session& session) override { return run_solve(session, request_); }

 private:
  static Choices<std::optional<ValueType>> types() {
    Choices<std::optional<ValueType>> choices = {{"auto", std::nullopt}};
    for (const ValueType type : {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
      choices.emplace_back(name(type), type);
    }
    return choices;
  }
  static Choices<Algorithm> algorithms() {
    Choices<Algorithm> choices;
    for (const Algorithm algorithm :
         {Algorithm::automatic, Algorithm::floyd_warshall, Algorithm::nested_dissection,
          Algorithm::johnson, Algorithm::breadth_first}) {
      choices.emplace_back(name(algorithm), algorithm);
    }
    return choices;
  }

  SolveRequest request_;
};

}  // namespace

VerbEntry solve_verb() {
  return {
      "solve",
      "solve GRAPH [-o OUT]",
      "distances between all pairs of vertices",
      "Solve: the distance between every pair of vertices of a graph, with statistics, and with "
      "a\ncheck that shares nothing with the solver if you ask for one.",
      {"apsp solve roads.gr                                statistics only, nothing is kept",
       "apsp solve flights.mtx -o flights.zarr --verify    keep the distances, and check them",
       "zcat links.csv.gz | apsp solve - --undirected --semiring max-min"},
      [] { return std::unique_ptr<Verb>(std::make_unique<Solve>()); }};
}

}  // namespace apsp::cli
