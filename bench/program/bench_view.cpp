#include "program/bench_view.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

using bench::BenchmarkReport;
using bench::rate;

std::string billions(double relaxations_a_second) {
  return fmt::format("{:.1f}", relaxations_a_second * 1e-9);
}

std::string peaks_text(const BenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::left, Align::left, Align::right});
  table.header({"values", "instructions", "G/s"});
  for (const bench::PeakRow& row : report.peaks) {
    table.row({kernel_text(row.kernel, look), row.mix, billions(rate(row))});
  }
  return table.text(look);
}

std::string products_text(const BenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::left, Align::left, Align::right, Align::right, Align::right});
  table.header({"values", "operands", "size", "G/s", "of peak"});
  for (const bench::ProductRow& row : report.products) {
    table.row({kernel_text(row.kernel, look), bench::name_of(row.operands),
               base::format_count(row.m), billions(rate(row)),
               fmt::format("{:.2f}", row.share_of_peak)});
  }
  return table.text(look);
}

std::string solves_text(const BenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::left, Align::right, Align::right, Align::left, Align::right, Align::right,
               Align::right, Align::right});
  table.header({"values", "vertices", "threads", "matrix", "time", "G/s", "of peak", "speed-up"});
  for (const bench::SolveRow& row : report.solves) {
    const bool symmetric = row.shape == places::Shape::symmetric;
    const char* matrix = symmetric ? "symmetric" : row.via ? "full, via" : "full";
    table.row({kernel_text(row.kernel, look), base::format_count(row.n),
               fmt::format("{}", row.threads), matrix,
               look.spelled(base::format_seconds(bench::best_seconds(row.samples))),
               billions(rate(row)), fmt::format("{:.2f}", row.share_of_peak),
               row.against_plain > 0 ? fmt::format("{:.2f}", row.against_plain) : ""});
  }
  return table.text(look);
}

std::string memory_text(const BenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right});
  table.header({"values", "vertices", "matrix", "panels", "of matrix", "measured growth"});
  for (const bench::MemoryRow& row : report.memory) {
    table.row({kernel_text(row.kernel, look), base::format_count(row.n),
               base::format_bytes(row.bytes_matrix), base::format_bytes(row.bytes_panels),
               base::format_share(row.bytes_panels, row.bytes_matrix),
               row.bytes_resident > 0 ? base::format_bytes(row.bytes_resident) : ""});
  }
  return table.text(look);
}

}  // namespace

std::string kernel_text(const bench::BenchmarkKernel& kernel, const TerminalStyle& look) {
  std::string text = bench::name_of(kernel);
  const std::size_t sign = text.find("≥");
  if (sign != std::string::npos && !look.unicode) text.replace(sign, std::string("≥").size(), ">=");
  return text;
}

std::string benchmark_text(const BenchmarkReport& report, const std::string& machine,
                           const TerminalStyle& look) {
  std::string text = heading(look, "Peak", machine + ", one thread, operands in registers");
  text += peaks_text(report, look);
  text +=
      "\n" + heading(look, "multiply_add", "one thread, depth 192") + products_text(report, look);
  text += "\n" + heading(look, "Floyd-Warshall",
                         "n" + std::string(look.unicode ? "³" : "^3") +
                             " a second, of threads x one core's peak");
  text += solves_text(report, look);
  text += "\n" + heading(look, "Memory", "besides the matrix") + memory_text(report, look);
  text += fmt::format("\n  {}; processes ready to run: {:.1f} before, {:.1f} after\n",
                      report.correct ? "every result is right" : look.bad("a result is WRONG"),
                      report.load_before, report.load_after);
  return text;
}

}  // namespace apsp::cli
