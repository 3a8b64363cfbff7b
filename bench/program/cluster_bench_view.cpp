#include "program/cluster_bench_view.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

using bench::ClusterBenchmarkReport;
using bench::ClusterBenchmarkRow;

std::string rates_text(const ClusterBenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::right, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::right});
  table.header({"vertices", "tile", "each holds", "solve", "Gflop/s",
                report.nodes_are_machines ? "GB/s a machine" : "GB/s a process", "of model"});
  for (const ClusterBenchmarkRow& row : report.rows) {
    table.row(
        {base::format_count(row.n), base::format_count(row.tile),
         base::format_bytes(row.device_bytes > 0 && !row.streamed ? row.device_bytes : row.bytes),
         look.spelled(base::format_seconds(row.solved)), fmt::format("{:.1f}", flops(row) * 1e-9),
         fmt::format("{:.3f}", row.bandwidth * 1e-9),
         fmt::format("{}{:.0f} %", row.rough ? "about " : "", 100 * share_of_model(row))});
  }
  return table.text(look);
}

std::string phases_text(const ClusterBenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::right, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::right, Align::right});
  table.header(
      {"vertices", "open", "generate", "solve", "check", "model: products", "messages", "chain"});
  for (const ClusterBenchmarkRow& row : report.rows) {
    std::vector<std::string> cells = {base::format_count(row.n)};
    for (const double seconds : {row.opened, row.generated, row.solved, row.checked, row.products,
                                 row.messages, row.chain}) {
      cells.push_back(look.spelled(base::format_seconds(seconds)));
    }
    table.row(std::move(cells));
  }
  return table.text(look);
}

std::string checks_text(const ClusterBenchmarkReport& report, const TerminalStyle& look) {
  Table table({Align::right, Align::right, Align::right, Align::right, Align::right, Align::left});
  table.header({"vertices", "rows", "residual", "wrong in rows", "out of bounds", ""});
  for (const ClusterBenchmarkRow& row : report.rows) {
    table.row({base::format_count(row.n), base::format_count(row.check.rows),
               base::format_value(row.check.residual), base::format_count(row.check.values_failed),
               base::format_count(row.check.entries_failed),
               row.check.passed() ? "passed" : "FAILED"});
  }
  return table.text(look);
}

}  // namespace

std::string cluster_benchmark_text(const ClusterBenchmarkReport& report,
                                   const TerminalStyle& look) {
  const std::string remark = look.spelled(
      fmt::format("{} × {} processes of {}, variant {}, {}", report.grid_rows, report.grid_columns,
                  report.place, report.variant, name(report.type)));
  return heading(look, "Cluster", remark) + rates_text(report, look) + "\n" +
         heading(look, "Phases", "seconds of the slowest process") + phases_text(report, look) +
         "\n" + heading(look, "Checks", "rows by Bellman's equation, every entry by its bounds") +
         checks_text(report, look);
}

}  // namespace apsp::cli
