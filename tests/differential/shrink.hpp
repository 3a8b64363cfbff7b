// The least problem that still fails.
#pragma once

#include <functional>

#include "differential/problem.hpp"

namespace apsp::campaign {

/// Leaves out arcs and vertices, makes weights simple and options plain, as long as `fails` says
/// so, at most `tries` times (Zeller and Hildebrandt 2002, minimizing delta debugging).
Problem shrunk(Problem problem, const std::function<bool(const Problem&)>& fails, int tries);

}  // namespace apsp::campaign
