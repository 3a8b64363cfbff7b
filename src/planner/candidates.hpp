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
  std::optional<Refusal> refusal{};
};

class Candidates {
 public:
  /// Adds a candidate. The best one is the fastest that fits memory and disk, without the start; if
  /// none does, the fastest that fits the memory; otherwise the one that needs least.
  void add(Candidate candidate);

  /// Empty if no candidate has a plan.
  const Plan& best() const { return best_; }
  /// Whether a plan fits the memory. The disk does not count, as all plans write nearly the same
  /// bytes.
  bool any_fits() const { return place_of_best_ && best_.fits_memory(); }
  /// The seconds that another candidate must beat, without the start; infinite if none fits yet.
  double limit() const;
  /// Whether planning another candidate is worth `seconds`: none fits yet, or the best one takes
  /// more than `times` as long.
  bool worth(double seconds, double times) const { return limit() > times * seconds; }
  /// Returns the best plan; if there is none, the first refusal. Requires: there is one of them.
  Planned chosen() &&;

 private:
  Plan best_;
  std::optional<std::size_t> place_of_best_{};
  std::vector<CandidateReport> reports_;
  std::optional<Refusal> refusal_{};
};

/// Returns the plan's candidates, with the reason why each was not taken.
std::vector<CandidateReport> reported(const Plan& plan);

}  // namespace apsp::planner
