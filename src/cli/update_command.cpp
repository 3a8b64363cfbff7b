// apsp update: other weights on some arcs of a stored factor.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "api/update_stored.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/leftovers_view.hpp"
#include "cli/reading.hpp"
#include "cli/verb.hpp"
#include "io/pair_list.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

class Update : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("RESULT", path_, "what apsp solve --keep factor wrote (.zarr)");
    arguments.positional(
        "CHANGES", changes_,
        "a row an arc: CSV or columns between blanks, from, to and the new weight; "
        "gzip or zstd too, - is standard input");
    arguments.section("Options");
    arguments.text("-o,--output", "OUT", options_.output,
                   "where the new factor goes (.zarr); in the place of RESULT unless given");
    arguments.flag("--compress", options_.compress, "zstd behind every chunk");
    declare_threads(arguments, &options_.threads);
  }

  int run(Session& session) override {
    require_apart(options_.output, std::vector{path_});
    if (options_.output.empty()) options_.output = path_;
    require_apart(options_.output, std::vector{changes_});
    const std::string& output = options_.output;
    if (!store::is_zarr(output)) {
      throw Error(ErrorKind::usage, output + ": a factor is kept in a .zarr, so -o OUT.zarr");
    }
    clean_beside(session, output);
    options_.control = session.control();
    const api::Updated updated = api::update_stored(
        path_,
        [&](const Graph& graph) { return io::read_weights(changes_, graph, session.control()); },
        options_);
    session.note(fmt::format(
        "{}: {} changed in {}, {} written", output,
        base::format_count(updated.changes) + (updated.changes == 1 ? " weight" : " weights"),
        base::format_seconds(updated.seconds), base::format_bytes(bytes_on_disk(output))));
    if (session.json) {
      session.print_json({{"result", path_},
                          {"changes", updated.changes},
                          {"seconds", updated.seconds},
                          {"graph", api::to_json(updated.graph)},
                          {"output", {{"path", output}, {"bytes", bytes_on_disk(output)}}}});
    }
    return kExitOk;
  }

 private:
  std::string path_, changes_;
  api::UpdateOptions options_;
};

}  // namespace

VerbEntry update_verb() {
  return {
      "update",
      "update RESULT CHANGES",
      "other weights on some arcs, without solving again",
      "Update: gives arcs of a solved graph other weights, where the result is a factor (apsp "
      "solve\n--keep factor). Only what lies above these arcs in the elimination tree is "
      "eliminated again;\nthe result is that of a fresh solve by the same order. An arc that is "
      "new needs another order:\nsolve again.",
      {"apsp update roads.zarr jams.csv                 from,to,weight",
       "apsp update roads.zarr jams.csv -o now.zarr     the old one stays as it is",
       "echo 17,2093,900 | apsp update roads.zarr -"},
      [] { return std::unique_ptr<Verb>(std::make_unique<Update>()); }};
}

}  // namespace apsp::cli
