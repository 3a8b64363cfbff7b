// Eccentricities (apsp/eccentricity.hpp): the component, its rows, their memory, and the rounds of
// searches until the bounds decide.
#include <fmt/format.h>

#include <algorithm>
#include <apsp/eccentricity.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "api/result.hpp"
#include "base/control.hpp"
#include "base/refusal.hpp"
#include "base/seconds_since.hpp"
#include "base/units.hpp"
#include "eccentricities/bounds.hpp"
#include "eccentricities/searcher.hpp"
#include "engine/row_producer.hpp"
#include "graph/components.hpp"
#include "graph/derived_graphs.hpp"
#include "graph/weight_check.hpp"
#include "planner/find_plan.hpp"
#include "planner/findings.hpp"
#include "planner/value_type.hpp"
#include "search/dijkstra_rows.hpp"
#include "search/level_rows.hpp"
#include "sparse/component_rows.hpp"
#include "sparse/pairs_method.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp {
namespace {

using eccentricities::Bounds;
using eccentricities::RowSources;
using eccentricities::Searcher;
using Clock = std::chrono::steady_clock;

/// Rows of a strongly connected graph, by searches or by a factor.
class PartRows {
 public:
  PartRows(const Graph& part, const EccentricityOptions& options, int threads)
      : part_(part), options_(options), threads_(threads) {
    if (part.weight_facts().unit) {
      values_ = {ValueType::i32, static_cast<double>(part.vertex_count())};
      return;
    }
    values_ = planner::choose_value_type(part, Semiring::min_plus, {}, threads, options.control);
    if (values_.type == ValueType::f32) values_.type = ValueType::f64;
  }

  /// A bound of the relative error of a distance: a rounding for each arc of its path, and as much
  /// for the sums that it is compared with.
  double tolerance() const {
    const double one =
        planner::unit_roundoff(part_, Semiring::min_plus, values_.type, values_.distance_bound);
    return 4 * one * static_cast<double>(part_.vertex_count());
  }

  RowSources by_searches() const {
    RowSources rows;
    if (part_.weight_facts().unit) {
      rows.from = search::level_rows(part_, false);
      if (!part_.symmetric()) rows.to = search::level_rows(part_, true);
      return rows;
    }
    const auto searches = [&](const Graph& graph) {
      return search::dijkstra_rows(graph, Semiring::min_plus, values_.type, nullptr,
                                   values_.distance_bound);
    };
    rows.from = searches(part_);
    if (!part_.symmetric()) rows.to = searches(graph::reversed(part_));
    return rows;
  }

  /// Plans and makes factors. `worth`: of the plan; if it is false, the result is empty.
  template <class Worth>
  std::optional<RowSources> by_factor(const Worth& worth) {
    RowSources rows;
    const auto swept = [&](const Graph& graph) -> std::unique_ptr<flow::RowSource> {
      plans_.push_back(planner::make_plan(
          graph,
          planner::factor_options(values_.type, threads_, options_.memory, options_.control)));
      if (!worth(plans_.back())) return nullptr;
      return std::move(engine::planned_rows(graph, plans_.back(), options_.control).source);
    };
    rows.from = swept(part_);
    if (rows.from == nullptr) return std::nullopt;
    if (part_.symmetric()) return rows;
    reversed_ = graph::reversed(part_);
    rows.to = swept(*reversed_);
    if (rows.to == nullptr) return std::nullopt;
    return rows;
  }

  /// Bytes of searches: their arcs both ways, and what each thread's search takes.
  double bytes() const {
    const auto n = static_cast<double>(part_.vertex_count());
    const auto arcs = static_cast<double>(part_.arc_count());
    const double ways = part_.symmetric() ? 1 : 2;
    if (part_.weight_facts().unit) {
      return ways * (4 * arcs + 16 * n) + threads_ * ways * 8 * n;
    }
    const double arc = values_.type == ValueType::f64 ? 16 : 8;
    const double reversing = part_.symmetric() ? 0 : 24 * arcs + 16 * n;
    return ways * (arc * arcs + 12 * n) + reversing + threads_ * ways * 6 * arc * n;
  }

