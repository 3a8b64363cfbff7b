#include "planner/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/units.hpp"
#include "io/held_bytes.hpp"

namespace apsp::planner {

namespace {

std::string residence_of(const Plan& plan) {
  if (plan.on_disk()) return "disk";
  if (plan.on_device) return plan.on_device->streamed ? "streamed" : "resident";
  if (plan.keep == Keep::factor) return "factor";
  return plan.keeps_matrix() || plan.stays_in_bits() ? "matrix" : "rows";
}

std::string why_not_taken(const CandidateReport& report, double best, const Plan& limits) {
  if (report.bytes > limits.bytes_allowed) {
    return fmt::format("does not fit into {}", base::format_bytes(limits.bytes_allowed));
  }
  if (!report.fits) {
    return fmt::format("its output does not fit into {} of disk",
                       base::format_bytes(limits.disk.allowed));
  }
  const double times = best > 0 ? report.seconds / best : 1;
  constexpr double kMuch = 1.05, kTimes = 10;
  if (times < 1) return "slower once the graph is ordered";
  if (times < kMuch) return "no faster";
  if (times < kTimes) return fmt::format("{:.1f} times slower", times);
  return fmt::format("{} times slower", base::format_value(std::floor(times)));
}

/// Sort key: the taken one, those that fit by seconds, those that do not, those not planned.
std::pair<int, double> rank(const CandidateReport& report) {
  if (report.taken) return {0, 0};
  if (!report.known) return {3, 0};
  return {report.fits ? 1 : 2, report.seconds};
}

bool is_better(const Plan& plan, const Plan& best) {
  const auto kind = [](const Plan& of) { return std::pair(of.fits(), of.fits_memory()); };
  if (kind(plan) != kind(best)) return kind(plan) > kind(best);
  return plan.fits_memory() ? plan.work_seconds() < best.work_seconds() : plan.bytes < best.bytes;
}

CandidateReport report_of(const Plan& plan) {
  return {.algorithm = plan.algorithm,
          .device = plan.device(),
          .place = worker(plan),
          .residence = residence_of(plan),
          .seconds = plan.work_seconds() + plan.ordering_seconds(),
          .bytes = plan.bytes,
          .bytes_device = plan.on_device ? plan.on_device->bytes : 0,
          .bytes_disk = io::temporary_bytes().with(plan.disk.output + plan.disk.scratch),
          .fits = plan.fits(),
          .why_not = {}};
}

}  // namespace

std::vector<CandidateReport> reported(const Plan& plan) {
  double best = 0;  // s; if none is taken, none fits
  for (const CandidateReport& report : plan.candidates) {
    if (report.taken) best = report.seconds;
  }
  std::vector<CandidateReport> reports = plan.candidates;
  for (CandidateReport& report : reports) {
    if (report.known && !report.taken) report.why_not = why_not_taken(report, best, plan);
  }
  return reports;
}

Candidate::Candidate(Plan of) : report(report_of(of)), plan(std::move(of)) {}

Candidate::Candidate(Algorithm algorithm, Device device, std::string place, std::string why)
    : report{.algorithm = algorithm,
             .device = device,
             .place = std::move(place),
             .residence = {},
             .known = false,
             .fits = false,
             .why_not = std::move(why)} {}

Candidate::Candidate(Algorithm algorithm, Planned planned)
    : Candidate(algorithm, Device::cuda, "GPU", {}) {
  if (Plan* const found = std::get_if<Plan>(&planned)) {
    *this = Candidate(std::move(*found));
  } else {
    refusal = std::get<Refusal>(std::move(planned));
    report.why_not = refusal->cause;
  }
}

void Candidates::add(Candidate candidate) {
  reports_.push_back(std::move(candidate.report));
  if (!refusal_) refusal_ = std::move(candidate.refusal);
  if (!candidate.plan || (place_of_best_ && !is_better(*candidate.plan, best_))) return;
  place_of_best_ = reports_.size() - 1;
  best_ = *std::move(candidate.plan);
}

double Candidates::limit() const {
  return any_fits() ? best_.work_seconds() : std::numeric_limits<double>::infinity();
}

Planned Candidates::chosen() && {
  if (!place_of_best_) return *std::move(refusal_);
  CandidateReport& best = reports_[*place_of_best_];
  best.taken = best.fits;
  std::stable_sort(reports_.begin(), reports_.end(),
                   [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  best_.candidates = std::move(reports_);
  return std::move(best_);
}

}  // namespace apsp::planner
