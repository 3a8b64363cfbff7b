// Assembles and writes the page.
#include <fmt/format.h>
#include <apsp/report.hpp>

#include <cctype>

#include "base/units.hpp"
#include "io/output_file.hpp"
#include "rates/machine_report.hpp"
#include "report/map_places.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/style.hpp"
#include "semiring/semiring_words.hpp"

namespace apsp {
namespace report {
namespace {

std::string what_was_solved(const Subject& subject) {
  std::string paths(semiring::words_of(subject.result.semiring()).paths);
  paths[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(paths[0])));
  return paths;
}

std::string subtitle(const Subject& subject) {
  const Graph& graph = subject.graph();
  const Statistics& s = subject.statistics;
  const char* const kind = graph.directed() ? "arc" : "edge";
  std::string text = fmt::format("{} in a graph of {} and {}", what_was_solved(subject),
                                 base::counted(graph.vertex_count(), "vertex", "vertices"),
                                 base::counted(graph.edge_count(), kind, std::string(kind) + "s"));
  return text + of_whom(s);
}

std::string left_out(const Subject& subject) {
  if (subject.left_out.empty()) return {};
  std::string list;
  for (const std::string& sentence : subject.left_out) {
    list += fmt::format("<li>{}</li>\n", escaped(sentence));
  }
  return section("Not on this page", "<ul class=\"note\">\n" + list + "</ul>\n");
}

std::string body(Subject& subject) {
  std::optional<Places> found = places_of(subject);
  Places* const places = found ? &*found : nullptr;
  std::string text = key_figures(subject) + spread(subject) + maps(subject, places);
  text += longest_path(subject, places) + central_vertices(subject) + matrix_picture(subject);
  text += graph_table(subject) + plan_and_run(subject) + verification(subject);
  return text + left_out(subject);
}

}  // namespace
}  // namespace report

std::string report_page(const Result& result, const ReportOptions& options) {
  if (options.coordinates) report::require_places(result.graph(), *options.coordinates);
  report::Subject subject{result, result.statistics(options.control), options};
  const std::string title =
      report::escaped(options.title.empty() ? report::what_was_solved(subject) : options.title);
  const std::string content = report::body(subject);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{0}</title>\n"
      "<style>\n{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p class=\"about\">{2}</p>\n{3}"
      "<footer>apsp {4}</footer>\n</main>\n</body>\n</html>\n",
      title, report::style(), report::escaped(report::subtitle(subject)), content,
      rates::version());
}

void write_report(const Result& result, const std::string& path, const ReportOptions& options) {
  const std::string page = report_page(result, options);
  io::OutputFile out(path, io::Compression::none, options.control);
  out.put(page);
  out.commit();
}

}  // namespace apsp
