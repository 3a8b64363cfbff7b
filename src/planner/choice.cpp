#include "planner/choice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "planner/candidates.hpp"
#include "planner/dense_candidates.hpp"
#include "planner/device_model.hpp"
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
constexpr double kTimes = 3, kTimesOfOrder = 2.75, kTimesOfFlatOrder = 1.5, kTimesOfTangledHops = 7;

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

  Plan chosen() && {
    const bool matrix_named = options_.method.algorithm == Algorithm::floyd_warshall;
    for (const Candidate& candidate : dense_.elsewhere) candidates_.add(candidate);
    if (!matrix_named) examine_rows();
    for (const Candidate& candidate : dense_.on_disk) candidates_.add(candidate);
    if (!matrix_named) {
      refuse(Algorithm::boundary, "only if named: nested dissection of one level");
    }
    return std::move(candidates_).chosen();
  }

 private:
  void examine_rows() {
    const SampledSearches found = searches_worth_while();
    examine_searches_on_gpus(Algorithm::breadth_first);
    examine_searches_on_gpus(Algorithm::johnson);
    const bool flat = is_flat(found, problem_.n);
    const double ordering =
        (problem_.estimates ? estimate_ordering(problem_.estimates->trees, problem_.threads, found)
                            : asked_.findings->ordering(graph_, problem_.threads, found))
            .seconds;
    bool ordered = false;
    const auto order = [&](double times) {
      examine(Algorithm::nested_dissection, ordering, times);
      ordered = true;
    };
    if (flat && refused(Algorithm::breadth_first).empty() && may_pay(ordering, kTimesOfFlatOrder) &&
        take_longer(Algorithm::breadth_first, kTimesOfFlatOrder * ordering, {})) {
      order(kTimesOfFlatOrder);
    }
    examine(Algorithm::breadth_first, scanning_, kTimes);
    const bool searched = candidates_.best().algorithm == Algorithm::breadth_first;
    const double times = flat ? kTimesOfFlatOrder : searched ? kTimesOfTangledHops : kTimesOfOrder;
    // Searches on a GPU may take less than an order, which the host finds.
    const bool sweeps_win = flat && !some_rows_ && options_.machine.device != Device::cuda;
    if (!ordered && (sweeps_win || order_comes_first(ordering, times))) order(times);
    examine(Algorithm::johnson, scanning_, kTimes);
    if (!ordered) order(times);
  }

  /// Returns the findings of a few searches, or nothing if searches cannot win by enough to pay for
  /// them. What is found needs no scanning again.
  SampledSearches searches_worth_while() {
    if (!problem_.estimates) {
      const bool may = sparse_ || some_rows_ || hops_ || !candidates_.any_fits();
      if (!may || !candidates_.worth(scanning_, kTimes)) return {};
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

  bool may_pay(double ordering, double times) const {
    return sparse_ && candidates_.worth(ordering, times);
  }

  /// Whether Dijkstra's searches, not sampled, take so much longer than an order that the order is
  /// found first. Its plan then saves sampling searches that cannot win.
  bool order_comes_first(double ordering, double times) const {
    if (!may_pay(ordering, times) || !candidates_.worth(scanning_, kTimes)) return false;
    RateSource untried = asked_.rates;
    untried.sample = nullptr;
    return !refused(Algorithm::johnson).empty() ||
           take_longer(Algorithm::johnson, times * ordering, untried);
  }

  /// Whether the searches take longer than that by these rates.
  bool take_longer(Algorithm searches, double seconds, const RateSource& rates) const {
    const PlanRequest asked = asked_.with(options_, rates);
    const Planned planned = RowCandidates(asked, problem_, dense_.in_memory).by(searches);
    const Plan* const plan = std::get_if<Plan>(&planned);
    return plan != nullptr && plan->work_seconds() > seconds;
  }

  /// Plans the algorithm, or says why that is not worth it. `seconds`: of planning; `times`: one of
  /// the factors above.
  void examine(Algorithm algorithm, double seconds, double times) {
    const bool dissects = algorithm == Algorithm::nested_dissection;
    std::string why = refused(algorithm);
    const bool searches =
        (some_rows_ && !dissects) || (hops_ && algorithm == Algorithm::breadth_first);
    if (why.empty() && !sparse_ && !searches && candidates_.any_fits()) {
      why = "not examined: small or dense";
    }
    if (why.empty() && !candidates_.worth(seconds, times)) {
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
    candidates_.refuse(algorithm, Device::cpu, host_worker(problem_), std::move(why));
  }

  const PlanRequest& asked_;
  const Problem& problem_;
  const DenseCandidates& dense_;
  const Graph& graph_ = asked_.graph;
  const SolveOptions& options_ = asked_.options;
  Candidates candidates_{dense_.in_memory};
  RowCandidates rows_{asked_, problem_, dense_.in_memory};
  double scanning_ = static_cast<double>(graph_.arc_count()) / kArcsPerSecond;  // s
  bool sparse_ = looks_sparse(problem_.n, graph_.arc_count());
  bool some_rows_ = problem_.sources() < problem_.n;
  /// Breadth-first searches cost little on dense and small graphs too.
  bool hops_ = problem_.n >= kLeastVertices && refused(Algorithm::breadth_first).empty();
};

Planned only(Planned planned) {
  Plan* const plan = std::get_if<Plan>(&planned);
  return plan == nullptr ? std::move(planned) : Candidates(std::move(*plan)).chosen();
}

/// Chooses searches or sweeps on a named GPU. An order is examined only if the searches are
/// predicted to take longer than some times the order and the fastest possible sweeps.
Planned choose_on_gpu(const PlanRequest& asked, const Problem& problem, const RowCandidates& rows) {
  constexpr Algorithm kSwept = Algorithm::nested_dissection;
  const Graph& graph = asked.graph;
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
    candidates.add({searches[i], rows.by(searches[i])});
  }
  const Plan& best = candidates.best();
  // Sweeps over a factor of hubs have a bound of their own. Other tangled graphs rarely gain.
  const SampledSearches& found = asked.findings->searches(graph);
  const OrderingEstimate order = asked.findings->ordering(graph, problem.threads, found);
  const bool flat = is_flat(found, problem.n);
  const double times = flat || order.widest > 0                     ? kTimesOfFlatOrder
                       : best.algorithm == Algorithm::breadth_first ? kTimesOfTangledHops
                                                                    : kTimesOfOrder;
  const double least = times * order.seconds + least_sweeping_seconds(problem, *best.on_device) +
                       least_relaxations(order, static_cast<double>(problem.sources())) /
                           swept_relaxations(*best.on_device, swept_kernel(problem));
  if (why_not_swept.empty() && !candidates.worth(least, 1)) {
    why_not_swept = fmt::format("not examined: little to gain over {}", name(best.algorithm));
  }
  if (!why_not_swept.empty()) {
    candidates.refuse(kSwept, Device::cuda, worker(best), std::move(why_not_swept));
  } else {
    candidates.add({kSwept, rows.by(kSwept)});
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
  return is_flat(found, problem.n) &&
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
  const auto planned = dense_candidates(asked, problem);
  if (const Refusal* const refusal = std::get_if<Refusal>(&planned)) return *refusal;
  const DenseCandidates& dense = std::get<DenseCandidates>(planned);
  const RowCandidates rows(asked, problem, dense.in_memory);
  if (problem.leaves_factor()) return only(rows.factored());
  if (names_rows(options)) return only(rows.by(options.method.algorithm));
  if (dense.only_rows) return choose_on_gpu(asked, problem, rows);
  return AlgorithmChoice(asked, problem, dense).chosen();
}

}  // namespace apsp::planner
