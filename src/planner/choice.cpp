#include "planner/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "io/held_bytes.hpp"
#include "planner/dense_candidates.hpp"
#include "planner/dense_model.hpp"
#include "planner/device_sweep_plan.hpp"
#include "planner/eligibility.hpp"
#include "planner/findings.hpp"
#include "planner/prediction.hpp"
#include "planner/row_candidates.hpp"
#include "planner/search_model.hpp"
#include "system/child_process.hpp"

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
  return plan.fits_memory() ? plan.predicted.seconds < best.predicted.seconds
                            : plan.bytes < best.bytes;
}

CandidateReport candidate_of(const Plan& plan) {
  return {.algorithm = plan.algorithm,
          .device = plan.device(),
          .place = worker(plan),
          .residence = residence_of(plan),
          .seconds = plan.predicted.seconds,
          .bytes = plan.bytes,
          .bytes_device = plan.on_device ? plan.on_device->bytes : 0,
          .bytes_disk = io::temporary_bytes().with(plan.disk.output + plan.disk.scratch),
          .fits = plan.fits(),
          .why_not = {}};
}

}  // namespace

void add_to_all(double seconds, Plan& plan) {
  for (CandidateReport& report : plan.candidates) {
    if (report.known) report.seconds += seconds;
  }
}

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

void Candidates::add(Plan plan) {
  reports_.push_back(candidate_of(plan));
  const bool first = reports_.size() == 1;
  if (!first && !is_better(plan, best_)) return;
  place_of_best_ = reports_.size() - 1;
  best_ = std::move(plan);
}

void Candidates::add(Algorithm algorithm, Planned planned) {
  if (Plan* const plan = std::get_if<Plan>(&planned)) return add(std::move(*plan));
  refuse(algorithm, Device::cuda, "GPU", std::move(std::get<Refusal>(planned).cause));
}

void Candidates::refuse(Algorithm algorithm, Device device, std::string place, std::string why) {
  reports_.push_back({.algorithm = algorithm,
                      .device = device,
                      .place = std::move(place),
                      .residence = {},
                      .known = false,
                      .fits = false,
                      .why_not = std::move(why)});
}

bool Candidates::worth(double seconds, double times) const {
  return !any_fits() || best_.predicted.seconds > times * seconds;
}

