// The ways to solve that a choice is made among, and why the others were not taken.
#pragma once

#include <apsp/solve.hpp>
#include <string>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::planner {

class Candidates {
 public:
  explicit Candidates(Plan first) { add(std::move(first)); }

  /// The fastest of those that fit becomes the best one; before any fits memory and disk, the
  /// fastest of those that fit the memory; before any does that, the one that needs least.
  void add(Plan plan);
  /// A way that was not looked at, or cannot be gone. Nothing of it is known but why.
  void refuse(Algorithm algorithm, Device device, std::string place, std::string why);

  const Plan& best() const { return best_; }
  /// Into the memory: what is written hardly differs, so that no search helps a disk too small.
  bool any_fits() const { return best_.fits_memory(); }
  /// Whether what takes so many seconds to find out may pay: `times` as long as that at least.
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

}  // namespace apsp::planner
