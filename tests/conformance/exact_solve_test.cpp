// Random solves against exact arithmetic, through the doors of the library in C++: every distance
// lies within the bound that the plan prints, or the solve says why it is refused.
//
// APSP_EXACT_SOLVES says how many; some hundred where it does not. APSP_EXACT_SEED: the first seed.
#include <fmt/format.h>
#include <apsp/apsp.hpp>

#include "base/random.hpp"
#include "base/units.hpp"
#include "support/exact_sums.hpp"
#include "support/test.hpp"

namespace apsp::exact_solve_test {
namespace {

std::int64_t from_environment(const char* name, std::int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

/// What weights of a graph are like.
enum class Scale { decimals, close, wide, subnormal, whole, extreme };

class RandomProblem {
 public:
  explicit RandomProblem(std::uint64_t seed) : random_(seed) {
    semiring_ = pick({Semiring::min_plus, Semiring::min_plus, Semiring::min_plus,
                      Semiring::max_plus, Semiring::max_min, Semiring::min_max});
    scale_ = pick({Scale::decimals, Scale::close, Scale::wide, Scale::subnormal, Scale::whole,
                   Scale::extreme});
    centre_ = -300 + 600 * random_.uniform();
    n_ = static_cast<std::int64_t>(3 + random_.below(random_.below(4) == 0 ? 38 : 12));
    acyclic_ = semiring_ == Semiring::max_plus || random_.below(5) == 0;
    directed_ = acyclic_ || random_.below(3) > 0;
    const bool bottleneck = semiring_ == Semiring::max_min || semiring_ == Semiring::min_max;
    negative_ = directed_ && (acyclic_ || bottleneck || random_.below(6) == 0) && random_.below(2);
    matrix_ = random_.below(3) == 0;
  }

  Semiring semiring() const { return semiring_; }
  bool is_matrix() const { return matrix_; }
  base::SplitMix64& random() { return random_; }
  template <class T>
  T pick(std::initializer_list<T> of) {
    return *(of.begin() + random_.below(of.size()));
  }

  Graph graph() {
    const double density = matrix_ ? 0.6 + 0.4 * random_.uniform() : 0.05 + random_.uniform();
    std::vector<Edge> edges;
    for (Vertex u = 0; u < n_; ++u) {
      for (Vertex v = 0; v < n_; ++v) {
        if (u == v || ((acyclic_ || !directed_) && v < u)) continue;
        if (v != u + 1 && random_.uniform() > density) continue;
        edges.push_back({u, v, weight()});
      }
    }
    return matrix_ ? from_matrix(edges) : from_edges(edges);
  }

 private:
  double weight() {
    const double size = magnitude();
    const double share = acyclic_ ? 0.4 : 0.05;
    return negative_ && random_.uniform() < share ? -size : size;
  }

  double magnitude() {
    const double uniform = random_.uniform();
    switch (scale_) {
      case Scale::decimals:
        return 0.1 * static_cast<double>(random_.below(100));
      case Scale::close:
        return std::pow(10.0, centre_) * (0.5 + uniform);
      case Scale::wide:
        return std::pow(10.0, -300 + 600 * uniform);
      case Scale::subnormal:
        return random_.below(9) == 0 ? 0 : std::pow(10.0, -323 + 18 * uniform);
      case Scale::whole:
        return static_cast<double>(random_.below(std::uint64_t{1} << (3 + random_.below(60))));
      case Scale::extreme:
        return random_.below(2) == 0 ? std::pow(10.0, -46 + 10 * uniform)
                                     : std::pow(10.0, 36 + 4 * uniform);
    }
    return 1;
  }

  Graph from_edges(const std::vector<Edge>& edges) const {
    GraphBuilder builder(n_, directed_);
    for (const Edge& edge : edges) builder.add_edge(edge.from, edge.to, edge.weight);
    return std::move(builder).build();
  }

  /// Values of f64, or of f32 where none becomes infinite.
  Graph from_matrix(const std::vector<Edge>& edges) {
    bool narrow = random_.below(2) == 0;
    for (const Edge& edge : edges) {
      narrow = narrow && std::abs(edge.weight) < std::numeric_limits<float>::max();
    }
    return narrow ? matrix_of<float>(edges) : matrix_of<double>(edges);
  }

  template <class T>
  Graph matrix_of(const std::vector<Edge>& edges) const {
    const auto values = std::make_shared<std::vector<T>>(static_cast<std::size_t>(n_ * n_),
                                                         WeightMatrix::no_arc<T>());
    for (const Edge& edge : edges) {
      (*values)[edge.from * static_cast<std::size_t>(n_) + edge.to] = static_cast<T>(edge.weight);
      if (directed_) continue;
      (*values)[edge.to * static_cast<std::size_t>(n_) + edge.from] = static_cast<T>(edge.weight);
    }
    GraphBuilder builder(n_, directed_);
    builder.set_matrix({.type = sizeof(T) == 4 ? ValueType::f32 : ValueType::f64,
                        .n = n_,
                        .data = values->data(),
                        .owner = values});
    return std::move(builder).build();
  }

  base::SplitMix64 random_;
  Semiring semiring_ = Semiring::min_plus;
  Scale scale_ = Scale::decimals;
  double centre_ = 0;  // of the exponents of close weights
  std::int64_t n_ = 0;
  bool acyclic_ = false, directed_ = true, negative_ = false, matrix_ = false;
};

/// What came of all solves.
struct Tallies {
  std::map<std::string, std::int64_t> doors, refusals;
  std::int64_t distances = 0;
  double worst = 0;  // error, as a share of its bound
  std::string worst_of;
};

/// The error that is printed, of one edge, or absolute.
struct PrintedBound {
  double an_edge = 0;
  double absolute = 0;
  bool sums = true;

  long double of(const Exact& distance, std::size_t edges) const {
    if (absolute > 0) return absolute;
    const auto times = static_cast<long double>(sums ? edges : 1);
    return times * an_edge * std::abs(distance.rounded());
  }
};

double as_printed(double bound) {
  return bound > 0 ? std::strtod(base::format_error(bound).c_str(), nullptr) : 0;
}

/// One solve and its comparison.
class Comparison {
 public:
  Comparison(const Graph& graph, Semiring semiring, Tallies& tallies, std::string what)
      : graph_(graph),
        exact_(graph, semiring),
        semiring_(semiring),
        tallies_(tallies),
        what_(std::move(what)) {}

  bool cyclic() const { return exact_.cyclic(); }

  /// `value(u, v)`, with the edges of its path.
  template <class Value, class Edges>
  void compare(const PrintedBound& bound, Value&& value, Edges&& edges) {
    if (cyclic()) {
      // By less than 2^-51 of its weights, which may have meant zero: no distances are exact then.
      EXPECT_GT(bound.absolute, 0) << what_;
      ++tallies_.refusals["(solved: a cycle is negative by less than its weights' rounding)"];
      return;
    }
    const double none = no_path(semiring_, ValueType::f64);
    const auto n = static_cast<Vertex>(graph_.vertex_count());
    for (Vertex u = 0; u < n; ++u) {
      for (Vertex v = 0; v < n; ++v) {
        if (u == v) continue;
        const std::optional<Exact>& truth = exact_(u, v);
        const double found = value(u, v);
        ASSERT_EQ(found == none, !truth) << what_ << ": " << u << " to " << v << " is " << found;
        if (!truth) continue;
        ASSERT_TRUE(std::isfinite(found)) << what_;
        const long double error = (Exact(found) - *truth).magnitude().rounded();
        long double allowed = bound.of(*truth, edges(u, v));
        if (error > allowed && bound.an_edge > 0) {
          // Paths of more edges, whose sums seem to be as good once they are rounded.
          const auto most = static_cast<double>(bound.of(*truth, n));
          allowed = bound.of(*truth, exact_.most_edges(graph_, u, v, Exact(2 * most)));
        }
        compare_one(found, *truth, allowed, u, v);
      }
    }
  }

 private:
  void compare_one(double found, const Exact& truth, long double allowed, Vertex u, Vertex v) {
    const long double error = (Exact(found) - truth).magnitude().rounded();
    ++tallies_.distances;
    ASSERT_LE(error, allowed) << what_ << ": " << u << " to " << v << " is " << found << ", not "
                              << static_cast<double>(truth.rounded());
    if (!(allowed > 0)) return;
    const auto share = static_cast<double>(error / allowed);
    if (share <= tallies_.worst) return;
    tallies_.worst = share;
    tallies_.worst_of = what_;
  }

  const Graph& graph_;
  ExactDistances exact_;
  Semiring semiring_;
  Tallies& tallies_;
  std::string what_;
};

/// Why a solve may be refused: the reason must be true of the graph.
void expect_justified(const Error& error, const Graph& graph, Comparison& comparison,
                      const std::string& what) {
  const WeightFacts& facts = graph.weight_facts();
  const std::string text = error.what();
  if (error.kind() == ErrorKind::negative_cycle) {
    EXPECT_TRUE(comparison.cyclic()) << what << ": " << text;
  } else if (text.find("would lose digits in f32") != std::string::npos) {
    EXPECT_GT(facts.below_f32, 0) << what;
  } else if (text.find("too much for the widest type") != std::string::npos) {
    EXPECT_GT(facts.longest_path, std::numeric_limits<double>::max() / 6) << what;
  } else if (text.find("which f32 does not hold") != std::string::npos) {
    EXPECT_GT(facts.longest_path, static_cast<double>(std::numeric_limits<float>::max()) / 6)
        << what;
  } else {
    EXPECT_TRUE(error.kind() == ErrorKind::usage || error.kind() == ErrorKind::does_not_fit)
        << what << ": " << text;
  }
}

/// The kind of a refusal, with numbers left out.
std::string without_numbers(const std::string& text) {
  std::string words;
  for (const char c : text.substr(0, text.find(';'))) {
    const bool of_number = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!of_number) words += c;
    if (of_number && (words.empty() || words.back() != '#')) words += '#';
  }
  return words.substr(0, 100);
}

class Trial {
 public:
  Trial(std::uint64_t seed, Tallies& tallies)
      : problem_(seed), tallies_(tallies), graph_(problem_.graph()) {
    options_.question.semiring = problem_.semiring();
    options_.machine.threads = 1;
    options_.machine.device = Device::cpu;
    options_.question.statistics = false;
    options_.method.value_type = problem_.pick<std::optional<ValueType>>(
        {std::nullopt, std::nullopt, ValueType::f32, ValueType::f64});
    options_.method.tolerance = problem_.pick({1e-5, 1e-5, 1e-7, 0.0});
    options_.method.algorithm =
        problem_.pick({Algorithm::automatic, Algorithm::floyd_warshall,
                       Algorithm::nested_dissection, Algorithm::johnson, Algorithm::boundary});
    what_ = fmt::format("seed {}, {} {}, n = {}", seed, name(options_.question.semiring),
                        name(options_.method.algorithm), graph_.vertex_count());
  }

