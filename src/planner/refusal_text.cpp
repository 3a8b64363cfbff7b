#include "planner/refusal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/units.hpp"
#include "planner/matrix_candidates.hpp"
#include "planner/memory.hpp"
#include "system/machine.hpp"

namespace apsp::planner {
namespace {

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
                          const DevicePlan& small, const FindDevices& find) {
  std::vector<Advice> advice = what_would_fit(problem, preference, small, find);
  const std::string text = fmt::format("{}. {}", small.too_small, list_text(advice));
  return {ErrorKind::does_not_fit, text, std::move(advice)};
}

}  // namespace apsp::planner
