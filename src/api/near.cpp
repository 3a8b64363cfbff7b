// Near pairs, accessibility, nearest facilities (apsp/near.hpp): checks, memory, computation.
#include "api/near.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/near.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "api/result.hpp"
#include "base/control.hpp"
#include "base/json.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "engine/near_rows.hpp"
#include "engine/row_producer.hpp"
#include "graph/derived_graphs.hpp"
#include "graph/weight_check.hpp"
#include "near/accessibility.hpp"
#include "near/nearest_places.hpp"
#include "near/reach_sets.hpp"
#include "planner/value_type.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp {
namespace {

std::vector<Vertex> sources_of(const Graph& graph, const NearOptions& options) {
  const store::VertexList sources(options.sources);
  store::require_distinct(sources, graph.vertex_count(), "sources");
  return sources.of(graph.vertex_count());
}

/// Integers are added exactly if no sum reaches 2^53.
void check_sums(std::span<const double> column, std::size_t number) {
  constexpr double kExact = 0x1p53;
  const auto whole = [](double quantity) { return std::floor(quantity) == quantity; };
  if (!std::ranges::all_of(column, whole)) return;
  double sum = 0;
  for (const double quantity : column) {
    sum += std::abs(quantity);
    refuse_if(sum >= kExact,
              "column {} of the quantities adds up to 2^53 or more, where whole numbers have no "
              "exact sums: give them in a larger unit, such as thousands",
              number);
  }
}

void check_question(const Graph& graph, std::span<const double> quantities,
                    std::span<const double> limits, const Decay& decay) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  refuse_if(quantities.empty() ? n > 0 : n == 0 || quantities.size() % n != 0,
            "each column of quantities has a value for each of the {} vertices, and there are {} "
            "values",
            n, quantities.size());
  for (const double quantity : quantities) {
    refuse_if(!std::isfinite(quantity), "a quantity must be finite, not {}", quantity);
  }
  refuse_if(limits.empty(), "no limit is given: how far may a path be?");
  for (const double limit : limits) {
    refuse_if(!(limit >= 0), "the limit must be at least 0, not {}", limit);
  }
  for (std::size_t begin = 0; decay.kind == Decay::Kind::none && begin < quantities.size();
       begin += n) {
    check_sums(quantities.subspan(begin, n), begin / n + 1);
  }
  refuse_if(
      decay.kind != Decay::Kind::none && decay.kind != Decay::Kind::linear && !(decay.scale > 0),
      "the scale of the decay must be above 0, not {}", decay.scale);
}

/// Searches need arcs and a row for each thread, before it is known how much is near.
void require_searches(const Graph& graph, const NearOptions& options) {
  constexpr double kArc = 12, kVertex = 24;
  const auto n = static_cast<double>(graph.vertex_count());
  const auto threads = static_cast<double>(system::thread_count(options.threads));
  const double bytes = kArc * static_cast<double>(graph.arc_count()) + n * kVertex * (1 + threads);
  system::require_memory(bytes, "searches of the graph", "take fewer threads, or a smaller graph",
                         options.memory);
}

double workers_bytes(const Graph& graph, const NearOptions& options) {
  constexpr double kVertex = 40;  // a thread's distances, queue and rows
  return kVertex * static_cast<double>(graph.vertex_count()) *
         static_cast<double>(system::thread_count(options.threads));
}

/// Finds the sets, for which memory is planned. `more`: bytes for each pair in addition.
std::unique_ptr<near::ReachSets> reach_sets(engine::NearRows& rows, const Graph& graph,
                                            double limit, bool distances, double more,
                                            const std::vector<Vertex>& sources,
                                            const NearOptions& options) {
  const int threads = system::thread_count(options.threads);
  auto sets =
      std::make_unique<near::ReachSets>(graph.vertex_count(), rows.type(), limit, distances);
  const double count = rows.reached() * static_cast<double>(sources.size());
  system::plan_memory(sets->expected_bytes(std::ssize(sources), rows.reached(), threads) +
                          count * more + workers_bytes(graph, options),
                      fmt::format("some {:.3g} pairs within the limit", count),
                      "take a smaller limit, or fewer sources", options.memory);
  sets->allow(options.memory > 0 ? options.memory - system::kept_memory()
                                 : system::available_memory());
  rows.give(sources, *sets);
  sets->finish();
  return sets;
}

/// Plans the memory of sums of so many sources.
void plan_sums(const near::AccessibilityQuestion& question, std::size_t sources, double more,
               const NearOptions& options) {
  const std::size_t columns = question.quantities.size() /
                              std::max<std::size_t>(1, static_cast<std::size_t>(question.vertices));
  const double answers = 8.0 * static_cast<double>(sources * question.limits.size() * columns);
  system::plan_memory(2 * answers + more, "sums of what can be reached",
                      "take fewer limits, quantities or sources", options.memory);
}

}  // namespace

