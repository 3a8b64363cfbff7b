#include "api/result.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cstring>

#include "api/json.hpp"
#include "api/ordered_rows.hpp"
#include "api/stored_result.hpp"
#include "base/control.hpp"
#include "base/json.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "flow/derived_store.hpp"
#include "flow/drive.hpp"
#include "flow/pairs_by_source.hpp"
#include "flow/restored_rows.hpp"
#include "graph/components.hpp"
#include "graph/derived_graphs.hpp"
#include "graph/whole_weights.hpp"
#include "kernels/cpu/row_operations.hpp"
#include "paths/paths.hpp"
#include "paths/via_path.hpp"
#include "planner/eligibility.hpp"
#include "planner/value_type.hpp"
#include "sparse/grouped_pairs.hpp"
#include "sparse/pairs_method.hpp"
#include "statistics/statistics_pass.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"
#include "verifier/verifier.hpp"

namespace apsp {

using api::check_vertex;

void api::check_vertex(const Graph& graph, Vertex v) { check_vertex(graph.vertex_count(), v); }

void api::check_vertex(std::int64_t vertices, Vertex v) {
  if (v >= vertices) detail::refuse_vertex(v, vertices);
}

store::Store& Result::State::matrix() const {
  refuse_if(store == nullptr,
            "this result keeps only statistics; solve with an output, or keep the matrix or "
            "the factor (StorageOptions::keep)");
  return *store;
}

void Result::State::keep(std::unique_ptr<sparse::FactorRows> of,
                         const planner::SignedWeights* weights) {
  factor = std::move(of);
  if (weights != nullptr) {
    signed_weights = *weights;
    signed_weights->reduced = Graph();
  }
  factor_rows = rows_to({});
  store = std::make_unique<flow::RowSourceStore>(*factor_rows);
  layout = store->layout();
}

std::unique_ptr<flow::RowSource> Result::State::rows_to(const store::VertexList& targets) const {
  auto rows =
      std::make_unique<sparse::FactorRows>(factor->shared_factor(), factor->sign(), targets);
  if (!signed_weights) return rows;
  return std::make_unique<flow::RestoredRows>(
      std::move(rows), signed_weights->potentials.h, targets,
      signed_weights->sign < 0 ? Semiring::max_plus : Semiring::min_plus);
}

double Result::State::as_distance(VertexPair pair, const void* value) const {
  std::array<std::byte, sizeof(double)> one{};
  std::memcpy(one.data(), value, static_cast<std::size_t>(size_of(layout.type)));
  if (signed_weights) {
    const auto& h = signed_weights->potentials.h;
    kernels::cpu::potential_operations(layout.type)
        .restore(one.data(), 1, h[pair.from], &h[pair.to], signed_weights->sign);
  }
  return paths::as_double(layout.semiring, layout.type, one.data(), pair.from == pair.to);
}

store::Metadata Result::State::metadata() const {
  store::Metadata metadata;
  nlohmann::json attributes = {{"report", api::to_json(report)}};
  if (!graph.remarks().empty()) attributes["remarks"] = graph.remarks();
  if (statistics) {
    attributes["statistics"] = api::to_json(*statistics, graph);
    const auto add = [&](const char* name, const std::vector<double>& values) {
      if (!values.empty()) metadata.vertex_values.push_back({name, values});
    };
    add("eccentricity", statistics->eccentricity);
    add("closeness", statistics->closeness);
    add("harmonic", statistics->harmonic);
  }
  // Vertex names may have any encoding, but JSON must be UTF-8.
  metadata.attributes = base::json_text(attributes, -1, base::BadBytes::replaced);
  return metadata;
}

namespace {

/// `towards`: "from" for rows, "to" for columns.
std::int64_t position_of(const store::Positions& held, const Graph& graph, Vertex v,
                         const char* towards) {
  check_vertex(graph, v);
  if (const auto position = held.of(v)) return *position;
  throw usage_error("this result holds the distances {} {} of {}, and {} is not one of them",
                    towards, held.count(),
                    base::counted(graph.vertex_count(), "vertex", "vertices"), graph.name(v));
}

std::int32_t value_of(const store::Store& store, store::Plane plane, const Graph& graph, Vertex s,
                      Vertex t) {
  check_vertex(graph, s);
  check_vertex(graph, t);
  refuse_if(!store.holds(plane),
            "this result does not hold {}: solve with QuestionOptions::{}, kept in a "
            ".zarr or in memory; path() needs none",
            plane == store::Plane::via ? "intermediate vertices" : "edge counts",
            store::name(plane));
  std::int32_t value = 0;
  store.read(plane, {s, t, 1, 1}, &value, 1);
  return value;
}

}  // namespace

std::int64_t Result::State::row_of(Vertex source) const {
  return position_of(*rows, graph, source, "from");
}

std::int64_t Result::State::column_of(Vertex target) const {
  return position_of(*columns, graph, target, "to");
}

void Result::State::require_whole_rows(const char* what) const {
  if (layout.selection.targets.is_all()) return;
  throw usage_error(
      "{} needs the distances to all vertices, and this result holds those to "
      "{} of {}",
      what, columns->count(), graph.vertex_count());
}

Result::Result(std::unique_ptr<State> state) : state_(std::move(state)) {
  const std::int64_t n = state_->layout.n;
  state_->rows.emplace(n, state_->layout.selection.sources);
  state_->columns.emplace(n, state_->layout.selection.targets);
}
Result::Result(Result&&) noexcept = default;
Result& Result::operator=(Result&&) noexcept = default;
Result::~Result() = default;

Result::State& Result::whole() const {
  if (state_->is_partial()) state_->opened->read_whole([this] { api::read_whole(*state_); });
  return *state_;
}

const Result::State& Result::state() const { return whole(); }
const Graph& Result::graph() const { return whole().graph; }
std::int64_t Result::vertex_count() const { return state_->layout.n; }

std::optional<Vertex> Result::find(std::string_view name) const {
  if (state_->is_partial()) {
    if (const auto first = state_->opened->first_number()) {
      return vertex_numbered(name, *first, vertex_count());
    }
  }
  return graph().find(name);
}

std::string Result::name(Vertex v) const {
  check_vertex(vertex_count(), v);
  if (state_->is_partial()) {
    if (const auto first = state_->opened->first_number()) {
      return std::to_string(std::uint64_t{v} + *first);
    }
  }
  return graph().name(v);
}

std::optional<Vertex> Result::first_id() const {
  if (state_->is_partial()) {
    if (const auto first = state_->opened->first_number()) return first;
  }
  if (!graph().labels().empty()) return std::nullopt;
  return graph().first_id();
}

Semiring Result::semiring() const { return state_->layout.semiring; }
ValueType Result::value_type() const { return state_->layout.type; }
const SolveReport& Result::report() const { return state_->report; }
Keep Result::kept() const {
  if (state_->opened != nullptr || state_->factor != nullptr) return Keep::factor;
  return state_->store != nullptr ? Keep::matrix : Keep::statistics;
}

std::span<const Vertex> Result::sources() const {
  return state_->layout.selection.sources.listed();
}
std::span<const Vertex> Result::targets() const {
  return state_->layout.selection.targets.listed();
}

std::optional<RowBlock> Result::matrix() const {
  if (state_->opened != nullptr || state_->store == nullptr) return std::nullopt;
  const store::Store& store = *state_->store;
  const void* const values = store.data(store::Plane::distance);
  if (values == nullptr) return std::nullopt;
  const auto* found = static_cast<const std::int32_t*>(store.data(store::Plane::predecessor));
  return RowBlock{sources(), values, store.stride(), value_type(), found};
}

double Result::distance(Vertex s, Vertex t) const {
  if (state_->is_partial()) {
    check_vertex(vertex_count(), s);
    check_vertex(vertex_count(), t);
    const VertexPair pair{s, t};
    if (const auto found = state_->opened->distances({&pair, 1})) return found->front();
  }
  const State& of = whole();
  const std::int64_t row = of.row_of(s), column = of.column_of(t);
  return paths::read_value(of.matrix(), row, column);
}

std::vector<double> Result::distances_from(Vertex s) const {
  const State& of = whole();
  const std::int64_t row = of.row_of(s);
  of.require_whole_rows("a row");
  return paths::read_row(of.matrix(), row);
}

bool Result::reachable(Vertex s, Vertex t) const {
  const double d = distance(s, t);
  if (semiring() == Semiring::or_and) return d != 0;
  const double none = no_path(semiring(), ValueType::f64);
  return s == t || d != none;
}

std::vector<std::int64_t> Result::predecessors(Vertex s) const {
  whole().require_whole_rows("a path");
  if (const auto held = matrix(); held && held->predecessors != nullptr) {
    const std::int32_t* const first = held->predecessors + whole().row_of(s) * held->stride;
    return {first, first + vertex_count()};
  }
  const std::vector<double> row = distances_from(s);
  return paths::predecessors(graph(), semiring(), value_type(), s, row);
}

std::vector<Vertex> Result::path(Vertex s, Vertex t) const {
  check_vertex(graph(), t);
  return paths::walk_back(predecessors(s), s, t);
}

const Statistics& Result::statistics(const Control& control) const {
  const Cancellable listening(control.cancellation);
  State& of = whole();
  const std::lock_guard lock(of.statistics_mutex);
  if (!of.statistics) {
    of.statistics = of.factor != nullptr ? api::statistics_of_factor(of, control)
                                         : statistics::statistics(of.matrix(), graph(), control,
                                                                  system::thread_count(0));
  }
  return *of.statistics;
}

Statistics Result::component_statistics(const Control& control) const {
  const State& of = whole();
  refuse_if(!of.layout.selection.all(),
            "the largest component needs all rows and columns, and this result holds some of them: "
            "solve without sources and targets");
  if (!graph::largest_of_several(graph())) return statistics(control);
  return api::component_statistics_of(of, control);
}

VerifyReport Result::verify(const VerifyOptions& options) const {
  const Cancellable listening(options.control.cancellation);
  VerifyOptions asked = options;
  // Earlier versions reported rounded integer sums in f64 as exact.
  const bool called_exact = report().unit_roundoff == 0 && report().absolute_error == 0;
  if (called_exact && planner::unit_roundoff(graph(), semiring(), value_type()) > 0 &&
      graph::whole_weights(graph()) && !asked.tolerance) {
    asked.tolerance = 0;
  }
  State& of = whole();
  const Statistics* claimed = nullptr;
  {
    const std::lock_guard lock(of.statistics_mutex);
    if (of.statistics) claimed = &*of.statistics;  // stays valid once known
  }
  VerifyReport found = verifier::verify(
      graph(), of.matrix(), asked, claimed,
      of.factor != nullptr ? verifier::ClaimedRows::recomputed : verifier::ClaimedRows::stored);
  // The caller did not set the tolerance of 0, so the comparison is a proof.
  constexpr std::string_view kExactly = "within the tolerance of 0";
  if (!options.tolerance && found.meaning.starts_with(kExactly)) {
    found.meaning.replace(0, kExactly.size(), "proof");
  }
  return found;
}

void Result::save(const std::string& path, bool compress, const Control& control) const {
  store::Layout layout = state_->layout;
  if (path.ends_with(".npy")) layout.planes = {store::Plane::distance};
  const auto target = store::create_store(path, layout, {.compress = compress});
  for (const store::Plane plane : layout.planes) {
    flow::copy_plane(plane, whole().matrix(), *target, system::thread_count(0), control);
  }
  target->commit(graph(), whole().metadata());
}

bool Result::has_via() const { return whole().matrix().holds(store::Plane::via); }
bool Result::has_hops() const { return whole().matrix().holds(store::Plane::hops); }

std::optional<Vertex> Result::via(Vertex s, Vertex t) const {
  const std::int32_t k = value_of(whole().matrix(), store::Plane::via, graph(), s, t);
  if (k < 0) return std::nullopt;
  return static_cast<Vertex>(k);
}

std::optional<std::int64_t> Result::hops(Vertex s, Vertex t) const {
  const std::int32_t edges = value_of(whole().matrix(), store::Plane::hops, graph(), s, t);
  if (edges < 0) return std::nullopt;
  return edges;
}

std::vector<Vertex> Result::path_by_via(Vertex s, Vertex t) const {
  value_of(whole().matrix(), store::Plane::via, graph(), s, t);
  return paths::path_from_via(whole().matrix(), s, t);
}

}  // namespace apsp

