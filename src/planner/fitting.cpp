#include "planner/fitting.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/machine.hpp"
#include "base/units.hpp"
#include "planner/memory.hpp"
#include "planner/value_type.hpp"
#include "store/store.hpp"

namespace apsp::planner {
namespace {

/// The plan of a solve with other options; none where it cannot be solved so.
std::optional<Plan> planned(const Graph& graph, const SolveOptions& options,
                            const FindDevices& find) {
  try {
    return find_plan(graph, options, find);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

using Change = std::function<void(SolveOptions&)>;
using Changes = std::vector<std::pair<std::string, Change>>;

/// A plane of 4 bytes a pair less.
void add_planes(const SolveOptions& options, Changes& list) {
  if (options.predecessors) {
    list.emplace_back("leaving --predecessors out, as paths do not need them",
                      [](SolveOptions& other) { other.predecessors = false; });
  }
  if (options.via || options.hops) {
    list.emplace_back(
        options.hops ? "leaving --hops out" : "leaving --via out, as paths do not need it",
        [](SolveOptions& other) { other.via = other.hops = false; });
  }
}

/// The factor in place of all distances.
void add_factor(const SolveOptions& options, Changes& list) {
  if (options.keep == Keep::factor || options.stored == Keep::factor) return;
  if (!options.sources.empty() || !options.targets.empty()) return;  // it is of all pairs
  const bool has_output = store::is_zarr(options.output);
  list.emplace_back(has_output ? "--keep factor" : "--keep factor -o OUT.zarr",
                    [=](SolveOptions& other) {
                      other.keep = Keep::statistics;
                      other.stored = Keep::factor;
                      if (!has_output) other.output = "distances.zarr";
                      other.predecessors = other.via = other.hops = false;
                    });
}

/// Changes of one option each, the one that gives most away last.
Changes changes(const SolveOptions& options, const Plan& plan, ValueType narrowest) {
  Changes list;
  if (size_of(narrowest) < size_of(plan.type)) {
    list.emplace_back(fmt::format("--dtype {}", name(narrowest)),
                      [=](SolveOptions& other) { other.value_type = narrowest; });
  }
  if (options.algorithm != Algorithm::automatic) {
    list.emplace_back("--algorithm auto",
                      [](SolveOptions& other) { other.algorithm = Algorithm::automatic; });
  }
  if (options.device == Device::cuda) {
    list.emplace_back("--device auto",
                      [](SolveOptions& other) { other.device = Device::automatic; });
  }
  add_planes(options, list);
  if (options.keep == Keep::matrix || options.output.empty()) {
    list.emplace_back("the matrix on disk (-o OUT.zarr)", [](SolveOptions& other) {
      other.keep = Keep::statistics;
      if (other.output.empty()) other.output = "distances.zarr";
    });
  }
  if (!plan.fits_disk()) {
    list.emplace_back(fmt::format("-o on a disk with {} free", base::format_bytes(plan.bytes_disk)),
                      [bytes = plan.bytes_disk](SolveOptions& other) { other.disk = bytes; });
  }
  add_factor(options, list);
  if (options.statistics && options.keep == Keep::factor) {
    list.emplace_back("--no-statistics", [](SolveOptions& other) { other.statistics = false; });
  }
  return list;
}

/// At most `number`, its first two digits.
std::int64_t round_number(double number) {
  constexpr double kDigits = 10;
  const double unit = std::pow(10.0, std::floor(std::log10(std::max(1.0, number / kDigits))));
  return static_cast<std::int64_t>(std::floor(number / unit) * unit);
}

/// Of what `used` grows to from `few` to `many` sources, how far `allowed` reaches. Bytes are the
/// largest of some lines, so that none between the two lies above the chord.
double share_of(std::int64_t used_by_few, std::int64_t used_by_many, std::int64_t allowed) {
  if (used_by_many <= allowed) return 1;
  return static_cast<double>(allowed - used_by_few) /
         static_cast<double>(used_by_many - used_by_few);
}

/// How many sources would fit, as found by some plans, each of more sources than the last one that
/// fitted; 0: not even one.
std::int64_t sources_that_fit(const Graph& graph, SolveOptions options, const Plan& plan,
                              const FindDevices& find) {
  constexpr int kPlans = 3;
  if (options.stored == Keep::automatic) options.stored = Keep::matrix;
  std::vector<Vertex> all = options.sources;
  if (all.empty()) {
    all.resize(static_cast<std::size_t>(plan.n));
    std::iota(all.begin(), all.end(), Vertex{0});
  }
  const auto plan_of = [&](std::int64_t count) {
    options.sources.assign(all.begin(), all.begin() + count);
    return planned(graph, options, find);
  };
  const std::int64_t many = std::ssize(all);
  std::int64_t few = 1;
  if (many < 2) return 0;
  std::optional<Plan> fitting = plan_of(few);
  if (!fitting || !fitting->fits()) return 0;
  const std::optional<Plan> most = plan_of(many - 1);
  if (!most) return 0;
  for (int i = 0; i < kPlans; ++i) {
    const double share =
        std::min(share_of(fitting->bytes, most->bytes, most->bytes_allowed),
                 share_of(fitting->bytes_disk, most->bytes_disk, most->bytes_disk_allowed));
    const std::int64_t next =
        round_number(static_cast<double>(few) + share * static_cast<double>(many - 1 - few));
    if (next <= few) break;
    std::optional<Plan> more = plan_of(next);
    if (!more || !more->fits()) break;
    few = next;
    fitting = std::move(more);
  }
  return few;
}

/// What is short, and by how much.
std::string shortage(const Plan& plan) {
  std::string text;
  if (!plan.fits_memory()) {
    text = fmt::format("{} vertices need {} as {} and {} may be used. ", base::format_count(plan.n),
                       base::format_bytes(plan.bytes), name(plan.type),
                       base::format_bytes(plan.bytes_allowed));
  }
  if (!plan.fits_disk()) {
    text += fmt::format(
        "The output takes {} as {}, before any compression, and its disk has room for {}. ",
        base::format_bytes(plan.bytes_disk),
        plan.stored == Keep::factor ? "a factor" : name(plan.type),
        base::format_bytes(plan.bytes_disk_allowed));
  }
  return text;
}

}  // namespace

std::string what_would_fit(const Graph& graph, const SolveOptions& options, const Plan& plan,
                           const FindDevices& find) {
  const ValueType narrowest =
      choose_value_type(graph, plan.semiring, {}, plan.threads, options.control).type;
  std::string ways;
  const auto add = [&](const std::string& words) { ways += (ways.empty() ? "" : ", or ") + words; };
  for (const auto& [words, change] : changes(options, plan, narrowest)) {
    SolveOptions other = options;
    change(other);
    const std::optional<Plan> changed = planned(graph, other, find);
    if (changed && changed->fits()) add(words);
  }
  if (const std::int64_t sources = sources_that_fit(graph, options, plan, find); sources > 0) {
    add(fmt::format("fewer sources (--sources random:{})", sources));
  }
  std::string text = shortage(plan);
  if (!ways.empty()) text += "What would fit: " + ways + ". ";
  if (plan.fits_memory()) {
    return text +
           "Where --compress is known to help, --disk SIZE says how much the output may take";
  }
  const auto largest = static_cast<std::int64_t>(
      std::sqrt(static_cast<double>(plan.bytes_allowed) / size_of(plan.type)));
  if (plan.keeps_matrix() && largest < plan.n) {
    text += fmt::format("This memory is enough for a matrix of about {} vertices; ",
                        base::format_count(largest));
  }
  return text + advice(plan.bytes, base::total_memory());
}

}  // namespace apsp::planner
