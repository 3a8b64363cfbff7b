// apsp report: a stored result as a page to look at.
#include <apsp/report.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/leftovers_view.hpp"
#include "cli/reading.hpp"
#include "cli/values.hpp"
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
                   "(.mtx); places are made from distances unless given");
    arguments.text("--title", "TEXT", options_.title, "the page's heading");
    arguments.value(
        "--top", "K",
        [this](const std::string& text) {
          options_.top = static_cast<std::size_t>(integer_value("--top", text, 0));
        },
        "how many central vertices to list; 10 unless given");
    arguments.flag("--verify", verify_, "check the result as apsp verify does, and show it");
    arguments.text("--graph", "GRAPH", stored_.graph, "the graph that was solved, for an .npy");
    declare_threads(arguments);
    declare_reading_without_coordinates(arguments, stored_.reading);
  }

  int run(Session& session) override {
    require_output(session);
    const Result result = open_for(session, stored_);
    session.graph = result.graph();
    options_.control = session.control();
    if (!coordinates_.empty()) {
      options_.coordinates = read_coordinates(coordinates_, result.graph(), options_.control);
    }
    if (verify_) options_.verification = verified(result, session);
    clean_beside(session, out_);
    Session::let_write([&] { write_report(result, out_, options_); });
    if (out_ != "-") finish(session);
    const bool passed = !options_.verification || options_.verification->passed;
    return passed ? kExitOk : kExitNegativeAnswer;
  }

 private:
  void require_output(const Session& session) const {
    if (out_.empty()) {
      throw Error(ErrorKind::usage,
                  "where shall the page go? apsp report " + stored_.path + " -o report.html");
    }
    if (out_.ends_with(".zarr") || out_.ends_with(".npy")) {
      throw Error(ErrorKind::usage, out_ + " would be a result; the page is an .html");
    }
    const std::string suffix = std::filesystem::path(out_).extension().string();
    if (!suffix.empty() && suffix != ".html" && suffix != ".htm") {
      throw Error(ErrorKind::usage,
                  fmt::format("{} is called {}, and the page is HTML: call it {}, which a browser "
                              "shows and prints",
                              out_, suffix,
                              std::filesystem::path(out_).replace_extension(".html").string()));
    }
    if (session.json && out_ == "-") {
      throw Error(ErrorKind::usage, "--json and -o - both want standard output");
    }
    require_apart(out_, std::vector{stored_.path, stored_.graph, coordinates_});
    if (coordinates_ == "-" && stored_.graph == "-") {
      throw Error(ErrorKind::usage, "--coordinates - and --graph - both want standard input");
    }
  }

  static VerifyReport verified(const Result& result, Session& session) {
    VerifyOptions options;
    options.control = session.control();
    return result.verify(options);
  }

  void finish(Session& session) const {
    const std::int64_t bytes = bytes_on_disk(out_);
    session.note(fmt::format("{}: {} written", out_, base::format_bytes(bytes)));
    if (session.json) {
      nlohmann::json object = {{"result", stored_.path},
                               {"output", {{"path", out_}, {"bytes", bytes}}}};
      if (options_.verification) object["verified"] = options_.verification->passed;
      session.print_json(object);
    }
  }

  StoredResult stored_;
  std::string out_, coordinates_;
  bool verify_ = false;
  ReportOptions options_;
};

}  // namespace

VerbEntry report_verb() {
  return {
      "report",
      "report RESULT -o OUT.html",
      "a page to look at, with maps and pictures",
      "Report: one page of HTML that needs nothing else: the graph in figures, how distances "
      "spread,\neccentricity and closeness on a map, the longest shortest path, the most central "
      "vertices, the\nmatrix as a picture, plan and run. What the result does not hold is left "
      "out, and the page says so.",
      {"apsp report roads.zarr -o roads.html",
       "apsp report roads.zarr -o roads.html --coordinates crossings.csv --verify",
       "apsp report dense.npy --graph dense.gr -o dense.html --title 'All our depots'"},
      [] { return std::unique_ptr<Verb>(std::make_unique<Report>()); }};
}

}  // namespace apsp::cli
