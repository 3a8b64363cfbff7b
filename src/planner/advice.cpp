#include "planner/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/units.hpp"
#include "planner/choice.hpp"
#include "planner/describe_problem.hpp"
#include "planner/eligibility.hpp"
#include "planner/findings.hpp"
#include "planner/memory.hpp"
#include "planner/value_type.hpp"
#include "store/store.hpp"
#include "system/machine.hpp"

namespace apsp::planner {

namespace {

const Advice kAnyAlgorithm = {{"algorithm", "auto"}}, kOnCpu = {{"device", "cpu"}};
constexpr const char* kOutput = "OUT.zarr";

Advice on_gpu(int ordinal) { return {{"device", fmt::format("cuda:{}", ordinal)}}; }

Advice together(const Advice& one, const Advice& other) {
  Advice both = one;
  both.insert(both.end(), other.begin(), other.end());
  return both;
}

/// Collects changes that help; each was found to fit by planning a solve with it.
class Advisor {
 public:
  explicit Advisor(const PlanRequest& asked) : asked_(asked) {}

  std::optional<Plan> planned(const SolveOptions& options) const {
    if (!why_wrong(options, asked_.graph.vertex_count()).empty()) return std::nullopt;
    const RateSource assumed;
    const PlanRequest other = asked_.with(options, assumed);
    Planned found = choose_method(other, describe_problem(other));
    Plan* const plan = std::get_if<Plan>(&found);
    return plan != nullptr ? std::optional<Plan>(std::move(*plan)) : std::nullopt;
  }
  bool attempt(const Advice& changes) {
    const auto plan = planned(with_advice(changes, asked_.options, asked_.graph.vertex_count()));
    if (!plan || !plan->fits()) return false;
    found_.push_back(changes);
    std::erase_if(found_.back(), [&](const OptionValue& change) { return is_so(change); });
    return true;
  }
  bool none() const { return found_.empty(); }
  std::vector<Advice> found() && { return std::move(found_); }

 private:
  bool is_so(const OptionValue& change) const {
    const SolveOptions& options = asked_.options;
    return (change.option == "keep" && change.value == name(options.storage.keep)) ||
           (change.option == "stored" && change.value == name(options.storage.stored));
  }

