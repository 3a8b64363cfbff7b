// The candidates for a problem, and the choice among them.
#pragma once

#include <apsp/solve.hpp>
#include <string>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::planner {

class Candidates {
 public:
  explicit Candidates(Plan first) { add(std::move(first)); }

  /// Adds a plan. The best one is the fastest that fits memory and disk; if none does, the fastest
  /// that fits the memory; otherwise the one that needs least.
  void add(Plan plan);
  /// Adds a plan, or why there is none for this algorithm on a GPU.
  void add(Algorithm algorithm, Planned planned);
  void refuse(Algorithm algorithm, Device device, std::string place, std::string why);

  const Plan& best() const { return best_; }
  /// Whether a plan fits the memory. The disk does not count, as all plans write nearly the same
  /// bytes.
  bool any_fits() const { return best_.fits_memory(); }
  /// Whether planning another candidate is worth `seconds`: none fits yet, or the best one takes
  /// more than `times` as long.
  bool worth(double seconds, double times) const;
  Plan chosen() &&;

 private:
  Plan best_;
  std::size_t place_of_best_ = 0;
  std::vector<CandidateReport> reports_;
};

/// Returns the plan's candidates, with the reason why each was not taken.
std::vector<CandidateReport> reported(const Plan& plan);

/// Adds seconds before any method, such as planning, to all candidates.
void add_to_all(double seconds, Plan& plan);

/// Returns the cheapest candidate that fits, or the nearest to it if none does; of a named
/// algorithm its own. `find` is called only if a GPU may be chosen. Throws `Error`: does_not_fit
/// (an order), interrupted.
Planned choose_method(const PlanRequest& asked, const Problem& problem);

}  // namespace apsp::planner