namespace apsp::api {
namespace {

/// This many pairs cost about as much as reading a road network's factor completely.
constexpr std::size_t kFewPairs = 16;

}  // namespace

std::optional<std::vector<double>> OpenedFactor::distances(std::span<const VertexPair> pairs) {
  const std::lock_guard lock(mutex_);
  if (is_whole() || pairs.size() > kFewPairs - asked_) return std::nullopt;
  if (paths_ == nullptr) paths_ = std::make_unique<sparse::StoredPaths>(*stored_);
  const store::Layout& layout = stored_->layout();
  std::vector<std::byte> values(pairs.size() * static_cast<std::size_t>(size_of(layout.type)));
  paths_->distances(pairs, values.data());
  asked_ += pairs.size();
  std::vector<double> found;
  const std::byte* value = values.data();
  for (const VertexPair& pair : pairs) {
    found.push_back(paths::as_double(layout.semiring, layout.type, value, pair.from == pair.to));
    value += size_of(layout.type);
  }
  return found;
}

}  // namespace apsp::api

namespace apsp {
namespace {

/// Cost of reading one value of a matrix, in values of a row.
constexpr std::int64_t kValuesOfAPair = 64;

/// Fewer pairs of a factor are answered without labels.
constexpr std::size_t kFewPairs = 256;
/// Pairs of a factor that are answered together.
constexpr std::size_t kMostPairs = std::size_t{1} << 31;

/// Reads a source's row if it has more than `worth_a_row` pairs, else single values.
std::vector<double> grouped(const Result::State& state, std::span<const VertexPair> pairs,
                            const PairsOptions& options, std::int64_t worth_a_row) {
  const store::Store& store = state.matrix();
  const flow::PairsBySource by_source(pairs);
  std::vector<double> found(pairs.size());
  base::ProgressTask progress(options.control, "distances", static_cast<double>(pairs.size()),
                              "pair");
  system::parallel_for(std::ssize(by_source.sources()), system::thread_count(options.threads),
                       [&](std::int64_t item) {
                         base::check_cancelled(options.control);
                         const std::span<const std::size_t> group = by_source.of(item);
                         const std::int64_t row_at = state.row_of(pairs[group.front()].from);
                         const auto column = [&](std::size_t i) {
                           return state.column_of(pairs[i].to);
                         };
                         if (std::ssize(group) > worth_a_row) {
                           const std::vector<double> row = paths::read_row(store, row_at);
                           for (const std::size_t i : group)
                             found[i] = row[static_cast<std::size_t>(column(i))];
                         } else {
                           for (const std::size_t i : group)
                             found[i] = paths::read_value(store, row_at, column(i));
                         }
                         progress.advance(static_cast<double>(group.size()));
                       });
  return found;
}

void ask_factor(const sparse::FactorRows& rows, std::span<const VertexPair> pairs,
                const PairsOptions& options, int threads, const sparse::TakePair& take) {
  const sparse::Factor& factor = rows.factor();
  sparse::PairsMethod method;
  if (pairs.size() >= kFewPairs) {
    const std::int64_t memory =
        options.memory > 0 ? options.memory : system::available_memory() / 2;
    method = sparse::method_of_pairs(factor, pairs, memory, options.control);
  }
  if (method.from == sparse::PairsFrom::groups) {
    return distances_by_groups(rows, pairs, method.by, threads, options.control, take);
  }
  distances_by_labels(factor, rows.sign(), pairs, method.stored, threads, options.control, take);
}

}  // namespace

std::vector<double> Result::distances(std::span<const VertexPair> pairs,
                                      const PairsOptions& options) const {
  if (state_->is_partial()) {
    for (const VertexPair& pair : pairs) {
      api::check_vertex(vertex_count(), pair.from);
      api::check_vertex(vertex_count(), pair.to);
    }
    if (auto found = state_->opened->distances(pairs)) return *std::move(found);
  }
  const State& of = whole();
  of.matrix();
  for (const VertexPair& pair : pairs) {
    of.row_of(pair.from);
    of.column_of(pair.to);
  }
  if (of.factor == nullptr)
    return grouped(of, pairs, options, of.columns->count() / kValuesOfAPair);
  std::vector<double> found(pairs.size());
  const int threads = system::thread_count(options.threads);
  for (std::size_t first = 0; first < pairs.size(); first += kMostPairs) {
    const auto some = pairs.subspan(first, std::min(kMostPairs, pairs.size() - first));
    ask_factor(*of.factor, some, options, threads, [&](std::size_t i, const void* value) {
      found[first + i] = of.as_distance(some[i], value);
    });
  }
  return found;
}

namespace {

/// The distinct vertices at one end of the pairs, sorted.
std::vector<Vertex> ends_of(std::span<const VertexPair> pairs, Vertex VertexPair::*end) {
  std::vector<Vertex> ends;
  ends.reserve(pairs.size());
  for (const VertexPair& pair : pairs) ends.push_back(pair.*end);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

class PickedPairs {
 public:
  PickedPairs(std::span<const VertexPair> pairs, Semiring semiring, std::int64_t n,
              const store::VertexList& targets)
      : pairs_(pairs),
        semiring_(semiring),
        columns_(n, targets),
        by_source_(pairs),
        distances_(pairs.size()) {}

  void take(const RowBlock& rows) {
    const auto* row = static_cast<const std::byte*>(rows.values);
    for (const Vertex source : rows.sources) {
      for (const std::size_t i : by_source_.of(by_source_.place(source))) {
        const Vertex target = pairs_[i].to;
        const auto* const value = row + *columns_.of(target) * size_of(rows.type);
        distances_[i] = paths::as_double(semiring_, rows.type, value, source == target);
      }
      row += rows.stride * size_of(rows.type);
    }
  }
  std::vector<double> distances() && { return std::move(distances_); }

 private:
  std::span<const VertexPair> pairs_;
  Semiring semiring_;
  store::Positions columns_;
  flow::PairsBySource by_source_;
  std::vector<double> distances_;  // [pairs]
};

/// Whether reversed rows of the targets cost less. Not if a negative cycle may have to be reported.
bool fewer_against(const Graph& graph, Semiring semiring, std::size_t sources,
                   std::size_t targets) {
  constexpr std::size_t kRowsOfTurning = 2;  // reversing the graph costs some searches
  return !graph.symmetric() && graph.matrix() == nullptr && targets * kRowsOfTurning < sources &&
         !planner::needs_potentials(graph, semiring);
}

/// Memory for labels of the pairs, in addition to that of the solve.
std::int64_t memory_left(const SolveOptions& options, const SolveReport& report) {
  if (options.machine.memory == 0) return 0;
  return std::max<std::int64_t>(1, options.machine.memory - report.bytes_planned);
}

std::vector<double> found_along(const Graph& graph, std::span<const VertexPair> pairs,
                                SolveOptions options) {
  PickedPairs picked(pairs, options.question.semiring, graph.vertex_count(),
                     options.question.targets);
  options.question.pairs = std::ssize(pairs);
  options.consumer.on_rows = [&](const RowBlock& rows) { picked.take(rows); };
  const Result result = solve(graph, options);
  if (result.kept() == Keep::factor) {
    return result.distances(pairs, {.memory = memory_left(options, result.report()),
                                    .threads = options.machine.threads,
                                    .control = options.control});
  }
  return std::move(picked).distances();
}

}  // namespace

std::vector<double> distances(const Graph& graph, std::span<const VertexPair> pairs,
                              const SolveOptions& options) {
  for (const VertexPair& pair : pairs) {
    api::check_vertex(graph, pair.from);
    api::check_vertex(graph, pair.to);
  }
  if (pairs.empty()) return {};
  SolveOptions asked = api::for_answers(options, Keep::automatic);
  if (asked.machine.memory > 0) {
    constexpr std::int64_t kPair = 48;  // ends, twice if reversed; index, distance
    asked.machine.memory =
        std::max<std::int64_t>(1, asked.machine.memory - kPair * std::ssize(pairs));
  }
  asked.question.sources = ends_of(pairs, &VertexPair::from);
  asked.question.targets = ends_of(pairs, &VertexPair::to);
  if (!fewer_against(graph, options.question.semiring, asked.question.sources.size(),
                     asked.question.targets.size())) {
    return found_along(graph, pairs, std::move(asked));
  }
  std::swap(asked.question.sources, asked.question.targets);
  std::vector<VertexPair> reversed_pairs(pairs.begin(), pairs.end());
  for (VertexPair& pair : reversed_pairs) std::swap(pair.from, pair.to);
  if (asked.machine.memory > 0) {
    asked.machine.memory = std::max<std::int64_t>(1, asked.machine.memory - graph.memory_bytes());
  }
  return found_along(graph::reversed(graph), reversed_pairs, std::move(asked));
}

}  // namespace apsp
