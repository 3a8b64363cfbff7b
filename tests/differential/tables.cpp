// Distances through every door of the library in C++.
#include <apsp/matrix.hpp>
#include <cmath>
#include <limits>

#include "differential/case.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::campaign {
namespace {

std::vector<VertexPair> some_pairs(Case& c) {
  std::vector<VertexPair> pairs;
  for (std::uint64_t i = c.n() > 0 ? 1 + c.random.below(60) : 0; i > 0; --i) {
    pairs.push_back(
        {static_cast<Vertex>(c.random.below(c.n())), static_cast<Vertex>(c.random.below(c.n()))});
  }
  return pairs;
}

void judge_pairs(Case& c, const std::vector<VertexPair>& pairs, const std::vector<double>& found,
                 const SolveReport& report) {
  require(found.size() == pairs.size(), "{} distances of {} pairs", found.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    c.judge(pairs[i].from, pairs[i].to, found[i], report);
  }
}

Vertex listed(const std::vector<Vertex>& list, std::size_t i) {
  return list.empty() ? static_cast<Vertex>(i) : list[i];
}

}  // namespace

void judge_all(Case& c, const Result& result) {
  for (Vertex u = 0; u < c.n(); ++u) {
    c.judge_row(u, result.distances_from(u), result.report());
    const auto v = static_cast<Vertex>(c.random.below(c.n()));
    c.judge(u, v, result.distance(u, v), result.report());
    require(result.reachable(u, v) == (c.truth().cyclic() || c.truth().reachable(u, v)) ||
                c.truth().cyclic(),
            "reachable({}, {}) is wrong", u, v);
  }
}

void ask_distances(Case& c) {
  SolveOptions options = c.options();
  options.storage.keep = c.problem.keep;
  const Result result = c.solve(options);
  judge_all(c, result);
  if (const auto matrix = result.matrix()) {
    semiring::dispatch(options.question.semiring, matrix->type, [&]<class S>() {
      using T = typename S::Value;
      const T* const values = static_cast<const T*>(matrix->values);
      for (Vertex u = 0; u < c.n(); ++u) {
        for (Vertex v = 0; v < c.n(); ++v) {
          const auto value = static_cast<double>(values[u * matrix->stride + v]);
          const bool none = value == no_path(options.question.semiring, matrix->type);
          const bool one = value == empty_path(options.question.semiring, matrix->type);
          require(none || one || value == result.distance(u, v), "the matrix holds {} of {} to {}",
                  value, u, v);
        }
      }
    });
  }
}

void ask_rows(Case& c) {
  SolveOptions options = c.options();
  options.question.sources = c.problem.sources;
  options.question.targets = c.problem.targets;
  const std::size_t rows =
      options.question.sources.empty() ? c.n() : options.question.sources.size();
  const std::size_t columns =
      options.question.targets.empty() ? c.n() : options.question.targets.size();
  const std::size_t stride = columns + c.random.below(3);
  constexpr double kUntouched = -12345.5;
  std::vector<double> into(rows * stride, kUntouched);
  std::vector<std::vector<double>> told(c.n());
  if (c.random.below(2) == 0) {
    options.consumer.into = {into.data(), static_cast<std::int64_t>(stride)};
  } else {
    options.storage.keep = Keep::statistics;
  }
  options.consumer.on_rows = [&](const RowBlock& block) {
    semiring::dispatch(options.question.semiring, block.type, [&]<class S>() {
      using T = typename S::Value;
      for (std::size_t i = 0; i < block.sources.size(); ++i) {
        const T* const row =
            static_cast<const T*>(block.values) + static_cast<std::int64_t>(i) * block.stride;
        require(told[block.sources[i]].empty(), "the row of {} comes twice", block.sources[i]);
        told[block.sources[i]].assign(row, row + columns);
      }
    });
  };
  const Result result = c.solve(options);
  for (std::size_t i = 0; i < rows; ++i) {
    const Vertex u = listed(options.question.sources, i);
    require(told[u].size() == columns, "the row of {} did not come", u);
    for (std::size_t j = 0; j < columns; ++j) {
      const Vertex v = listed(options.question.targets, j);
      double value = told[u][j];
      // Integers have values of their own for no path and the empty path.
      if (value == no_path(options.question.semiring, result.value_type())) {
        value = told_no_path(options.question.semiring);
      }
      if (u == v)
        value = value == empty_path(options.question.semiring, result.value_type())
                    ? told_empty_path(options.question.semiring)
                    : value;
      c.judge(u, v, value, result.report());
      if (options.consumer.into.values != nullptr)
        c.judge(u, v, into[i * stride + j], result.report());
    }
    for (std::size_t j = columns; j < stride; ++j) {
      require(into[i * stride + j] == kUntouched, "the padding of row {} was written to", u);
    }
  }
}

