#include "cli/solve_view.hpp"

#include "support/test.hpp"

namespace apsp::cli::solve_view_test {
namespace {

SolveReport report_of(double seconds_solve) {
  SolveReport report;
  report.threads = 2;
  report.relaxations = 1e12;
  report.seconds_prepare = 1;
  report.seconds_solve = seconds_solve;
  report.seconds_total = 1 + seconds_solve;
  return report;
}

TEST(TimingLine, SaysWhatEachPartTook) {
  EXPECT_EQ(timing_line(report_of(4), 2),
            "done in 7.00 s: read 2.00 s, prepare 1.00 s, solve 4.00 s (250 G relaxations/s on 2 "
            "threads)");
}

TEST(TimingLine, PutsThePredictionBesideTheTime) {
  SolveReport report = report_of(4);
  report.seconds_store = 3;
  report.on_device = DeviceReport{1, "NVIDIA H200", false, 0, 0, 2, 1.9};
  report.seconds_predicted = 4.81;
  report.prediction_rough = false;
  EXPECT_EQ(timing_line(report, 2),
            "done in 7.00 s: read 2.00 s, prepare 1.00 s, solve 4.00 s (2.00 s in NVIDIA H200, "
            "500 G relaxations/s on cuda:1), store 3.00 s; after reading 5.00 s, predicted 4.81 s");
}

TEST(TimingLine, APredictionThatWasNotMeasuredIsAbout) {
  SolveReport report = report_of(4);
  report.seconds_predicted = 4.5;
  EXPECT_EQ(timing_line(report, 2),
            "done in 7.00 s: read 2.00 s, prepare 1.00 s, solve 4.00 s (250 G relaxations/s on 2 "
            "threads); after reading 5.00 s, predicted about 4.50 s");
}

TEST(TimingLine, NothingDoneHasNoRate) {
  SolveReport report = report_of(4);
  report.relaxations = 0;
  EXPECT_EQ(timing_line(report, 2), "done in 7.00 s: read 2.00 s, prepare 1.00 s, solve 4.00 s");
}

}  // namespace
}  // namespace apsp::cli::solve_view_test
