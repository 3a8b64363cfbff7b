// apsp report: a stored result as an HTML page.
#include <apsp/report.hpp>

#include <fmt/format.h>

#include <filesystem>

#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/leftovers.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
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
