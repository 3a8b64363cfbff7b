// apsp solve: distances for all pairs; and apsp closure, the same over the semiring (or, and).
#include "base/memory_limit.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/memory_use.hpp"
#include "cli/near_view.hpp"
#include "cli/option_values.hpp"
#include "cli/solve_request.hpp"
#include "cli/verb.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

class Solve : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_solving(arguments, request_);
    SolveOptions& options = request_.solving;
    arguments.section("Result");
    arguments.flag("--resume", options.resume,
                   "continue from what an interrupted or killed run left next to OUT: apsp solve "
                   "--resume OUT, or the command of that run with --resume; starts from the "
                   "beginning if nothing is left");
    declare_planes(arguments, options);
    parsed(arguments, "--within", "D", tolerance_value, within_,
           "only the pairs at most D apart, in time and memory for these: -o OUT.npz is a sparse "
           "matrix for SciPy, OUT.zarr one for zarr-python and AnnData, OUT.csv or OUT.parquet a "
           "table, OUT.geojson a map of what --sources reach");
    declare_positions(arguments, map_, "--within -o OUT.geojson");
    parsed(arguments, "--top", "K", at_least<0>, request_.top,
           "number of central vertices to list; default: 5");
    declare_method(arguments, request_);
    declare_job(arguments, request_);
    declare_plan_flag(arguments);
    declare_reading(arguments, request_.reading);
  }

  int run(Context& context) override {
    if (within_) return find_near(context);
    refuse_if(context.gave("--plan"),
              "--plan is for --within: apsp plan GRAPH says what a solve would take");
    refuse_if(!map_.positions.empty(), "--positions is for a map of --within: -o OUT.geojson");
    return run_solve(context, request_);
  }

 protected:
  SolveRequest request_;

 private:
  int find_near(Context& context) const {
    const TableOutput output{request_.solving.output, map_.positions};
    context.refuse_others({"--within", "--output", "--positions", "--sources", "--seed", "--verify",
                           "--algorithm", "--device", "--threads", "--memory", "--plan", "--format",
                           "--directed", "--undirected", "--columns", "--as-rel", "--coordinates"},
                          "has no effect on --within, which finds only near pairs: leave it out");
    refuse_if(context.launch != nullptr, "--within is for one process: start apsp without mpirun");
    const std::vector<std::string> inputs = {request_.graph, file_of(request_.sources)};
    if (!output.path.ends_with(".npz") && !store::is_zarr(output.path)) {
      refuse_if(!output.path.empty() && !output.is_map() && !io::names_column_table(output.path),
                "{} is not a file of sparse distances: name an .npz for SciPy, a .zarr, a .csv, a "
                ".parquet or a .geojson",
                output.path);
      check_table(output, request_.reading, inputs);
    } else {
      refuse_if(!output.positions.empty(), "--positions is for a map: name an OUT.geojson");
      require_apart(output.path, inputs);
      require_apart(output.path, std::vector{request_.reading.coordinates});
    }
    base::limit_memory(request_.solving.memory);
    const Graph& graph = read_for(context, request_.graph, request_.reading);
    context.note(graph_line(graph, request_.graph, context.err()));
    NearOptions options{.algorithm = request_.solving.algorithm,
                        .device = request_.solving.device,
                        .device_ordinals = request_.solving.device_ordinals,
                        .threads = request_.solving.threads,
                        .control = context.control()};
    options.sources =
        chosen_vertices({"--sources", request_.sources}, graph, request_.seed, &context);
    return run_within(context, graph, *within_, options, output, request_.reading, request_.verify);
  }

  std::optional<double> within_;
  TableOutput map_;  // of --within: where the vertices are
};

class Closure : public Solve {
 public:
  void declare(Arguments& arguments) override {
    request_.solving.semiring = Semiring::or_and;
    declare_solving(arguments, request_);
    declare_reading(arguments, request_.reading);
  }
};

}  // namespace

VerbEntry solve_verb() {
  return {"solve GRAPH [-o OUT]",
          "distances between all pairs of vertices",
          "Solve: the distance between every pair of vertices of a graph, with statistics. With "
          "--verify, a check that shares no code with the solver.",
          {"apsp solve roads.gr                                statistics only, nothing is kept",
           "apsp solve flights.mtx -o flights.zarr --verify    keep and check the distances",
           "zcat links.csv.gz | apsp solve - --undirected --semiring max-min    widest paths"},
          make_verb<Solve>,
          true};
}

VerbEntry closure_verb() {
  return {
      "closure GRAPH [-o OUT]",
      "which vertices reach which (transitive closure)",
      "Closure: for every pair of vertices, whether there is a path at all. Weights are ignored.",
      {"apsp closure links.txt --directed            how many pairs are connected",
       "apsp closure packages.csv -o reach.zarr      keep the matrix of ones and zeros",
       "apsp closure links.txt --json --quiet        for a script"},
      make_verb<Closure>,
      true};
}

}  // namespace apsp::cli
