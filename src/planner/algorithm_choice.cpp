#include "planner/algorithm_choice.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "planner/device_model.hpp"
#include "planner/device_rows_plan.hpp"
#include "planner/disk_choice.hpp"
#include "planner/fitting.hpp"
#include "planner/memory.hpp"
#include "planner/order_guess.hpp"
#include "planner/plan_line.hpp"
#include "planner/prediction.hpp"
#include "planner/rows_choice.hpp"
#include "planner/search_model.hpp"

namespace apsp::planner {
namespace {

std::string residence_of(const Plan& plan) {
  if (plan.on_disk()) return "disk";
  if (plan.on_device) return plan.on_device->streamed ? "streamed" : "resident";
  if (plan.keep == Keep::factor) return "factor";
  return plan.keeps_matrix() || plan.stays_in_bits() ? "matrix" : "rows";
}

std::string why_not_taken(const CandidateReport& report, const CandidateReport& best,
                          const Plan& limits) {
  if (report.bytes > limits.bytes_allowed) {
    return fmt::format("does not fit into {}", base::format_bytes(limits.bytes_allowed));
  }
  if (!report.fits) {
    return fmt::format("its output does not fit into {} of disk",
                       base::format_bytes(limits.disk.allowed));
  }
  const double times = best.seconds > 0 ? report.seconds / best.seconds : 1;
  constexpr double kMuch = 1.05, kTimes = 10;
  if (times < kMuch) return "no faster";
  if (times < kTimes) return fmt::format("{:.1f} times slower", times);
  return fmt::format("{} times slower", base::format_value(std::floor(times)));
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

constexpr double kArcsSeen = 2e7;  // a second, cautious
/// Finding out what another algorithm would take (a search, an order) costs time itself. It is
/// worth that where the best plan so far is predicted to take so many times as long. The factor is
/// small for orders of flat graphs, whose sweeps usually win, and large where breadth-first
/// searches of a tangled graph are the best so far, which hardly anything beats.
constexpr double kTimes = 3, kTimesOfOrder = 2.75, kTimesOfFlatOrder = 1.5, kTimesOfTangledHops = 7;

/// Floyd-Warshall on the CPU where the plan has a GPU, and the other way round.
void add_other_device(const PlanRequest& asked, const Plan& plan, Candidates& candidates) {
  if (asked.options.device != Device::automatic) return;
  if (!plan.on_device) {
    candidates.refuse(Algorithm::floyd_warshall, Device::cuda, "GPU", plan.why.device);
    return;
  }
  Plan other = on_cpu(asked.graph, asked.options, plan);
  set_costs(asked, other);
  candidates.add(std::move(other));
}

/// Adds the plan on a GPU that `make` finds, or why there is none.
template <class F>
void add_on_gpu(Algorithm algorithm, const F& make, Candidates& candidates) {
  try {
    candidates.add(make());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::does_not_fit) throw;
    candidates.refuse(algorithm, Device::cuda, "GPU", error.what());
  }
}

/// Floyd-Warshall over a matrix on the disk, where the matrix does not fit the memory: by the GPUs
/// of the plan, and by one of them and by the CPU unless GPUs were named.
void add_on_disk(const PlanRequest& asked, const Plan& plan, Candidates& candidates) {
  if (plan.fits()) return;
  const bool named = asked.options.device == Device::cuda;
  const std::string there = named ? worker(plan) : worker(on_cpu(asked.graph, asked.options, plan));
  const std::string why = why_not_on_disk(asked.options, plan);
  if (!why.empty()) {
    return candidates.refuse(Algorithm::floyd_warshall, named ? Device::cuda : Device::cpu, there,
                             "on disk: " + why);
  }
  if (!named) candidates.add(on_disk(asked, plan));
  if (!plan.on_device) return;
  const auto add = [&](const Plan& by) {
    add_on_gpu(
        Algorithm::floyd_warshall, [&] { return on_disk_through_devices(asked, by); }, candidates);
  };
  add(plan);
  if (!named && plan.on_device->devices() > 1) add(by_first_device(plan));
}

/// Whether separators are small, as levels of a search are: of a plane graph some √n vertices.
/// Searches of small tangled graphs have few vertices on a level too, but end after 5 to 8 levels.
bool is_flat(const SampledSearches& found, double vertices) {
  constexpr double kWide = 4;
  constexpr double kFewestLevels = 10;
  return found.most_levels >= kFewestLevels &&
         found.vertices / found.levels < kWide * std::sqrt(vertices);
}

class AlgorithmChoice {
 public:
  AlgorithmChoice(const PlanRequest& asked, const Plan& plan) : asked_(asked), plan_(plan) {}

