#include "cli/report_view.hpp"

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/units.hpp"
#include "cli/progress_text.hpp"

namespace apsp::cli {

namespace {

std::string gpus(const DeviceReport& device) {
  std::string text = fmt::format("cuda:{}", device.ordinal);
  for (const int peer : device.peers) text += fmt::format(",{}", peer);
  return text;
}

/// "on 2 threads", "on cuda:0": how fast the part was that the plan is about.
std::string rate(const SolveReport& report) {
  const bool on_device = report.on_device.has_value();
  const double seconds = on_device ? report.on_device->seconds : report.seconds_solve;
  if (report.relaxations <= 0 || seconds <= 0) return {};
  return fmt::format(
      "{} on {}", rate_text(report.relaxations, seconds, "relaxation"),
      on_device ? gpus(*report.on_device) : base::counted(report.threads, "thread", "threads"));
}

/// What the GPU had of it.
std::string device_part(const DeviceReport& device) {
  return fmt::format("{} in {}", base::format_seconds(device.seconds), device.name);
}

/// What the plan had promised for all but reading.
std::string promise(const SolveReport& report) {
  if (report.seconds_predicted <= 0) return {};
  return fmt::format(
      "; after reading {}, predicted {}{}", base::format_seconds(report.seconds_total),
      report.prediction_rough ? "about " : "", base::format_seconds(report.seconds_predicted));
}

}  // namespace

std::string timing_line(const SolveReport& report, double seconds_read) {
  std::string line =
      fmt::format("done in {}: read {}", base::format_seconds(seconds_read + report.seconds_total),
                  base::format_seconds(seconds_read));
  line += ", prepare " + base::format_seconds(report.seconds_prepare);
  line += ", solve " + base::format_seconds(report.seconds_solve);
  std::string details = report.on_device ? device_part(*report.on_device) : "";
  if (const std::string text = rate(report); !text.empty()) {
    details += (details.empty() ? "" : ", ") + text;
  }
  if (!details.empty()) line += " (" + details + ")";
  if (report.seconds_store > 0) line += ", store " + base::format_seconds(report.seconds_store);
  return line + promise(report);
}

}  // namespace apsp::cli
