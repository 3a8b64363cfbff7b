#include "cli/resuming.hpp"

#include <fmt/format.h>

#include <apsp/error.hpp>
#include <optional>

#include "api/earlier_run.hpp"
#include "base/units.hpp"
#include "cli/reading.hpp"
#include "store/file_system.hpp"
#include "store/resumable.hpp"

namespace apsp::cli {

bool names_output_alone(const SolveRequest& request) {
  return request.solving.resume && request.solving.output.empty();
}

void take_up(Session& session, SolveRequest& request) {
  request.solving.output = request.graph;
  const std::optional<store::Resumable> earlier = api::earlier_run(request.solving);
  if (!earlier) {
    throw Error(ErrorKind::usage,
                request.graph +
                    ": no run that ended early left anything there; from the beginning: "
                    "apsp solve GRAPH -o " +
                    request.graph);
  }
  const SolveOptions begun = api::options_of(*earlier);
  request.solving.algorithm = begun.algorithm;
  request.solving.semiring = begun.semiring;
  request.solving.value_type = begun.value_type;
  request.solving.compress = begun.compress;
  request.solving.predecessors = begun.predecessors;
  request.solving.tile = begun.tile;
  request.solving.sources = begun.sources;
  request.solving.targets = begun.targets;
  session.graph = earlier->graph(store::posix_file_system());
}

void require_way(const Session& session, const SolveRequest& request) {
  if (request.solving.output.empty() && !request.solving.resume) return;
  const std::optional<store::Resumable> earlier = api::earlier_run(request.solving);
  if (!earlier) return;
  const store::LedgerContents& left = earlier->contents;
  session.note(fmt::format("{}: an earlier run left {} of {} {}", request.solving.output,
                           base::format_count(left.done()), base::format_count(left.all()),
                           left.unit()));
}

void keep_in_mind(Session& session, const std::string& output) {
  try {
    const auto left = store::find_resumable(store::posix_file_system(), output);
    if (!left) return;
    const store::LedgerContents& contents = left->contents;
    session.unfinished = {output, contents.done(), contents.all(), contents.unit()};
  } catch (const Error&) {  // what ended the solve is worth more words
  }
}

}  // namespace apsp::cli
