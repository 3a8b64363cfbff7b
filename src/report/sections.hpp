// The sections of the page as markup; empty if there is nothing to show.
#pragma once

#include <apsp/report.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/drawing.hpp"

namespace apsp::report {

struct Subject {
  const Result& result;
  const Statistics& statistics;
  const ReportOptions& options;
  std::vector<std::string> left_out{};  ///< plain sentences: what the page lacks, and why

  const Graph& graph() const { return result.graph(); }
  bool holds_distances() const { return result.kept() != Keep::statistics; }
  /// Records the sentence for the end of the page. Returns an empty section.
  std::string without(std::string sentence) {
    left_out.push_back(std::move(sentence));
    return {};
  }
};

std::string key_figures(const Subject& subject);
std::string graph_table(const Subject& subject);
std::string spread(Subject& subject);

/// Places of vertices in pictures, and their origin. Empty (and reported as missing) without
/// coordinates or distances.
struct Places {
  Drawing drawing;
  std::string remark;
  std::string lines_id;  ///< the id of its lines on the page; empty until they are written
};
std::optional<Places> places_of(Subject& subject);
std::string maps(Subject& subject, Places* places);
std::string longest_path(Subject& subject, const Places* places);

std::string central_vertices(Subject& subject);
std::string matrix_picture(Subject& subject);
std::string plan_and_run(Subject& subject);
std::string verification(Subject& subject);

/// ", from 20 sources to 5 targets"; empty if statistics are of all pairs.
std::string of_whom(const Statistics& statistics);

/// "<h2>title</h2>" and the content; empty if the content is.
std::string section(std::string_view title, const std::string& content);

}  // namespace apsp::report
