#include "cli/idle_options.hpp"

#include <apsp/error.hpp>

#include "cli/resuming.hpp"

namespace apsp::cli {

void refuse_idle(const Session& session, std::span<const IdleOption> options) {
  for (const IdleOption& one : options) {
    if (!one.idle || !session.gave(one.option)) continue;
    throw Error(ErrorKind::usage, one.option + " " + one.why);
  }
}

void refuse_others(const Session& session, const std::set<std::string>& used,
                   const std::string& why) {
  for (const Arguments::Given& one : session.given) {
    const std::string& option = one.front();
    if (option == "--json" || option == "--quiet" || option == "--verbose") continue;
    if (!used.contains(option)) throw Error(ErrorKind::usage, option + " " + why);
  }
}

void refuse_idle_options(const Session& session, const SolveRequest& request) {
  const bool resumed = names_output_alone(request);  // GRAPH is OUT then
  const bool kept = resumed || !request.solving.output.empty();
  const bool draws = request.sources.starts_with("random:") ||
                     request.targets.starts_with("random:") || request.verify;
  const IdleOption options[] = {
      {"--overwrite", !kept,
       "removes what an earlier run left beside OUT: say where that is, with -o OUT.zarr"},
      {"--disk", !kept, "limits the size of OUT: say where that goes, with -o OUT.zarr"},
      {"--checkpoint", !kept, "keeps its files beside OUT: say where, with -o OUT.zarr"},
      {"--top", request.no_statistics,
       "lists the most central vertices of the statistics: leave it or --no-statistics out"},
      {"--seed", !draws && !request.solving.resume,
       "chooses the vertices of random:K and the rows of --verify: leave it out, or name one"}};
  refuse_idle(session, options);
}

}  // namespace apsp::cli
