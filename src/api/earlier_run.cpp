#include "api/earlier_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "io/formats.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/dense_candidates.hpp"
#include "planner/memory.hpp"
#include "rates/machine_report.hpp"
#include "store/crc32c.hpp"

namespace apsp::api {
namespace {

using nlohmann::json;

store::Recipe recipe_of(const Graph& graph, const planner::Plan& plan,
                        const SolveOptions& options) {
  json chosen = {
      {"algorithm", name(plan.algorithm)},
      {"semiring", name(options.question.semiring)},
      {"dtype", options.method.value_type ? json(name(*options.method.value_type)) : json(nullptr)},
      {"compress", options.storage.compress},
      {"predecessors", options.question.predecessors},
      {"statistics", options.question.statistics},
      {"tile", options.method.tile}};
  if (!plan.rows()) {
    // The matrix has all vertices; the selection applies to the output.
    chosen["steps"] = {{"width", plan.on_disk() ? plan.on_disk()->width : plan.tile()},
                       {"tile", plan.tile()},
                       {"sources", options.question.sources},
                       {"targets", options.question.targets}};
  }
  return {graph.digest(), std::string(name(plan.algorithm)), rounding_of(plan),
          base::json_text(chosen)};
}

/// Reads the options in the journal of an earlier run. Throws `Error` (input) if malformed.
template <class Read>
auto from_recipe(const store::Resumable& earlier, Read read) {
  try {
    return read(base::json_of(earlier.contents.head.recipe.options));
  } catch (const json::exception& error) {
    throw Error::malformed({store::join(earlier.partial, store::kJournalName), 0, 0}, error.what());
  }
}

constexpr std::string_view kOfGpus = "CUDA";

std::string kernels_of(const planner::Plan& plan) {
  return plan.on_device ? std::string(kOfGpus) : kernels::cpu::instruction_set();
}

/// Opens the matrix that `earlier` left, or creates one, with `band` rows a band.
std::unique_ptr<store::DiskMatrix> open_bands(const Graph& graph, const planner::Plan& plan,
                                              const SolveOptions& options,
                                              const std::optional<store::Resumable>& earlier,
                                              std::int64_t band) {
  store::FileSystem& files = store::posix_file_system();
  const store::JournalHead head{.layout = {plan.n, plan.type, plan.semiring, band},
                                .recipe = recipe_of(graph, plan, options)};
  if (earlier) return std::make_unique<store::DiskMatrix>(files, *earlier, head);
  return std::make_unique<store::DiskMatrix>(files, options.storage.output, head, graph);
}

}  // namespace

/// Rounded sums depend on the order of elimination and the instruction set, not on selections.
std::string rounding_of(const planner::Plan& plan) {
  if (plan.unit_roundoff == 0) return {};
  if (plan.on_disk()) {
    return fmt::format("steps of {}, tiles of {}, apsp {}, {}", plan.on_disk()->width,
                       plan.on_disk()->tile, rates::version(), kernels_of(plan));
  }
  if (!plan.rows()) {
    return fmt::format("tiles of {}, apsp {}, {}", plan.tile(), rates::version(), kernels_of(plan));
  }
  if (plan.rows()->tree() == nullptr) return {};
  const sparse::Tree& tree = *plan.rows()->tree();
  std::vector<sparse::Position> first;
  first.reserve(static_cast<std::size_t>(tree.supernodes()));
  for (sparse::SupernodeId s = 0; s < tree.supernodes(); ++s) first.push_back(tree.first(s));
  const std::span order(tree.order().vertex_at);
  return fmt::format("order {:08x}, supernodes {:08x}, apsp {}, {}",
                     store::crc32c(std::as_bytes(order)),
                     store::crc32c(std::as_bytes(std::span(first))), rates::version(),
                     kernels::cpu::instruction_set());
}

std::optional<store::Resumable> earlier_run(const SolveOptions& options) {
  refuse_if(options.storage.resume && options.storage.overwrite,
            "`resume` and `overwrite` exclude each other");
  refuse_if(options.storage.resume && !store::is_zarr(options.storage.output) &&
                !options.storage.output.ends_with(".npy"),
            "`resume` is for a .zarr or an .npy: name it with `output=OUT.zarr`");
  refuse_if(
      options.storage.output.empty() && (options.storage.overwrite || options.storage.disk > 0),
      "{} is about an output, and none is named: leave it out, or add `output=OUT.zarr`",
      options.storage.overwrite ? "`overwrite`" : "`disk`");
  store::FileSystem& files = store::posix_file_system();
  if (options.storage.output.empty() ||
      files.kind(store::parent_of(options.storage.output)) != store::FileKind::directory) {
    return std::nullopt;  // opening the output reports this
  }
  std::optional<store::Resumable> earlier = store::find_resumable(files, options.storage.output);
  if (!earlier || options.storage.resume) return earlier;
  const store::JournalContents& left = earlier->contents;
  refuse_if(!options.storage.overwrite,
            "{0}: an earlier run left {1} of {2} {3}. `resume` continues from them, `overwrite` "
            "starts over, apsp clean {0} removes them",
            options.storage.output, base::format_count(left.done()), base::format_count(left.all()),
            left.unit());
  store::clean_leftovers(files, options.storage.output);
  return std::nullopt;
}

std::optional<store::Resumable> earlier_run(engine::ProcessGroup& group,
                                            const SolveOptions& options) {
  std::optional<store::Resumable> earlier;
  group.in_first([&] { earlier = earlier_run(options); });
  const std::string place = group.share_text(earlier ? earlier->partial : std::string());
  group.run_local([&] {
    if (group.first() || place.empty()) return;
    auto contents = store::read_journal(store::posix_file_system(), place);
    if (!contents) throw store::not_shared(place);
    earlier = store::Resumable{options.storage.output, place, *std::move(contents)};
  });
  return earlier;
}

SolveOptions options_of(const store::Resumable& earlier, SolveOptions options) {
  options.storage.output = earlier.output;
  const store::Selection& selection = earlier.contents.head.layout.selection;
  options.question.sources = selection.sources.listed();
  options.question.targets = selection.targets.listed();
  options.storage.resume = true;
  from_recipe(earlier, [&](const json& chosen) {
    const auto text = [&](const char* key) { return chosen.at(key).get<std::string>(); };
    options.method.algorithm = parse_algorithm(text("algorithm")).value_or(Algorithm::automatic);
    options.question.semiring = parse_semiring(text("semiring")).value_or(Semiring::min_plus);
    options.method.value_type.reset();
    if (!chosen.at("dtype").is_null()) options.method.value_type = parse_value_type(text("dtype"));
    options.storage.compress = chosen.at("compress").get<bool>();
    options.question.predecessors = chosen.at("predecessors").get<bool>();
    options.question.statistics = chosen.at("statistics").get<bool>();
    options.method.tile = chosen.at("tile").get<std::int64_t>();
    if (chosen.contains("steps")) {
      chosen.at("steps").at("sources").get_to(options.question.sources);
      chosen.at("steps").at("targets").get_to(options.question.targets);
    }
  });
  return options;
}

void require_graph_of(const store::Resumable& earlier, const Graph& graph) {
  store::JournalHead here = earlier.contents.head;
  here.layout.n = graph.vertex_count();
  here.recipe.graph = graph.digest();
  store::require_same(earlier, here);
}

SolveOptions decided_by(const store::Resumable& earlier, SolveOptions options) {
  if (options.method.algorithm == Algorithm::automatic) {
    options.method.algorithm = options_of(earlier).method.algorithm;
  }
  const ValueType type = earlier.contents.head.layout.type;
  if (!options.method.value_type && (type == ValueType::f32 || type == ValueType::f64)) {
    options.method.value_type = type;  // the choice for real values may differ now
  }
  if (options.storage.stored == Keep::automatic) options.storage.stored = Keep::matrix;
  const std::string& rounding = earlier.contents.head.recipe.rounding;
  if (earlier.contents.checkpoint && !rounding.empty() &&
      options.machine.device == Device::automatic) {
    options.machine.device = rounded_by_gpus(earlier) ? Device::cuda : Device::cpu;
  }
  if (earlier.contents.checkpoint) {  // its disk space is already allocated
    options.storage.disk = std::numeric_limits<std::int64_t>::max();
  }
  if (options.storage.disk == 0) {  // complete rows are not written again
    const store::Layout& layout = earlier.contents.head.layout;
    const std::int64_t held = earlier.contents.done() * layout.cols() * size_of(layout.type);
    const std::int64_t free = planner::allowed_disk(options);
    options.storage.disk = free + std::min(held, std::numeric_limits<std::int64_t>::max() - free);
  }
  return options;
}

void require_begun_by(const store::Resumable& earlier, bool several) {
  const std::string& rounding = earlier.contents.head.recipe.rounding;
  const bool by_several = rounding.starts_with("tiles"), by_one = rounding.starts_with("steps");
  if (several ? !by_one : !by_several) return;
  throw usage_error(
      "{0}: {1} started this run, and {2} would round sums in another order; "
      "continue with {1} and `resume`",
      earlier.output, several ? "one process" : "several processes", several ? "several" : "one");
}

planner::Plan plan_again(const store::Resumable& earlier, const planner::PlanRequest& asked,
                         const planner::Plan& plan) {
  require_begun_by(earlier, false);
  return from_recipe(earlier, [&](const json& chosen) {
    const json& steps = chosen.at("steps");
    return planner::on_disk_again(asked, plan,
                                  {.tile = steps.at("tile").get<std::int64_t>(),
                                   .band = earlier.contents.head.layout.tile,
                                   .width = steps.at("width").get<std::int64_t>(),
                                   .pivots = earlier.contents.checkpoint->pivots});
  });
}

std::unique_ptr<store::DiskMatrix> open_matrix(const Graph& graph, const planner::Plan& plan,
                                               const SolveOptions& options,
                                               const std::optional<store::Resumable>& earlier) {
  return open_bands(graph, plan, options, earlier, plan.on_disk()->band);
}

bool rounded_by_gpus(const store::Resumable& earlier) {
  return earlier.contents.head.recipe.rounding.ends_with(kOfGpus);
}

std::int64_t tile_of(const store::Resumable& earlier) {
  return from_recipe(earlier, [](const json& chosen) {
    return chosen.at("steps").at("tile").get<std::int64_t>();
  });
}

std::unique_ptr<store::DiskMatrix> open_checkpoints(
    const Graph& graph, const planner::Plan& plan, const SolveOptions& options,
    const std::optional<store::Resumable>& earlier) {
  return open_bands(graph, plan, options, earlier,
                    earlier ? earlier->contents.head.layout.tile : plan.tile());
}

bool fills_by_rows(const planner::Plan& plan, const SolveOptions& options) {
  return plan.rows() && !plan.keeps_matrix() && plan.stored == Keep::matrix &&
         store::is_zarr(options.storage.output);
}

std::unique_ptr<store::Store> open_output(const Graph& graph, const planner::Plan& plan,
                                          const SolveOptions& options, const store::Layout& layout,
                                          const std::optional<store::Resumable>& earlier) {
  if (store::is_zarr(options.storage.output)) io::require_utf8_names(graph, options.storage.output);
  if (plan.on_disk())
    return store::create_store(options.storage.output, layout, {options.storage.compress, nullptr});
  const bool by_rows = fills_by_rows(plan, options);
  refuse_if(earlier && !by_rows,
            "{}: the earlier run kept rows, and this solve keeps a matrix in memory "
            "(StorageOptions::keep)",
            options.storage.output);
  const store::Recipe recipe = by_rows ? recipe_of(graph, plan, options) : store::Recipe{};
  if (earlier) {
    return store::resume_store(store::posix_file_system(), *earlier,
                               {layout, options.storage.compress, recipe}, graph);
  }
  std::unique_ptr<store::Store> output =
      store::create_store(options.storage.output, layout, {options.storage.compress, nullptr});
  if (by_rows) output->keep_journal(graph, recipe);
  return output;
}

}  // namespace apsp::api
