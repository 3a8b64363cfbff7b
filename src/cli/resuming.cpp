#include "cli/resuming.hpp"

#include <fmt/format.h>

#include <apsp/error.hpp>
#include <optional>

#include "api/earlier_run.hpp"
#include "base/units.hpp"
#include "cli/reading.hpp"
#include "store/file_system.hpp"
#include "store/resumable.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

/// What was named must be what the earlier run had: values and planes of a result are decided once.
void require_same(const SolveRequest& request, const store::Resumable& earlier,
                  const SolveOptions& begun) {
  const SolveOptions& asked = request.solving;
  const auto refuse_if = [&](bool differs, const std::string& words, const std::string& had) {
    if (!differs) return;
    throw Error(ErrorKind::usage,
                fmt::format("{0}: what is to be resumed was begun {2}, not with {1}: leave {1} "
                            "out, or begin anew with apsp solve GRAPH -o {0} --overwrite",
                            request.graph, words, had));
  };
  const auto with = [](std::string_view word) { return "with " + std::string(word); };
  refuse_if(request.names_semiring && asked.semiring != begun.semiring,
            fmt::format("--semiring {}", name(asked.semiring)), with(name(begun.semiring)));
  refuse_if(asked.algorithm != Algorithm::automatic && asked.algorithm != begun.algorithm,
            fmt::format("--algorithm {}", name(asked.algorithm)), with(name(begun.algorithm)));
  const ValueType type = earlier.contents.head.layout.type;
  refuse_if(asked.value_type.value_or(type) != type,
            fmt::format("--dtype {}", name(asked.value_type.value_or(type))), with(name(type)));
  refuse_if(asked.compress && !begun.compress, "--compress", "without compression");
  refuse_if(asked.predecessors && !begun.predecessors, "--predecessors", "without predecessors");
}

}  // namespace

bool names_output_alone(const SolveRequest& request) {
  return request.solving.resume && request.solving.output.empty();
}

void take_up(SolveRequest& request, const std::optional<store::Resumable>& earlier) {
  if (!earlier) {
    throw Error(ErrorKind::usage,
                request.graph +
                    ": no run that ended early left anything there; from the beginning: "
                    "apsp solve GRAPH -o " +
                    request.graph);
  }
  const SolveOptions begun = api::options_of(*earlier);
  require_same(request, *earlier, begun);
  request.graph_left = true;
  request.solving.algorithm = begun.algorithm;
  request.solving.semiring = begun.semiring;
  request.solving.value_type = begun.value_type;
  request.solving.compress = begun.compress;
  request.solving.predecessors = begun.predecessors;
  request.solving.tile = begun.tile;
  request.solving.sources = begun.sources;
  request.solving.targets = begun.targets;
}

void take_up(Session& session, SolveRequest& request) {
  request.solving.output = request.graph;
  const std::optional<store::Resumable> earlier = api::earlier_run(request.solving);
  take_up(request, earlier);
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