 private:
  const Graph& part_;
  const EccentricityOptions& options_;
  int threads_;
  planner::ValueChoice values_;
  std::optional<Graph> reversed_;
  std::deque<planner::Plan> plans_;  // factors refer to them
};

/// The progress of the bounds: its task names them, and starts again when they change.
class GapProgress {
 public:
  explicit GapProgress(const Control& control) : progress_(control.progress) {}
  ~GapProgress() {
    if (progress_ != nullptr && begun_) progress_->end();
  }
  GapProgress(const GapProgress&) = delete;
  GapProgress& operator=(const GapProgress&) = delete;

  void tell(const Bounds& bounds, std::int64_t vertices) {
    if (progress_ == nullptr) return;
    const auto range = [](const ProvenRange& of) {
      if (of.known()) return base::format_value(of.least);
      return fmt::format("{} to {}", base::format_value(of.least), base::format_value(of.most));
    };
    std::string task =
        fmt::format("diameter {}, radius {}", range(bounds.diameter()), range(bounds.radius()));
    constexpr double kLeastSeconds = 2;  // of a line that can be read
    if (task != task_ && (!begun_ || base::seconds_since(since_) > kLeastSeconds)) {
      progress_->begin(task, static_cast<double>(vertices), "vertex");
      since_ = Clock::now();
      task_ = std::move(task);
      begun_ = true;
    }
    progress_->update(static_cast<double>(vertices) - static_cast<double>(bounds.undecided()));
  }

 private:
  Progress* progress_;
  bool begun_ = false;
  Clock::time_point since_{};
  std::string task_;
};

/// The factor of a result, for a strong component of its graph.
struct StoredRows {
  const sparse::FactorRows* factor = nullptr;  // null: there is none
  std::vector<Vertex> part;                    // empty: all vertices

  RowSources rows(bool symmetric) const {
    RowSources rows{std::make_unique<sparse::ComponentRows>(*factor, part, sparse::End::source),
                    nullptr};
    if (!symmetric)
      rows.to = std::make_unique<sparse::ComponentRows>(*factor, part, sparse::End::target);
    return rows;
  }
  double bytes(bool symmetric, int threads) const {
    if (factor == nullptr) return 0;
    const RowSources of = rows(symmetric);
    const std::int64_t copy =
        sparse::DownwardFactor::bytes(factor->factor().tree(), factor->type());
    return (symmetric ? 1 : 2) * static_cast<double>(copy + threads * of.from->worker_bytes());
  }
};

class Examination {
 public:
  Examination(const Graph& part, StoredRows stored, const EccentricityOptions& options)
      : part_(part),
        stored_(std::move(stored)),
        options_(options),
        threads_(static_cast<int>(
            std::min<std::int64_t>(system::thread_count(options.threads), part.vertex_count()))),
        rows_(part, options, threads_),
        tolerance_(rows_.tolerance()) {}

  /// The figures of the part; vertices are its own.
  Eccentricities run() {
    const std::int64_t n = part_.vertex_count();
    const bool symmetric = part_.symmetric();
    const EccentricityGoal wanted = options_.goal;
    const eccentricities::Goal goal{
        wanted != EccentricityGoal::radius, wanted != EccentricityGoal::diameter,
        wanted == EccentricityGoal::all, options_.sets || wanted == EccentricityGoal::all};
    system::plan_memory(Bounds::bytes(n, symmetric, goal) +
                            Searcher::bytes(n, symmetric, threads_) + rows_.bytes() +
                            stored_.bytes(symmetric, threads_),
                        "bounds of eccentricities", "use fewer threads", options_.memory);
    Bounds bounds(n, symmetric, goal, tolerance_, threads_);
    Eccentricities found;
    GapProgress progress(options_.control);
    try {
      begin();
      std::vector<Vertex> round{central_vertex()};
      while (!round.empty()) {
        searcher_->search(round, bounds);
        found.rows += std::ssize(round) * (symmetric ? 1 : 2);
        bounds.tighten();
        progress.tell(bounds, n);
        consider_factor(found.rows);
        round = bounds.next(searcher_->round_size());
      }
      found.complete = true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::interrupted || found.rows == 0) throw;
    }
    fill(bounds, found);
    return found;
  }