void ask_pairs(Case& c) {
  SolveOptions options = c.options();
  options.machine.device = Device::cpu;  // no strict device goes through this door
  options.machine.device_ordinals = {};
  options.machine.device_memory = 0;
  const std::vector<VertexPair> pairs = some_pairs(c);
  std::optional<ValueType> type;
  options.on_plan = [&](const PlanReport& plan) { type = plan.value_type; };
  const std::vector<double> found = distances(c.graph, pairs, options);
  // The bound is that of a solve of the same type.
  options.on_plan = {};
  options.method.value_type = type;
  options.method.algorithm = Algorithm::automatic;
  options.machine.memory = 0;
  judge_pairs(c, pairs, found, c.solve(options).report());
}

void ask_factor(Case& c) {
  SolveOptions options = c.options();
  options.storage.keep = c.problem.keep;
  const Result result = c.solve(options);
  const std::vector<VertexPair> pairs = some_pairs(c);
  judge_pairs(c, pairs, result.distances(pairs), result.report());
  for (const VertexPair& pair : pairs) {
    c.judge(pair.from, pair.to, result.distance(pair.from, pair.to), result.report());
  }
  result.save(c.path("kept.zarr"), c.random.below(2) == 0);
  const Result opened = open_result(c.path("kept.zarr"));
  judge_pairs(c, pairs, opened.distances(pairs), result.report());
  const PairsOptions little{.memory = 4096, .threads = c.problem.threads};
  judge_pairs(c, pairs, opened.distances(pairs, little), result.report());
  for (Vertex u = 0; u < c.n(); u += 3) {
    c.judge_row(u, opened.distances_from(u), result.report());
  }
}

void judge_stored(Case& c, const SolveOptions& options, const SolveReport& report) {
  const bool zarr = options.storage.output.ends_with(".zarr");
  const bool all = options.question.sources.empty() && options.question.targets.empty();
  if (!zarr && !all) return;  // an .npy does not say whose rows it holds
  const Result opened = open_result(options.storage.output, c.graph, options.question.semiring);
  const std::size_t rows =
      options.question.sources.empty() ? c.n() : options.question.sources.size();
  const std::size_t columns =
      options.question.targets.empty() ? c.n() : options.question.targets.size();
  const std::vector<Vertex> listed_sources(opened.sources().begin(), opened.sources().end());
  if (zarr) require(listed_sources == options.question.sources, "other sources are stored");
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const Vertex u = listed(options.question.sources, i), v = listed(options.question.targets, j);
      c.judge(u, v, opened.distance(u, v), report);
    }
  }
  if (all && c.n() <= 60 && !c.truth().cyclic()) {
    const VerifyReport verified = opened.verify();
    for (const VerifyCheck& check : verified.checks) {
      require(check.failed == 0, "the stored result does not verify: {}", check.first_failure);
    }
  }
}

void ask_stored(Case& c) {
  SolveOptions options = c.options();
  options.question.sources = c.problem.sources;
  options.question.targets = c.problem.targets;
  const bool zarr = c.random.below(3) > 0;
  options.storage.output = c.path(zarr ? "out.zarr" : "out.npy");
  options.storage.compress = zarr && c.random.below(3) == 0;
  const bool all = options.question.sources.empty() && options.question.targets.empty();
  options.question.predecessors = zarr && all && c.problem.gpus == 0 && c.random.below(4) == 0;
  options.question.statistics = c.random.below(2) == 0;
  SolveReport report;
  {
    const Result result = c.solve(options);
    report = result.report();
  }
  judge_stored(c, options, report);
}

void ask_resumed(Case& c) {
  SolveOptions options = c.options();
  options.storage.output = c.path("out.zarr");
  options.question.statistics = c.random.below(2) == 0;
  EndsEarly early(c.problem.count);
  options.control = {&early, &early.flag};
  try {
    c.solve(options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted) throw;
    options.control = {};
    options.storage.resume = true;
    options.machine.threads = static_cast<int>(1 + c.random.below(4));
    c.solve(options);
  }
  const Result opened = open_result(options.storage.output);
  judge_all(c, opened);
  require(opened.verify().passed || c.truth().cyclic(), "the resumed result does not verify");
}

