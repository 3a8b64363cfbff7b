// apsp verify: is a stored result right?
#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/reading.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"
#include "cli/verify_view.hpp"

namespace apsp::cli {
namespace {

class Verify : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_result(arguments, stored_);
    arguments.positional("GRAPH", stored_.graph,
                         "the graph that was solved; an .npy needs it, a .zarr holds its own",
                         false);
    arguments.value(
        "--sample", "N",
        [this](const std::string& text) { options_.sources = integer_value("--sample", text, 1); },
        "check this many rows, drawn at random; all unless given, or as many as stay "
        "affordable");
    arguments.value(
        "--tolerance", "X",
        [this](const std::string& text) {
          options_.tolerance = tolerance_value("--tolerance", text);
        },
        "relative error to let pass; from the value type unless given");
    arguments.value(
        "--seed", "N",
        [this](const std::string& text) { options_.seed = seed_value("--seed", text); },
        "which rows --sample draws");
    declare_reading(arguments, stored_.reading);
    declare_threads(arguments);
  }

  int run(Session& session) override {
    const Result result = open_for(session, stored_);
    options_.control = session.control();
    const VerifyReport report = result.verify(options_);
    session.print(verify_text(report, session.out()));
    if (session.json) {
      session.print_json({{"result", stored_.path}, {"verification", api::to_json(report)}});
    }
    return report.passed ? kExitOk : kExitNegativeAnswer;
  }

 private:
  StoredResult stored_;
  VerifyOptions options_;
};

}  // namespace

VerbEntry verify_verb() {
  return {"verify",
          "verify RESULT [GRAPH]",
          "is this result right? independent of how it was computed",
          "Verify: checks a result by its properties, with code that shares nothing with the "
          "solver:\nzero diagonal, no edge shorter than its distance, the triangle rule over every "
          "edge, a tight\nedge into every reached vertex, reachability; and that stored "
          "predecessors,\nintermediate vertices and edge counts describe paths of these lengths. "
          "Exit 1 if anything fails.",
          {"apsp verify flights.zarr",
           "apsp verify roads.npy roads.gr --sample 100     a hundred rows of a large matrix",
           "apsp verify flights.zarr --json && echo right"},
          [] { return std::unique_ptr<Verb>(std::make_unique<Verify>()); }};
}

}  // namespace apsp::cli
