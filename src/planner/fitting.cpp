#include "planner/fitting.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cctype>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/machine.hpp"
#include "base/units.hpp"
#include "planner/memory.hpp"
#include "planner/rows_choice.hpp"
#include "planner/value_type.hpp"
#include "store/store.hpp"

namespace apsp::planner {

namespace {

/// The plan of a solve with other options; none where it cannot be solved so.
std::optional<Plan> planned(const Graph& graph, const SolveOptions& options,
                            const FindDevices& find) {
  try {
    return try_plan({graph, options, find, RateSource(), false});
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

/// An option that a caller may change, in words of the command line.
struct Change {
  std::string words;
  std::function<void(SolveOptions&)> make;
};
using Changes = std::vector<Change>;

Change any_algorithm() {
  return {"--algorithm auto", [](SolveOptions& other) { other.algorithm = Algorithm::automatic; }};
}

/// `words`: behind --device.
Change on_device(const std::string& words, Device device, std::vector<int> ordinals = {}) {
  return {"--device " + words, [device, ordinals = std::move(ordinals)](SolveOptions& other) {
            other.device = device;
            other.device_ordinals = ordinals;
          }};
}

/// Changes that help, each found to fit by planning a solve with it.
class Ways {
 public:
  /// All must outlive this.
  Ways(const Graph& graph, const SolveOptions& options, const FindDevices& find)
      : graph_(graph), options_(options), find_(find) {}

  /// Names all changes together where a solve with them fits.
  bool attempt(const Changes& together) {
    SolveOptions other = options_;
    std::string words;
    for (const Change& change : together) {
      change.make(other);
      words += (words.empty() ? "" : " with ") + change.words;
    }
    const std::optional<Plan> plan = planned(graph_, other, find_);
    if (!plan || !plan->fits()) return false;
    add(words);
    return true;
  }
  /// Names one that is known to fit.
  void add(const std::string& words) { text_ += (text_.empty() ? "" : ", or ") + words; }
  bool none() const { return text_.empty(); }
  const std::string& named() const { return text_; }
  /// All that were named, in a sentence.
  std::string told() const {
    return none() ? std::string("Nothing else that was tried fits") : "What would fit: " + text_;
  }

 private:
  const Graph& graph_;
  const SolveOptions& options_;
  const FindDevices& find_;
  std::string text_;
};

/// All distances in place of the factor.
Change keeping_matrix() {
  return {"--keep matrix", [](SolveOptions& other) {
            const bool stored = !other.output.empty();
            other.keep = stored ? Keep::automatic : Keep::matrix;
            other.stored = stored ? Keep::matrix : Keep::automatic;
          }};
}

/// A plane of 4 bytes a pair less.
void add_planes(const SolveOptions& options, Changes& list) {
  if (options.predecessors) {
    list.push_back({"leaving --predecessors out, as paths do not need them",
                    [](SolveOptions& other) { other.predecessors = false; }});
  }
  if (options.via || options.hops) {
    list.push_back(
        {options.hops ? "leaving --hops out" : "leaving --via out, as paths do not need it",
         [](SolveOptions& other) { other.via = other.hops = false; }});
  }
}

/// The factor in place of all distances.
void add_factor(const SolveOptions& options, const Plan& plan, Changes& list) {
  if (options.keep == Keep::factor || options.stored == Keep::factor) return;
  if (!plan.selection.all()) return;  // it is of all pairs
  const bool has_output = store::is_zarr(options.output);
  const bool planes = options.predecessors || options.via || options.hops;
  if (planes) return;  // which a factor cannot have
  list.push_back(
      {has_output ? "--keep factor" : "--keep factor -o OUT.zarr", [=](SolveOptions& other) {
         other.keep = Keep::statistics;
         other.stored = Keep::factor;
         if (!has_output) other.output = "distances.zarr";
       }});
}

/// What decides over how, and not over what: all that there is where a solve goes on.
Changes changes_of_method(const SolveOptions& options) {
  Changes list;
  if (options.algorithm != Algorithm::automatic && !options.resume) list.push_back(any_algorithm());
  if (options.device == Device::cuda) list.push_back(on_device("auto", Device::automatic));
  // A matrix on the disk passes through one GPU, and not through several.
  const std::vector<int>& named = options.device_ordinals;
  if (named.size() > 1 || named == std::vector<int>{kAllGpus}) {
    const int first = std::max(0, named.front());
    list.push_back(on_device(fmt::format("cuda:{}", first), Device::cuda, {first}));
  }
  return list;
}

/// Changes of one option each, the one that gives most away last.
Changes changes(const SolveOptions& options, const Plan& plan, ValueType narrowest) {
  Changes list = changes_of_method(options);
  if (options.resume) return list;
  if (size_of(narrowest) < size_of(plan.type)) {
    list.insert(list.begin(), {fmt::format("--dtype {}", name(narrowest)),
                               [=](SolveOptions& other) { other.value_type = narrowest; }});
  }
  add_planes(options, list);
  if (options.keep == Keep::matrix || options.output.empty()) {
    list.push_back({"the matrix on disk (-o OUT.zarr)", [](SolveOptions& other) {
                      other.keep = Keep::statistics;
                      if (other.output.empty()) other.output = "distances.zarr";
                    }});
  }
  if (!plan.fits_disk()) {
    list.push_back({fmt::format("-o on a disk with {} free", base::format_bytes(plan.disk.output)),
                    [bytes = plan.disk.output](SolveOptions& other) { other.disk = bytes; }});
  }
  add_factor(options, plan, list);
  if (options.statistics && options.keep == Keep::factor) {
    list.push_back({"--no-statistics", [](SolveOptions& other) { other.statistics = false; }});
  }
  return list;
}

/// Of what `used` grows to from `few` to `many` sources, how far `allowed` reaches. Bytes are the
/// largest of some lines, so that none between the two lies above the chord.
double share_of(std::int64_t used_by_few, std::int64_t used_by_many, std::int64_t allowed) {
  if (used_by_many <= allowed) return 1;
  return static_cast<double>(allowed - used_by_few) /
         static_cast<double>(used_by_many - used_by_few);
}

/// Fewer threads. `by_one`: the plan of one.
void try_fewer_threads(const Plan& plan, const std::optional<Plan>& by_one, Ways& ways) {
  if (plan.fits_memory() || !by_one || !by_one->fits()) return;
  const double share = share_of(by_one->bytes, plan.bytes, plan.bytes_allowed);
  const auto some = static_cast<int>(1 + share * (plan.threads - 1));
  for (const int threads : {std::min(some, base::offered_threads()), 1}) {
    const Change fewer = {fmt::format("--threads {}", threads),
                          [=](SolveOptions& other) { other.threads = threads; }};
    if (ways.attempt({fewer}) || threads == 1) return;
  }
}

/// Two changes at a time: a method that is free, or a plane less, with what did not help by itself.
void try_pairs(const SolveOptions& options, const Changes& list, Ways& ways) {
  Changes first = changes_of_method(options);
  if (!options.resume) add_planes(options, first);
  for (const Change& one : first) {
    for (const Change& other : list) {
      if (one.words != other.words && ways.attempt({one, other})) return;
    }
  }
}

/// At most `number`, its first two digits.
std::int64_t round_number(double number) {
  constexpr double kDigits = 10;
  const double unit = std::pow(10.0, std::floor(std::log10(std::max(1.0, number / kDigits))));
  return static_cast<std::int64_t>(std::floor(number / unit) * unit);
}

/// How many sources would fit, as found by some plans, each of more sources than the last one that
/// fitted; 0: not even one.
std::int64_t sources_that_fit(const Graph& graph, SolveOptions options, const Plan& plan,
                              const FindDevices& find) {
  constexpr int kPlans = 3;
  const std::vector<Vertex> all = plan.selection.sources.of(plan.n);
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
                 share_of(fitting->disk.output, most->disk.output, most->disk.allowed));
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
std::string shortage(const Plan& plan, const std::optional<Plan>& by_one) {
  std::string text;
  if (!plan.fits_memory()) {
    text = fmt::format("{} vertices need {} as {} and {} may be used. ", base::format_count(plan.n),
                       base::format_bytes(plan.bytes), name(plan.type),
                       base::format_bytes(plan.bytes_allowed));
    const std::int64_t others = by_one ? plan.bytes - by_one->bytes : 0;
    if (others > plan.bytes / 2) {
      text += fmt::format("{} of that are for {} threads. ", base::format_bytes(others),
                          base::format_count(plan.threads));
    }
  }
  if (!plan.fits_disk()) {
    text += fmt::format(
        "The output takes {} as {}, before any compression, and its disk has room for {}. ",
        base::format_bytes(plan.disk.output),
        plan.stored == Keep::factor ? "a factor" : name(plan.type),
        base::format_bytes(plan.disk.allowed));
  }
  return text;
}

/// The least memory that lets the solve in as it is, in words of --memory; empty: this machine has
/// less. More memory may let in a way that takes more than the one that was shown.
std::string memory_that_fits(const Graph& graph, SolveOptions options, const Plan& plan,
                             const FindDevices& find) {
  constexpr int kPlans = 4;
  const std::int64_t total = base::total_memory();
  std::int64_t bytes = plan.bytes;
  for (int i = 0; i < kPlans && bytes <= total; ++i) {
    const std::string size = option_size(bytes);
    options.memory = base::parse_bytes(size).value_or(bytes);
    const std::optional<Plan> more = planned(graph, options, find);
    if (!more) return {};
    if (more->fits_memory()) return more->fits() ? size : "";
    bytes = more->bytes;
  }
  return {};
}

/// The last sentences: how far this memory reaches, and what more would do.
std::string told_of_memory(const Graph& graph, const SolveOptions& options, const Plan& plan,
                           const FindDevices& find) {
  std::string text =
      plan.keeps_matrix() ? room_for(plan.bytes_allowed, plan.n, options, plan.type) : "";
  if (const std::string size = memory_that_fits(graph, options, plan, find); !size.empty()) {
    text += fmt::format("--memory {} is enough for this graph", size);
    if (plan.bytes > base::available_memory()) text += ", once so much is free";
  } else {
    text += fmt::format("this machine has {} in all", base::format_bytes(base::total_memory()));
  }
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

Change with_device_memory(std::int64_t least) {
  const std::string size = option_size(least);
  return {"--device-memory " + size, [bytes = base::parse_bytes(size).value_or(least)](
                                         SolveOptions& other) { other.device_memory = bytes; }};
}

/// Another GPU than those that were named, or one of these without the others. All together help
/// nowhere: each holds at least the buffers with which one alone streams.
void try_other_devices(const SolveOptions& options, const FindDevices& find, Ways& ways) {
  const Devices devices = find();
  if (devices.list.size() < 2) return;
  const std::vector<int> named = options.device_ordinals.empty()
                                     ? std::vector<int>{devices.list.front().ordinal}
                                     : options.device_ordinals;
  for (const DeviceFacts& device : devices.list) {
    if (named == std::vector<int>{device.ordinal}) continue;
    const std::string words = fmt::format("cuda:{}", device.ordinal);
    if (ways.attempt({on_device(words, Device::cuda, {device.ordinal})})) break;
  }
}

}  // namespace

std::string what_would_fit(const Graph& graph, const SolveOptions& options, const Plan& plan,
                           const FindDevices& find) {
  const ValueType narrowest =
      integers_may_round(graph, plan.semiring, plan.threads, options.control)
          ? plan.type
          : choose_value_type(graph, plan.semiring, {}, plan.threads, options.control).type;
  std::optional<Plan> by_one;
  if (plan.threads > 1 && !plan.fits_memory()) {
    SolveOptions one = options;
    one.threads = 1;
    by_one = planned(graph, one, find);
  }
  Ways ways(graph, options, find);
  const Changes list = changes(options, plan, narrowest);
  for (const Change& change : list) ways.attempt({change});
  try_fewer_threads(plan, by_one, ways);
  const std::int64_t sources = options.resume ? 0 : sources_that_fit(graph, options, plan, find);
  if (sources > 0) ways.add(fmt::format("fewer sources (--sources random:{})", sources));
  if (ways.none()) try_pairs(options, list, ways);
  std::string text = limits_of_rows_on_device(graph, options, plan) + shortage(plan, by_one);
  if (!ways.none()) text += ways.told() + ". ";
  if (!plan.fits_memory()) return text + told_of_memory(graph, options, plan, find);
  return text + "Where --compress is known to help, --disk SIZE says how much the output may take";
}

// What would fit where a GPU that was asked for by name is too small, or is no place for a graph.

std::string what_would_fit(const Graph& graph, const SolveOptions& options,
                           const DeviceTooSmall& small, const FindDevices& find) {
  Ways ways(graph, options, find);
  if (options.device_memory > 0) ways.attempt({with_device_memory(small.least())});
  try_other_devices(options, find, ways);
  const bool named = options.algorithm != Algorithm::automatic && !options.resume;
  if (named) ways.attempt({any_algorithm()});
  const Change on_cpu = on_device("cpu", Device::cpu);
  ways.attempt({on_cpu});
  if (ways.none() && named) ways.attempt({any_algorithm(), on_cpu});
  return fmt::format("{}. {}", small.what(), ways.told());
}

std::string what_would_fit(const DeviceProblem& problem, const DevicePreference& preference,
                           const DeviceTooSmall& small, const FindDevices& find) {
  std::string ways;
  if (problem.memory > 0) {
    const std::string size = option_size(small.least());
    DeviceProblem other = problem;
    other.memory = base::parse_bytes(size).value_or(small.least());
    try {
      choose_device(other, preference, find);
      ways = fmt::format("--device-memory {}, or ", size);
    } catch (const DeviceTooSmall&) {  // so much is not free
    }
  }
  return fmt::format("{}. What would fit: {}--device cpu", small.what(), ways);
}

std::string what_takes(const PlanRequest& asked) {
  if (!asked.names_ways) return {};
  const SolveOptions& options = asked.options;
  const Change on_cpu = on_device("cpu", Device::cpu);
  const Change dissection = {"--algorithm nested-dissection", [](SolveOptions& other) {
                               other.algorithm = Algorithm::nested_dissection;
                             }};
  std::vector<Changes> nearest = {{any_algorithm()}};
  if (options.keep == Keep::factor || options.stored == Keep::factor) {
    nearest = {{dissection}, {keeping_matrix()}, {keeping_matrix(), any_algorithm()}};
  }
  const bool named = options.device == Device::cuda;
  Ways ways(asked.graph, options, asked.find);
  const auto attempt = [&](const Changes& changes) {
    if (ways.attempt(changes)) return true;
    Changes there = changes;
    there.push_back(on_cpu);
    return named && ways.attempt(there);
  };
  const bool found =
      (named && ways.attempt({on_cpu})) || std::any_of(nearest.begin(), nearest.end(), attempt);
  return found ? "; " + ways.named() + " does" : "";
}

std::string limits_of_rows_on_device(const Graph& graph, const SolveOptions& options,
                                     const Plan& plan) {
  if (options.device != Device::cuda || options.algorithm != Algorithm::automatic || plan.rows() ||
      !looks_sparse(plan.n, graph.arc_count())) {
    return {};
  }
  std::string text;
  SolveOptions on_cpu = options;
  on_cpu.device = Device::cpu;
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::johnson}) {
    const RowsProblem problem = rows_problem(plan);
    const std::string why = why_not(algorithm, graph, options, problem);
    const bool by_device = !why.empty() && why_not(algorithm, graph, on_cpu, problem).empty();
    if (by_device) text += fmt::format("{} {}. ", name(algorithm), why);
  }
  return text.empty() ? text : text + "As a matrix ";
}

}  // namespace apsp::planner