  const PlanRequest& asked_;
  std::vector<Advice> found_;
};

std::vector<Advice> fewer_planes(const SolveOptions& options) {
  std::vector<Advice> list;
  if (options.question.predecessors) list.push_back({{"predecessors", "false"}});
  if (options.question.via || options.question.hops)
    list.push_back({{options.question.hops ? "hops" : "via", "false"}});
  return list;
}

/// Changes of the method but not of the result, which a resumed solve may make.
std::vector<Advice> changes_of_method(const SolveOptions& options) {
  std::vector<Advice> list;
  if (options.method.algorithm != Algorithm::automatic && !options.storage.resume)
    list.push_back(kAnyAlgorithm);
  if (options.machine.device == Device::cuda) list.push_back({{"device", "auto"}});
  // A matrix on the disk passes through one GPU, and not through several.
  const std::vector<int>& named = options.machine.device_ordinals;
  if (named.size() > 1 || named == std::vector<int>{kAllGpus}) {
    list.push_back(on_gpu(std::max(0, named.front())));
  }
  return list;
}

void add_factor(const SolveOptions& options, const Plan& plan, std::vector<Advice>& list) {
  const bool planes =
      options.question.predecessors || options.question.via || options.question.hops;
  if (options.storage.keep == Keep::factor || options.storage.stored == Keep::factor || planes)
    return;
  if (!plan.selection.all()) return;
  Advice factor = {{"keep", "statistics"}, {"stored", "factor"}};
  if (!store::is_zarr(options.storage.output)) factor.push_back({"output", kOutput});
  list.push_back(std::move(factor));
}

/// Returns changes of one kind each, in order of what the user gives up.
std::vector<Advice> changes(const PlanRequest& asked, const Plan& plan) {
  const SolveOptions& options = asked.options;
  std::vector<Advice> list = changes_of_method(options);
  if (options.storage.resume) return list;
  if (!integers_may_round(asked.graph, plan.semiring, plan.threads, options.control)) {
    const ValueType narrowest =
        asked.findings
            ->values({asked.graph, plan.semiring, plan.threads, options.control}, std::nullopt,
                     std::nullopt)
            .type;
    if (size_of(narrowest) < size_of(plan.type)) {
      list.insert(list.begin(), {{"value_type", std::string(name(narrowest))}});
    }
  }
  for (Advice& fewer : fewer_planes(options)) list.push_back(std::move(fewer));
  if (options.storage.keep == Keep::matrix || options.storage.output.empty()) {
    Advice on_disk = {{"keep", "statistics"}};
    if (options.storage.output.empty()) on_disk.push_back({"output", kOutput});
    list.push_back(std::move(on_disk));
  }
  if (!plan.fits_disk()) list.push_back({{"disk", option_size(plan.disk.output)}});
  add_factor(options, plan, list);
  if (options.question.statistics && options.storage.keep == Keep::factor) {
    list.push_back({{"statistics", "false"}});
  }
  return list;
}

/// Returns the fraction of the way from `used_by_few` to `used_by_many` at which memory use reaches
/// `allowed`. Bytes are a maximum of linear terms, so none between the two is above the chord.
double share_of(std::int64_t used_by_few, std::int64_t used_by_many, std::int64_t allowed) {
  if (used_by_many <= allowed) return 1;
  return static_cast<double>(allowed - used_by_few) /
         static_cast<double>(used_by_many - used_by_few);
}

void try_fewer_threads(const Plan& plan, const std::optional<Plan>& by_one, Advisor& advisor) {
  if (plan.fits_memory() || !by_one || !by_one->fits()) return;
  const double share = share_of(by_one->bytes, plan.bytes, plan.bytes_allowed);
  const auto some = static_cast<int>(1 + share * (plan.threads - 1));
  for (const int threads : {std::min(some, system::offered_threads()), 1}) {
    if (advisor.attempt({{"threads", fmt::format("{}", threads)}}) || threads == 1) return;
  }
}

/// Tries two changes at a time: a method that costs the user nothing, or a plane less, with another
/// change.
void try_pairs(const SolveOptions& options, const std::vector<Advice>& list, Advisor& advisor) {
  std::vector<Advice> first = changes_of_method(options);
  if (!options.storage.resume) {
    for (Advice& fewer : fewer_planes(options)) first.push_back(std::move(fewer));
  }
  for (const Advice& one : first) {
    for (const Advice& other : list) {
      if (one != other && advisor.attempt(together(one, other))) return;
    }
  }
}

std::int64_t round_number(double number) {
  constexpr double kDigits = 10;
  const double unit = std::pow(10.0, std::floor(std::log10(std::max(1.0, number / kDigits))));
  return static_cast<std::int64_t>(std::floor(number / unit) * unit);
}

Advice some_sources(std::int64_t count) { return {{"sources", fmt::format("random:{}", count)}}; }

/// Returns how many sources fit, by a few plans of increasing numbers; 0: not even one.
std::int64_t sources_that_fit(const PlanRequest& asked, const Plan& plan, const Advisor& advisor) {
  constexpr int kPlans = 3;
  const auto plan_of = [&](std::int64_t count) {
    return advisor.planned(with_advice(some_sources(count), asked.options, plan.n));
  };
  const std::int64_t many = plan.sources();
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

/// Returns the least memory that is enough, as an option value; empty: more than this machine has.
/// More memory may admit a method that takes more than the one that was shown.
std::string memory_that_fits(const PlanRequest& asked, const Plan& plan, const Advisor& advisor) {
  constexpr int kPlans = 4;
  const std::int64_t total = system::total_memory();
  std::int64_t bytes = plan.bytes;
  for (int i = 0; i < kPlans && bytes <= total; ++i) {
    std::string size = option_size(bytes);
    const auto more = advisor.planned(with_advice({{"memory", size}}, asked.options, plan.n));
    if (!more) return {};
    if (more->fits_memory()) return more->fits() ? size : std::string();
    bytes = more->bytes;
  }
  return {};
}

/// Tries another GPU than the named ones, or one of these. More of them do not help: each holds at
/// least the buffers with which one streams.
void try_other_devices(const PlanRequest& asked, Advisor& advisor) {
  const Devices& devices = asked.gpus.all();
  if (devices.list.size() < 2) return;
  const std::vector<int> named = asked.options.machine.device_ordinals.empty()
                                     ? std::vector<int>{devices.list.front().ordinal}
                                     : asked.options.machine.device_ordinals;
  for (const DeviceFacts& device : devices.list) {
    if (named == std::vector<int>{device.ordinal}) continue;
    if (advisor.attempt(on_gpu(device.ordinal))) break;
  }
}

void set_device(const std::string& value, SolveOptions& options) {
  constexpr std::string_view kGpu = "cuda:";
  options.machine.device_ordinals.clear();
  options.machine.device = parse_device(value).value_or(Device::cuda);
  if (value.starts_with(kGpu))
    options.machine.device_ordinals = {std::stoi(value.substr(kGpu.size()))};
}

std::int64_t bytes_of(const std::string& value) { return base::parse_bytes(value).value_or(0); }
bool flag_of(const std::string& value) { return value != "false"; }

struct Setter {
  std::string_view option;
  void (*set)(const std::string& value, SolveOptions& options);
};
using Text = const std::string&;
using Options = SolveOptions&;
constexpr Setter kSetters[] = {
    {"algorithm",
     [](Text name, Options to) { to.method.algorithm = parse_algorithm(name).value(); }},
    {"device", set_device},
    {"value_type", [](Text name, Options to) { to.method.value_type = parse_value_type(name); }},
    {"keep", [](Text name, Options to) { to.storage.keep = parse_keep(name).value(); }},
    {"stored", [](Text name, Options to) { to.storage.stored = parse_keep(name).value(); }},
    {"output", [](Text path, Options to) { to.storage.output = path; }},
    {"threads", [](Text count, Options to) { to.machine.threads = std::stoi(count); }},
    {"memory", [](Text size, Options to) { to.machine.memory = bytes_of(size); }},
    {"device_memory", [](Text size, Options to) { to.machine.device_memory = bytes_of(size); }},
    {"disk", [](Text size, Options to) { to.storage.disk = bytes_of(size); }},
    {"predecessors", [](Text value, Options to) { to.question.predecessors = flag_of(value); }},
    {"via", [](Text value, Options to) { to.question.via = to.question.hops = flag_of(value); }},
    {"hops", [](Text value, Options to) { to.question.via = to.question.hops = flag_of(value); }},
    {"statistics", [](Text value, Options to) { to.question.statistics = flag_of(value); }}};

void set_sources(const std::string& value, std::int64_t n, SolveOptions& options) {
  const auto count = std::stoull(value.substr(value.find(':') + 1));
  if (options.question.sources.empty()) {
    options.question.sources.resize(static_cast<std::size_t>(n));
    std::iota(options.question.sources.begin(), options.question.sources.end(), Vertex{0});
  }
  options.question.sources.resize(count);
}

/// Advice for a plan that does not fit, by one change or two. A resumed solve keeps the options on
/// which its result depends.
struct WouldFit {
  std::vector<Advice> changes{};
  /// Memory that is enough, as an option value; empty: more than the machine has.
  std::string memory{};
  std::int64_t bytes_of_threads = 0;  ///< of the host, for all threads but one; 0: not known
};

WouldFit what_would_fit(const PlanRequest& asked, const Plan& plan) {
  Advisor advisor(asked);
  WouldFit would;
  std::optional<Plan> by_one;
  if (plan.threads > 1 && !plan.fits_memory()) {
    by_one = advisor.planned(with_advice({{"threads", "1"}}, asked.options, plan.n));
    if (by_one) would.bytes_of_threads = plan.bytes - by_one->bytes;
  }
  const std::vector<Advice> list = changes(asked, plan);
  for (const Advice& change : list) advisor.attempt(change);
  try_fewer_threads(plan, by_one, advisor);
  const std::int64_t sources =
      asked.options.storage.resume ? 0 : sources_that_fit(asked, plan, advisor);
  const bool none = advisor.none() && sources == 0;
  if (none) try_pairs(asked.options, list, advisor);
  if (!plan.fits_memory()) would.memory = memory_that_fits(asked, plan, advisor);
  would.changes = std::move(advisor).found();
  if (sources > 0) would.changes.push_back(some_sources(sources));
  return would;
}

std::vector<Advice> what_would_fit(const PlanRequest& asked, const Refusal& small) {
  Advisor advisor(asked);
  const SolveOptions& options = asked.options;
  if (options.machine.device_memory > 0) {
    advisor.attempt({{"device_memory", option_size(small.device_bytes)}});
  }
  try_other_devices(asked, advisor);
  const bool named = options.method.algorithm != Algorithm::automatic && !options.storage.resume;
  if (named) advisor.attempt(kAnyAlgorithm);
  advisor.attempt(kOnCpu);
  if (advisor.none() && named) advisor.attempt(together(kAnyAlgorithm, kOnCpu));
  return std::move(advisor).found();
}

/// Returns the smallest change with which the problem can be solved if the named algorithm cannot
/// solve it, or makes no factor; empty: none was found.
Advice what_takes(const PlanRequest& asked) {
  const SolveOptions& options = asked.options;
  std::vector<Advice> nearest;
  if (options.storage.keep == Keep::factor || options.storage.stored == Keep::factor) {
    const bool stored = !options.storage.output.empty();
    Advice matrix;
    matrix.push_back({"keep", stored ? "auto" : "matrix"});
    matrix.push_back({"stored", stored ? "matrix" : "auto"});
    nearest.push_back({{"algorithm", "nested-dissection"}});
    nearest.push_back(matrix);
    nearest.push_back(together(matrix, kAnyAlgorithm));
  } else {
    nearest.push_back(kAnyAlgorithm);
  }
  Advisor advisor(asked);
  const bool named = options.machine.device == Device::cuda;
  if (!named || !advisor.attempt(kOnCpu)) {
    for (const Advice& changes : nearest) {
      if (advisor.attempt(changes)) break;
      if (named && advisor.attempt(together(changes, kOnCpu))) break;
    }
  }
  const std::vector<Advice> found = std::move(advisor).found();
  return found.empty() ? Advice() : found.front();
}

/// "`device=cpu` with `algorithm=auto`".
std::string options_text(const Advice& advice) {
  std::string text;
  for (const auto& [option, value] : advice) {
    text += fmt::format("{}`{}={}`", text.empty() ? "" : " with ", option, value);
  }
  return text;
}

/// Words a change whose option needs an explanation.
std::string change_text(const OptionValue& change) {
  const auto& [option, value] = change;
  if (option == "predecessors") return "leaving `predecessors` out, as paths do not need them";
  if (option == "via") return "leaving `via` out, as paths do not need it";
  if (option == "hops") return "leaving `hops` out";
  if (option == "sources") return fmt::format("fewer sources (`sources={}`)", value);
  if (option == "disk") {
    return fmt::format("`output` on a disk with {} free",
                       base::format_bytes(base::parse_bytes(value).value_or(0)));
  }
  return options_text({change});
}

bool is_of_keep(const OptionValue& change) {
  return change.option == "keep" || change.option == "stored" || change.option == "output";
}

std::string text_of(const Advice& advice) {
  std::string text;
  for (auto change = advice.begin(); change != advice.end();) {
    if (!text.empty()) text += " with ";
    const auto end = std::find_if_not(change, advice.end(), is_of_keep);
    if (end == change) {
      text += change_text(*change++);
      continue;
    }
    const Advice kept(change, end);
    const bool names_stored = std::any_of(
        kept.begin(), kept.end(), [](const OptionValue& of) { return of.option == "stored"; });
    const bool on_disk =
        kept.front() == OptionValue{"keep", "statistics"} || kept.front().option == "output";
    text += !names_stored && on_disk ? fmt::format("the matrix on disk ({})", options_text(kept))
                                     : options_text(kept);
    change = end;
  }
  return text;
}

/// "What would fit: …, or …".
std::string list_text(const std::vector<Advice>& list) {
  if (list.empty()) return "No alternative fits";
  std::string text = "What would fit: ";
  for (const Advice& advice : list) {
    text += (&advice == &list.front() ? "" : ", or ") + text_of(advice);
  }
  return text;
}

std::string shortage_text(const Plan& plan, std::int64_t bytes_of_threads) {
  std::string text;
  if (!plan.fits_memory()) {
    text = fmt::format("{} vertices need {} as {} and {} may be used. ", base::format_count(plan.n),
                       base::format_bytes(plan.bytes), name(plan.type),
                       base::format_bytes(plan.bytes_allowed));
    if (bytes_of_threads > plan.bytes / 2) {
      text += fmt::format("{} of that are for {} threads. ", base::format_bytes(bytes_of_threads),
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

/// The last sentences: what this memory is enough for, and how much more is needed.
std::string memory_text(const SolveOptions& options, const Plan& plan, const std::string& enough) {
  std::string text =
      plan.keeps_matrix() ? room_for(plan.bytes_allowed, plan.n, options, plan.type) : "";
  if (enough.empty()) {
    text += fmt::format("this machine has {} in all", base::format_bytes(system::total_memory()));
  } else {
    text += fmt::format("`memory={}` is enough for this graph", enough);
    if (plan.bytes > system::available_memory()) text += ", once so much is free";
  }
  if (text.front() != '`') {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  }
  return text;
}

}  // namespace

SolveOptions with_advice(const Advice& advice, SolveOptions options, std::int64_t n) {
  for (const auto& [option, value] : advice) {
    if (option == "sources") set_sources(value, n, options);
    for (const auto& [name, set] : kSetters) {
      if (name == option) set(value, options);
    }
  }
  return options;
}

RefusedSolve refused(const PlanRequest& asked, const Refusal& refusal) {
  if (refusal.device_bytes > 0) {
    std::vector<Advice> advice = what_would_fit(asked, refusal);
    const std::string text = fmt::format("{}. {}", refusal.cause, list_text(advice));
    return {refusal.kind, text, std::move(advice)};
  }
  const Advice taken = refusal.of_method ? what_takes(asked) : Advice();
  if (taken.empty()) return {refusal.kind, refusal.cause, {}};
  return {refusal.kind, fmt::format("{}; {} does", refusal.cause, text_of(taken)), {taken}};
}

RefusedSolve does_not_fit(const PlanRequest& asked, const Plan& plan) {
  WouldFit would = what_would_fit(asked, plan);
  std::string text = plan.rows() ? std::string() : limits_of_rows_on_device(asked, plan);
  text += shortage_text(plan, would.bytes_of_threads);
  if (!would.changes.empty()) text += list_text(would.changes) + ". ";
  text += plan.fits_memory() ? "Where `compress` is known to help, `disk=SIZE` says how much the "
                               "output may take"
                             : memory_text(asked.options, plan, would.memory);
  std::vector<Advice> advice = std::move(would.changes);
  if (!would.memory.empty()) advice.push_back({{"memory", would.memory}});
  return {ErrorKind::does_not_fit, text, std::move(advice)};
}

RefusedSolve does_not_fit(const DeviceProblem& problem, const DevicePreference& preference,
                          const DevicePlan& small, const FoundDevices& gpus) {
  std::vector<Advice> advice;
  if (problem.memory > 0) {
    const std::string size = option_size(small.bytes);
    DeviceProblem other = problem;
    other.memory = base::parse_bytes(size).value_or(small.bytes);
    const DeviceChoice choice = try_device(other, preference, gpus);
    if (choice.cuda && choice.cuda->fits()) advice.push_back({{"device_memory", size}});
  }
  advice.push_back(kOnCpu);
  const std::string text = fmt::format("{}. {}", small.too_small, list_text(advice));
  return {ErrorKind::does_not_fit, text, std::move(advice)};
}

}  // namespace apsp::planner
