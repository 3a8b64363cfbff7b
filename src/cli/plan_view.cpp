#include "cli/plan_view.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

constexpr std::size_t kWidest = 200;  // reasons stay whole

std::string without_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// "12.0 MiB", and a dash for none.
std::string bytes_cell(std::int64_t bytes, const Look& look) {
  return bytes > 0 ? base::format_bytes(bytes) : std::string(look.dash());
}

}  // namespace

std::string plan_text(const PlanReport& plan, const Look& look) {
  Table table({Align::left, Align::left}, kWidest);
  for (const auto& [subject, chosen] : plan.rows) table.row({subject, look.spelled(chosen)});
  return without_end(table.text(look));
}

std::string candidates_text(const PlanReport& plan, const Look& look) {
  Table table({Align::left, Align::left, Align::left, Align::right, Align::right, Align::right,
               Align::left},
              kWidest);
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
    return "times by cautious figures: this machine was not measured for it; "
           "apsp plan --measure does";
  }
  return fmt::format("times by figures of this machine, measured {}; apsp plan --measure renews",
                     measured);
}

}  // namespace apsp::cli
