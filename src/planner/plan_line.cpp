#include "planner/plan_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/units.hpp"
#include "base/utf8.hpp"
#include "io/held_bytes.hpp"
#include "planner/candidates.hpp"
#include "planner/devices.hpp"

namespace apsp::planner {
namespace {

constexpr std::string_view kCut = "…";
constexpr std::size_t kCutColumns = 3;  // "..." without Unicode
constexpr std::size_t kLeastName = 8;

/// Takes the first character off a text, or a byte that begins none.
std::string_view take_character(std::string_view& text) {
  const auto taken = text.substr(0, std::max<std::size_t>(1, base::first_character(text).bytes));
  text.remove_prefix(taken.size());
  return taken;
}

/// Counts characters of UTF-8, none of which are wide here.
std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) count += take_character(text) == kCut ? kCutColumns : 1;
  return count;
}

/// Returns at most `most` columns, the end replaced by an ellipsis.
std::string shortened(std::string_view text, std::size_t most) {
  if (columns(text) <= most) return std::string(text);
  std::string kept;
  while (!text.empty()) {
    const std::string longer = kept + std::string(take_character(text));
    if (columns(longer) + kCutColumns > most) break;
    kept = longer;
  }
  return kept + std::string(kCut);
}

bool is_reduced(const Plan& plan) {
  return plan.signed_weights && !plan.signed_weights->potentials.cycle;
}

std::string worker_of(const Plan& plan, std::size_t name_columns) {
  if (!plan.on_device) return worker(plan);
  DeviceFacts device = plan.on_device->device;
  device.name = shortened(device.name, name_columns);
  return title(device, plan.on_device->peers);
}

std::string values(const Plan& plan) {
  if (plan.in_bits()) return "packed bits";
  const RowsByFactor* const by = plan.rows() != nullptr ? plan.rows()->factor() : nullptr;
  const bool whole =
      by != nullptr && by->on_device && by->on_device->form == kernels::ListedForm::whole;
  return fmt::format("{}{}", name(plan.type), whole ? " as u32" : "");
}

std::string memory_of_place(const Plan& plan) {
  if (!plan.on_device) return {};
  const DevicePlan& there = *plan.on_device;
  const std::string bytes = base::format_bytes(there.bytes);
  const std::string where =
      fmt::format("{} of {}{}", bytes, there.peers.empty() ? "" : "each of ", there.title());
  if (!there.streamed) return "resident in " + where;
  if (plan.rows() != nullptr) {
    const SweepsOnDevice& sweeps = *plan.rows()->factor()->on_device;
    return fmt::format("{}; {} of the factor stream through it for every {} sources", where,
                       base::format_bytes(sweeps.passing_bytes), base::format_count(sweeps.lanes));
  }
  return fmt::format("streamed through {}, panels of {}", where, there.offload.width);
}

std::string with_reason(std::string text, const std::string& reason) {
  if (!reason.empty()) text += fmt::format(" ({})", reason);
  return text;
}

std::string matrix(const Plan& plan) {
  if (plan.keep == Keep::factor) {
    return with_reason("not kept: the factor is, and gives distances when asked", plan.why.keep);
  }
  if (plan.on_disk()) {
    const std::int64_t steps = plan.on_disk()->steps(plan.n);
    return fmt::format("on the disk, {} for two of it, in {} {} of {} vertices{}",
                       base::format_bytes(plan.disk.scratch), steps, steps == 1 ? "step" : "steps",
                       base::format_count(plan.on_disk()->width),
                       plan.on_disk()->stays ? ", read and written once" : "");
  }
  if (plan.stays_in_bits() && !plan.keeps_selection()) {
    return "in packed bits: rows of bytes are passed on as they are made";
  }
  if (!plan.keeps_matrix() && !plan.keeps_selection()) {
    return "not kept: rows are passed on as they come";
  }
  if (plan.keeps_selection()) return "kept are the rows and columns that were chosen";
  if (plan.rows()) return "filled row by row";
  return plan.shape == dense::Shape::symmetric ? "symmetric, half the work" : "full";
}

std::string output(const Plan& plan) {
  std::string bytes = base::format_bytes(plan.disk.output);
  if (plan.disk.allowed < std::numeric_limits<std::int64_t>::max()) {
    bytes += fmt::format(" of {} allowed", base::format_bytes(plan.disk.allowed));
  }
  return with_reason(plan.stored == Keep::factor
                         ? fmt::format("the factor, {}: every reader computes distances", bytes)
                         : fmt::format("all distances, {}", bytes),
                     plan.why.stored);
}

