// Which algorithm solves a problem: all that can are looked at, as far as looking is worth it.
#pragma once

#include <apsp/solve.hpp>
#include <string>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::planner {

/// The ways to solve that a choice is made among, and why the others were not taken.
class Candidates {
 public:
  explicit Candidates(Plan first) { add(std::move(first)); }

  /// The fastest of those that fit becomes the best one; before any fits memory and disk, the
  /// fastest of those that fit the memory; before any does that, the one that needs least.
  void add(Plan plan);
  /// Lists an algorithm that cannot solve the problem, or was not planned, with the reason.
  void refuse(Algorithm algorithm, Device device, std::string place, std::string why);

  const Plan& best() const { return best_; }
  /// Whether a plan fits the memory. The disk does not count: all plans write nearly the same
  /// bytes, so that looking for another one does not help.
  bool any_fits() const { return best_.fits_memory(); }
  /// Whether another plan is worth `seconds` of looking for it: none fits yet, or the best one
  /// takes more than `times` as long.
  bool worth(double seconds, double times) const;
  /// The best plan with the reports of all.
  Plan chosen() &&;

 private:
  Plan best_;
  std::size_t place_of_best_ = 0;
  std::vector<CandidateReport> reports_;
};

/// Adds to all that is known what comes before whichever way is taken, such as planning itself.
void add_to_all(double seconds, Plan& plan);

/// What a plan is as a candidate.
CandidateReport candidate_of(const Plan& plan);

/// Throws `Error` (usage) where the algorithm that was asked for cannot solve the problem. `plan`:
/// its values, its selection and what is kept are known.
void require_taken(const PlanRequest& asked, const Plan& plan);

/// The algorithm that is predicted to be fastest among those that fit, or the one that was asked
/// for. `plan`: of Floyd-Warshall, in its place. Requires: `require_taken` did not throw.
Plan choose_algorithm(const PlanRequest& asked, const Plan& plan);

}  // namespace apsp::planner