SparseDistances api::within_among(const planner::FindDevices& find, const Graph& graph,
                                  double limit, const NearOptions& options) {
  const std::vector<Vertex> sources = sources_of(graph, options);
  require_searches(graph, options);
  engine::NearRows rows(find, graph, limit, options);
  constexpr double kBytesOfPair = 12;
  const auto sets = reach_sets(rows, graph, limit, true, kBytesOfPair, sources, options);
  SparseDistances found = sets->rows(sources, system::thread_count(options.threads));
  found.algorithm = rows.algorithm();
  found.on_device = rows.on_device();
  return found;
}

Graph reversed(const Graph& graph) {
  if (!graph.directed()) return graph;
  GraphBuilder builder = graph::reversed_arcs(graph);
  builder.set_first_id(graph.first_id());
  if (!graph.labels().empty()) {
    builder.set_distinct_labels({graph.labels().begin(), graph.labels().end()});
  }
  return std::move(builder).build();
}

SparseDistances within(const Graph& graph, double limit, const NearOptions& options) {
  const Cancellable listening(options.control.cancellation);
  return api::within_among(planner::cuda_devices, graph, limit, options);
}

std::vector<double> access(const Graph& graph, std::span<const double> quantities,
                           std::span<const double> limits, Decay decay,
                           const NearOptions& options) {
  const Cancellable listening(options.control.cancellation);
  refuse_if(options.device == Device::cuda,
            "sums of what can be reached are found on the CPU, sooner than on a GPU: leave the "
            "device out");
  check_question(graph, quantities, limits, decay);
  const std::vector<Vertex> sources = sources_of(graph, options);
  NearOptions here = options;
  here.device = Device::cpu;
  require_searches(graph, options);
  engine::NearRows rows(planner::cuda_devices, graph,
                        *std::max_element(limits.begin(), limits.end()), here);
  const near::AccessibilityQuestion question{graph.vertex_count(), quantities, limits, decay};
  plan_sums(question, sources.size(), workers_bytes(graph, options), options);
  near::AccessibilitySums sums(question, rows.type());
  rows.give(sources, sums);
  return sums.sums(sources);
}

struct Reach::Kept {
  Graph graph;
  double limit;
  NearOptions options;  // for the CPU
  std::vector<Vertex> sources;
  std::unique_ptr<near::ReachSets> sets{};
};

Reach::Reach(const Graph& graph, double limit, bool distances, const NearOptions& options) {
  const Cancellable listening(options.control.cancellation);
  refuse_if(std::isinf(limit), "the limit must be finite: solve the graph for all distances");
  kept_ = std::make_unique<Kept>(Kept{graph, limit, options, sources_of(graph, options)});
  kept_->options.device = Device::cpu;
  require_searches(graph, options);
  engine::NearRows rows(planner::cuda_devices, graph, limit, kept_->options);
  kept_->sets = reach_sets(rows, graph, limit, distances, 0, kept_->sources, options);
}

Reach::~Reach() = default;
Reach::Reach(Reach&& other) noexcept = default;
Reach& Reach::operator=(Reach&& other) noexcept = default;

std::int64_t Reach::pairs() const { return kept_->sets->pairs(); }
std::int64_t Reach::bytes() const { return kept_->sets->bytes(); }

std::vector<double> Reach::sums(std::span<const double> quantities, std::span<const double> limits,
                                Decay decay, const Control& control) const {
  const Cancellable listening(control.cancellation);
  if (limits.empty()) limits = {&kept_->limit, 1};
  check_question(kept_->graph, quantities, limits, decay);
  for (const double limit : limits) {
    refuse_if(limit > kept_->limit, "the limit {} is above {}, the limit of what is kept", limit,
              kept_->limit);
  }
  const near::AccessibilityQuestion question{kept_->graph.vertex_count(), quantities, limits,
                                             decay};
  refuse_if(!kept_->sets->answers(question),
            "smaller limits and decays need the distances, which were not kept");
  const double by_vertex = 8.0 * static_cast<double>(quantities.size() * (1 + limits.size()));
  plan_sums(question, kept_->sources.size(), by_vertex, kept_->options);
  return kept_->sets->sums(question, kept_->sources, system::thread_count(kept_->options.threads));
}

NearestPlaces nearest(const Graph& graph, std::span<const Vertex> places, std::int64_t k,
                      Towards towards, const Control& control, std::int64_t memory) {
  const Cancellable listening(control.cancellation);
  refuse_if(k < 1, "the number of nearest places must be at least 1, not {}", k);
  refuse_if(places.empty(), "the list of places is empty");
  constexpr std::size_t kMostPlaces = std::size_t{1} << 31;  // limit of a label
  refuse_if(places.size() >= kMostPlaces, "there are {} places, and at most {} can be found",
            places.size(), kMostPlaces - 1);
  for (const Vertex place : places) api::check_vertex(graph, place);
  graph::require_non_negative(graph, "the nearest places need",
                              "correct it, or take distances to the places from a solve");
  planner::require_exact_integers(graph, Semiring::min_plus, system::thread_count(0), control);
  system::plan_memory(near::nearest_places_bytes(graph, k),
                      fmt::format("the {} nearest places of each vertex", k), "ask for fewer",
                      memory);
  return near::nearest_places(graph, places, k, towards == Towards::places, system::thread_count(0),
                              control);
}

