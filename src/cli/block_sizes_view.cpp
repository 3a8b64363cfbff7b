#include "cli/block_sizes_view.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {

std::string block_sizes_text(const measure::BlockSizeReport& report, const std::string& machine,
                             const Look& look) {
  Table table({Align::right, Align::right, Align::right, Align::right, Align::right, Align::left});
  table.header({"vertices", "tile", "time", "G/s", "of best", ""});
  for (const measure::BlockSizeRow& row : report.rows) {
    table.row({base::format_count(row.n), base::format_count(row.tile),
               look.spelled(base::format_seconds(measure::best_seconds(row.samples))),
               fmt::format("{:.1f}", measure::rate(row) * 1e-9),
               fmt::format("{:.2f}", measure::rate(row) / measure::best_rate(report, row.n)),
               row.chosen ? "as solve takes it" : ""});
  }
  return heading(look, "Floyd-Warshall by the side of a tile",
                 fmt::format("f32, {}, {}", machine, report.where)) +
         table.text(look) +
         fmt::format("\n  {}\n",
                     report.correct ? "every result is right" : look.bad("a result is WRONG"));
}

}  // namespace apsp::cli