 private:
  void begin() {
    if (options_.algorithm == Algorithm::nested_dissection && stored_.factor != nullptr) {
      take_stored();
    } else if (options_.algorithm == Algorithm::nested_dissection) {
      take_factor([](const planner::Plan&) { return true; });
    } else {
      searcher_.emplace(rows_.by_searches(), threads_);
      method_ = part_.weight_facts().unit ? "breadth-first search" : "johnson";
    }
    began_ = Clock::now();
  }

  void take_stored() {
    searcher_.emplace(stored_.rows(part_.symmetric()), threads_);
    const double row = sparse::row_seconds(stored_.factor->factor().tree());
    method_ += fmt::format("{}stored factor, about {} a row", method_.empty() ? "" : ", then ",
                           base::format_seconds(row));
  }

  template <class Worth>
  void take_factor(const Worth& worth) {
    auto rows = rows_.by_factor(worth);
    if (!rows) return;
    searcher_.emplace(*std::move(rows), threads_);
    method_ = method_.empty() ? "nested-dissection" : method_ + ", then nested-dissection";
  }

  /// Takes the stored factor if its rows are predicted to be faster than the first searches, or
  /// makes one once searches have taken as long as making it would: so both together take at most
  /// twice what the better of them takes.
  void consider_factor(std::int64_t rows) {
    if (options_.algorithm != Algorithm::automatic || considered_) return;
    if (stored_.factor != nullptr) {
      considered_ = true;
      const double row = sparse::row_seconds(stored_.factor->factor().tree());
      if (row < base::seconds_since(began_)) take_stored();
      return;
    }
    constexpr std::int64_t kFewRows = 64;  // most questions about extremes take fewer
    constexpr double kWorthWhile = 1;      // s
    const double spent = base::seconds_since(began_);
    if (rows < kFewRows || spent < kWorthWhile) return;
    if (!ordering_) ordering_ = planner::estimate_ordering(part_, threads_).seconds;
    if (spent < *ordering_ || part_.matrix() != nullptr) return;
    considered_ = true;
    const double a_row = spent / static_cast<double>(rows);
    try {
      take_factor([&](const planner::Plan& plan) {
        const planner::RowCosts& costs = plan.rows()->costs;
        const double swept = costs.rows_seconds / static_cast<double>(plan.n);
        return costs.making_seconds < 2 * spent && 2 * swept < a_row;
      });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::does_not_fit) throw;
    }
  }

  Vertex central_vertex() const {
    Vertex best = 0;
    for (Vertex v = 0; v < part_.vertex_count(); ++v) {
      if (part_.out_degree(v) > part_.out_degree(best)) best = v;
    }
    return best;
  }

  void fill(const Bounds& bounds, Eccentricities& found) const {
    found.vertices = part_.vertex_count();
    found.diameter = bounds.diameter();
    found.radius = bounds.radius();
    found.diameter_pair = bounds.diameter_ends();
    found.radius_pair = bounds.radius_ends();
    found.eccentricity = bounds.known();
    found.tolerance = tolerance_;
    found.plan = method_;
    if (!found.complete) return;
    for (Vertex v = 0; v < found.vertices; ++v) {
      const double value = found.eccentricity[v];
      if (options_.goal != EccentricityGoal::radius && value == found.diameter.least) {
        found.periphery.push_back(v);
      }
      if (options_.goal != EccentricityGoal::diameter && value == found.radius.most) {
        found.centre.push_back(v);
      }
    }
  }

  const Graph& part_;
  StoredRows stored_;
  const EccentricityOptions& options_;
  int threads_;
  PartRows rows_;
  double tolerance_;
  std::optional<Searcher> searcher_;
  std::string method_;
  Clock::time_point began_{};
  std::optional<double> ordering_;
  bool considered_ = false;
};