namespace {

constexpr const char *kIndptr = "within/indptr", *kIndices = "within/indices",
                     *kData = "within/data";

/// Encoding of a sparse matrix in compressed rows, by AnnData.
nlohmann::json encoding(std::int64_t rows, std::int64_t columns, double limit) {
  return {{"encoding-type", "csr_matrix"},
          {"encoding-version", "0.1.0"},
          {"shape", {rows, columns}},
          {"limit", limit}};
}

store::Layout layout_of(const Graph& graph, std::span<const Vertex> sources) {
  constexpr std::int64_t kTile = 1024;
  store::Layout layout{.n = graph.vertex_count(), .type = ValueType::f64, .planes = {}};
  layout.tile = std::clamp<std::int64_t>(layout.n, 1, kTile);
  layout.selection.sources = std::vector<Vertex>(sources.begin(), sources.end());
  return layout;
}

}  // namespace

std::optional<api::StoredPairs> api::read_near_pairs(const std::string& path) {
  const std::unique_ptr<store::Store> stored = store::open_store(path);
  const std::vector<store::Array> arrays = stored->arrays();
  const auto read = [&]<class T>(const char* name, std::vector<T>& values) {
    const auto array = std::ranges::find(arrays, name, &store::Array::name);
    if (array == arrays.end()) return false;
    values.resize(static_cast<std::size_t>(array->length));
    stored->read_array(*array, values.data());
    return true;
  };
  std::vector<std::int32_t> begins, targets;
  StoredPairs found;
  const std::optional<Graph> graph = stored->graph();
  if (!graph || !read(kIndptr, begins) || !read(kIndices, targets) ||
      !read(kData, found.pairs.distances)) {
    return std::nullopt;
  }
  const auto attributes = base::parsed_json(stored->metadata().attributes);
  if (!attributes.contains("within")) return std::nullopt;
  found.graph = *graph;
  found.limit = attributes["within"].value("limit", 0.0);
  found.sources = stored->layout().selection.sources.listed();
  found.pairs.vertices = graph->vertex_count();
  found.pairs.row_begin.assign(begins.begin(), begins.end());
  found.pairs.targets.assign(targets.begin(), targets.end());
  return found;
}

bool api::holds_near_pairs(const store::Store& stored) {
  const std::vector<store::Array> arrays = stored.arrays();
  return std::ranges::count(arrays, kData, &store::Array::name) > 0;
}

void api::require_all_pairs(const store::Store& stored, const std::string& path) {
  refuse_if(holds_near_pairs(stored),
            "{} holds near pairs, not all distances: read its group 'within' "
            "as a sparse matrix",
            path);
}

void write_zarr(const SparseDistances& pairs, const Graph& graph, double limit,
                std::span<const Vertex> sources, const std::string& path, const Control& control) {
  const std::int64_t count = std::ssize(pairs.targets), rows = std::ssize(pairs.row_begin) - 1;
  refuse_if(!store::is_zarr(path), "{}: near pairs go to a .zarr here", path);
  refuse_if(count > std::numeric_limits<std::int32_t>::max() ||
                pairs.vertices > std::numeric_limits<std::int32_t>::max(),
            "{}: a .zarr takes fewer than 2^31 near pairs and vertices: name an .npz or a .parquet",
            path);
  const auto target = store::create_store(path, layout_of(graph, sources));
  const std::vector<std::int32_t> begins(pairs.row_begin.begin(), pairs.row_begin.end());
  const std::string attributes = base::json_text(encoding(rows, pairs.vertices, limit));
  const auto put = [&](const char* name, ValueType type, std::int64_t length, const char* dimension,
                       const void* values) {
    base::check_cancelled(control);
    target->write_array({.name = name,
                         .type = type,
                         .length = length,
                         .dimension = dimension,
                         .folder_attributes = attributes},
                        values);
  };
  put(kIndptr, ValueType::i32, rows + 1, "row_boundary", begins.data());
  put(kIndices, ValueType::i32, count, "pair", pairs.targets.data());
  put(kData, ValueType::f64, count, "pair", pairs.distances.data());
  const nlohmann::json about = {{"limit", limit}, {"algorithm", name(pairs.algorithm)}};
  target->commit(graph, {base::json_text(nlohmann::json{{"within", about}}), {}});
}

}  // namespace apsp
