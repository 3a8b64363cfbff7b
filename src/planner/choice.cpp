#include "planner/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "planner/candidates.hpp"
#include "planner/dense_candidates.hpp"
#include "planner/device_model.hpp"
#include "planner/device_plan.hpp"
#include "planner/device_sweep_plan.hpp"
#include "planner/eligibility.hpp"
#include "planner/findings.hpp"
#include "planner/row_candidates.hpp"
#include "planner/search_model.hpp"
#include "system/child_process.hpp"

namespace apsp::planner {
namespace {

constexpr double kArcsPerSecond = 2e7;  // scanned by a search, a low estimate
/// Examining another algorithm (a search, an order) takes time. It is worth that if the best plan
/// so far is predicted to take so many times as long. The factor is small for orders of flat
/// graphs, whose sweeps usually win, and large after breadth-first searches of a tangled graph,
/// which are rarely beaten.
constexpr double kTimesOfScan = 3, kTimesOfOrder = 2.75, kTimesOfFlatOrder = 1.5,
                 kTimesOfTangledHops = 7;

/// Whether separators are small, as levels of a search are: some √n vertices in a planar graph.
/// Searches of small tangled graphs have small levels too, but end after 5 to 8 of them.
bool is_flat(const SampledSearches& found, std::int64_t vertices) {
  constexpr double kWide = 4;
  constexpr double kFewestLevels = 10;
  return found.most_levels >= kFewestLevels &&
         found.vertices / found.levels < kWide * std::sqrt(static_cast<double>(vertices));
}

/// Examines the algorithms that may win, cheap examinations first.
class AlgorithmChoice {
 public:
  AlgorithmChoice(const PlanRequest& asked, const Problem& problem, const DenseCandidates& dense)
      : asked_(asked), problem_(problem), dense_(dense) {}

  Planned chosen() && {
    const bool matrix_named = options_.method.algorithm == Algorithm::floyd_warshall;
    if (!dense_.only_rows) {
      candidates_.add(dense_.in_memory);
    } else if (Refusal none = why_no_rows(); !none.cause.empty()) {
      return none;
    }
    for (const Candidate& candidate : dense_.elsewhere) candidates_.add(candidate);
    if (!matrix_named) examine_rows();
    for (const Candidate& candidate : dense_.on_disk) candidates_.add(candidate);
    if (!matrix_named) {
      refuse(Algorithm::boundary, "only if named: nested dissection of one level");
    }
    return std::move(candidates_).chosen();
  }

 private:
  /// Why the named GPU computes no rows; without a cause: it may.
  Refusal why_no_rows() const {
    const std::string why = refused(Algorithm::nested_dissection);
    if (!why.empty() && !refused(Algorithm::breadth_first).empty() &&
        !refused(Algorithm::johnson).empty()) {
      return {.cause = "no algorithm finds rows on a GPU: nested-dissection " + why};
    }
    const NamedDevice& named = asked_.gpus.named(preferred_by(options_));
    return {ErrorKind::device, named.taken.empty() ? named.why_none : std::string()};
  }

  /// What is known of an order before it is found.
  struct Order {
    OrderingEstimate guess;
    bool flat = false;
  };

  void examine_rows() {
    const SampledSearches found = searches_worth_while();
    examine_searches_on_gpus(Algorithm::breadth_first);
    examine_searches_on_gpus(Algorithm::johnson);
    const Order order{problem_.estimates
                          ? estimate_ordering(problem_.estimates->trees, problem_.threads, found)
                          : asked_.findings->ordering(graph_, problem_.threads, found),
                      is_flat(found, problem_.n)};
    bool ordered = false;
    const auto examine_order = [&] {
      examine(Algorithm::nested_dissection, order_pays(order));
      ordered = true;
    };
    const auto examine_searches = [&](Algorithm algorithm) {
      examine(algorithm, candidates_.worth(scanning_, kTimesOfScan));
    };
    if (order.flat && refused(Algorithm::breadth_first).empty() &&
        order_comes_first(Algorithm::breadth_first, order, {})) {
      examine_order();
    }
    examine_searches(Algorithm::breadth_first);
    const bool sweeps_win = order.flat && !some_rows_ && options_.machine.device != Device::cuda;
    // Sampling searches that cannot win is saved.
    RateSource unsampled = asked_.rates;
    unsampled.sample = nullptr;
    if (!ordered && (sweeps_win || order_comes_first(Algorithm::johnson, order, unsampled))) {
      examine_order();
    }
    examine_searches(Algorithm::johnson);
    if (!ordered) examine_order();
  }

  /// Returns the findings of a few searches, or nothing if searches cannot win by enough to pay for
  /// them. What is found needs no scanning again.
  SampledSearches searches_worth_while() {
    if (!problem_.estimates) {
      const bool may = sparse_ || some_rows_ || hops_ || !candidates_.any_fits();
      if (!may || !candidates_.worth(scanning_, kTimesOfScan)) return {};
    }
    scanning_ = 0;
    return problem_.estimates ? problem_.estimates->found : asked_.findings->searches(graph_);
  }

