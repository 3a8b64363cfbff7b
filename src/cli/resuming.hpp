// How `solve` goes on from what a run that ended early left, and what it says of it.
#pragma once

#include <optional>
#include <string>

#include "cli/session.hpp"
#include "cli/solve_run.hpp"
#include "store/resumable.hpp"

namespace apsp::cli {

/// "apsp solve --resume OUT" names no graph: the graph, and all that decides over the result, are
/// those of the run that is gone on from.
bool names_output_alone(const SolveRequest& request);

/// Makes such a request whole; the session has the graph then. Throws `Error`: usage (nothing to go
/// on from; it names what the run that is gone on from did not have), input.
void take_up(Session& session, SolveRequest& request);
/// The same, without the graph, where it is known what there is.
void take_up(SolveRequest& request, const std::optional<store::Resumable>& earlier);

/// Before the graph is read: notes what an earlier run left, or throws `Error` (usage) where it is
/// in the way.
void require_way(const Session& session, const SolveRequest& request);

/// After a solve has ended early: what there is to go on from.
void keep_in_mind(Session& session, const std::string& output);

}  // namespace apsp::cli