Plan Candidates::chosen() && {
  CandidateReport& best = reports_[place_of_best_];
  best.taken = best.fits;
  std::stable_sort(reports_.begin(), reports_.end(),
                   [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  best_.candidates = std::move(reports_);
  return std::move(best_);
}

namespace {

constexpr double kArcsPerSecond = 2e7;  // scanned by a search, a low estimate
/// Examining another algorithm (a search, an order) takes time. It is worth that if the best plan
/// so far is predicted to take so many times as long. The factor is small for orders of flat
/// graphs, whose sweeps usually win, and large after breadth-first searches of a tangled graph,
/// which are rarely beaten.
constexpr double kTimes = 3, kTimesOfOrder = 2.75, kTimesOfFlatOrder = 1.5, kTimesOfTangledHops = 7;

/// Whether separators are small, as levels of a search are: some √n vertices in a planar graph.
/// Searches of small tangled graphs have small levels too, but end after 5 to 8 of them.
bool is_flat(const SampledSearches& found, double vertices) {
  constexpr double kWide = 4;
  constexpr double kFewestLevels = 10;
  return found.most_levels >= kFewestLevels &&
         found.vertices / found.levels < kWide * std::sqrt(vertices);
}

class AlgorithmChoice {
 public:
  AlgorithmChoice(const PlanRequest& asked, const Problem& problem, const Plan& matrix)
      : asked_(asked), problem_(problem), matrix_(matrix) {}

  Plan chosen() && {
    add_other_device();
    if (options_.method.algorithm != Algorithm::floyd_warshall) look_at_rows();
    add_on_disk();
    if (options_.method.algorithm != Algorithm::floyd_warshall) {
      refuse(Algorithm::boundary, "only if named: nested dissection of one level");
    }
    return std::move(candidates_).chosen();
  }

 private:
  void add_other_device() {
    if (options_.machine.device != Device::automatic) return;
    if (!matrix_.on_device) {
      candidates_.refuse(Algorithm::floyd_warshall, Device::cuda, "GPU", matrix_.why.device);
      return;
    }
    Plan other = matrix_on_host(asked_, problem_);
    other.disk.output = matrix_.disk.output;
    set_costs(asked_, other);
    candidates_.add(std::move(other));
  }

  /// Adds Floyd-Warshall over a matrix on disk if the matrix does not fit: by the plan's GPUs, and
  /// unless GPUs were named by one of them and by the CPU.
  void add_on_disk() {
    if (matrix_.fits()) return;
    const bool named = options_.machine.device == Device::cuda;
    const std::string why = why_not_on_disk(options_, matrix_);
    if (!why.empty()) {
      return candidates_.refuse(Algorithm::floyd_warshall, named ? Device::cuda : Device::cpu,
                                named ? worker(matrix_) : worker(Plan(problem_)),
                                "on disk: " + why);
    }
    if (!named) candidates_.add(on_disk(asked_, matrix_));
    if (!matrix_.on_device) return;
    const auto add = [&](const Plan& by) {
      candidates_.add(Algorithm::floyd_warshall, on_disk_through_devices(asked_, by));
    };
    add(matrix_);
    if (!named && matrix_.on_device->devices() > 1) add(by_first_device(matrix_));
  }

  void look_at_rows() {
    sparse_ = looks_sparse(problem_.n, graph_.arc_count());
    some_rows_ = problem_.sources() < problem_.n;
    // Breadth-first searches cost little on dense and small graphs too.
    hops_ = problem_.n >= kLeastVertices && refused(Algorithm::breadth_first).empty();
    const auto n = static_cast<double>(problem_.n);
    const SampledSearches found = searches_worth_while();
    const bool flat = is_flat(found, n);
    look_at_searches_on_device(Algorithm::breadth_first);
    look_at_searches_on_device(Algorithm::johnson);
    const double ordering =
        (problem_.estimates ? estimate_ordering(problem_.estimates->trees, problem_.threads, found)
                            : asked_.findings->ordering(graph_, problem_.threads, found))
            .seconds;
    const auto look_at_order = [&](double times) {
      look_at(Algorithm::nested_dissection, ordering, times);
    };
    const bool first = flat && are_slow(Algorithm::breadth_first, ordering, kTimesOfFlatOrder);
    if (first) look_at_order(kTimesOfFlatOrder);
    look_at(Algorithm::breadth_first, arcs_ / kArcsPerSecond, kTimes);
    if (first) return look_at(Algorithm::johnson, arcs_ / kArcsPerSecond, kTimes);
    const bool searched = candidates_.best().algorithm == Algorithm::breadth_first;
    const double times = flat ? kTimesOfFlatOrder : searched ? kTimesOfTangledHops : kTimesOfOrder;
    const bool sooner = (flat && !some_rows_) || searches_are_slow(ordering, times);
    if (sooner) look_at_order(times);
    look_at(Algorithm::johnson, arcs_ / kArcsPerSecond, kTimes);
    if (!sooner) look_at_order(times);
  }

  /// Returns the findings of a few searches, or nothing if searches cannot win by enough to pay for
  /// them.
  SampledSearches searches_worth_while() const {
    if (problem_.estimates) return problem_.estimates->found;
    const bool may = sparse_ || some_rows_ || hops_ || !candidates_.any_fits();
    if (!may || !candidates_.worth(arcs_ / kArcsPerSecond, kTimes)) return {};
    return asked_.findings->searches(graph_);
  }

  /// Adds searches on a GPU, and on all if several may pay. The driver is started only if the best
  /// plan so far takes twice as long as that.
  void look_at_searches_on_device(Algorithm algorithm) {
    SolveOptions there = options_;
    there.machine.device = Device::cuda;
    there.machine.device_ordinals.clear();
    if (options_.machine.device != Device::automatic || !sparse_ ||
        !candidates_.worth(driver_start_seconds(asked_.rates), 2) ||
        !why_not(algorithm, graph_, there, problem_).empty() || asked_.find().list.empty()) {
      return;
    }
    const PlanRequest asked = asked_.with(there, asked_.rates);
    const RowCandidates rows(asked, problem_, matrix_);
    candidates_.add(algorithm, rows.by(algorithm));
    if (!several_may_pay(algorithm)) return;
    there.machine.device_ordinals = {kAllGpus};
    candidates_.add(algorithm, rows.by(algorithm));
  }

  /// Whether the best plan is these searches on one GPU for long, and there are equal GPUs.
  bool several_may_pay(Algorithm algorithm) const {
    constexpr double kStarts = 4;
    const Plan& best = candidates_.best();
    const std::vector<DeviceFacts> list = asked_.find().list;
    return list.size() > 1 && best.algorithm == algorithm && best.on_device &&
           best.on_device->seconds > kStarts * driver_start_seconds(asked_.rates) &&
           std::all_of(list.begin(), list.end(),
                       [&](const DeviceFacts& facts) { return facts.name == list.front().name; });
  }

  /// Whether Dijkstra's searches, at assumed rates, take so much longer than an order that the
  /// order is found first. Its plan then saves measuring searches that cannot win.
  bool searches_are_slow(double ordering, double times) const {
    if (!sparse_ || !candidates_.worth(ordering, times) ||
        !candidates_.worth(arcs_ / kArcsPerSecond, kTimes)) {
      return false;
    }
    if (!refused(Algorithm::johnson).empty()) return true;
    RateSource untried = asked_.rates;
    untried.sample = nullptr;
    return searching_seconds_by(Algorithm::johnson, untried) > times * ordering;
  }

  bool are_slow(Algorithm searches, double ordering, double times) const {
    return sparse_ && refused(searches).empty() && candidates_.worth(ordering, times) &&
           searching_seconds_by(searches, {}) > times * ordering;
  }

  /// 0 if a named GPU has too little memory for them.
  double searching_seconds_by(Algorithm searches, const RateSource& rates) const {
    const PlanRequest asked = asked_.with(options_, rates);
    const Planned planned = RowCandidates(asked, problem_, matrix_).by(searches);
    const Plan* const plan = std::get_if<Plan>(&planned);
    return plan != nullptr ? plan->predicted.seconds : 0;
  }

  /// `seconds`: of planning this algorithm; `times`: one of the factors above.
  void look_at(Algorithm algorithm, double seconds, double times) {
    std::string why = refused(algorithm);
    const bool searches = (some_rows_ && algorithm != Algorithm::nested_dissection) ||
                          (hops_ && algorithm == Algorithm::breadth_first);
    if (why.empty() && !sparse_ && !searches && candidates_.any_fits()) {
      why = "not examined: small or dense";
    }
    if (why.empty() && !candidates_.worth(seconds, times)) {
      why = fmt::format("not examined: little to gain over {}", name(candidates_.best().algorithm));
    }
    if (!why.empty()) return refuse(algorithm, std::move(why));
    if (candidates_.any_fits()) best_ = candidates_.best().predicted.seconds;
    Planned found = rows_.by(algorithm, best_);
    const Plan* const plan = std::get_if<Plan>(&found);
    const bool may_be_swept = plan != nullptr && algorithm == Algorithm::nested_dissection &&
                              options_.machine.device == Device::automatic &&
                              plan->rows()->seconds() > 2 * driver_start_seconds(asked_.rates);
    if (may_be_swept) look_at_gpu(*plan);
    candidates_.add(algorithm, std::move(found));
  }

  void look_at_gpu(const Plan& here) {
    constexpr Algorithm kSwept = Algorithm::nested_dissection;
    std::string why = rows_.why_not_swept_instead(here);
    if (why.empty()) {
      const Devices devices = asked_.find();
      if (devices.list.empty()) why = devices.why_none;
    }
    if (!why.empty()) return candidates_.refuse(kSwept, Device::cuda, "GPU", std::move(why));
    candidates_.add(kSwept, rows_.swept_instead(here));
  }

  std::string refused(Algorithm algorithm) const {
    return why_not(algorithm, graph_, options_, problem_);
  }
  void refuse(Algorithm algorithm, std::string why) {
    candidates_.refuse(algorithm, Device::cpu, worker(Plan(problem_)), std::move(why));
  }

  const PlanRequest& asked_;
  const Problem& problem_;
  const Plan& matrix_;
  const Graph& graph_ = asked_.graph;
  const SolveOptions& options_ = asked_.options;
  double arcs_ = static_cast<double>(graph_.arc_count());
  Candidates candidates_{matrix_};
  RowCandidates rows_{asked_, problem_, matrix_};
  double best_ = std::numeric_limits<double>::infinity();  // s
  bool sparse_ = false, some_rows_ = false, hops_ = false;
};

Planned only(Planned planned) {
  Plan* const plan = std::get_if<Plan>(&planned);
  return plan == nullptr ? std::move(planned) : Candidates(std::move(*plan)).chosen();
}

/// Chooses searches or sweeps on a named GPU. An order is examined only if the searches are
/// predicted to take longer than some times the order and the fastest possible sweeps.
Planned rows_on_device(const PlanRequest& asked, const Problem& problem, const Plan& matrix) {
  constexpr Algorithm kSwept = Algorithm::nested_dissection;
  const Graph& graph = asked.graph;
  const RowCandidates rows(asked, problem, matrix);
  std::vector<Algorithm> searches;
  for (const Algorithm algorithm : {Algorithm::breadth_first, Algorithm::johnson}) {
    if (why_not(algorithm, graph, asked.options, problem).empty()) searches.push_back(algorithm);
  }
  std::string why_not_swept = why_not(kSwept, graph, asked.options, problem);
  if (searches.empty()) {
    if (why_not_swept.empty()) return only(rows.by(kSwept));
    return Refusal{.cause = "no algorithm finds rows on a GPU: nested-dissection " + why_not_swept};
  }
  Planned first = rows.by(searches.front());
  if (std::holds_alternative<Refusal>(first)) return first;
  Candidates candidates(std::get<Plan>(std::move(first)));
  for (std::size_t i = 1; i < searches.size(); ++i) {
    candidates.add(searches[i], rows.by(searches[i]));
  }
  const Plan& best = candidates.best();
  // Sweeps over a factor of hubs have a bound of their own. Other tangled graphs rarely gain.
  const auto n = static_cast<double>(problem.n);
  const SampledSearches& found = asked.findings->searches(graph);
  const OrderingEstimate order = asked.findings->ordering(graph, problem.threads, found);
  const bool flat = is_flat(found, n);
  const double times = flat || order.widest > 0                     ? kTimesOfFlatOrder
                       : best.algorithm == Algorithm::breadth_first ? kTimesOfTangledHops
                                                                    : kTimesOfOrder;
  const double least = best.predicted.start + times * order.seconds +
                       least_sweeping_seconds(problem, *best.on_device) +
                       least_relaxations(order, static_cast<double>(problem.sources())) /
                           swept_relaxations(*best.on_device, swept_kernel(problem));
  if (why_not_swept.empty() && !candidates.worth(least, 1)) {
    why_not_swept = fmt::format("not examined: little to gain over {}", name(best.algorithm));
  }
  if (!why_not_swept.empty()) {
    candidates.refuse(kSwept, Device::cuda, worker(best), std::move(why_not_swept));
  } else {
    candidates.add(kSwept, rows.by(kSwept));
  }
  return std::move(candidates).chosen();
}

/// Whether a named GPU will most likely sweep over a factor. Then the graph is ordered before the
/// GPU is asked for its memory, because its driver starts meanwhile.
bool will_be_swept(const PlanRequest& asked, const Problem& problem) {
  constexpr std::int64_t kLeast = 16384;  // vertices; of fewer, searches take as long as the order
  constexpr double kMostStarts = 4;       // the order in starts of a driver
  const SolveOptions& options = asked.options;
  const Graph& graph = asked.graph;
  const bool asks = options.machine.device == Device::cuda &&
                    options.method.algorithm == Algorithm::automatic && !problem.estimates;
  if (!asks || problem.n < kLeast || problem.sources() < problem.n ||
      !looks_sparse(problem.n, graph.arc_count()) ||
      !why_not(Algorithm::nested_dissection, graph, options, problem).empty()) {
    return false;
  }
  const SampledSearches& found = asked.findings->searches(graph);
  return is_flat(found, static_cast<double>(problem.n)) &&
         asked.findings->ordering(graph, problem.threads, found).seconds <=
             kMostStarts * driver_start_seconds(asked.rates);
}

}  // namespace

Planned choose_method(const PlanRequest& asked, const Problem& problem) {
  const SolveOptions& options = asked.options;
  if (will_be_swept(asked, problem)) {
    asked.findings->dissection(asked.graph, system::processes_for(problem.threads),
                               options.control);
  }
  if (names_rows(options) && !problem.leaves_factor()) {
    const std::string why = why_not(options.method.algorithm, asked.graph, options, problem);
    if (!why.empty()) {
      return Refusal{.cause = fmt::format("{} {}", name(options.method.algorithm), why),
                     .of_method = true};
    }
  }
  Planned in_memory = matrix_in_memory(asked, problem);
  if (std::holds_alternative<Refusal>(in_memory)) return in_memory;
  const Plan& matrix = std::get<Plan>(in_memory);
  const RowCandidates rows(asked, problem, matrix);
  if (problem.leaves_factor()) return only(rows.factored());
  if (names_rows(options)) return only(rows.by(options.method.algorithm));
  const bool only_rows = options.machine.device == Device::cuda && !matrix.on_device;
  if (only_rows && options.method.algorithm == Algorithm::automatic) {
    return rows_on_device(asked, problem, matrix);
  }
  return AlgorithmChoice(asked, problem, matrix).chosen();
}

}  // namespace apsp::planner
