#include "cli/statistics_view.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/units.hpp"
#include "cli/graph_view.hpp"
#include "cli/table.hpp"
#include "semiring/semiring_words.hpp"
#include "statistics/histogram_bins.hpp"

namespace apsp::cli {
namespace {

constexpr std::size_t kMostRows = 16;
constexpr std::size_t kBarColumns = 32;

/// Returns the number with up to four significant digits; from 10,000 on, rounded to an integer.
std::string end_text(double end) {
  constexpr double kFour = 1e4;
  return std::abs(end) < kFour ? fmt::format("{:.4g}", end) : base::format_value(std::round(end));
}

std::string range_text(const HistogramBin& bin, bool last, bool whole, const TerminalStyle& look) {
  if (!whole && bin.low < bin.high) {
    return fmt::format("{} {} {}", end_text(bin.low), look.dash(), end_text(bin.high));
  }
  if (!whole) return base::format_value(bin.low);
  const double least = std::ceil(bin.low);
  const double greatest = last ? std::floor(bin.high) : std::ceil(bin.high) - 1;
  if (least >= greatest) return base::format_value(least);
  return fmt::format("{} {} {}", base::format_value(least), look.dash(),
                     base::format_value(greatest));
}

std::string capital(std::string_view text) {
  std::string result(text);
  if (!result.empty()) result[0] = static_cast<char>(std::toupper(result[0]));
  return result;
}

/// "centre A", with the first vertex of `pair`; empty if unknown.
std::string centre_text(const StatisticsView& view, std::string_view word,
                        const std::optional<VertexPair>& pair) {
  return pair ? fmt::format("{} {}", word, shown_name(view.graph, pair->from)) : std::string();
}

std::string pair_text(const StatisticsView& view, const std::optional<VertexPair>& pair,
                      const TerminalStyle& look) {
  if (!pair) return {};
  return fmt::format("{} {} {}", shown_name(view.graph, pair->from), look.arrow(),
                     shown_name(view.graph, pair->to));
}

/// The figures of the largest component, if there are several. Its radius is the graph's.
void component_rows(Table& table, const StatisticsView& view, const ComponentStatistics& component,
                    const TerminalStyle& look) {
  const char* const kind = view.graph.directed() ? "strong components" : "components";
  table.row({"largest component", base::counted(component.vertices, "vertex", "vertices"),
             fmt::format("of {}; {} {}", base::format_count(view.statistics.vertices),
                         base::format_count(component.components), kind)});
  if (component.mean) table.row({"  its mean", base::format_value(*component.mean)});
  if (component.diameter) {
    table.row({"  its diameter", base::format_value(*component.diameter),
               pair_text(view, component.diameter_pair, look)});
  }
}

void extent_rows(Table& table, const StatisticsView& view, const TerminalStyle& look) {
  const Statistics& s = view.statistics;
  const std::string pair = pair_text(view, s.diameter_pair, look);
  if (s.diameter) {
    table.row({"diameter", base::format_value(*s.diameter), pair});
  } else if (s.diameter_at_least) {
    table.row({"diameter at least", base::format_value(*s.diameter_at_least), pair});
  } else if (s.greatest) {
    table.row({"greatest", base::format_value(*s.greatest)});
  }
  if (s.component) component_rows(table, view, *s.component, look);
  if (s.radius) {
    table.row({s.component ? "  its radius" : "radius", base::format_value(*s.radius),
               centre_text(view, "centre", s.radius_pair)});
  } else if (s.radius_at_most) {
    table.row({"radius at most", base::format_value(*s.radius_at_most),
               centre_text(view, "from", s.radius_pair)});
  }
}

/// The named figures of all pairs; the mean has another name then.
void figure_rows(Table& table, const Statistics& s) {
  const auto row = [&](const char* name, const std::optional<double>& value, const char* remark) {
    if (value) table.row({name, base::format_value(*value), remark});
  };
  row("effective diameter", s.effective_diameter, "90 % of the reachable pairs");
  row("average eccentricity", s.average_eccentricity, "");
  row("global efficiency", s.global_efficiency, "");
  row("harmonic mean distance", s.harmonic_mean_distance, "");
  row("Wiener index", s.wiener_index, "");
}

std::string summary(const StatisticsView& view, const TerminalStyle& look) {
  const Statistics& s = view.statistics;
  Table table({Align::left, Align::left, Align::left});
  table.row(
      {"reachable pairs",
       fmt::format("{} of {}", base::format_count(s.reachable_pairs), base::format_count(s.pairs)),
       base::format_share(s.reachable_pairs, s.pairs)});
  if (s.unreachable_pairs() > 0) {
    table.row({"without a path", base::format_count(s.unreachable_pairs()),
               base::format_share(s.unreachable_pairs(), s.pairs)});
  }
  if (view.semiring == Semiring::or_and) {
    if (!s.of_all()) return table.text(look);
    table.row(
        {view.graph.directed() ? "strongly connected" : "connected", s.connected ? "yes" : "no"});
    return table.text(look);
  }
  const bool named = view.named_figures && s.characteristic_path_length;
  if (s.mean)
    table.row({"mean", base::format_value(*s.mean), named ? "characteristic path length" : ""});
  if (s.median) {
    table.row({"median", base::format_value(*s.median),
               s.median_error == 0 ? "" : fmt::format("within {:.2g} %", 100 * s.median_error)});
  }
  if (s.least) table.row({"least", base::format_value(*s.least)});
  extent_rows(table, view, look);
  if (named) figure_rows(table, s);
  return table.text(look);
}

/// " from 20 sources to 5 targets"; empty if the statistics are of all.
std::string chosen(const Statistics& s) {
  std::string text;
  if (s.sources != s.vertices) text += " from " + base::counted(s.sources, "source", "sources");
  if (s.targets != s.vertices) text += " to " + base::counted(s.targets, "target", "targets");
  return text;
}

std::string central(const StatisticsView& view, const TerminalStyle& look) {
  const Statistics& s = view.statistics;
  const std::vector<Vertex> close = top(s.closeness, view.top);
  const std::vector<Vertex> harmonic = top(s.harmonic, view.top);
  if (close.empty() || harmonic.size() != close.size()) return {};
  Table table({Align::right, Align::left, Align::right, Align::left, Align::right});
  table.header({"", "by closeness", "", "by harmonic", ""});
  for (std::size_t i = 0; i < close.size(); ++i) {
    table.row({fmt::format("{}", i + 1), shown_name(view.graph, close[i]),
               fmt::format("{:.4g}", s.closeness[close[i]]), shown_name(view.graph, harmonic[i]),
               fmt::format("{:.4g}", s.harmonic[harmonic[i]])});
  }
  return "\n" + heading(look, "Most central vertices") + table.text(look);
}

bool whole_numbers(ValueType type) { return type == ValueType::i32 || type == ValueType::u16; }

}  // namespace

std::vector<HistogramBin> joined(std::span<const HistogramBin> bins, std::size_t most) {
  const std::size_t together = (bins.size() + most - 1) / most;
  std::vector<HistogramBin> result;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (i % together == 0) {
      result.push_back(bins[i]);
    } else {
      result.back().high = bins[i].high;
      result.back().pairs += bins[i].pairs;
    }
  }
  return result;
}

