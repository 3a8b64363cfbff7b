#include "planner/algorithm_choice.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "planner/candidates.hpp"
#include "planner/device_model.hpp"
#include "planner/device_sweep_plan.hpp"
#include "planner/disk_choice.hpp"
#include "planner/memory.hpp"
#include "planner/order_guess.hpp"
#include "planner/plan_line.hpp"
#include "planner/prediction.hpp"
#include "planner/rows_choice.hpp"

namespace apsp::planner {
namespace {

constexpr double kArcsSeen = 2e7;  // a second, cautious
/// Finding out what another algorithm would take (a search, an order) costs time itself. It is
/// worth that where the best plan so far is predicted to take so many times as long. The factor is
/// small for orders of flat graphs, whose sweeps usually win, and large where breadth-first
/// searches of a tangled graph are the best so far, which hardly anything beats.
constexpr double kTimes = 3, kTimesOfOrder = 2.75, kTimesOfFlatOrder = 1.5, kTimesOfTangledHops = 7;

/// Floyd-Warshall on the CPU where the plan has a GPU, and the other way round.
void add_other_device(const Graph& graph, const SolveOptions& options, const RateSource& rates,
                      const Plan& plan, Candidates& candidates) {
  if (options.device != Device::automatic) return;
  if (!plan.on_device) {
    candidates.refuse(Algorithm::floyd_warshall, Device::cuda, "GPU", plan.why_device);
    return;
  }
  Plan other = on_cpu(graph, options, plan);
  other.bytes = plan_memory(graph, options, other).peak();
  other.predicted = predict(other, graph.arc_count(), options, rates);
  candidates.add(std::move(other));
}

/// Floyd-Warshall over a matrix on the disk, where the matrix does not fit the memory.
void add_on_disk(const Graph& graph, const SolveOptions& options, const RateSource& rates,
                 const Plan& plan, Candidates& candidates) {
  if (plan.fits()) return;
  const std::string why = why_not_on_disk(graph, options, plan);
  if (why.empty()) return candidates.add(on_disk(graph, options, rates, plan));
  candidates.refuse(Algorithm::floyd_warshall, Device::cpu, worker(on_cpu(graph, options, plan)),
                    "on disk: " + why);
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
  AlgorithmChoice(const Graph& graph, const SolveOptions& options, const FindDevices& find,
                  const RateSource& rates, const Plan& plan)
      : graph_(graph),
        options_(options),
        find_(find),
        rates_(rates),
        plan_(plan),
        arcs_(static_cast<double>(graph.arc_count())),
        candidates_(plan),
        problem_(rows_problem(plan)) {}

  Plan chosen() && {
    add_other_device(graph_, options_, rates_, plan_, candidates_);
    if (options_.algorithm != Algorithm::floyd_warshall) look_at_rows();
    add_on_disk(graph_, options_, rates_, plan_, candidates_);
    if (options_.algorithm != Algorithm::floyd_warshall) {
      refuse(Algorithm::boundary, "taken by name alone: nested dissection of one level");
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
        candidates_.worth(arcs_ / kArcsSeen, kTimes)) {
      problem_.found = sample_searches(graph_);
    }
    look_at_searches_on_device(Algorithm::breadth_first);
    look_at_searches_on_device(Algorithm::johnson);
    const bool flat = is_flat(problem_.found, static_cast<double>(plan_.n));
    const double ordering = guess_order(graph_).seconds;
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

  /// Searches on a GPU. Its driver is started only where the best plan so far takes twice as long
  /// as that.
  void look_at_searches_on_device(Algorithm algorithm) {
    SolveOptions there = options_;
    there.device = Device::cuda;
    there.device_ordinals.clear();
    if (options_.device != Device::automatic || !sparse_ ||
        !candidates_.worth(driver_start_seconds(rates_), 2) ||
        !why_not(algorithm, graph_, there, problem_).empty() || find_().list.empty()) {
      return;
    }
    try {
      candidates_.add(by_rows(algorithm, graph_, there, find_, rates_, plan_, problem_));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::does_not_fit) throw;
      candidates_.refuse(algorithm, Device::cuda, "GPU", error.what());
    }
  }

  /// Whether Dijkstra's searches, by assumed rates, take so much longer than finding an order that
  /// the order is found first. Its plan then keeps searches that cannot win from being tried out.
  bool searches_are_slow(double ordering, double times) const {
    if (!sparse_ || !candidates_.worth(ordering, times) ||
        !candidates_.worth(arcs_ / kArcsSeen, kTimes)) {
      return false;
    }
    if (!refused(Algorithm::johnson).empty()) return true;
    RateSource untried = rates_;
    untried.sample = nullptr;
    return searching_seconds_by(Algorithm::johnson, untried) > times * ordering;
  }

  /// The same of searches that take the problem, by assumed rates: none is measured for them.
  bool are_slow(Algorithm searches, double ordering, double times) const {
    return sparse_ && refused(searches).empty() && candidates_.worth(ordering, times) &&
           searching_seconds_by(searches, {}) > times * ordering;
  }

  double searching_seconds_by(Algorithm searches, const RateSource& rates) const {
    return by_rows(searches, graph_, options_, find_, rates, plan_, problem_).predicted.seconds;
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
      why =
          fmt::format("not looked at: little to gain over {}", name(candidates_.best().algorithm));
    }
    if (!why.empty()) return refuse(algorithm, std::move(why));
    if (candidates_.any_fits()) problem_.best = candidates_.best().predicted.seconds;
    Plan found = by_rows(algorithm, graph_, options_, find_, rates_, plan_, problem_);
    const bool may_be_swept = algorithm == Algorithm::nested_dissection &&
                              options_.device == Device::automatic &&
                              found.rows->seconds() > 2 * driver_start_seconds(rates_);
    if (may_be_swept) look_at_gpu(found);
    candidates_.add(std::move(found));
  }

