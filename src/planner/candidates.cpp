#include "planner/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/units.hpp"
#include "planner/plan_line.hpp"

namespace apsp::planner {
namespace {

std::string residence_of(const Plan& plan) {
  if (plan.on_disk) return "disk";
  if (plan.on_device) return plan.on_device->streamed ? "streamed" : "resident";
  if (plan.keep == Keep::factor) return "factor";
  return plan.keeps_matrix() ? "matrix" : "rows";
}

std::string why_not_taken(const CandidateReport& report, const CandidateReport& best,
                          const Plan& limits) {
  if (report.bytes > limits.bytes_allowed) {
    return fmt::format("does not fit into {}", base::format_bytes(limits.bytes_allowed));
  }
  if (!report.fits) {
    return fmt::format("its output does not fit into {} of disk",
                       base::format_bytes(limits.bytes_disk_allowed));
  }
  const double times = best.seconds > 0 ? report.seconds / best.seconds : 1;
  constexpr double kMuch = 1.05, kTimes = 10;
  if (times < kMuch) return "no faster";
  if (times < kTimes) return fmt::format("{:.1f} times slower", times);
  return fmt::format("{} times slower", base::format_count(static_cast<std::int64_t>(times)));
}

/// The one that is taken, those that fit from the fastest on, those that do not, those unknown.
std::pair<int, double> rank(const CandidateReport& report) {
  if (report.taken) return {0, 0};
  if (!report.known) return {3, 0};
  return {report.fits ? 1 : 2, report.seconds};
}

bool is_better(const Plan& plan, const Plan& best) {
  const auto kind = [](const Plan& of) { return std::pair(of.fits(), of.fits_memory()); };
  if (kind(plan) != kind(best)) return kind(plan) > kind(best);
  return plan.fits_memory() ? plan.predicted.seconds < best.predicted.seconds
                            : plan.bytes < best.bytes;
}

/// Of every way that is known and not taken: why not.
void tell_why(const CandidateReport& best, const Plan& limits,
              std::vector<CandidateReport>& reports) {
  for (CandidateReport& report : reports) {
    if (report.taken || !report.known) continue;
    report.why_not = why_not_taken(report, best, limits);
  }
}

}  // namespace

void add_to_all(double seconds, Plan& plan) {
  const CandidateReport* taken = nullptr;
  for (CandidateReport& report : plan.candidates) {
    if (report.known) report.seconds += seconds;
    if (report.taken) taken = &report;
  }
  if (taken != nullptr) tell_why(*taken, plan, plan.candidates);
}

CandidateReport candidate_of(const Plan& plan) {
  CandidateReport report;
  report.algorithm = plan.algorithm;
  report.device = plan.device;
  report.place = worker(plan);
  report.residence = residence_of(plan);
  report.seconds = plan.predicted.seconds;
  report.bytes = plan.bytes;
  report.bytes_device = plan.on_device ? plan.on_device->bytes : 0;
  report.bytes_disk = plan.bytes_disk + plan.bytes_scratch;
  report.fits = plan.fits();
  return report;
}

void Candidates::add(Plan plan) {
  reports_.push_back(candidate_of(plan));
  const bool first = reports_.size() == 1;
  if (!first && !is_better(plan, best_)) return;
  place_of_best_ = reports_.size() - 1;
  best_ = std::move(plan);
}

void Candidates::refuse(Algorithm algorithm, Device device, std::string place, std::string why) {
  CandidateReport report;
  report.algorithm = algorithm;
  report.device = device;
  report.place = std::move(place);
  report.known = false;
  report.fits = false;
  report.why_not = std::move(why);
  reports_.push_back(std::move(report));
}

bool Candidates::worth(double seconds, double times) const {
  return !any_fits() || best_.predicted.seconds > times * seconds;
}

Plan Candidates::chosen() && {
  CandidateReport& best = reports_[place_of_best_];
  best.taken = best.fits;
  tell_why(best, best_, reports_);
  std::stable_sort(reports_.begin(), reports_.end(),
                   [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  best_.candidates = std::move(reports_);
  return std::move(best_);
}

}  // namespace apsp::planner
