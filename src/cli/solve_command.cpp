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
    declare_planes(arguments, options);
    arguments.value(
        "--top", "K",
        [this](const std::string& text) {
          request_.top = static_cast<std::size_t>(integer_value("--top", text, 0));
        },
        "how many central vertices to list; 5 unless given");
    declare_method(arguments, request_);
    declare_job(arguments, request_);
    declare_reading(arguments, request_.reading);
  }

  int run(Session& session) override { return run_solve(session, request_); }

 private:
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
       "zcat links.csv.gz | apsp solve - --undirected --semiring max-min    widest paths"},
      [] { return std::unique_ptr<Verb>(std::make_unique<Solve>()); },
      true};
}

}  // namespace apsp::cli
