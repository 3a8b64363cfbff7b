// Whole pages of all kinds of results. Python tests the form (test_report.py).
#include <apsp/apsp.hpp>

#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::report_test {
namespace {

Result small_grid(SolveOptions options = {}) {
  return solve(generate({.kind = GraphKind::grid, .vertices = 30, .directed = false}), options);
}

TEST(ReportPage, ShowsAllOfAWholeResult) {
  const Result result = small_grid();
  ReportOptions options;
  options.verification = result.verify();
  const std::string page = report_page(result, options);
  for (const char* const title :
       {"How far apart", "Map", "Longest shortest path", "Most central vertices",
        "Matrix of distances", "Graph", "Plan and run", "Verification"}) {
    EXPECT_THAT(page, HasSubstr("<h2>" + std::string(title) + "</h2>"));
  }
  EXPECT_THAT(page, Not(HasSubstr("Not on this page")));
  EXPECT_THAT(page, HasSubstr("Passed: proof"));
  EXPECT_EQ(page, report_page(result, options));  // the same every time
}

TEST(ReportPage, OfStatisticsAloneSaysWhatItLacks) {
  SolveOptions kept;
  kept.storage.keep = Keep::statistics;
  const std::string page = report_page(small_grid(kept));
  for (const char* const lacking : {"<h2>Matrix of distances</h2>", "<h2>Map</h2>"}) {
    EXPECT_THAT(page, Not(HasSubstr(lacking)));
  }
  for (const char* const shown :
       {"<h2>Most central vertices</h2>", "the result keeps only statistics",
        "there are no coordinates", "The longest shortest path: it takes a row"}) {
    EXPECT_THAT(page, HasSubstr(shown));
  }
}

TEST(ReportPage, OfStatisticsAloneHasMapsByCoordinates) {
  SolveOptions kept;
  kept.storage.keep = Keep::statistics;
  const Result result = small_grid(kept);
  ReportOptions options;
  options.coordinates.emplace();
  for (int v = 0; v < 30; ++v) {
    options.coordinates->x.push_back(v % 6);
    options.coordinates->y.push_back(v / 6);
  }
  EXPECT_THAT(report_page(result, options), HasSubstr("Vertices lie where their coordinates say."));
}

TEST(ReportPage, StaysSmallHoweverLargeTheGraph) {
  const Graph graph = generate({.kind = GraphKind::gnp, .vertices = 2500, .probability = 0.05});
  SolveOptions options;
  options.question.sources = {0, 1, 2, 3};
  ReportOptions report;
  report.coordinates.emplace();
  for (Vertex v = 0; v < 2500; ++v) {
    report.coordinates->x.push_back(v * 7919 % 2503);
    report.coordinates->y.push_back(v * 104'729 % 2503);
  }
  EXPECT_LT(report_page(solve(graph, options), report).size(), 3'000'000u);
}

TEST(ReportPage, NeedsAPlaceForEveryVertex) {
  ReportOptions options;
  options.coordinates = Coordinates{{1, 2}, {1, 2}, false};
  EXPECT_ERROR(usage, report_page(small_grid(), options));
  options.coordinates = Coordinates{std::vector<double>(30), std::vector<double>(30), true};
  options.coordinates->y[7] = std::nan("");
  EXPECT_ERROR(usage, report_page(small_grid(), options));
}

TEST(WriteReport, LeavesAFileCompleteOrNotAtAll) {
  const TemporaryFolder folder;
  const Result result = small_grid();
  write_report(result, folder / "a.html");
  EXPECT_EQ(read_bytes(folder / "a.html"), report_page(result));
  Cancellation cancellation;
  cancellation.request();
  ReportOptions options;
  options.control.cancellation = &cancellation;
  EXPECT_ERROR(interrupted, write_report(result, folder / "b.html", options));
  EXPECT_ERROR(input_output, write_report(result, folder / "none/c.html"));
  EXPECT_EQ(folder.entries(), 1);
}

}  // namespace
}  // namespace apsp::report_test
