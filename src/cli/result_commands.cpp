// Verbs about a stored result: stats, verify, report, update.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/local_efficiency.hpp>
#include <apsp/report.hpp>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>

#include "api/json.hpp"
#include "api/metrics.hpp"
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
#include "cli/turn_options.hpp"
#include "cli/verb.hpp"
#include "cluster/collective_update.hpp"
#include "cluster/launched_job.hpp"
#include "io/vertex_lists.hpp"
#include "store/store.hpp"
#include "system/memory_limit.hpp"

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
    choice(
        arguments, "--local-efficiency", kLengths, weighted_,
        "only the mean local efficiency, by numbers of edges or by lengths; takes a graph's file "
        "too, and no distances of other pairs");
    declare_run(arguments, stored_.reading);
  }

  int run(Context& context) override {
    if (weighted_) return tell_local_efficiency(context);
    const Result result = open_for(context, stored_);
    if (largest_) require_no_turns(result.graph(), "--component");
    plan_question(result, {.what = "the statistics", .statistics = true});
    const Statistics statistics = largest_ ? result.component_statistics(context.control())
                                           : result.statistics(context.control());
    context.print(statistics_text(
        {statistics, result.graph(), result.semiring(), result.value_type(), top_, true},
        context.out()));
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
  int tell_local_efficiency(Context& context) const {
    StoredResult network = stored_;
    if (!stored_.graph.empty()) network.path = stored_.graph;
    const Graph& graph = read_network(context, network);
    const std::vector<double> each =
        local_efficiency(graph, {.weighted = *weighted_, .control = context.control()});
    const double sum = std::accumulate(each.begin(), each.end(), 0.0);
    const double mean = sum / std::max(1.0, static_cast<double>(each.size()));
    context.print(fmt::format("local efficiency {}\n", base::format_value(mean)));
    context.print_json({{"graph", api::to_json(graph)},
                        {"local_efficiency", {{"mean", mean}, {"weighted", *weighted_}}}});
    return kExitOk;
  }

  static inline const Choices<bool> kLengths = {{"edges", false}, {"lengths", true}};
  StoredResult stored_;
  std::size_t top_ = 5;
  bool largest_ = false;
  std::optional<bool> weighted_;
};

}  // namespace

VerbEntry stats_verb() {
  return {
      "stats RESULT",
      "diameter, radius, mean, histogram, centralities",
      "Stats: diameter and radius with vertices that attain them, mean and median, how "
      "distances spread, and which vertices are central. `apsp eccentricity` finds diameter and "
      "radius of large graphs without all pairs.",
      {"apsp stats roads.zarr", "apsp stats roads.zarr --component largest     without islands",
       "apsp stats roads.npy --graph roads.csv --json"},
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
    declare_run(arguments, stored_.reading);
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
      {"apsp verify roads.zarr",
       "apsp verify roads.npy roads.csv --sample 10     ten rows of a large matrix",
       "apsp verify roads.zarr --json && echo right"},
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
    arguments.text("--map", "FILE", map_,
                   "a table of vertices and numbers, such as that of apsp access: each column is "
                   "drawn on a map");
    arguments.text("--title", "TEXT", options_.title,
                   "the heading of the page; default: the result's file, metric and unit");
    declare_unit(arguments, unit_);
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
    require_no_turns(result.graph(), "a report", "`apsp stats` has the statistics");
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
    options_.unit = unit_.text;
    if (options_.title.empty()) {
      options_.title = std::filesystem::path(stored_.path).filename().string();
      if (!stored_.metric.empty()) options_.title += fmt::format(", metric {}", stored_.metric);
      if (!unit_.text.empty()) options_.title += fmt::format(", in {}", unit_.text);
    }
    if (!coordinates_.empty()) {
      options_.coordinates = read_list(context, io::read_places, coordinates_, result.graph());
    }
    if (!map_.empty()) read_maps(context, result.graph());
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
  void read_maps(Context& context, const Graph& graph) {
    const io::VertexQuantities table = read_list(context, io::read_quantities, map_, graph);
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    for (std::size_t c = 0; c < table.titles.size(); ++c) {
      ReportMap& map = options_.maps.emplace_back();
      map.title = table.titles[c];
      for (std::size_t v = 0; v < n; ++v) {
        map.values.push_back(table.listed[v] != 0 ? table.values[c * n + v]
                                                  : std::numeric_limits<double>::quiet_NaN());
      }
    }
  }
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
    require_apart(out_, std::vector{stored_.path, stored_.graph, coordinates_, map_});
    refuse_if((coordinates_ == "-") + (stored_.graph == "-") + (map_ == "-") > 1,
              "--coordinates -, --graph - and --map - read standard input: name files for all but "
              "one of them");
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
  std::string out_, coordinates_, map_;
  bool verify_ = false;
  ReportOptions options_;
  Unit unit_;
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
           "apsp report roads.zarr -o roads.html --coordinates towns.csv --verify",
           "apsp report roads.npy --graph roads.csv -o towns.html --title 'All our towns'"},
          make_verb<Report>};
}

