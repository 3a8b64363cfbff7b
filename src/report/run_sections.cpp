// The matrix as a picture, and how it came about: plan, run, verification.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "report/markup.hpp"
#include "report/pictures.hpp"
#include "report/sections.hpp"

namespace apsp::report {
namespace {

/// Rows of a large matrix in a file are read with all rows of their tiles.
constexpr std::int64_t kLargeMatrix = 32'768;
constexpr std::size_t kRowsOfALargeMatrix = 160;

std::string compared(std::string_view what, std::string_view planned, std::string_view actual) {
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n", what,
      planned, actual);
}

std::string seconds(double value, bool rough, std::string_view id) {
  return fmt::format("{}<data id=\"{}\" value=\"{}\">{}</data>", rough ? "about " : "", id, value,
                     base::format_seconds(value));
}

std::string comparison(const SolveReport& report) {
  constexpr const char* kNone = "–";
  std::string rows =
      compared("time",
               report.seconds_predicted > 0
                   ? seconds(report.seconds_predicted, report.prediction_rough, "seconds-planned")
                   : kNone,
               seconds(report.seconds_total, false, "seconds-actual"));
  if (report.on_device) {
    rows += compared("of it " + escaped(report.on_device->name),
                     seconds(report.on_device->seconds_predicted, report.prediction_rough,
                             "device-seconds-planned"),
                     seconds(report.on_device->seconds, false, "device-seconds-actual"));
  }
  rows += compared("memory",
                   report.bytes_planned > 0 ? base::format_bytes(report.bytes_planned) : kNone,
                   report.bytes_resident > 0 ? base::format_bytes(report.bytes_resident) : kNone);
  return "<table class=\"short\"><thead><tr><th></th><th class=\"n\">planned</th><th class=\"n\">"
         "actual</th></tr></thead><tbody>\n" +
         rows + "</tbody></table>\n";
}

std::string details(const SolveReport& report) {
  std::string rows = row("plan", escaped(report.plan));
  const std::string parts = fmt::format(
      "prepare {}, solve {}, store {}", base::format_seconds(report.seconds_prepare),
      base::format_seconds(report.seconds_solve), base::format_seconds(report.seconds_store));
  rows += row("parts of the time", parts);
  if (report.relaxations > 0) {
    rows += row("work", base::format_si(report.relaxations) + " relaxations");
  }
  rows += row("all distances", base::format_bytes(report.bytes_matrix) + ", " +
                                   std::string(name(report.value_type)));
  if (report.unit_roundoff > 0) {
    rows += row("precision", fmt::format("at most {} an edge of a path, relative",
                                         base::format_error(report.unit_roundoff)));
  }
  if (report.absolute_error > 0) {
    rows += row("precision",
                "no distance is off by more than " + base::format_error(report.absolute_error));
  }
  if (report.rows_resumed > 0) {
    rows += row("rows of an earlier run", base::format_count(report.rows_resumed));
  }
  if (report.pivots_resumed > 0) {
    rows += row("pivots of an earlier run", base::format_count(report.pivots_resumed));
  }
  return "<table class=\"short\">" + rows + "</table>\n";
}

}  // namespace

std::string matrix_picture(Subject& subject) {
  const Result& result = subject.result;
  if (!subject.holds_distances()) {
    return subject.without(
        "The matrix of distances: the result keeps only statistics. Solve with -o and a .zarr to "
        "keep distances.");
  }
  if (result.vertex_count() == 0) return {};
  const bool large = result.kept() == Keep::matrix && result.vertex_count() > kLargeMatrix;
  const std::size_t most = std::max<std::size_t>(subject.options.most_rows, 1);
  const DistanceSample sample = sample_distances(
      result, large ? std::min(most, kRowsOfALargeMatrix) : most, subject.options.control);
  const std::int64_t all =
      result.sources().empty() ? result.vertex_count() : std::ssize(result.sources());
  std::string caption = "A row a source, a column a target";
  if (std::ssize(sample.sources) < all) {
    caption += fmt::format("; {} of {} sources, drawn evenly",
                           base::format_count(std::ssize(sample.sources)), base::format_count(all));
  }
  caption += sample.ordered
                 ? ". In an order by halving between far vertices, so that near ones are together."
                 : ". In the order of the result.";
  return section("Matrix of distances", figure(heat_map(sample, result.semiring()), caption));
}

std::string plan_and_run(Subject& subject) {
  const SolveReport& report = subject.result.report();
  if (report.plan.empty()) {
    return subject.without("Plan and run: the file does not tell how it was solved.");
  }
  return section("Plan and run", comparison(report) + details(report));
}

std::string verification(Subject& subject) {
  if (!subject.options.verification) {
    return subject.without("Verification: not asked for (option verify).");
  }
  const VerifyReport& report = *subject.options.verification;
  std::string rows, failures;
  for (const VerifyCheck& check : report.checks) {
    rows += compared(escaped(check.name), base::format_count(check.tested),
                     base::format_count(check.failed));
    if (!check.first_failure.empty()) {
      failures += fmt::format("<p class=\"bad\">{}: {}</p>\n", escaped(check.name),
                              escaped(check.first_failure));
    }
  }
  const std::string verdict =
      fmt::format("<p id=\"verdict\" class=\"{}\">{}{}. Rows checked: {} of {}.</p>\n",
                  report.passed ? "good" : "bad", report.passed ? "Passed: " : "FAILED",
                  report.passed ? escaped(report.meaning) : "",
                  base::format_count(report.sources_checked), base::format_count(report.sources));
  return section(
      "Verification",
      verdict + failures +
          "<table class=\"short\"><thead><tr><th>check</th><th class=\"n\">tested</th><th "
          "class=\"n\">failed</th></tr></thead><tbody>\n" +
          rows + "</tbody></table>\n");
}

}  // namespace apsp::report
