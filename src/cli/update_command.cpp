// apsp update: other weights in a stored factor.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/leftovers.hpp"
#include "cli/reading.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"
#include "io/vertex_lists.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

class Update : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("RESULT", path_, "a result of apsp solve --keep factor (.zarr)");
    arguments.positional(
        "CHANGES", changes_,
        "some arcs, one on each row: from, to and the new weight, as CSV or "
        "separated by blanks; inf removes an arc; gzip and zstd too; - is standard "
        "input",
        false);
    arguments.section("Options");
    arguments.text(
        "--weights", "FILE", weights_,
        "new weights of all edges in place of CHANGES, in the order in which apsp convert "
        "writes the edges of RESULT: .npy, or text with one on each row");
    arguments.text("--graph", "FILE", graph_,
                   "a graph of the same vertices in place of CHANGES; its weights and edges count");
    arguments.text("-o,--output", "OUT", options_.output,
                   "where the new factor goes (.zarr); default: in place of RESULT");
    arguments.flag("--compress", options_.compress, "compress every chunk with zstd");
    parsed(arguments, "--memory", "SIZE", byte_value, options_.memory,
           "most memory that graph and factors may take, such as 8GiB; default: nine tenths of the "
           "free memory");
    declare_threads(arguments, &options_.threads);
    declare_reading(arguments, reading_);
  }

  int run(Session& session) override {
    const std::vector<std::string> given = inputs();
    refuse_if(given.size() != 1, "name what changes once: CHANGES, --weights FILE or --graph FILE");
    require_apart(options_.output, std::vector{path_});
    const std::string output = options_.output.empty() ? path_ : options_.output;
    require_apart(output, given);
    refuse_if(!store::is_zarr(output), "{}: a factor is kept in a .zarr: use -o OUT.zarr", output);
    if (graph_.empty()) require_no_reading(reading_, "only --graph reads a graph");
    clean_beside(session, output);
    options_.control = session.control();
    nlohmann::json graph;
    const UpdateReport report = update_stored(
        path_,
        [&](const Graph& before) {
          const Graph after = changed(session, before);
          graph = api::to_json(after);
          return after;
        },
        options_);
    session.note(fmt::format("{}: {} changed in {}, {} written{}", output,
                             base::counted(report.changes, "weight", "weights"),
                             base::format_seconds(report.seconds),
                             base::format_bytes(bytes_on_disk(output)), remarks(report)));
    session.print_json({{"result", path_},
                        {"changes", report.changes},
                        {"seconds", report.seconds},
                        {"growth", report.growth},
                        {"value_type", name(report.value_type)},
                        {"graph", graph},
                        {"output", {{"path", output}, {"bytes", bytes_on_disk(output)}}}});
    return kExitOk;
  }

 private:
  std::vector<std::string> inputs() const {
    std::vector<std::string> given;
    for (const std::string* path : {&changes_, &weights_, &graph_}) {
      if (!path->empty()) given.push_back(*path);
    }
    return given;
  }

  Graph changed(Session& session, const Graph& before) {
    if (!graph_.empty()) {
      if (!reading_.directed) reading_.directed = before.directed();
      return read_for(session, graph_, reading_);
    }
    if (!weights_.empty()) {
      return with_weights(before, io::read_weight_list(weights_, session.control()));
    }
    return with_changes(before, io::read_weights(changes_, before, session.control()));
  }

  static std::string remarks(const UpdateReport& report) {
    std::string text;
    if (report.value_type != report.value_type_before) {
      text += fmt::format("; its values are {} now, as {} does not hold the new distances",
                          name(report.value_type), name(report.value_type_before));
    }
    if (report.growth > 1) {
      text += fmt::format(
          "; new edges made the factor {:.3g} times as large: a new solve would find "
          "an order for them",
          report.growth);
    }
    return text;
  }

  std::string path_, changes_, weights_, graph_;
  ReadOptions reading_;
  UpdateOptions options_;
};

}  // namespace

VerbEntry update_verb() {
  return {
      "update RESULT [CHANGES]",
      "other weights in a stored factor, without ordering again",
      "Update: gives edges of a solved graph other weights, where the result is a factor (apsp "
      "solve --keep factor): some of them (CHANGES), or all (--weights, --graph). Nothing is "
      "ordered again. Of a few edges only what lies above them in the elimination tree is "
      "eliminated again. The result is that of a new solve by the same order. Edges may come and "
      "go.",
      {"apsp update roads.zarr jams.csv                              from,to,weight",
       "apsp update roads.zarr --weights night.npy -o night.zarr     every weight",
       "echo 17,2093,inf | apsp update roads.zarr -                  a bridge is closed"},
      make_verb<Update>};
}

}  // namespace apsp::cli
