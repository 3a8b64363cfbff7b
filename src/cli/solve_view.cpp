#include "cli/solve_view.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/progress.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

std::string without_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string bytes_cell(std::int64_t bytes, const TerminalStyle& look) {
  return bytes > 0 ? base::format_bytes(bytes) : std::string(look.dash());
}

std::string gpus(const DeviceReport& device) {
  std::string text = fmt::format("cuda:{}", device.ordinal);
  for (const int peer : device.peers) text += fmt::format(",{}", peer);
  return text;
}

/// "on 2 threads", "on cuda:0": the place of the solve with its rate.
std::string rate(const SolveReport& report) {
  const bool on_device = report.on_device.has_value();
  const double seconds = on_device ? report.on_device->seconds : report.seconds_solve;
  if (report.relaxations <= 0 || seconds <= 0) return {};
  return fmt::format(
      "{} on {}", rate_text(report.relaxations, seconds, "relaxation"),
      on_device ? gpus(*report.on_device) : base::counted(report.threads, "thread", "threads"));
}

std::string promise(const SolveReport& report) {
  if (report.seconds_predicted <= 0) return {};
  return fmt::format(
      "; after reading {}, predicted {}{}", base::format_seconds(report.seconds_total),
      report.prediction_rough ? "about " : "", base::format_seconds(report.seconds_predicted));
}

}  // namespace

std::string plan_text(const PlanReport& plan, const TerminalStyle& look) {
  Table table({Align::left, Align::left}, kWidestTable);
  for (const auto& [subject, chosen] : plan.rows) table.row({subject, look.spelled(chosen)});
  return without_end(table.text(look));
}

void note_plan(const Context& context, const PlanReport& plan) {
  context.note("plan: " + context.err().spelled(plan.line));
  if (context.verbose && context.launch == nullptr) context.note(plan_text(plan, context.err()));
}

std::string candidates_text(const PlanReport& plan, const TerminalStyle& look) {
  Table table({Align::left, Align::left, Align::left, Align::right, Align::right, Align::right,
               Align::left},
              kWidestTable);
  table.header({"algorithm", "place", "distances", "time", "memory", "disk", ""});
  for (const CandidateReport& way : plan.candidates) {
    const std::string dash(look.dash());
    const std::string why = way.taken ? "taken" : look.spelled(way.why_not);
    if (!way.known) {
      table.row({std::string(name(way.algorithm)), way.place, dash, dash, dash, dash, why});
      continue;
    }
    table.row({std::string(name(way.algorithm)), way.place, way.residence,
               base::format_seconds(way.seconds), bytes_cell(way.bytes, look),
               bytes_cell(way.bytes_disk, look), why});
  }
  return heading(look, "Ways to solve it", "as predicted") + table.text(look);
}

std::string figures_text(const PlanReport& plan) {
  const std::string& measured = plan.predicted.measured;
  if (measured.empty()) {
    return "times use cautious figures: this machine was not measured for it; apsp plan --measure "
           "does that";
  }
  return fmt::format(
      "times use figures of this machine, measured {}; apsp plan --measure renews them", measured);
}

std::string timing_line(const SolveReport& report, double seconds_read) {
  std::string line =
      fmt::format("done in {}: read {}", base::format_seconds(seconds_read + report.seconds_total),
                  base::format_seconds(seconds_read));
  line += ", prepare " + base::format_seconds(report.seconds_prepare);
  line += ", solve " + base::format_seconds(report.seconds_solve);
  std::string details;
  if (const auto& device = report.on_device) {
    details = fmt::format("{} in {}", base::format_seconds(device->seconds), device->name);
  }
  if (const std::string text = rate(report); !text.empty()) {
    details += (details.empty() ? "" : ", ") + text;
  }
  if (!details.empty()) line += " (" + details + ")";
  if (report.seconds_store > 0) line += ", store " + base::format_seconds(report.seconds_store);
  return line + promise(report);
}

std::string bandwidth_line(const SolveReport& report) {
  return fmt::format(
      "effective bandwidth {:.3f} GB/s of each machine, or process of the only machine: the least "
      "bytes that a {} x {} grid moves, over the solve (Sao 2021, section 5.1.3)",
      report.bandwidth * 1e-9, report.grid.rows, report.grid.columns);
}

std::string verify_text(const VerifyReport& report, const TerminalStyle& look,
                        std::string_view read_back) {
  const std::string verdict = report.passed ? look.good("passed") : look.bad("FAILED");
  std::string text =
      heading(look, "Verification",
              report.passed ? verdict + ": " + look.spelled(report.meaning) : verdict);
  Table table({Align::left, Align::right, Align::right, Align::left});
  table.header({"check", "tested", "failed", ""});
  for (const VerifyCheck& check : report.checks) {
    table.row({check.name, base::format_count(check.tested), base::format_count(check.failed),
               check.failed > 0 ? "wrong" : ""});
  }
  text += table.text(look);
  for (const VerifyCheck& check : report.checks) {
    if (!check.first_failure.empty()) {
      text += fmt::format("  {}: {}\n", check.name, look.spelled(printable(check.first_failure)));
    }
  }
  text += fmt::format("  rows checked: {} of {}", base::format_count(report.sources_checked),
                      base::format_count(report.sources));
  if (report.tolerance > 0) text += fmt::format(", relative tolerance {:.3g}", report.tolerance);
  if (!read_back.empty()) text += fmt::format(", read back from {}", printable(read_back));
  return text + "\n";
}

}  // namespace apsp::cli