  Plan chosen() && {
    add_other_device(asked_, plan_, candidates_);
    if (options_.algorithm != Algorithm::floyd_warshall) look_at_rows();
    add_on_disk(asked_, plan_, candidates_);
    if (options_.algorithm != Algorithm::floyd_warshall) {
      refuse(Algorithm::boundary, "only if named: nested dissection of one level");
    }
    return std::move(candidates_).chosen();
  }

 private:
  void look_at_rows() {
    sparse_ = looks_sparse(plan_.n, graph_.arc_count());
    some_rows_ = plan_.sources() < plan_.n;
    // A search of hops takes little more on a dense graph, or a small one.
    hops_ = plan_.n >= kLeastVertices && refused(Algorithm::breadth_first).empty();
    if ((sparse_ || some_rows_ || hops_ || !candidates_.any_fits()) &&
        candidates_.worth(arcs_ / kArcsSeen, kTimes) && problem_.found.vertices == 0) {
      problem_.found = sample_searches(graph_);
    }
    look_at_searches_on_device(Algorithm::breadth_first);
    look_at_searches_on_device(Algorithm::johnson);
    const bool flat = is_flat(problem_.found, static_cast<double>(plan_.n));
    const double ordering = (plan_.estimates ? guess_order(plan_.estimates->trees, plan_.threads)
                                             : guess_order(graph_, plan_.threads))
                                .seconds;
    const auto look_at_order = [&](double times) {
      look_at(Algorithm::nested_dissection, ordering, times);
    };
    const bool first = flat && are_slow(Algorithm::breadth_first, ordering, kTimesOfFlatOrder);
    if (first) look_at_order(kTimesOfFlatOrder);
    look_at(Algorithm::breadth_first, arcs_ / kArcsSeen, kTimes);
    if (first) return look_at(Algorithm::johnson, arcs_ / kArcsSeen, kTimes);
    const bool searched = candidates_.best().algorithm == Algorithm::breadth_first;
    const double times = flat ? kTimesOfFlatOrder : searched ? kTimesOfTangledHops : kTimesOfOrder;
    // Few sources are searched from before any order is found.
    const bool sooner = (flat && !some_rows_) || searches_are_slow(ordering, times);
    if (sooner) look_at_order(times);
    look_at(Algorithm::johnson, arcs_ / kArcsSeen, kTimes);
    if (!sooner) look_at_order(times);
  }

  /// Searches on a GPU, and on all where they may be sooner. The driver is started only where the
  /// best plan so far takes twice as long as that.
  void look_at_searches_on_device(Algorithm algorithm) {
    SolveOptions there = options_;
    there.device = Device::cuda;
    there.device_ordinals.clear();
    if (options_.device != Device::automatic || !sparse_ ||
        !candidates_.worth(driver_start_seconds(asked_.rates), 2) ||
        !why_not(algorithm, graph_, there, problem_).empty() || asked_.find().list.empty()) {
      return;
    }
    const PlanRequest asked{graph_, there, asked_.find, asked_.rates};
    const auto add = [&] {
      add_on_gpu(
          algorithm, [&] { return by_rows(algorithm, asked, plan_, problem_); }, candidates_);
    };
    add();
    if (!several_may_pay(algorithm)) return;
    there.device_ordinals = {kAllGpus};
    add();
  }

  /// Whether the best plan is these searches on one GPU for long, and there are others like it.
  bool several_may_pay(Algorithm algorithm) const {
    constexpr double kStarts = 4;
    const Plan& best = candidates_.best();
    const std::vector<DeviceFacts> list = asked_.find().list;
    return list.size() > 1 && best.algorithm == algorithm && best.on_device &&
           best.on_device->seconds > kStarts * driver_start_seconds(asked_.rates) &&
           std::all_of(list.begin(), list.end(),
                       [&](const DeviceFacts& facts) { return facts.name == list.front().name; });
  }