  void run() {
    Comparison comparison(graph_, options_.question.semiring, tallies_, what_);
    const std::uint64_t door = problem_.random().below(problem_.is_matrix() ? 4 : 3);
    try {
      if (door == 0) through_factor(comparison);
      if (door == 1) through_result(comparison);
      if (door == 2) through_rows(comparison);
      if (door == 3) in_place(comparison);
    } catch (const Error& error) {
      expect_justified(error, graph_, comparison, what_);
      ++tallies_.refusals[without_numbers(error.what())];
    }
  }

 private:
  PrintedBound printed(const SolveReport& report) const {
    const bool sums = options_.question.semiring == Semiring::min_plus ||
                      options_.question.semiring == Semiring::max_plus;
    return {as_printed(report.unit_roundoff), as_printed(report.absolute_error), sums};
  }

  /// Paths of the result, which must be those of its distances.
  static auto edges_of(const Result& result) {
    return [&result](Vertex u, Vertex v) {
      const std::size_t vertices = result.path(u, v).size();
      EXPECT_GE(vertices, 2U);
      return std::max<std::size_t>(vertices, 2) - 1;
    };
  }

  void compare(const Result& result, Comparison& comparison, const char* door) {
    ++tallies_.doors[door];
    EXPECT_TRUE(result.verify().passed) << what_;
    comparison.compare(
        printed(result.report()), [&](Vertex u, Vertex v) { return result.distance(u, v); },
        edges_of(result));
  }