  /// Adds searches on a GPU, and on all equal GPUs if one is the best plan so far and takes long.
  /// The driver is started only if the best plan so far pays for that.
  void examine_searches_on_gpus(Algorithm algorithm) {
    if (options_.machine.device != Device::automatic || !sparse_ ||
        !pays_for_driver(candidates_.limit(), asked_.rates, asked_.gpus) ||
        !why_not_anywhere(algorithm, graph_, options_, problem_).empty() ||
        !why_not_on_gpu(algorithm, graph_, problem_).empty() || asked_.gpus.all().list.empty()) {
      return;
    }
    candidates_.add({algorithm, rows_.on({Device::cuda}, algorithm)});
    const Plan& best = candidates_.best();
    if (asked_.gpus.all().several_alike() && best.algorithm == algorithm && best.on_device &&
        pays_for_all_gpus(best.on_device->seconds, asked_.rates)) {
      candidates_.add({algorithm, rows_.on({Device::cuda, {kAllGpus}}, algorithm)});
    }
  }

  double times_of(const Order& order) const {
    const bool searched = candidates_.best().algorithm == Algorithm::breadth_first;
    return order.flat ? kTimesOfFlatOrder : searched ? kTimesOfTangledHops : kTimesOfOrder;
  }

  /// Whether the best plan so far takes so many times as long as an order of the graph and, after
  /// searches on a named GPU, as the fastest possible sweeps in addition.
  bool order_pays(const Order& order) const {
    const Plan& best = candidates_.best();
    double times = times_of(order), sweeping = 0;
    if (options_.machine.device == Device::cuda && best.rows()) {
      const DevicePlan& there = *best.on_device;
      // Sweeps over a factor of hubs have a bound of their own. Other tangled graphs rarely gain.
      if (order.guess.widest > 0) times = kTimesOfFlatOrder;
      sweeping = least_sweeping_seconds(problem_, options_.question.statistics, there) +
                 least_relaxations(order.guess, static_cast<double>(problem_.sources())) /
                     swept_relaxations(there, swept_kernel(problem_));
    }
    const double ordering = asked_.findings->dissected() ? 0 : times * order.guess.seconds;
    return candidates_.limit() > ordering + sweeping;
  }

  /// Whether an order may pay, and the searches do not win by these rates or cannot solve the
  /// problem: then it is found before they are examined. Searches on a named GPU may take less than
  /// an order, which the host finds.
  bool order_comes_first(Algorithm searches, const Order& order, const RateSource& rates) const {
    const double seconds = times_of(order) * order.guess.seconds;
    if (options_.machine.device == Device::cuda || !sparse_ || candidates_.limit() <= seconds ||
        !candidates_.worth(scanning_, kTimesOfScan)) {
      return false;
    }
    if (!refused(searches).empty()) return true;
    const PlanRequest asked = asked_.with(options_, rates);
    const Planned planned = RowCandidates(asked, problem_, dense_.in_memory).by(searches);
    const Plan* const plan = std::get_if<Plan>(&planned);
    return plan != nullptr && plan->work_seconds() > seconds;
  }

  /// Plans the algorithm, or says why not. `pays`: whether planning is worth its time.
  void examine(Algorithm algorithm, bool pays) {
    std::string why = refused(algorithm);
    const bool searches = (some_rows_ && algorithm != Algorithm::nested_dissection) ||
                          (hops_ && algorithm == Algorithm::breadth_first);
    if (why.empty() && !sparse_ && !searches && !dense_.only_rows && candidates_.any_fits()) {
      why = "not examined: small or dense";
    }
    if (why.empty() && !pays) {
      why = fmt::format("not examined: little to gain over {}", name(candidates_.best().algorithm));
    }
    if (!why.empty()) return refuse(algorithm, std::move(why));
    for (Candidate& found : rows_.candidates(algorithm, candidates_.limit())) {
      candidates_.add(std::move(found));
    }
  }

  std::string refused(Algorithm algorithm) const {
    return why_not(algorithm, graph_, options_, problem_);
  }
  void refuse(Algorithm algorithm, std::string why) {
    const bool named = options_.machine.device == Device::cuda;
    candidates_.add({algorithm, named ? Device::cuda : Device::cpu,
                     named ? "GPU" : host_worker(problem_), std::move(why)});
  }

