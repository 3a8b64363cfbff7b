// apsp plan: what solve would do and why, without doing it.
#include <apsp/error.hpp>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/graph_facts.hpp"
#include "cli/machine_view.hpp"
#include "cli/plan_view.hpp"
#include "cli/reading.hpp"
#include "cli/solve_run.hpp"
#include "cli/table.hpp"
#include "cli/verb.hpp"
#include "measure/machine_report.hpp"
#include "measure/renew_rates.hpp"
#include "results/json.hpp"

namespace apsp::cli {
namespace {

class PlanOnly : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_solving(arguments, request_, false);
    declare_planes(arguments, request_.solving);
    declare_method(arguments, request_);
    arguments.section("Figures");
    arguments.flag("--measure", measure_,
                   "measure this machine now, and keep the figures; without GRAPH those that most "
                   "solves go by");
    declare_reading(arguments, request_.reading);
  }

  int run(Session& session) override {
    if (!request_.graph.empty()) return plan_graph(session);
    if (!measure_) {
      throw Error(ErrorKind::usage, "name a graph to plan for, or measure the machine: --measure");
    }
    measure::renew_rates(request_.solving.threads, session.control());
    const nlohmann::json machine = measure::machine_report();
    session.print(rates_text(machine["rates"], session.out()));
    if (session.json) session.print_json({{"rates", machine["rates"]}});
    return kExitOk;
  }

 private:
  int plan_graph(Session& session) {
    check(request_);
    const Graph& graph = read_for(session, request_.graph, request_.reading);
    const PlanReport plan = plan_solve(graph, solve_options(session, request_, graph), measure_);
    const nlohmann::json facts = graph_facts(graph, request_.graph);
    const Look& look = session.out();
    session.print(graph_text(graph, facts, look));
    session.print("\n" + candidates_text(plan, look));
    session.print("  " + figures_text(plan) + "\n");
    if (plan.what_would_fit.empty()) {
      session.print("\n" + heading(look, "Plan") + plan_text(plan, look) + "\n");
    }
    if (session.json) session.print_json({{"graph", facts}, {"plan", api::to_json(plan)}});
    if (plan.what_would_fit.empty()) return kExitOk;
    if (session.json) return kExitDoesNotFit;
    throw Error(ErrorKind::does_not_fit, plan.what_would_fit);
  }

  SolveRequest request_;
  bool measure_ = false;
};

}  // namespace

VerbEntry plan_verb() {
  return {
      "plan",
      "plan GRAPH",
      "what solve would do and why: every way with its time and memory",
      "Plan: the ways in which a graph can be solved on this machine, what each would take, and "
      "the\none that solve takes with the same options. Nothing is solved, nothing is written "
      "but the\ncache of this machine's figures.",
      {"apsp plan roads.gr",
       "apsp plan roads.gr -o roads.zarr --memory 2GiB     what would fit there",
       "apsp plan --measure                                renew this machine's figures"},
      [] { return std::unique_ptr<Verb>(std::make_unique<PlanOnly>()); }};
}

}  // namespace apsp::cli
