// apsp verify: checks a stored result.

#include "api/json.hpp"
#include "api/near.hpp"
#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/solve_view.hpp"
#include "cli/verb.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

class Verify : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_result(arguments, stored_);
    arguments.positional("GRAPH", stored_.graph,
                         "the graph that was solved; an .npy needs it, a .zarr holds its graph",
                         false);
    parsed(arguments, "--sample", "N", at_least<1>, options_.sources,
           "check this many rows, drawn at random; default: all, or as many as stay affordable");
    parsed(
        arguments, "--tolerance", "X", tolerance_value, options_.tolerance,
        "relative error that passes; default: from the value type, 0 for integers. A pass is then "
        "no proof, but \"within the tolerance of X\"");
    parsed(arguments, "--seed", "N", seed_value, options_.seed, "which rows --sample draws");
    declare_reading(arguments, stored_.reading);
    declare_threads(arguments);
    declare_memory(arguments);
  }

  int run(Context& context) override {
    options_.control = context.control();
    const VerifyReport report = checked(context);
    context.print(verify_text(report, context.out()));
    context.print_json({{"result", stored_.path}, {"verification", api::to_json(report)}});
    return report.passed ? kExitOk : kExitNegativeAnswer;
  }

 private:
  VerifyReport checked(Context& context) const {
    if (store::is_zarr(stored_.path) && stored_.graph.empty() && stored_.metric.empty()) {
      if (const auto near = api::read_near_pairs(stored_.path)) {
        context.graph = near->graph;
        return verify(near->pairs, near->graph, near->limit, near->sources, options_);
      }
    }
    const Result result = open_for(context, stored_);
    plan_question(result, {.what = "the check", .verified = true});
    return result.verify(options_);
  }

  StoredResult stored_;
  VerifyOptions options_;
};

}  // namespace

VerbEntry verify_verb() {
  return {
      "verify RESULT [GRAPH]",
      "checks a result, independently of how it was computed",
      "Verify: checks a result by its properties, with code that shares nothing with the solver: "
      "zero diagonal, no edge shorter than its distance, the triangle rule over every edge, a "
      "tight edge into every reached vertex, reachability. Stored predecessors, intermediate "
      "vertices and edge counts must describe paths of these lengths, and stored statistics must "
      "be "
      "those of the rows. Near pairs of apsp solve --within are checked too. Exit 1 if anything "
      "fails.",
      {"apsp verify flights.zarr",
       "apsp verify roads.npy roads.gr --sample 100     a hundred rows of a large matrix",
       "apsp verify flights.zarr --json && echo right"},
      make_verb<Verify>};
}

}  // namespace apsp::cli
