#include "program/bench_view.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

using bench::BenchmarkReport;
using bench::ClusterBenchmarkReport;
using bench::ClusterBenchmarkRow;

/// A table from rows of texts: those columns are to the left whose titles begin with '<'.
class Sheet {
 public:
  Sheet(const TerminalStyle& look, const std::vector<std::string>& titles) : look_(look) {
    std::vector<Align> columns;
    std::vector<std::string> names;
    for (const std::string& title : titles) {
      const bool left = title.starts_with('<');
      columns.push_back(left ? Align::left : Align::right);
      names.push_back(title.substr(left ? 1 : 0));
    }
    table_.emplace(std::move(columns)).header(std::move(names));
  }
  void row(std::vector<std::string> cells) { table_->row(std::move(cells)); }
  std::string text(const std::string& title, const std::string& remark) const {
    return heading(look_, title, remark) + table_->text(look_);
  }

 private:
  const TerminalStyle& look_;
  std::optional<Table> table_;
};

std::string time(double seconds, const TerminalStyle& look) {
  return seconds > 0 ? look.spelled(base::format_seconds(seconds)) : "";
}

std::string share(double of) { return of > 0 ? fmt::format("{:.2f}", of) : ""; }

class BenchView {
 public:
  BenchView(const BenchmarkReport& report, const TerminalStyle& look)
      : report_(report), look_(look), on_gpu_(report.device) {}

  std::string peaks(const std::string& machine) const {
    Sheet sheet(look_, {"<values", "<instructions", unit()});
    for (const bench::PeakRow& row : report_.peaks) {
      sheet.row({kernel(row.kernel), row.mix, rate(row.rate)});
    }
    return sheet.text("Peak", on_gpu_ ? report_.device->name + ", operands in shared memory"
                                      : machine + ", one thread, operands in registers");
  }

  std::string products() const {
    Sheet sheet(look_,
                {"<values", "side", "depth", "time", unit(), "of peak", "<operands", "<result"});
    for (const bench::ProductRow& row : report_.products) {
      sheet.row({kernel(row.kernel), base::format_count(row.m), base::format_count(row.depth),
                 time(bench::best(bench::seconds_of(row.samples)), look_), rate(bench::rate(row)),
                 share(row.share_of_peak), look_.spelled(row.configuration),
                 on_gpu_ ? verdict(row.verdict) : ""});
    }
    return sheet.text("multiply_add",
                      on_gpu_ ? "device memory, packing included" : "one thread, packed operands");
  }

  std::string solves(const std::string& where) const {
    const std::string cube = "n" + std::string(look_.unicode ? "³" : "^3");
    Sheet sheet(look_, {"<values", "vertices", on_gpu_ ? "host to host" : "threads", "<matrix",
                        "tile", "time", unit(), "of peak", "speed-up", "<result"});
    for (const bench::SolveRow& row : report_.solves) {
      const bool symmetric = row.shape == dense::Shape::symmetric;
      sheet.row(
          {kernel(row.kernel), base::format_count(row.n),
           on_gpu_ ? time(bench::best(row.seconds_run), look_) : fmt::format("{}", row.threads),
           symmetric ? "symmetric"
           : row.via ? "full, via"
                     : "full",
           fmt::format("{}", row.tile), time(bench::best(bench::seconds_of(row.samples)), look_),
           rate(bench::rate(row)), share(row.share_of_peak), share(row.against_plain),
           verdict(row.verdict) + (row.chosen ? ", as solve takes it" : "")});
    }
    return sheet.text("Floyd-Warshall", cube + " a second, " + where);
  }

  std::string verdict() const {
    std::string text =
        report_.correct ? "every result is right" : look_.bad("a result is WRONG or missing");
    if (!on_gpu_) {
      text += fmt::format("; processes ready to run: {:.1f} before, {:.1f} after",
                          report_.load_before, report_.load_after);
    }
    return "\n  " + text + "\n";
  }

