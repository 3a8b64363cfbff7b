// Distances, paths and statistics of a solved graph.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <limits>
#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "api/kept_factor.hpp"
#include "api/result_state.hpp"
#include "base/machine.hpp"
#include "base/numbers.hpp"
#include "query/paths.hpp"
#include "query/statistics_pass.hpp"
#include "reference/verifier.hpp"
#include "store/copy_planes.hpp"
#include "store/row_source_store.hpp"

namespace apsp {

using api::check_vertex;

void api::check_vertex(const Graph& graph, Vertex v) {
  if (v < graph.vertex_count()) return;
  throw Error(ErrorKind::usage,
              fmt::format("vertex number {} in a graph of {}", v,
                          base::counted(graph.vertex_count(), "vertex", "vertices")));
}

store::Store& Result::State::matrix() const {
  if (store == nullptr) {
    throw Error(ErrorKind::usage,
                "this result keeps statistics alone; solve with an output, or keep the matrix or "
                "the factor (SolveOptions::keep)");
  }
  return *store;
}

void Result::State::keep(std::unique_ptr<elimination::FactorRows> of) {
  factor = std::move(of);
  store = std::make_unique<store::RowSourceStore>(*factor);
  layout = store->layout();
}

store::Metadata Result::State::metadata() const {
  store::Metadata metadata;
  nlohmann::json attributes = {{"report", api::to_json(report)}};
  if (statistics) {
    attributes["statistics"] = api::to_json(*statistics, graph);
    const auto add = [&](const char* name, const std::vector<double>& values) {
      if (!values.empty()) metadata.vertex_values.push_back({name, values});
    };
    add("eccentricity", statistics->eccentricity);
    add("closeness", statistics->closeness);
    add("harmonic", statistics->harmonic);
  }
  // Names of vertices may be in any encoding; JSON holds UTF-8 alone.
  metadata.attributes = attributes.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return metadata;
}

std::int64_t Result::State::row_of(Vertex source) const {
  check_vertex(graph, source);
  if (const auto row = rows->of(source)) return *row;
  throw Error(ErrorKind::usage,
              fmt::format("this result holds the distances from {} of {}, and {} is none "
                          "of them",
                          rows->count(), base::counted(graph.vertex_count(), "vertex", "vertices"),
                          graph.name(source)));
}

std::int64_t Result::State::column_of(Vertex target) const {
  check_vertex(graph, target);
  if (const auto column = columns->of(target)) return *column;
  throw Error(
      ErrorKind::usage,
      fmt::format("this result holds the distances to {} of {}, and {} is none of "
                  "them",
                  columns->count(), base::counted(graph.vertex_count(), "vertex", "vertices"),
                  graph.name(target)));
}

void Result::State::require_whole_rows(const char* what) const {
  if (layout.selection.targets.empty()) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} needs the distances to all vertices, and this result holds those to "
                          "{} of {}",
                          what, columns->count(), graph.vertex_count()));
}

Result::Result(std::unique_ptr<State> state) : state_(std::move(state)) {
  const std::int64_t n = state_->graph.vertex_count();
  state_->rows.emplace(n, state_->layout.selection.sources);
  state_->columns.emplace(n, state_->layout.selection.targets);
}
Result::Result(Result&&) noexcept = default;
Result& Result::operator=(Result&&) noexcept = default;
Result::~Result() = default;

const Graph& Result::graph() const { return state_->graph; }
std::int64_t Result::vertex_count() const { return state_->graph.vertex_count(); }
Semiring Result::semiring() const { return state_->layout.semiring; }
ValueType Result::value_type() const { return state_->layout.type; }
const SolveReport& Result::report() const { return state_->report; }
Keep Result::kept() const {
  if (state_->factor != nullptr) return Keep::factor;
  return state_->store != nullptr ? Keep::matrix : Keep::statistics;
}

std::span<const Vertex> Result::sources() const { return state_->layout.selection.sources; }
std::span<const Vertex> Result::targets() const { return state_->layout.selection.targets; }

std::optional<RowBlock> Result::matrix() const {
  if (state_->store == nullptr) return std::nullopt;
  const store::Store& store = *state_->store;
  const void* const values = store.data(store::Plane::distance);
  if (values == nullptr) return std::nullopt;
  return RowBlock{sources(), values, store.stride(), value_type()};
}

double Result::distance(Vertex s, Vertex t) const {
  const std::int64_t row = state_->row_of(s), column = state_->column_of(t);
  return query::read_value(state_->matrix(), row, column);
}

std::vector<double> Result::distances_from(Vertex s) const {
  const std::int64_t row = state_->row_of(s);
  state_->require_whole_rows("a row");
  return query::read_row(state_->matrix(), row);
}

bool Result::reachable(Vertex s, Vertex t) const {
  const double d = distance(s, t);
  if (semiring() == Semiring::or_and) return d != 0;
  const double none = no_path(semiring(), ValueType::f64);
  return s == t || d != none;
}

std::vector<std::int64_t> Result::predecessors(Vertex s) const {
  state_->require_whole_rows("a path");
  const std::vector<double> row = distances_from(s);
  return query::predecessors(graph(), semiring(), value_type(), s, row);
}

std::vector<Vertex> Result::path(Vertex s, Vertex t) const {
  check_vertex(graph(), t);
  return query::walk_back(predecessors(s), s, t);
}

const Statistics& Result::statistics(const Control& control) const {
  const std::lock_guard lock(state_->statistics_mutex);
  if (!state_->statistics) {
    state_->statistics =
        state_->factor != nullptr
            ? api::statistics_of(*state_->factor, graph(), control)
            : query::statistics(state_->matrix(), graph(), control, base::thread_count(0));
  }
  return *state_->statistics;
}

VerifyReport Result::verify(const VerifyOptions& options) const {
  return reference::verify(graph(), state_->matrix(), options);
}

void Result::save(const std::string& path, bool compress, const Control& control) const {
  store::CreateOptions options;
  options.compress = compress;
  store::Layout layout = state_->layout;
  const bool to_npy = path.ends_with(".npy");
  if (to_npy) layout.planes = {store::Plane::distance};
  const auto target = store::create_store(path, layout, options);
  for (const store::Plane plane : layout.planes) {
    store::copy_plane(plane, state_->matrix(), *target, base::thread_count(0), control);
  }
  target->commit(graph(), state_->metadata());
}

}  // namespace apsp