namespace {

class Update : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("RESULT", path_, "a result of apsp solve (.zarr, .npy)");
    arguments.positional(
        "CHANGES", changes_,
        "some arcs, one on each row: from, to and the new weight, as CSV or "
        "separated by blanks; inf removes an arc. A fourth column, the old weight, names one of "
        "parallel arcs; gzip and zstd too; - is standard input",
        false);
    arguments.section("Options");
    arguments.text(
        "--weights", "FILE", weights_,
        "new weights of all edges in place of CHANGES, in the order in which apsp convert "
        "writes the edges of RESULT: .npy, or text with one on each row");
    arguments.text("--graph", "FILE", graph_,
                   "a graph of the same vertices in place of CHANGES; its weights and edges count. "
                   "If RESULT holds a matrix, it may have new vertices");
    arguments.text("--before", "GRAPH", before_, "of an .npy: the graph that was solved");
    choice(arguments, "--semiring", semiring_choices(), options_.semiring,
           "of an .npy; default: min-plus");
    arguments.text("-o,--output", "OUT", options_.output,
                   "where the new result goes (.zarr, .npy); default: in place of RESULT");
    arguments.text("--metric", "NAME", options_.metric,
                   "keep the new weights inside RESULT, next to the old ones, under this name; the "
                   "files of the order are shared. Other verbs take --metric NAME");
    arguments.flag("--compress", options_.compress, "compress every chunk with zstd");
    parsed(arguments, "--memory", "SIZE", byte_value, options_.memory,
           "most memory to take, such as 8GiB; default: nine tenths of the free memory");
    system::limit_memory(0);
    declare_plan_flag(arguments);
    declare_device(
        arguments, options_,
        "where the products of a matrix run: it passes through the memory of a GPU. A factor is "
        "updated on the CPU; default: cpu",
        "cpu|cuda|cuda:N");
    parsed(arguments, "--device-memory", "SIZE", byte_value, options_.device_memory,
           "most memory of the GPU to take, such as 4GiB; default: all that is free");
    declare_threads(arguments, &options_.threads);
    declare_reading(arguments, reading_);
  }

  int run(Context& context) override {
    const std::vector<std::string> given = inputs();
    refuse_if(given.size() != 1, "name what changes once: CHANGES, --weights FILE or --graph FILE");
    require_apart(options_.output, std::vector{path_});
    refuse_if(!options_.metric.empty() && !options_.output.empty(),
              "--metric keeps the new weights inside {}: leave out -o", path_);
    const std::string output = written_path();
    require_apart(output, given);
    refuse_if(!store::is_zarr(output) && !output.ends_with(".npy"),
              "{}: a result is kept in a .zarr or an .npy: use -o OUT.zarr", output);
    const bool npy = !store::is_zarr(path_);
    refuse_if(!npy && !before_.empty(), "--before is for an .npy: {} holds its graph", path_);
    refuse_if(!npy && context.gave("--semiring"), "--semiring is for an .npy: {} holds it", path_);
    if (graph_.empty() && before_.empty()) {
      require_no_reading(context, "only --graph and --before read a graph");
    }
    refuse_if(context.launch != nullptr && before_ == "-",
              "--before: standard input reaches only one of several processes: name a file");
    if (context.launch == nullptr) system::limit_memory(options_.memory);
    if (!before_.empty()) options_.before = read_for(context, before_, reading_);
    if (!context.silent()) clean_beside(context, output);
    options_.control = context.control();
    nlohmann::json graph;
    const auto change = [&](const Graph& before) {
      const Graph after = changed(context, before);
      graph = api::to_json(after);
      return after;
    };
    if (context.launch == nullptr) {
      tell(context, update_stored(path_, change, options_), output, graph);
      return kExitOk;
    }
    options_.threads = cluster::threads_of_process(*context.launch, options_.threads);
    return cluster::run_job(
        *context.launch, {}, options_.control.cancellation, [&](cluster::Job& job) {
          const UpdateReport report = cluster::collective_update(job, path_, change, options_);
          job.processes.in_first([&] { tell(context, report, output, graph); });
          return kExitOk;
        });
  }

 private:
  void tell(Context& context, const UpdateReport& report, const std::string& output,
            const nlohmann::json& graph) const {
    context.note(fmt::format("{}: {} changed in {}, {} written{}", output,
                             base::counted(report.changes, "weight", "weights"),
                             base::format_seconds(report.seconds),
                             base::format_bytes(bytes_of_its_own(output)), remarks(report)));
    context.print_json({{"result", path_},
                        {"changes", report.changes},
                        {"seconds", report.seconds},
                        {"growth", report.growth},
                        {"rows_solved", report.rows_solved},
                        {"value_type", name(report.value_type)},
                        {"graph", graph},
                        {"output", {{"path", output}, {"bytes", bytes_on_disk(output)}}}});
  }

  std::string written_path() const {
    if (!options_.metric.empty()) return api::metric_to_write(path_, options_.metric);
    return options_.output.empty() ? path_ : options_.output;
  }

  std::vector<std::string> inputs() const {
    std::vector<std::string> given;
    for (const std::string* path : {&changes_, &weights_, &graph_}) {
      if (!path->empty()) given.push_back(*path);
    }
    return given;
  }

  Graph changed(Context& context, const Graph& before) {
    constexpr double kArc = 16 + 28;
    if (context.launch == nullptr) {
      system::require_memory(kArc * static_cast<double>(before.arc_count()), "the changed graph",
                             "give it more with --memory");
    }
    if (!graph_.empty()) {
      if (!reading_.directed) reading_.directed = before.directed();
      return read_for(context, graph_, reading_);
    }
    require_no_turns(before, "a list of changed weights");
    if (!weights_.empty()) {
      return with_weights(before, io::read_weight_list(weights_, list_reading(context)));
    }
    return with_changes(before, read_list(context, io::read_changes, changes_, before));
  }

  static std::string remarks(const UpdateReport& report) {
    std::string text;
    if (report.value_type != report.value_type_before) {
      text += fmt::format("; its values are {} now, as {} does not hold the new distances",
                          name(report.value_type), name(report.value_type_before));
    }
    if (report.rows_solved > 0) {
      text += fmt::format("; {} solved again",
                          base::counted(report.rows_solved, "row was", "rows were"));
    }
    if (report.growth > 1) {
      text += fmt::format(
          "; new edges made the factor {:.3g} times as large: a new solve would find "
          "an order for them",
          report.growth);
    }
    return text;
  }

  std::string path_, changes_, weights_, graph_, before_;
  ReadOptions reading_;
  UpdateOptions options_;
};

}  // namespace

VerbEntry update_verb() {
  return {
      "update RESULT [CHANGES]",
      "other weights in a stored result, without solving again",
      "Update: gives edges of a solved graph other weights: some of them (CHANGES), or all "
      "(--weights, --graph). Edges may come and go. In a factor (apsp solve --keep factor) only "
      "what lies above a few edges in the elimination tree is eliminated again. In a matrix, "
      "smaller weights, new edges and new vertices cost a product. Of larger weights only the rows "
      "that they touch are solved again. Under mpirun each process has a part of the rows.",
      {"apsp update roads.zarr jams.csv                              from,to,weight",
       "echo Essen,Dortmund,inf | apsp update roads.zarr - -o closed.zarr     a road less",
       "apsp update roads.zarr --weights night.txt --metric night    every weight"},
      make_verb<Update>,
      true};
}

}  // namespace apsp::cli
