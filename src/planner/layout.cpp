#include "planner/layout.hpp"

namespace apsp::planner {

store::Layout layout_of(const Plan& plan, const SolveOptions& options) {
  store::Layout layout;
  layout.n = plan.n;
  layout.type = plan.type;
  layout.semiring = plan.semiring;
  layout.tile = plan.chunk;
  layout.selection = plan.selection;
  if (options.predecessors) layout.planes.push_back(store::Plane::predecessor);
  if (plan.with_via) layout.planes.push_back(store::Plane::via);
  if (options.hops) layout.planes.push_back(store::Plane::hops);
  return layout;
}

store::Layout layout_in_memory(const Plan& plan, const SolveOptions& options) {
  store::Layout layout = layout_of(plan, options);
  if (!options.output.empty()) std::erase(layout.planes, store::Plane::predecessor);
  return layout;
}

}  // namespace apsp::planner
