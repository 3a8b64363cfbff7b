"""The exercises of "A rate" in docs/extending.md, on copies of the sources that they change: each touches at
most three files, and they compile with what follows from the tables of rates.

    new_rate.py COMPILER [FLAG...]
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_FILES = 3

RATES = "src/planner/rates.hpp"
TABLE = "src/calibration/measure_rates.hpp"
MEASUREMENT = "src/calibration/measure_sparse.cpp"

# (file, a text that is there once, what comes behind it)
A_FIGURE = [
    (RATES, "struct SearchRates {\n", "  double worker = 1e-4;\n"),
    (RATES, "  using R = SearchRates;\n  static constexpr RateField<R> kFields[] = {\n", """
      {"worker", "s", at<&R::worker>, kMayLack},  // until the first row of a thread
"""),
    (MEASUREMENT, "  rates.counted = pairs_by_rows(graph, kind);\n", """
  const auto begun = std::chrono::steady_clock::now();
  row_seconds(graph, {Algorithm::johnson, kind, 0, 1}, 1, 0, limits);
  rates.worker = std::max(0.0, seconds_since(begun) - 2 * seconds);
"""),
]
A_KIND_OF_WORK = [
    (RATES, "inline constexpr bool kMayLack = false;\n", """
/// The search for counts that models go by.
struct SamplingRates {
  double arc = 2e-9;
  std::string measured{};

  static constexpr RateField<SamplingRates> kFields[] = {{"arc", "s", at<&SamplingRates::arc>}};
};
"""),
    (RATES, "struct RateSource {\n", "  AskRates<SamplingRates> sampling;\n"),
    (RATES, "std::tuple kWorks{", "&RateSource::sampling, "),
    (TABLE, "inline constexpr Work<Rates> kWork{};\n", """
Measure<planner::SamplingRates> measure_sampling;
template <>
inline constexpr Work<planner::SamplingRates> kWork<planner::SamplingRates>{
    .what = "sampling",
    .least = &RatePolicy::least_sparse,
    .most = &RatePolicy::most_sparse,
    .measure = measure_sampling,
    .shown = "arcs_per_second",
    .figure = [](const planner::SamplingRates& rates) { return 1 / rates.arc; }};
"""),
    (MEASUREMENT, "}  // namespace\n", """
std::optional<planner::SamplingRates> measure_sampling(const planner::RateQuery&,
                                                       const MeasureLimits&) {
  const Graph graph = flat_graph(6400);
  const auto begun = std::chrono::steady_clock::now();
  const double arcs = planner::sample_searches(graph).arcs;
  return planner::SamplingRates{.arc = seconds_since(begun) / arcs};
}
"""),
]
# Files that are compiled though they are not changed: what they do follows from the tables.
UNCHANGED = ["src/calibration/measured_rates.cpp", "src/calibration/machine_report.cpp",
             "src/distributed/collective_rates.cpp"]


def apply(edits, copy):
    """Makes the edits in the folder `copy`; returns the files."""
    for name, anchor, text in edits:
        file = copy / name
        file.parent.mkdir(parents=True, exist_ok=True)
        whole = (file if file.exists() else ROOT / name).read_text()
        if whole.count(anchor) != 1:
            sys.exit(f"{name} has {whole.count(anchor)} times {anchor!r}: "
                     "change this exercise, and its steps in docs/extending.md")
        file.write_text(whole.replace(anchor, anchor + text))
    return sorted({name for name, _, _ in edits})


def main():
    compiler = sys.argv[1:] or ["c++"]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for exercise, edits in (("a new figure", A_FIGURE), ("a new kind of work", A_KIND_OF_WORK)):
            files = apply(edits, copy)
            print(f"{exercise}: {len(files)} files: {' '.join(files)}")
            if len(files) > MOST_FILES:
                sys.exit(f"more than {MOST_FILES}")
        folders = [f"-I{base / sub}" for base in (copy, ROOT) for sub in ("src", "include")]
        sources = [copy / MEASUREMENT] + [ROOT / name for name in UNCHANGED]
        runs = [subprocess.Popen([*compiler, "-std=c++20", "-fsyntax-only", *folders,
                                  '-DAPSP_VERSION="0"', source]) for source in sources]
        if any([run.wait() != 0 for run in runs]):
            sys.exit("the copy does not compile")


main()