/// Vertices of a part get their numbers in the graph.
void renumber(Eccentricities& found, std::span<const Vertex> vertices, std::int64_t n) {
  for (VertexPair* const pair : {&found.diameter_pair, &found.radius_pair}) {
    *pair = {vertices[pair->from], vertices[pair->to]};
  }
  for (auto* const list : {&found.periphery, &found.centre}) {
    for (Vertex& v : *list) v = vertices[v];
  }
  std::vector<double> all(static_cast<std::size_t>(n), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < vertices.size(); ++i) all[vertices[i]] = found.eccentricity[i];
  found.eccentricity = std::move(all);
}

/// `most`: the number of components to examine, the largest first. `factor`: null, or of the graph.
std::vector<Eccentricities> examine(const Graph& graph, const EccentricityOptions& options,
                                    std::size_t most, const sparse::FactorRows* factor = nullptr) {
  const Cancellable listening(options.control.cancellation);
  refuse_if(graph.vertex_count() == 0, "a graph without vertices has no eccentricities");
  planner::require_searches_or_factor(options.algorithm);
  graph::require_non_negative(graph, "bounds of eccentricities need",
                              "correct it, or take diameter and radius from the statistics of a "
                              "solve");
  planner::require_exact_integers(graph, Semiring::min_plus, system::thread_count(options.threads),
                                  options.control);
  const graph::Condensation strong(graph);
  std::vector<std::size_t> order(strong.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t c) { return strong.vertices(c).size(); });
  order.resize(std::min(most, order.size()));
  if (strong.count() > 1) {  // edges of a component and their copy in order
    constexpr double kArc = 40, kVertex = 40;
    system::require_memory(kArc * static_cast<double>(graph.arc_count()) +
                               kVertex * static_cast<double>(graph.vertex_count()),
                           "a copy of the component", "take a smaller graph", options.memory);
  }
  std::vector<Vertex> number(strong.count() > 1 ? static_cast<std::size_t>(graph.vertex_count())
                                                : 0);
  std::vector<Eccentricities> found;
  for (const std::size_t c : order) {
    const bool whole = strong.count() == 1;
    const Graph part = whole ? graph : graph::subgraph(graph, strong.vertices(c), number).build();
    StoredRows stored{factor, {}};
    if (!whole) stored.part.assign(strong.vertices(c).begin(), strong.vertices(c).end());
    found.push_back(Examination(part, std::move(stored), options).run());
    found.back().components = static_cast<std::int64_t>(strong.count());
    if (!whole) renumber(found.back(), strong.vertices(c), graph.vertex_count());
    if (!found.back().complete) break;
  }
  return found;
}

/// Returns the rows of the result's factor if they are distances of its graph as exact as those of
/// searches, or null.
const sparse::FactorRows* usable_factor(const Result& result) {
  const Result::State& state = result.state();
  const bool usable = state.factor != nullptr && !state.signed_weights &&
                      state.factor->semiring() == Semiring::min_plus &&
                      state.factor->type() != ValueType::f32;
  return usable ? state.factor.get() : nullptr;
}

}  // namespace

Eccentricities eccentricity(const Graph& graph, const EccentricityOptions& options) {
  return std::move(examine(graph, options, 1).front());
}

std::vector<Eccentricities> component_eccentricities(const Graph& graph,
                                                     const EccentricityOptions& options) {
  return examine(graph, options, static_cast<std::size_t>(graph.vertex_count()));
}

Eccentricities eccentricity(const Result& result, const EccentricityOptions& options) {
  return std::move(examine(result.graph(), options, 1, usable_factor(result)).front());
}

std::vector<Eccentricities> component_eccentricities(const Result& result,
                                                     const EccentricityOptions& options) {
  return examine(result.graph(), options, static_cast<std::size_t>(result.vertex_count()),
                 usable_factor(result));
}

}  // namespace apsp