  const PlanRequest& asked_;
  const Problem& problem_;
  const DenseCandidates& dense_;
  const Graph& graph_ = asked_.graph;
  const SolveOptions& options_ = asked_.options;
  Candidates candidates_{};
  RowCandidates rows_{asked_, problem_, dense_.in_memory};
  double scanning_ = static_cast<double>(graph_.arc_count()) / kArcsPerSecond;  // s
  bool sparse_ = looks_sparse(problem_.n, graph_.arc_count());
  bool some_rows_ = problem_.sources() < problem_.n;
  /// Breadth-first searches cost little on dense and small graphs too.
  bool hops_ = problem_.n >= kLeastVertices && refused(Algorithm::breadth_first).empty();
};

/// Plans the named algorithm, or the factor that is kept. No matrix of Floyd-Warshall is needed.
Planned choose_named(const PlanRequest& asked, const Problem& problem) {
  const Algorithm named = asked.options.method.algorithm;
  const bool factor = problem.leaves_factor();
  const std::string why = factor ? "" : why_not(named, asked.graph, asked.options, problem);
  if (!why.empty()) {
    return Refusal{.cause = fmt::format("{} {}", name(named), why), .of_method = true};
  }
  const Plan matrix = matrix_on_host(asked, problem);
  const RowCandidates rows(asked, problem, matrix);
  Candidates candidates;
  candidates.add({named, factor ? rows.factored() : rows.by(named)});
  return std::move(candidates).chosen();
}

/// Whether the graph is sparse and flat, and its order is found within so many seconds.
bool order_is_short(const PlanRequest& asked, const Problem& problem, double seconds) {
  const Graph& graph = asked.graph;
  if (problem.estimates || !looks_sparse(problem.n, graph.arc_count()) ||
      !why_not(Algorithm::nested_dissection, graph, asked.options, problem).empty()) {
    return false;
  }
  const SampledSearches& found = asked.findings->searches(graph);
  return is_flat(found, problem.n) &&
         asked.findings->ordering(graph, problem.threads, found).seconds <= seconds;
}

/// Whether a named GPU will most likely sweep over a factor. Then the graph is ordered before the
/// GPU is asked for its memory, because its driver starts meanwhile.
bool will_be_swept(const PlanRequest& asked, const Problem& problem) {
  constexpr std::int64_t kLeast = 16384;  // vertices; of fewer, searches take as long as the order
  constexpr double kMostStarts = 4;       // the order in starts of a driver
  return asked.options.machine.device == Device::cuda && problem.n >= kLeast &&
         problem.sources() >= problem.n &&
         order_is_short(asked, problem, kMostStarts * driver_start_seconds(asked.rates));
}

/// Whether rows on the CPU take less time than a driver's start and the end of its process, for
/// which the matrix on the CPU would pay. No search is sampled or measured for that. A short order
/// is found, as sweeps on a GPU need it too.
bool needs_no_driver(const PlanRequest& asked, const Problem& problem) {
  constexpr double kRough = 2;            // seconds of searches by assumed rates
  constexpr double kSweptPairs = 4e8;     // counted by a thread in a second
  constexpr double kNothingMeasured = 0;  // a best plan of 0 s: every search is hopeless
  const SolveOptions& options = asked.options;
  const Graph& graph = asked.graph;
  if (options.machine.device != Device::automatic || asked.gpus.looked_for()) return false;
  const double matrix_seconds = cpu_seconds(device_problem(problem, options), asked.rates);
  const double scanning = static_cast<double>(graph.arc_count()) / kArcsPerSecond;
  if (matrix_seconds <= kTimesOfScan * scanning || !pays_for_driver(matrix_seconds, asked.rates))
    return false;
  const Plan matrix = matrix_on_host(asked, problem);
  const auto seconds_by = [&](Algorithm rows) {
    double seconds = std::numeric_limits<double>::infinity();
    if (!why_not(rows, graph, options, problem).empty()) return seconds;
    const Planned planned = RowCandidates(asked, problem, matrix).by(rows, kNothingMeasured);
    const Plan* const plan = std::get_if<Plan>(&planned);
    if (plan != nullptr && plan->fits_memory()) seconds = plan->work_seconds();
    return seconds;
  };
  const double driver = driver_start_seconds(asked.rates) + kDeviceEndSeconds;
  const auto sources = static_cast<double>(problem.sources()), n = static_cast<double>(problem.n);
  double searches = seconds_by(Algorithm::breadth_first);
  if (sources < n || looks_sparse(problem.n, graph.arc_count()))
    searches = std::min(searches, seconds_by(Algorithm::johnson));
  if (kRough * searches < driver) return true;
  const double counting = sources * n / kSweptPairs / problem.threads;
  return counting < driver &&
         order_is_short(asked, problem, std::min(driver, searches / kTimesOfFlatOrder)) &&
         seconds_by(Algorithm::nested_dissection) < driver;
}

Planned choose_freely(const PlanRequest& asked, const Problem& problem) {
  const auto planned = dense_candidates(asked, problem);
  if (const Refusal* const refusal = std::get_if<Refusal>(&planned)) return *refusal;
  return AlgorithmChoice(asked, problem, std::get<DenseCandidates>(planned)).chosen();
}

}  // namespace

Planned choose_method(const PlanRequest& asked, const Problem& problem) {
  if (names_rows(asked.options) || problem.leaves_factor()) return choose_named(asked, problem);
  if (asked.options.method.algorithm != Algorithm::automatic) return choose_freely(asked, problem);
  if (will_be_swept(asked, problem)) {
    asked.findings->dissection(asked.graph, system::processes_for(problem.threads),
                               asked.options.control);
  }
  if (!needs_no_driver(asked, problem)) return choose_freely(asked, problem);
  const FindDevices none = [] {
    return Devices{{}, "no GPU is looked for: rows on the CPU take less time than its driver", {}};
  };
  return choose_freely({asked.graph, asked.options, FoundDevices(none), asked.rates,
                        asked.estimated_from, asked.findings},
                       problem);
}

}  // namespace apsp::planner