 private:
  std::string unit() const { return on_gpu_ ? "T/s" : "G/s"; }
  std::string rate(double relaxations_a_second) const {
    return on_gpu_ ? fmt::format("{:.2f}", relaxations_a_second * 1e-12)
                   : fmt::format("{:.1f}", relaxations_a_second * 1e-9);
  }
  /// The name in signs that the terminal has.
  std::string kernel(const bench::BenchmarkKernel& of) const {
    std::string text = bench::name_of(of);
    const std::size_t sign = text.find("≥");
    if (sign != std::string::npos && !look_.unicode) text.replace(sign, 3, ">=");
    return text;
  }
  std::string verdict(const bench::Verdict& of) const {
    if (!of.error.empty()) return look_.spelled(of.error);
    return of.correct ? "right" : "WRONG";
  }

  const BenchmarkReport& report_;
  const TerminalStyle& look_;
  bool on_gpu_;
};

std::string rates_text(const ClusterBenchmarkReport& report, const std::string& remark,
                       const TerminalStyle& look) {
  Sheet sheet(look, {"vertices", "tile", "each holds", "solve", "Gflop/s",
                     report.nodes_are_machines ? "GB/s a machine" : "GB/s a process", "of model"});
  for (const ClusterBenchmarkRow& row : report.rows) {
    sheet.row(
        {base::format_count(row.n), base::format_count(row.tile),
         base::format_bytes(row.device_bytes > 0 && !row.streamed ? row.device_bytes : row.bytes),
         look.spelled(base::format_seconds(row.solved)), fmt::format("{:.1f}", flops(row) * 1e-9),
         fmt::format("{:.3f}", row.bandwidth * 1e-9),
         fmt::format("{}{:.0f} %", row.rough ? "about " : "", 100 * share_of_model(row))});
  }
  return sheet.text("Cluster", remark);
}

std::string phases_text(const ClusterBenchmarkReport& report, const TerminalStyle& look) {
  Sheet sheet(look, {"vertices", "open", "generate", "solve", "check", "model: products",
                     "messages", "chain"});
  for (const ClusterBenchmarkRow& row : report.rows) {
    std::vector<std::string> cells = {base::format_count(row.n)};
    for (const double seconds : {row.opened, row.generated, row.solved, row.checked, row.products,
                                 row.messages, row.chain}) {
      cells.push_back(look.spelled(base::format_seconds(seconds)));
    }
    sheet.row(std::move(cells));
  }
  return sheet.text("Phases", "seconds of the slowest process");
}

std::string checks_text(const ClusterBenchmarkReport& report, const TerminalStyle& look) {
  Sheet sheet(look, {"vertices", "rows", "residual", "wrong in rows", "out of bounds", "<"});
  for (const ClusterBenchmarkRow& row : report.rows) {
    sheet.row({base::format_count(row.n), base::format_count(row.check.rows),
               base::format_value(row.check.residual), base::format_count(row.check.values_failed),
               base::format_count(row.check.entries_failed),
               row.check.passed() ? "passed" : "FAILED"});
  }
  return sheet.text("Checks", "rows by Bellman's equation, every entry by its bounds");
}

}  // namespace

std::string benchmark_text(const BenchmarkReport& report, const std::string& machine,
                           const TerminalStyle& look) {
  const BenchView view(report, look);
  std::string text;
  if (!report.products.empty()) text = view.peaks(machine) + "\n" + view.products() + "\n";
  const std::string place = report.device   ? report.device->name
                            : !text.empty() ? "of threads x one core's peak"
                                            : machine;
  return text + view.solves(place) + view.verdict();
}

std::string cluster_benchmark_text(const ClusterBenchmarkReport& report,
                                   const TerminalStyle& look) {
  const std::string remark = look.spelled(
      fmt::format("{} × {} processes of {}, variant {}, {}", report.grid_rows, report.grid_columns,
                  report.place, report.variant, name(report.type)));
  return rates_text(report, remark, look) + "\n" + phases_text(report, look) + "\n" +
         checks_text(report, look);
}

}  // namespace apsp::cli