std::string histogram_text(std::span<const HistogramBin> bins, bool whole,
                           const TerminalStyle& look) {
  std::int64_t total = 0, most = 0;
  const std::vector<HistogramBin> rows = joined(bins, kMostRows);
  for (const HistogramBin& bin : rows) {
    total += bin.pairs;
    most = std::max(most, bin.pairs);
  }
  if (total == 0) return {};
  Table table({Align::right, Align::left, Align::right, Align::right});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double fraction = static_cast<double>(rows[i].pairs) / static_cast<double>(most);
    table.row({range_text(rows[i], i + 1 == rows.size(), whole, look),
               bar(fraction, kBarColumns, look.unicode), base::format_count(rows[i].pairs),
               base::format_share(rows[i].pairs, total)});
  }
  return table.text(look);
}

std::string statistics_text(const StatisticsView& view, const TerminalStyle& look) {
  const semiring::SemiringWords words = semiring::words_of(view.semiring);
  const std::string remark =
      fmt::format("{}{}, {}", words.paths, chosen(view.statistics),
                  base::counted(view.statistics.vertices, "vertex", "vertices"));
  std::string text = heading(look, "Statistics", remark) + summary(view, look);
  const Statistics& s = view.statistics;
  const auto bins = statistics::clipped(s.histogram, s.least.value_or(0), s.greatest.value_or(0));
  const std::string bars = histogram_text(bins, whole_numbers(view.value_type), look);
  if (!bars.empty() && view.semiring != Semiring::or_and) {
    text += "\n" +
            heading(look, capital(words.measure), "how many ordered pairs are so far apart") + bars;
  }
  return text + central(view, look);
}

}  // namespace apsp::cli
