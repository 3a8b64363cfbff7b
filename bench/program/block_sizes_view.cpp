#include "program/block_sizes_view.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {

std::string block_sizes_text(const bench::BlockSizeReport& report, const std::string& machine,
                             const TerminalStyle& look) {
  Table table({Align::right, Align::right, Align::right, Align::right, Align::right, Align::left});
  table.header({"vertices", "tile", "time", "G/s", "of best", ""});
  for (const bench::BlockSizeRow& row : report.rows) {
    table.row({base::format_count(row.n), base::format_count(row.tile),
               look.spelled(base::format_seconds(bench::best_seconds(row.samples))),
               fmt::format("{:.1f}", bench::rate(row) * 1e-9),
               fmt::format("{:.2f}", bench::rate(row) / bench::best_rate(report, row.n)),
               row.chosen ? "as solve takes it" : ""});
  }
  return heading(look, "Floyd-Warshall by the side of a tile",
                 fmt::format("f32, {}, {}", machine, report.where)) +
         table.text(look) +
         fmt::format("\n  {}\n",
                     report.correct ? "every result is right" : look.bad("a result is WRONG"));
}

}  // namespace apsp::cli