  /// Whether Dijkstra's searches, by assumed rates, take so much longer than finding an order that
  /// the order is found first. Its plan then keeps searches that cannot win from being tried out.
  bool searches_are_slow(double ordering, double times) const {
    if (!sparse_ || !candidates_.worth(ordering, times) ||
        !candidates_.worth(arcs_ / kArcsSeen, kTimes)) {
      return false;
    }
    if (!refused(Algorithm::johnson).empty()) return true;
    RateSource untried = asked_.rates;
    untried.sample = nullptr;
    return searching_seconds_by(Algorithm::johnson, untried) > times * ordering;
  }

  /// The same of searches that take the problem, by assumed rates: none is measured for them.
  bool are_slow(Algorithm searches, double ordering, double times) const {
    return sparse_ && refused(searches).empty() && candidates_.worth(ordering, times) &&
           searching_seconds_by(searches, {}) > times * ordering;
  }

  double searching_seconds_by(Algorithm searches, const RateSource& rates) const {
    const PlanRequest asked{graph_, options_, asked_.find, rates};
    return by_rows(searches, asked, plan_, problem_).predicted.seconds;
  }

  /// `seconds`: what planning this algorithm takes; `times`: as the factors above.
  void look_at(Algorithm algorithm, double seconds, double times) {
    std::string why = refused(algorithm);
    // Of some rows, searches may pay on any graph.
    const bool searches = (some_rows_ && algorithm != Algorithm::nested_dissection) ||
                          (hops_ && algorithm == Algorithm::breadth_first);
    if (why.empty() && !sparse_ && !searches && candidates_.any_fits()) {
      why = "not looked at: small or dense";
    }
    if (why.empty() && !candidates_.worth(seconds, times)) {
      why = fmt::format("not examined: little to gain over {}", name(candidates_.best().algorithm));
    }
    if (!why.empty()) return refuse(algorithm, std::move(why));
    if (candidates_.any_fits()) problem_.best = candidates_.best().predicted.seconds;
    Plan found = by_rows(algorithm, asked_, plan_, problem_);
    const bool may_be_swept = algorithm == Algorithm::nested_dissection &&
                              options_.device == Device::automatic &&
                              found.rows()->seconds() > 2 * driver_start_seconds(asked_.rates);
    if (may_be_swept) look_at_gpu(found);
    candidates_.add(std::move(found));
  }

  /// The sweeps of the plan `here` on a GPU.
  void look_at_gpu(const Plan& here) {
    constexpr Algorithm kSwept = Algorithm::nested_dissection;
    std::string why = why_not_swept_instead(here, problem_);
    if (why.empty()) {
      const Devices devices = asked_.find();
      if (devices.list.empty()) why = devices.why_none;
    }
    if (!why.empty()) return candidates_.refuse(kSwept, Device::cuda, "GPU", std::move(why));
    add_on_gpu(
        kSwept, [&] { return swept_instead(asked_, here, problem_); }, candidates_);
  }

  std::string refused(Algorithm algorithm) const {
    return why_not(algorithm, graph_, options_, rows_problem(plan_));
  }
  void refuse(Algorithm algorithm, std::string why) {
    candidates_.refuse(algorithm, Device::cpu, worker(on_cpu(graph_, options_, plan_)),
                       std::move(why));
  }

