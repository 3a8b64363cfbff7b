// Options that would have no effect are refused, with what they need.
#pragma once

#include <set>
#include <span>
#include <string>

#include "cli/session.hpp"
#include "cli/solve_run.hpp"

namespace apsp::cli {

/// An option in a command where it may have no effect.
struct IdleOption {
  std::string option;  ///< its long name
  bool idle = false;   ///< it has none here
  std::string why;     ///< the rest of the sentence: what it does, and what it needs
};

/// Throws `Error` (usage) for the first of them that was given and is idle.
void refuse_idle(const Session& session, std::span<const IdleOption> options);

/// Throws `Error` (usage) for the first option that was given and is not among `used`, but for
/// those that every verb has.
void refuse_others(const Session& session, const std::set<std::string>& used,
                   const std::string& why);

/// As `refuse_idle`, for the options of `solve`, `closure` and `plan`.
void refuse_idle_options(const Session& session, const SolveRequest& request);

}  // namespace apsp::cli