/// "20,000 of 129,164 sources, to 5 targets"; empty: all.
std::string chosen(const Plan& plan) {
  std::string text;
  if (!plan.selection.sources.is_all()) {
    text = fmt::format("{} of {}", base::format_count(plan.sources()),
                       base::counted(plan.n, "source", "sources"));
  }
  if (!plan.selection.targets.is_all()) {
    text +=
        fmt::format("{}to {} of {}", text.empty() ? "" : ", ", base::format_count(plan.targets()),
                    base::counted(plan.n, "target", "targets"));
  }
  return text;
}

/// "floyd-warshall about 3 min, johnson does not fit".
std::string others(const Plan& plan) {
  std::string text;
  for (const CandidateReport& other : plan.candidates) {
    if (other.taken || !other.known) continue;
    const bool same = other.algorithm == plan.algorithm && other.device == plan.device();
    const std::string where = other.residence == "disk" ? " on disk" : same ? " in memory" : "";
    text += fmt::format("{}{}{}{} {}", text.empty() ? "" : ", ", name(other.algorithm), where,
                        other.device == plan.device() ? "" : " on " + other.place,
                        other.fits ? predicted({.seconds = other.seconds}) : "does not fit");
  }
  return text;
}

std::string factor(const Plan& plan) {
  const sparse::Tree& tree = *plan.rows()->tree();
  return fmt::format(
      "{}{} entries in {}, height {}, {}", plan.rows()->factor()->estimated ? "about " : "",
      base::format_si(static_cast<double>(tree.upper_entries())),
      base::counted(tree.supernodes(), "supernode", "supernodes"),
      base::format_count(tree.height()), base::format_bytes(plan.rows()->costs.source_bytes));
}

/// Why the plan has its place; empty: it was asked for.
std::string why_place(const Plan& plan) {
  if (!plan.on_device || plan.why.cpu_seconds <= 0) return plan.why.device;
  return fmt::format("the CPU would take some {}", base::format_seconds(plan.why.cpu_seconds));
}

std::string parts(const Prediction& prediction) {
  std::string text;
  const auto add = [&](std::string_view part, double seconds) {
    if (seconds <= 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part, base::format_seconds(seconds));
  };
  add("start", prediction.start);
  add("solve", prediction.solve);
  add("statistics", prediction.statistics);
  add("store", prediction.store);
  add("then until the process has ended", prediction.end);
  return text;
}

}  // namespace

std::string place(const Plan& plan) {
  if (plan.on_disk()) return worker(plan) + ", on disk";
  if (!plan.on_device) return worker(plan);
  return worker(plan) + (plan.on_device->streamed ? ", streamed" : ", resident");
}

std::string precision(const Plan& plan) {
  if (is_reduced(plan)) {
    return fmt::format("no distance is off by more than {}",
                       base::format_error(plan.signed_weights->absolute_error()));
  }
  if (plan.unit_roundoff <= 0) return "exact";
  const std::string an_edge = base::format_error(plan.unit_roundoff);
  if (!is_sum(plan.semiring)) return fmt::format("error at most {}, relative", an_edge);
  const auto edges = static_cast<double>(plan.n - 1);
  return fmt::format(
      "error at most {} an edge of the path, relative; {} if it led through all "
      "vertices",
      an_edge, base::format_error(edges * plan.unit_roundoff));
}

std::string short_precision(const Plan& plan) {
  if (is_reduced(plan)) {
    return "error " + base::format_error(plan.signed_weights->absolute_error());
  }
  if (plan.unit_roundoff <= 0) return {};
  return fmt::format("error {}{}", base::format_error(plan.unit_roundoff),
                     is_sum(plan.semiring) ? "/edge" : "");
}

std::string predicted(const Prediction& prediction) {
  const double seconds = prediction.seconds;
  if (!prediction.rough) return base::format_seconds(seconds);
  if (seconds < 1e-3) return "about 1 ms";
  if (seconds < 1) return fmt::format("about {:.0f} ms", seconds * 1e3);
  if (seconds < 60) return fmt::format("about {:.1f} s", seconds);
  return "about " + base::format_seconds(seconds);
}

