// apsp update: other weights on some arcs of a stored factor.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "api/stored_result.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/leftovers.hpp"
#include "cli/reading.hpp"
#include "cli/verb.hpp"
#include "io/vertex_lists.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

class Update : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("RESULT", path_, "a result of apsp solve --keep factor (.zarr)");
    arguments.positional("CHANGES", changes_,
                         "the changed arcs, one on each row: from, to and the new weight, as CSV "
                         "or separated by blanks; gzip and zstd too; - is standard input");
    arguments.section("Options");
    arguments.text("-o,--output", "OUT", options_.output,
                   "where the new factor goes (.zarr); default: in place of RESULT");
    arguments.flag("--compress", options_.compress, "compress every chunk with zstd");
    declare_threads(arguments, &options_.threads);
  }

  int run(Session& session) override {
    require_apart(options_.output, std::vector{path_});
    if (options_.output.empty()) options_.output = path_;
    require_apart(options_.output, std::vector{changes_});
    const std::string& output = options_.output;
    refuse_if(!store::is_zarr(output), "{}: a factor is kept in a .zarr: use -o OUT.zarr", output);
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
    session.print_json({{"result", path_},
                        {"changes", updated.changes},
                        {"seconds", updated.seconds},
                        {"graph", api::to_json(updated.graph)},
                        {"output", {{"path", output}, {"bytes", bytes_on_disk(output)}}}});
    return kExitOk;
  }

 private:
  std::string path_, changes_;
  api::UpdateOptions options_;
};

}  // namespace

VerbEntry update_verb() {
  return {"update RESULT CHANGES",
          "other weights on some arcs, without solving again",
          "Update: gives arcs of a solved graph other weights, where the result is a factor (apsp "
          "solve --keep factor). Only what lies above these arcs in the elimination tree is "
          "eliminated again. The result is that of a new solve by the same order. A new arc needs "
          "another order: solve the new graph.",
          {"apsp update roads.zarr jams.csv                 from,to,weight",
           "apsp update roads.zarr jams.csv -o now.zarr     the old result stays as it is",
           "echo 17,2093,900 | apsp update roads.zarr -"},
          make_verb<Update>};
}

}  // namespace apsp::cli
