// apsp closure: which vertices reach which, a solve over the semiring (or, and).
#include "cli/reading.hpp"
#include "cli/solve_run.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class Closure : public Verb {
 public:
  void declare(Arguments& arguments) override {
    request_.solving.semiring = Semiring::or_and;
    declare_solving(arguments, request_);
    declare_reading(arguments, request_.reading);
  }

  int run(Session& session) override { return run_solve(session, request_); }

 private:
  SolveRequest request_;
};

}  // namespace

VerbEntry closure_verb() {
  return {"closure",
          "closure GRAPH [-o OUT]",
          "which vertices reach which (transitive closure)",
          "Closure: for every pair of vertices, whether there is a path at all. Weights play no "
          "part.",
          {"apsp closure links.txt --directed            how many pairs are connected",
           "apsp closure packages.csv -o reach.zarr      keep the matrix of ones and zeros",
           "apsp closure links.txt --json --quiet        for a script"},
          [] { return std::unique_ptr<Verb>(std::make_unique<Closure>()); },
          true};
}

}  // namespace apsp::cli
