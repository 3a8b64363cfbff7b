// apsp stats: statistics of a stored result.

#include "api/json.hpp"
#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/statistics_view.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class Stats : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_result(arguments, stored_);
    arguments.text("--graph", "GRAPH", stored_.graph,
                   "the graph that was solved; an .npy needs it");
    parsed(arguments, "--top", "K", at_least<0>, top_,
           "number of central vertices to list; default: 5");
    declare_component(arguments, largest_);
    declare_reading(arguments, stored_.reading);
    declare_threads(arguments);
    declare_memory(arguments);
  }

  int run(Context& context) override {
    const Result result = open_for(context, stored_);
    plan_question(result, {.what = "the statistics", .statistics = true});
    const Statistics statistics = largest_ ? result.component_statistics(context.control())
                                           : result.statistics(context.control());
    context.print(statistics_text(
        {statistics, result.graph(), result.semiring(), result.value_type(), top_}, context.out()));
    if (context.json) {
      nlohmann::json object = {{"result", stored_.path},
                               {"semiring", name(result.semiring())},
                               {"value_type", name(result.value_type())},
                               {"graph", api::to_json(result.graph())},
                               {"statistics", api::to_json(statistics, result.graph(), top_)}};
      context.print_json(object);
    }
    return kExitOk;
  }

 private:
  StoredResult stored_;
  std::size_t top_ = 5;
  bool largest_ = false;
};

}  // namespace

VerbEntry stats_verb() {
  return {
      "stats RESULT",
      "diameter, radius, mean, histogram, centralities",
      "Stats: diameter and radius with vertices that attain them, mean and median, how "
      "distances spread, and which vertices are central.",
      {"apsp stats flights.zarr", "apsp stats roads.zarr --component largest     without islands",
       "apsp stats roads.npy --graph roads.gr --json"},
      make_verb<Stats>};
}

}  // namespace apsp::cli