void ask_verify(Case& c) {
  SolveOptions options = c.options();
  options.storage.keep = Keep::matrix;
  const Result result = c.solve(options);
  require(result.verify().passed, "a result does not verify");
  const bool exact = result.report().unit_roundoff == 0 && result.report().absolute_error == 0;
  if (!exact || c.n() < 2 || c.truth().cyclic() || !result.matrix()) return;
  // One value of the matrix is another one: the memory is the result's own.
  const RowBlock matrix = *result.matrix();
  const auto u = static_cast<Vertex>(c.random.below(c.n()));
  const auto v = static_cast<Vertex>(c.random.below(c.n()));
  const std::uint64_t kind = c.random.below(4);
  bool changed = false;
  semiring::dispatch(options.question.semiring, matrix.type, [&]<class S>() {
    using T = typename S::Value;
    T& value = static_cast<T*>(const_cast<void*>(matrix.values))[u * matrix.stride + v];
    const T before = value, none = static_cast<T>(no_path(options.question.semiring, matrix.type));
    if (kind == 0) value = none;
    if (kind == 1) value = static_cast<T>(value + 1);
    if (kind == 2) value = static_cast<T>(value - 1);
    if (kind == 3) value = T(1);
    if (value == T(before + 1) && std::is_same_v<T, std::uint8_t>) value = T(1);
    changed = !(value == before);
  });
  // A verifier of bits or of bottlenecks takes any nonzero value for true.
  if (!changed || options.question.semiring == Semiring::or_and) return;
  require(!result.verify().passed, "the verifier passes a wrong distance from {} to {} (kind {})",
          u, v, kind);
}

namespace {

/// The weights of a graph in rows that may lie apart.
template <class Tag, class T>
struct HostMatrix {
  static constexpr Semiring kSemiring = Tag::kind;

  HostMatrix(Case& c, ValueType type_)
      : n(c.n()), stride(n + c.random.below(3)), type(type_), values(n * stride, none()) {
    c.graph.visit_all([&](Vertex u, Vertex v, double weight) {
      T& value = values[u * stride + v];
      const T w = kSemiring == Semiring::or_and ? T(1) : static_cast<T>(weight);
      if (value == none() || (kLeast ? w < value : w > value)) value = w;
    });
  }
  MatrixView<T> view() {
    const auto side = static_cast<std::int64_t>(n);
    return {values.data(), side, side, static_cast<std::int64_t>(stride)};
  }
  T none() const { return static_cast<T>(no_path(kSemiring, type)); }
  T at(std::size_t u, std::size_t v) const { return values[u * stride + v]; }

  void judge(Case& c) const {
    require(!c.truth().cyclic(), "a cycle was not told");
    for (Vertex u = 0; u < c.n(); ++u) {
      for (Vertex v = 0; v < c.n(); ++v) {
        auto found = static_cast<double>(at(u, v));
        if (found == no_path(kSemiring, type)) found = told_no_path(kSemiring);
        if (u == v && found == empty_path(kSemiring, type)) found = told_empty_path(kSemiring);
        const std::string wrong = c.truth().judge(u, v, found, {});
        require(wrong.empty(), "in place, {}", wrong);
      }
    }
  }

