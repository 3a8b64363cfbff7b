// The methods that a choice is made among, and why the others were not taken.
#pragma once

#include <apsp/solve.hpp>
#include <string>
#include <vector>

#include "planner/plan.hpp"
#include "planner/refusal.hpp"

namespace apsp::planner {

class Candidates {
 public:
  explicit Candidates(Plan first) { add(std::move(first)); }

  /// The fastest of those that fit becomes the best one; before any fits memory and disk, the
  /// fastest of those that fit the memory; before any does that, the one that needs least.
  void add(Plan plan);
  /// The plan, or why there is none for this algorithm on a GPU.
  void add(Algorithm algorithm, Planned planned);
  /// Lists an algorithm that cannot solve the problem, or was not planned, with the reason.
  void refuse(Algorithm algorithm, Device device, std::string place, std::string why);

  const Plan& best() const { return best_; }
  /// Whether a plan fits the memory. The disk does not count: all plans write nearly the same
  /// bytes, so that looking for another one does not help.
  bool any_fits() const { return best_.fits_memory(); }
  /// Whether another plan is worth `seconds` of looking for it: none fits yet, or the best one
  /// takes more than `times` as long.
  bool worth(double seconds, double times) const;
  /// The best plan with the reports of all (`reported`).
  Plan chosen() &&;

 private:
  Plan best_;
  std::size_t place_of_best_ = 0;
  std::vector<CandidateReport> reports_;
};

/// The plan's candidates, and why each that is known was not taken.
std::vector<CandidateReport> reported(const Plan& plan);

/// Adds to all that is known what comes before any method, such as planning itself.
void add_to_all(double seconds, Plan& plan);

}  // namespace apsp::planner
