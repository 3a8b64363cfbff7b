// Verbs about a stored result: stats, verify, report.
#include <fmt/format.h>
#include <apsp/report.hpp>
#include <filesystem>

#include "api/json.hpp"
#include "api/near.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/leftovers.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/solve_view.hpp"
#include "cli/statistics_view.hpp"
#include "cli/verb.hpp"
#include "store/store.hpp"

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

namespace {

class Report : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_result(arguments, stored_);
    arguments.text("-o,--output", "OUT", out_, "the page, an .html; - for standard output");
    arguments.text("--coordinates", "FILE", coordinates_,
                   "where vertices lie on the map: a table 'name x y', or longitude and latitude "
                   "(.mtx); default: places made from distances");
    arguments.text("--title", "TEXT", options_.title, "the heading of the page");
    parsed(arguments, "--top", "K", at_least<0>, options_.top,
           "number of central vertices to list; default: 10");
    arguments.flag("--verify", verify_,
                   "check the result as apsp verify does, and show it; exit 1 if it fails");
    arguments.text("--graph", "GRAPH", stored_.graph,
                   "the graph that was solved; an .npy needs it");
    declare_threads(arguments);
    declare_reading(arguments, stored_.reading, false);
    declare_memory(arguments);
  }

  int run(Context& context) override {
    require_output(context);
    const Result result = open_for(context, stored_);
    context.graph = result.graph();
    constexpr std::int64_t kPage = std::int64_t{16} << 20, kPivots = 64;
    constexpr std::int64_t kArcDrawn = 112;
    plan_question(result, {.what = "the page",
                           .statistics = true,
                           .verified = verify_,
                           .rows = kPivots,
                           .trees = 1,
                           .bytes = kPage + kArcDrawn * result.graph().arc_count()});
    options_.control = context.control();
    if (!coordinates_.empty()) {
      options_.coordinates = read_coordinates(coordinates_, result.graph(), options_.control);
    }
    VerifyOptions checks;
    checks.control = context.control();
    if (verify_) options_.verification = result.verify(checks);
    clean_beside(context, out_);
    Context::let_write([&] { write_report(result, out_, options_); });
    if (out_ != "-") finish(context);
    const bool passed = !options_.verification || options_.verification->passed;
    return passed ? kExitOk : kExitNegativeAnswer;
  }

 private:
  void require_output(const Context& context) const {
    refuse_if(out_.empty(), "-o is missing: apsp report {} -o report.html", stored_.path);
    refuse_if(out_.ends_with(".zarr") || out_.ends_with(".npy"),
              "{} is the name of a result; the page needs an .html", out_);
    const std::string suffix = std::filesystem::path(out_).extension().string();
    refuse_if(!suffix.empty() && suffix != ".html" && suffix != ".htm",
              "{} ends in {}, but the page is HTML: call it {}", out_, suffix,
              std::filesystem::path(out_).replace_extension(".html").string());
    refuse_if(context.json && out_ == "-",
              "--json and -o - both write to standard output: leave one out");
    require_apart(out_, std::vector{stored_.path, stored_.graph, coordinates_});
    refuse_if(
        coordinates_ == "-" && stored_.graph == "-",
        "--coordinates - and --graph - both read standard input: name a file for one of them");
  }

  void finish(Context& context) const {
    const std::int64_t bytes = bytes_on_disk(out_);
    context.note(fmt::format("{}: {} written", out_, base::format_bytes(bytes)));
    if (context.json) {
      nlohmann::json object = {{"result", stored_.path},
                               {"output", {{"path", out_}, {"bytes", bytes}}}};
      if (options_.verification) object["verified"] = options_.verification->passed;
      context.print_json(object);
    }
  }

  StoredResult stored_;
  std::string out_, coordinates_;
  bool verify_ = false;
  ReportOptions options_;
};

}  // namespace

VerbEntry report_verb() {
  return {"report RESULT -o OUT.html",
          "a page to look at, with maps and pictures",
          "Report: one page of HTML that needs nothing else: the graph in figures, how distances "
          "spread, eccentricity and closeness on a map, the longest shortest path, the most "
          "central vertices, the matrix as a picture, plan and run. The page says which figures "
          "the result does not hold.",
          {"apsp report roads.zarr -o roads.html",
           "apsp report roads.zarr -o roads.html --coordinates crossings.csv --verify",
           "apsp report dense.npy --graph dense.gr -o dense.html --title 'All our depots'"},
          make_verb<Report>};
}

}  // namespace apsp::cli