  static constexpr bool kLeast = kSemiring == Semiring::min_plus || kSemiring == Semiring::min_max;
  std::size_t n, stride;
  ValueType type;
  std::vector<T> values;
};

/// The graph without vertices from n on.
Problem first_vertices(Problem problem, std::int64_t n) {
  problem.n = n;
  problem.question = Question::in_place;
  std::erase_if(problem.edges,
                [&](const Edge& edge) { return std::int64_t{std::max(edge.from, edge.to)} >= n; });
  return problem;
}

/// An intermediate vertex joins two paths that are as good as the whole; −1 is an edge, a vertex to
/// itself or no path.
template <class Matrix>
void judge_via(const Matrix& edges, const Matrix& solved, const std::vector<std::int32_t>& via) {
  for (std::size_t u = 0; u < solved.n; ++u) {
    for (std::size_t v = 0; v < solved.n; ++v) {
      const std::int32_t k = via[u * solved.n + v];
      const auto value = static_cast<double>(solved.at(u, v));
      auto found = static_cast<double>(edges.at(u, v));
      if (k >= 0) {
        const auto by = static_cast<std::size_t>(k);
        require(by < solved.n && by != u && by != v, "{} is between {} and {}", k, u, v);
        const auto one = static_cast<double>(solved.at(u, by));
        const auto other = static_cast<double>(solved.at(by, v));
        const Semiring semiring = Matrix::kSemiring;
        const bool sum = semiring == Semiring::min_plus || semiring == Semiring::max_plus;
        found = sum                             ? one + other
                : semiring == Semiring::min_max ? std::max(one, other)
                                                : std::min(one, other);
      }
      require(u == v || found == value, "the path from {} to {} by {} is {}, and the best is {}", u,
              v, k, found, value);
    }
  }
}

template <class Tag, class T>
void solve_batch_here(Case& c, ValueType type) {
  std::vector<Problem> problems;
  for (std::int64_t i = 0; i < c.problem.count; ++i) {
    const auto left = c.random.below(static_cast<std::uint64_t>(c.problem.n) + 1);
    problems.push_back(first_vertices(c.problem, c.problem.n - static_cast<std::int64_t>(left)));
  }
  std::vector<std::unique_ptr<Case>> cases;
  std::vector<HostMatrix<Tag, T>> matrices;
  std::vector<std::vector<std::int32_t>> via;
  for (const Problem& problem : problems) {
    cases.push_back(std::make_unique<Case>(problem));
    matrices.emplace_back(*cases.back(), type);
    via.emplace_back(matrices.back().n * matrices.back().n);
  }
  const std::vector<HostMatrix<Tag, T>> edges = matrices;
  std::vector<MatrixView<T>> views;
  std::vector<MatrixView<std::int32_t>> via_views;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    views.push_back(matrices[i].view());
    via_views.emplace_back(via[i].data(), problems[i].n, problems[i].n);
  }
  const bool with_via = c.random.below(2) == 0;
  BatchOptions options{.threads = c.problem.threads};
  if (with_via) options.via = via_views;
  try {
    solve_batch<Tag, T>(std::span<const MatrixView<T>>(views), options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::negative_cycle || Tag::kind != Semiring::min_plus) throw;
    const auto cyclic = [](const auto& one) { return one->truth().cyclic(); };
    const auto first = std::ranges::find_if(cases, cyclic) - cases.begin();
    require(std::string_view(error.what()).starts_with(fmt::format("graph {}:", first)),
            "graph {} is the first with a cycle, not: {}", first, error.what());
    throw;
  }
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    matrices[i].judge(*cases[i]);
    if (with_via) judge_via(edges[i], matrices[i], via[i]);
  }
}

template <class Tag, class T>
void solve_here(Case& c, ValueType type) {
  if (c.problem.question == Question::batch) return solve_batch_here<Tag, T>(c, type);
  HostMatrix<Tag, T> matrix(c, type);
  floyd_warshall<Tag>(matrix.view(), {.threads = c.problem.threads, .tile = c.problem.tile});
  matrix.judge(c);
}

template <class Tag>
void solve_here(Case& c, ValueType type) {
  if constexpr (Tag::kind == Semiring::or_and) {
    return solve_here<Tag, std::uint8_t>(c, ValueType::boolean);
  } else {
    switch (type) {
      case ValueType::f32:
        return solve_here<Tag, float>(c, type);
      case ValueType::i32:
        return solve_here<Tag, std::int32_t>(c, type);
      case ValueType::u16:
        if constexpr (Tag::kind != Semiring::max_plus)
          return solve_here<Tag, std::uint16_t>(c, type);
        return solve_here<Tag, std::int32_t>(c, ValueType::i32);
      default:
        return solve_here<Tag, double>(c, ValueType::f64);
    }
  }
}

}  // namespace

void ask_in_place(Case& c) {
  // The caller answers for the type: one that holds every distance.
  const WeightFacts& facts = c.graph.weight_facts();
  ValueType type = c.problem.type.value_or(ValueType::f64);
  const double largest = std::max({facts.longest_path, std::abs(facts.least), facts.greatest});
  if (largest > largest_distance(type) || (facts.least < 0 && type == ValueType::u16) ||
      (type == ValueType::f32 && largest > 0x1p23) ||
      // 0 is u16's "no path" of widest paths.
      (type == ValueType::u16 && c.problem.semiring == Semiring::max_min && facts.least < 1)) {
    type = ValueType::f64;
  }
  switch (c.problem.semiring) {
    case Semiring::max_plus:
      return solve_here<MaxPlus>(c, type);
    case Semiring::max_min:
      return solve_here<MaxMin>(c, type);
    case Semiring::min_max:
      return solve_here<MinMax>(c, type);
    case Semiring::or_and:
      return solve_here<OrAnd>(c, type);
    default:
      return solve_here<MinPlus>(c, type);
  }
}

void ask_batch(Case& c) { ask_in_place(c); }

}  // namespace apsp::campaign