std::string plan_line(const Plan& plan, const std::string& of) {
  constexpr std::size_t kMost = kPlanColumns - std::string_view("plan: ").size();
  const bool streamed = plan.on_device && plan.on_device->streamed;
  const std::string head =
      fmt::format("{} {} {} on ", name(plan.algorithm), name(plan.semiring), values(plan));
  const std::string tail = (plan.on_disk() ? ", on disk"
                            : streamed     ? ", streamed"
                                           : "") +
                           std::string(", ") + of + "predicted " + predicted(plan.predicted);
  // A device's name gets the columns that the other parts leave; they are all short.
  const std::size_t fixed = columns(head) + columns(worker_of(plan, 0)) + columns(tail);
  const std::string who = worker_of(plan, fixed + kLeastName < kMost ? kMost - fixed : kLeastName);
  std::size_t left = kMost - std::min(kMost, columns(head + who + tail));
  // Parts are added by importance and printed in another order.
  const auto if_it_fits = [&](const std::string& part) {
    if (part.empty() || columns(part) + 2 > left) return std::string();
    left -= columns(part) + 2;
    return ", " + part;
  };
  const std::string kept = if_it_fits(plan.stored == Keep::factor ? "factor stored" : "");
  const std::string via = if_it_fits(plan.with_via ? "with via" : "");
  const std::string rows = if_it_fits(chosen(plan));
  const std::string error = if_it_fits(short_precision(plan));
  const std::string resides = if_it_fits(plan.on_device && !streamed ? "resident" : "");
  const std::string bytes = if_it_fits(base::format_bytes(plan.bytes));
  return head + who + resides + rows + bytes + kept + via + error + tail;
}

std::vector<std::pair<std::string, std::string>> plan_rows(const Plan& plan) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"algorithm", with_reason(std::string(name(plan.algorithm)), others(plan))},
      {"semiring", std::string(name(plan.semiring))},
      {"values", with_reason(values(plan), plan.why.type)},
      {"place", with_reason(worker(plan), why_place(plan))},
      {"matrix", matrix(plan)},
      {"work", base::format_si(plan.relaxations()) + " relaxations"}};
  if (!plan.selection.all()) rows.emplace_back("pairs", chosen(plan));
  if (plan.rows() && plan.rows()->tree()) rows.emplace_back("factor", factor(plan));
  if (!plan.rows()) {
    rows.emplace_back("tile", base::counted(plan.tile(), "vertex", "vertices"));
  }
  if (plan.disk.output > 0) rows.emplace_back("output", output(plan));
  rows.emplace_back("memory", fmt::format("{}{} of {} allowed", plan.estimated() ? "about " : "",
                                          base::format_bytes(plan.bytes),
                                          base::format_bytes(plan.bytes_allowed)));
  if (plan.on_device) rows.emplace_back("device memory", memory_of_place(plan));
  if (plan.with_via) rows.emplace_back("via", "intermediate vertices are kept");
  rows.emplace_back("precision", precision(plan));
  if (plan.estimated()) {
    rows.emplace_back("estimated", "from regions of the graph; `estimate=false` orders all of it");
  }
  rows.emplace_back("predicted", with_reason(predicted(plan.predicted), parts(plan.predicted)));
  return rows;
}

PlanReport plan_report(const Plan& plan) {
  PlanReport report;
  report.line = plan_line(plan);
  report.rows = plan_rows(plan);
  report.algorithm = plan.algorithm;
  report.candidates = reported(plan);
  report.semiring = plan.semiring;
  report.value_type = plan.type;
  report.why_value_type = plan.why.type;
  report.device = plan.device();
  report.place = place(plan);
  report.why_place = why_place(plan);
  report.threads = plan.threads;
  report.symmetric = plan.shape == dense::Shape::symmetric;
  report.packed_bits = plan.in_bits();
  report.via = plan.with_via;
  report.sources = plan.sources();
  report.targets = plan.targets();
  report.relaxations = plan.relaxations();
  report.tile = plan.tile();
  report.factor_entries =
      plan.rows() && plan.rows()->tree() ? plan.rows()->tree()->upper_entries() : 0;
  report.matrix_kept = plan.keeps_matrix();
  report.keep = plan.keep;
  report.stored = plan.stored;
  report.bytes = plan.bytes;
  report.bytes_allowed = plan.bytes_allowed;
  report.bytes_device = plan.on_device ? plan.on_device->bytes : 0;
  report.streamed = plan.on_device && plan.on_device->streamed;
  report.panel = report.streamed ? plan.on_device->offload.width : 0;
  const io::TemporaryBytes temporary = io::temporary_bytes();
  report.bytes_disk = temporary.with(plan.disk.output + plan.disk.scratch);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (plan.disk.output > 0) {
    report.bytes_disk_allowed = std::min(plan.disk.allowed, kMost - temporary.now) + temporary.now;
  }
  report.precision = precision(plan);
  report.predicted = plan.predicted;
  report.estimated = plan.estimated();
  return report;
}

}  // namespace apsp::planner
