#include "program/bench_cuda_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "cli/table.hpp"
#include "program/bench_view.hpp"

namespace apsp::cli {
namespace {

using bench::best;
using bench::CudaBenchmarkReport;
using bench::rate;

std::string trillions(double relaxations_a_second) {
  return fmt::format("{:.2f}", relaxations_a_second * 1e-12);
}

std::string share(double of) { return of > 0 ? fmt::format("{:.2f}", of) : ""; }

std::string time(double seconds, const TerminalStyle& look) {
  return seconds > 0 ? look.spelled(base::format_seconds(seconds)) : "";
}

/// The last cell of a row: that it was checked, or what went wrong.
std::string verdict(const bench::Verdict& verdict, const TerminalStyle& look) {
  if (!verdict.error.empty()) return look.spelled(verdict.error);
  return verdict.correct ? "right" : "WRONG";
}

std::string cuda_peaks_text(const CudaBenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::left, Align::left, Align::right});
  table.header({"values", "instructions", "T/s"});
  for (const bench::CudaPeakRow& row : report.peaks) {
    table.row({kernel_text(row.kernel, look), row.mix, trillions(row.relaxations_per_second)});
  }
  return table.text(look);
}

/// Which configurations the products took, and for which values.
std::vector<std::pair<std::string, std::string>> configurations(const CudaBenchmarkReport& report,
                                                                const TerminalStyle& look) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const bench::CudaProductRow& row : report.products) {
    if (row.configuration.empty()) continue;
    const auto same = std::find_if(found.begin(), found.end(), [&](const auto& pair) {
      return pair.second == row.configuration;
    });
    if (same == found.end()) {
      found.emplace_back(kernel_text(row.kernel, look), row.configuration);
    } else {
      same->first += ", " + kernel_text(row.kernel, look);
    }
  }
  return found;
}

std::string cuda_products_text(const CudaBenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::left});
  table.header({"values", "side", "depth", "time", "T/s", "of peak", "result"});
  for (const bench::CudaProductRow& row : report.products) {
    table.row({kernel_text(row.kernel, look), base::format_count(row.m),
               base::format_count(row.depth), time(best(row.seconds), look), trillions(rate(row)),
               share(row.share_of_peak), verdict(row.verdict, look)});
  }
  std::string text = table.text(look);
  for (const auto& [values, configuration] : configurations(report, look)) {
    text += fmt::format("  {}: {}\n", values, look.spelled(configuration));
  }
  return text;
}

std::string cuda_solves_text(const CudaBenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::left, Align::right, Align::left, Align::right, Align::right, Align::right,
               Align::right, Align::right, Align::right, Align::left});
  table.header({"values", "vertices", "matrix", "tile", "on device", "T/s", "of peak", "speed-up",
                "host to host", "result"});
  for (const bench::CudaSolveRow& row : report.solves) {
    const bool symmetric = row.shape == places::Shape::symmetric;
    const char* matrix = symmetric ? "symmetric" : row.via ? "full, via" : "full";
    table.row({kernel_text(row.kernel, look), base::format_count(row.n), matrix,
               fmt::format("{}", row.tile), time(best(row.seconds_solve), look),
               trillions(rate(row)), share(row.share_of_peak), share(row.against_plain),
               time(best(row.seconds_run), look), verdict(row.verdict, look)});
  }
  return table.text(look);
}

std::string copies_text(const CudaBenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::left, Align::right, Align::left});
  table.header({"bytes", "GB/s", "result"});
  for (const bench::CudaCopyRow& row : report.copies) {
    table.row({row.direction, fmt::format("{:.1f}", row.bytes_per_second * 1e-9),
               row.verdict.entries > 0 || !row.verdict.correct ? verdict(row.verdict, look) : ""});
  }
  return table.text(look);
}

std::string offload_text(const CudaBenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::left});
  table.header({"device memory", "panels", "predicted", "time", "of uncapped", "used", "result"});
  for (const bench::CudaOffloadRow& row : report.offload) {
    const std::string cap =
        row.device_memory > 0 ? base::format_bytes(row.device_memory) : "not capped";
    table.row({cap, row.width > 0 ? fmt::format("{}", row.width) : "",
               time(row.seconds_predicted, look), time(best(row.seconds), look),
               share(row.share_of_uncapped), base::format_bytes(row.device_bytes),
               verdict(row.verdict, look)});
  }
  return table.text(look);
}

}  // namespace

std::string benchmark_text(const CudaBenchmarkReport& report, const TerminalStyle& look) {
  const std::string cube = "n" + std::string(look.unicode ? "³" : "^3");
  std::string text = heading(look, "Peak", report.device.name + ", operands in shared memory") +
                     cuda_peaks_text(report, look);
  text += "\n" + heading(look, "Copies", "host memory pinned") + copies_text(report, look);
  text += "\n" + heading(look, "multiply_add", "device memory, packing included") +
          cuda_products_text(report, look);
  text += "\n" + heading(look, "Floyd-Warshall", cube + " a second on the device, of the peak") +
          cuda_solves_text(report, look);
  if (!report.offload.empty()) {
    const bench::CudaOffloadRow& row = report.offload.front();
    text += "\n" +
            heading(look, "Larger than the device's memory",
                    fmt::format("{} vertices, a matrix of {}, host to host",
                                base::format_count(row.n), base::format_bytes(row.bytes_matrix))) +
            offload_text(report, look);
  }
  text += fmt::format("\n  {}\n", report.correct ? "every result is right"
                                                 : look.bad("a result is WRONG or missing"));
  return text;
}

}  // namespace apsp::cli
