#include "cli/report_view.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/numbers.hpp"
#include "cli/progress_text.hpp"

namespace apsp::cli {

std::string timing_line(const SolveReport& report, double seconds_read) {
  std::string line =
      fmt::format("done in {}: read {}", base::format_seconds(seconds_read + report.seconds_total),
                  base::format_seconds(seconds_read));
  line += ", prepare " + base::format_seconds(report.seconds_prepare);
  line += ", solve " + base::format_seconds(report.seconds_solve);
  if (report.relaxations > 0 && report.seconds_solve > 0) {
    line += fmt::format(" ({} on {})",
                        rate_text(report.relaxations, report.seconds_solve, "relaxation"),
                        counted(report.threads, "thread", "threads"));
  }
  if (report.seconds_store > 0) line += ", store " + base::format_seconds(report.seconds_store);
  return line;
}

}  // namespace apsp::cli