  const PlanRequest& asked_;
  const Plan& plan_;
  const Graph& graph_ = asked_.graph;
  const SolveOptions& options_ = asked_.options;
  double arcs_ = static_cast<double>(graph_.arc_count());
  Candidates candidates_{plan_};
  RowsProblem problem_ = rows_problem(plan_);
  bool sparse_ = false, some_rows_ = false, hops_ = false;
};

/// Searches or sweeps on a GPU that was named. An order is found only where the searches are
/// predicted to take longer than the order and the fastest sweeps that could follow it.
Plan rows_on_device(const PlanRequest& asked, const Plan& plan) {
  const Graph& graph = asked.graph;
  RowsProblem problem = rows_problem(plan);
  const auto by = [&](Algorithm algorithm) { return by_rows(algorithm, asked, plan, problem); };
  std::vector<Algorithm> searches;
  for (const Algorithm algorithm : {Algorithm::breadth_first, Algorithm::johnson}) {
    if (why_not(algorithm, graph, asked.options, problem).empty()) searches.push_back(algorithm);
  }
  const std::string why_not_swept =
      why_not(Algorithm::nested_dissection, graph, asked.options, problem);
  if (searches.empty()) {
    refuse_if(!why_not_swept.empty(), "no algorithm finds rows on a GPU: nested-dissection {}",
              why_not_swept);
    return Candidates(by(Algorithm::nested_dissection)).chosen();
  }
  problem.found = sample_searches(graph);
  Candidates candidates(by(searches.front()));
  for (std::size_t i = 1; i < searches.size(); ++i) candidates.add(by(searches[i]));
  const std::string there = worker(candidates.best());
  const Plan& best = candidates.best();
  if (!why_not_swept.empty()) {
    candidates.refuse(Algorithm::nested_dissection, Device::cuda, there, why_not_swept);
    return std::move(candidates).chosen();
  }
  const OrderGuess order = guess_order(graph, plan.threads);
  const double least =
      best.predicted.start + kTimesOfFlatOrder * order.seconds +
      least_sweeping_seconds(problem, *best.on_device) +
      least_relaxations(order, static_cast<double>(problem.sources())) /
          assumed_offload_rates(swept_kernel(problem), best.on_device->device).relaxations;
  if (!candidates.worth(least, 1)) {
    candidates.refuse(Algorithm::nested_dissection, Device::cuda, there,
                      fmt::format("not examined: little to gain over {}", name(best.algorithm)));
    return std::move(candidates).chosen();
  }
  try {
    candidates.add(by(Algorithm::nested_dissection));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::does_not_fit) throw;
    candidates.refuse(Algorithm::nested_dissection, Device::cuda, there, error.what());
  }
  return std::move(candidates).chosen();
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
  return {.algorithm = plan.algorithm,
          .device = plan.device(),
          .place = worker(plan),
          .residence = residence_of(plan),
          .seconds = plan.predicted.seconds,
          .bytes = plan.bytes,
          .bytes_device = plan.on_device ? plan.on_device->bytes : 0,
          .bytes_disk = plan.disk.output + plan.disk.scratch,
          .fits = plan.fits(),
          .why_not = {}};
}

void Candidates::add(Plan plan) {
  reports_.push_back(candidate_of(plan));
  const bool first = reports_.size() == 1;
  if (!first && !is_better(plan, best_)) return;
  place_of_best_ = reports_.size() - 1;
  best_ = std::move(plan);
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
  tell_why(best, best_, reports_);
  std::stable_sort(reports_.begin(), reports_.end(),
                   [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  best_.candidates = std::move(reports_);
  return std::move(best_);
}

void require_taken(const PlanRequest& asked, const Plan& plan) {
  const Graph& graph = asked.graph;
  const SolveOptions& options = asked.options;
  const Algorithm wanted = options.algorithm;
  if (wanted == Algorithm::automatic || wanted == Algorithm::floyd_warshall) return;
  if (plan.leaves_factor()) return;  // has reasons of its own
  const std::string why = why_not(wanted, graph, options, rows_problem(plan));
  if (why.empty()) return;
  throw usage_error("{} {}{}", name(wanted), why, what_takes(asked));
}

Plan choose_algorithm(const PlanRequest& asked, const Plan& plan) {
  const SolveOptions& options = asked.options;
  if (plan.leaves_factor()) return Candidates(factored(asked, plan)).chosen();
  // A GPU that does not take the matrix may still find rows.
  const bool only_rows = options.device == Device::cuda && !plan.on_device;
  if (only_rows && options.algorithm == Algorithm::automatic) {
    return rows_on_device(asked, plan);
  }
  const Algorithm wanted = options.algorithm;
  if (wanted == Algorithm::automatic || wanted == Algorithm::floyd_warshall) {
    return AlgorithmChoice(asked, plan).chosen();
  }
  return Candidates(by_rows(wanted, asked, plan, rows_problem(plan))).chosen();
}

}  // namespace apsp::planner
