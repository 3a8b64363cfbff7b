// Candidates: methods for a problem, each with its plan or with the reason why there is none; and
// the best of them.
#pragma once

#include <apsp/solve.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::planner {

/// Algorithm, device, memory and seconds of a method; or why it has no plan.
struct Candidate {
  Candidate(Plan of);
  Candidate(Algorithm algorithm, Device device, std::string place, std::string why);
  /// A refusal is reported as the GPU's.
  Candidate(Algorithm algorithm, Planned planned);

  CandidateReport report;
  std::optional<Plan> plan{};
};

class Candidates {
 public:
  explicit Candidates(Plan first) { add(std::move(first)); }

  /// Adds a candidate. The best one is the fastest that fits memory and disk, without the start; if
  /// none does, the fastest that fits the memory; otherwise the one that needs least.
  void add(Candidate candidate);
  void refuse(Algorithm algorithm, Device device, std::string place, std::string why) {
    add({algorithm, device, std::move(place), std::move(why)});
  }

  const Plan& best() const { return best_; }
  /// Whether a plan fits the memory. The disk does not count, as all plans write nearly the same
  /// bytes.
  bool any_fits() const { return best_.fits_memory(); }
  /// The seconds that another candidate must beat, without the start; infinite if none fits yet.
  double limit() const;
  /// Whether planning another candidate is worth `seconds`: none fits yet, or the best one takes
  /// more than `times` as long.
  bool worth(double seconds, double times) const { return limit() > times * seconds; }
  Plan chosen() &&;

 private:
  Plan best_;
  std::size_t place_of_best_ = 0;
  std::vector<CandidateReport> reports_;
};

/// Returns the plan's candidates, with the reason why each was not taken.
std::vector<CandidateReport> reported(const Plan& plan);

}  // namespace apsp::planner