  Result solved_by_any() {
    try {
      return solve(graph_, options_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
    }
    options_.method.algorithm = Algorithm::automatic;  // it does not take this graph
    return solve(graph_, options_);
  }

  void through_result(Comparison& comparison) { compare(solved_by_any(), comparison, "solve"); }

  void through_factor(Comparison& comparison) {
    options_.method.algorithm = Algorithm::automatic;
    options_.storage.keep = Keep::factor;
    try {
      compare(solve(graph_, options_), comparison, "factor");
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      options_.storage.keep = Keep::automatic;  // there is none of this graph
      through_result(comparison);
    }
  }

  void through_rows(Comparison& comparison) {
    const auto n = static_cast<std::size_t>(graph_.vertex_count());
    std::vector<double> rows(n * n);
    options_.consumer.into = {rows.data(), 0};
    const Result result = solved_by_any();
    ++tallies_.doors["rows"];
    comparison.compare(
        printed(result.report()), [&](Vertex u, Vertex v) { return rows[u * n + v]; },
        [&](Vertex, Vertex) {
          return n - 1;  // no matrix need be left
        });
  }

  void in_place(Comparison& comparison) {
    options_.method.algorithm = Algorithm::floyd_warshall;
    const WeightMatrix* const matrix = graph_.matrix();
    if (matrix == nullptr) return through_result(comparison);
    matrix->type == ValueType::f32 ? in_place<float>(*matrix, comparison)
                                   : in_place<double>(*matrix, comparison);
  }

  template <class T>
  void in_place(const WeightMatrix& matrix, Comparison& comparison) {
    const auto n = static_cast<std::size_t>(matrix.n);
    std::vector<T> values(static_cast<const T*>(matrix.data),
                          static_cast<const T*>(matrix.data) + n * n);
    const auto none = static_cast<T>(no_path(options_.question.semiring, matrix.type));
    std::replace(values.begin(), values.end(), WeightMatrix::no_arc<T>(), none);
    solve_in_place(MatrixView<T>(values.data(), matrix.n, matrix.n));
    options_.method.value_type = matrix.type;  // the bound of the same solve
    options_.question.statistics = true;
    PrintedBound bound = printed(solve(graph_, options_).report());
    ++tallies_.doors["in place"];
    comparison.compare(
        bound, [&](Vertex u, Vertex v) { return static_cast<double>(values[u * n + v]); },
        [&](Vertex, Vertex) { return n - 1; });
  }

  template <class T>
  void solve_in_place(MatrixView<T> matrix) {
    const FloydWarshallOptions options{.threads = 1};
    switch (options_.question.semiring) {
      case Semiring::max_plus:
        return floyd_warshall<MaxPlus>(matrix, options);
      case Semiring::max_min:
        return floyd_warshall<MaxMin>(matrix, options);
      case Semiring::min_max:
        return floyd_warshall<MinMax>(matrix, options);
      default:
        return floyd_warshall<MinPlus>(matrix, options);
    }
  }

  RandomProblem problem_;
  Tallies& tallies_;
  Graph graph_;
  SolveOptions options_;
  std::string what_;
};

TEST(ExactSum, HoldsEveryDouble) {
  for (const double value : {0.0, 5e-324, 1e-310, 0x1p-1022, 0.1, -0.1, 1e300, -1.7e308}) {
    EXPECT_EQ(static_cast<double>(Exact(value).rounded()), value);
    EXPECT_EQ(Exact(value) - Exact(value), Exact());
  }
  EXPECT_EQ((Exact(1e300) + Exact(5e-324) - Exact(1e300)).rounded(),
            static_cast<long double>(5e-324));
  EXPECT_LT(Exact(-1), Exact(5e-324));
  EXPECT_GT(Exact(-1), Exact(-2));
}

TEST(ExactSolve, EveryDistanceIsWithinThePrintedBound) {
  constexpr std::int64_t kFew = 400;
  const std::int64_t count = from_environment("APSP_EXACT_SOLVES", kFew);
  const auto first = static_cast<std::uint64_t>(from_environment("APSP_EXACT_SEED", 1));
  Tallies tallies;
  for (std::int64_t i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
    Trial(first + static_cast<std::uint64_t>(i), tallies).run();
  }
  for (const auto& [door, solves] : tallies.doors) fmt::print("{}: {} solves\n", door, solves);
  for (const auto& [why, solves] : tallies.refusals) fmt::print("refused {}: {}\n", solves, why);
  fmt::print("{} distances, the largest error {:.3f} of its bound ({})\n", tallies.distances,
             tallies.worst, tallies.worst_of);
  for (const char* door : {"solve", "factor", "rows", "in place"}) {
    EXPECT_GE(tallies.doors[door], count / 40) << door;
  }
}

}  // namespace
}  // namespace apsp::exact_solve_test
