// Runs a plan: on the host or a device, in values or bits, resident or streamed, as the planner has
// decided (planner/plan.hpp). Nothing is decided here.
//
// `solve`, `floyd_warshall` and the measurements all call this, so that figures of `apsp bench` and
// predictions are about the code that a solve runs. No other file above `algorithms` runs a Place
// or a closure (scripts/check-layering).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>
#include <optional>

#include "kernels/contract.hpp"
#include "planner/plan.hpp"

namespace apsp::engine {

/// Matrices of the host, [n, n], that a solve works on.
struct Planes {
  kernels::View values;
  kernels::View via{};  // int32, kNoVia on entry; no data: not tracked
};

/// Solves in place. `arcs`: where the plan is in bits, the graph whose arcs are taken instead of
/// the matrix's, which is then not read. Returns what the device did, if one did. Throws `Error`:
/// negative_cycle, interrupted; does_not_fit and device, which say what would work.
std::optional<DeviceReport> run(const planner::Plan& plan, const Planes& planes,
                                const Control& control, const Graph* arcs = nullptr);

/// The same over a semiring of one's own, whose kernels the caller brings. `matrix`: [n, n] of its
/// values. Throws `Error`: negative_cycle, interrupted.
void run(const planner::OwnPlan& plan, const detail::OwnKernels& kernels, kernels::View matrix,
         const Control& control);

}  // namespace apsp::engine