  /// The sweeps of the plan `here` on a GPU.
  void look_at_gpu(const Plan& here) {
    std::string why = why_not_swept_instead(graph_, options_, here, problem_);
    if (why.empty()) {
      const Devices devices = find_();
      if (devices.list.empty()) why = devices.why_none;
    }
    if (why.empty()) {
      try {
        return candidates_.add(swept_instead(graph_, options_, find_, rates_, here, problem_));
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::does_not_fit) throw;
        why = error.what();
      }
    }
    candidates_.refuse(Algorithm::nested_dissection, Device::cuda, "GPU", std::move(why));
  }

  std::string refused(Algorithm algorithm) const {
    return why_not(algorithm, graph_, options_, rows_problem(plan_));
  }
  void refuse(Algorithm algorithm, std::string why) {
    candidates_.refuse(algorithm, Device::cpu, worker(on_cpu(graph_, options_, plan_)),
                       std::move(why));
  }

  const Graph& graph_;
  const SolveOptions& options_;
  const FindDevices& find_;
  const RateSource& rates_;
  const Plan& plan_;
  double arcs_;
  Candidates candidates_;
  RowsProblem problem_;
  bool sparse_ = false, some_rows_ = false, hops_ = false;
};

/// Searches or sweeps on a GPU that was named. An order is found only where the searches are
/// predicted to take longer than the order and the fastest sweeps that could follow it.
Plan rows_on_device(const Graph& graph, const SolveOptions& options, const FindDevices& find,
                    const RateSource& rates, const Plan& plan) {
  RowsProblem problem = rows_problem(plan);
  const auto by = [&](Algorithm algorithm) {
    return by_rows(algorithm, graph, options, find, rates, plan, problem);
  };
  std::vector<Algorithm> searches;
  for (const Algorithm algorithm : {Algorithm::breadth_first, Algorithm::johnson}) {
    if (why_not(algorithm, graph, options, problem).empty()) searches.push_back(algorithm);
  }
  if (searches.empty()) return Candidates(by(Algorithm::nested_dissection)).chosen();
  problem.found = sample_searches(graph);
  Candidates candidates(by(searches.front()));
  for (std::size_t i = 1; i < searches.size(); ++i) candidates.add(by(searches[i]));
  const std::string there = worker(candidates.best());
  const Plan& best = candidates.best();
  const OrderGuess order = guess_order(graph);
  const double least =
      best.predicted.start + kTimesOfFlatOrder * order.seconds +
      least_sweeping_seconds(*best.on_device) +
      least_relaxations(order, static_cast<double>(plan.n)) /
          assumed_offload_rates(best.on_device->kernel, best.on_device->device).relaxations;
  if (!candidates.worth(least, 1)) {
    candidates.refuse(Algorithm::nested_dissection, Device::cuda, there,
                      fmt::format("not looked at: little to gain over {}", name(best.algorithm)));
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

void require_taken(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  const Algorithm wanted = options.algorithm;
  if (wanted == Algorithm::automatic || wanted == Algorithm::floyd_warshall) return;
  if (plan.leaves_factor()) return;  // has reasons of its own
  const std::string why = why_not(wanted, graph, options, rows_problem(plan));
  if (why.empty()) return;
  SolveOptions on_cpu = options;
  on_cpu.device = Device::cpu;
  const bool there_only = why_not(wanted, graph, on_cpu, rows_problem(plan)).empty();
  throw Error(ErrorKind::usage,
              fmt::format("{} {}; {}", name(wanted), why,
                          there_only ? "--device cpu takes it" : "--algorithm auto picks another"));
}

Plan choose_algorithm(const Graph& graph, const SolveOptions& options, const FindDevices& find,
                      const RateSource& rates, const Plan& plan) {
  if (plan.leaves_factor()) {
    return Candidates(factored(graph, options, find, rates, plan)).chosen();
  }
  // A GPU that does not take the matrix may still find rows.
  const bool only_rows = options.device == Device::cuda && !plan.on_device;
  if (only_rows && options.algorithm == Algorithm::automatic) {
    return rows_on_device(graph, options, find, rates, plan);
  }
  const Algorithm wanted = options.algorithm;
  if (wanted == Algorithm::automatic || wanted == Algorithm::floyd_warshall) {
    return AlgorithmChoice(graph, options, find, rates, plan).chosen();
  }
  return Candidates(by_rows(wanted, graph, options, find, rates, plan, rows_problem(plan)))
      .chosen();
}

}  // namespace apsp::planner
