#include "verifier/row_verifier.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"

namespace apsp::verifier {
namespace {

constexpr double kArcChecks = 1e10;  // one or two minutes of one core
constexpr std::int64_t kLeastSample = 16;

}  // namespace

std::vector<Vertex> choose_rows(const Graph& graph, std::int64_t rows,
                                const VerifyOptions& options) {
  std::int64_t wanted = options.sources;
  if (wanted == 0) {
    const double affordable = kArcChecks / std::max(1.0, static_cast<double>(graph.arc_count()));
    wanted = std::max(kLeastSample, static_cast<std::int64_t>(affordable));
  }
  if (wanted >= rows) return graph::all_vertices(rows);
  return graph::drawn_vertices(rows, wanted, options.seed);
}

VerifyReport report_of(const Tally& tally, const std::function<bool(Check)>& applies,
                       std::int64_t checked, std::int64_t rows, std::int64_t vertices,
                       const std::optional<double>& named_tolerance) {
  VerifyReport report;
  report.passed = true;
  for (std::size_t i = 0; i < kCheckNames.size(); ++i) {
    if (!applies(static_cast<Check>(i))) continue;
    const CheckTally& check = tally.checks[i];
    report.checks.push_back({kCheckNames[i], check.tested, check.failed, check.first_failure});
    report.passed = report.passed && check.failed == 0;
  }
  report.sources_checked = checked;
  report.sources = rows;
  report.tolerance = tally.tolerance;
  const char* const of_rows = checked < rows    ? " for the sampled sources"
                              : rows < vertices ? " for the sources that are kept"
                                                : "";
  if (named_tolerance) {
    report.meaning = fmt::format("within the tolerance of {}{}", *named_tolerance, of_rows);
  } else {
    report.meaning =
        fmt::format("proof{}{}", of_rows, report.tolerance > 0 ? ", within tolerance" : "");
  }
  return report;
}

RowVerifier::RowVerifier(const Graph& graph, Semiring semiring, ValueType type,
                         const VerifyOptions& options, const store::VertexList& sources)
    : RowSink(graph.vertex_count(), type, {sources, {}}),
      control_(options.control),
      tolerance_(options.tolerance),
      claim_(graph, semiring, type, options.tolerance),
      sources_(choose_rows(graph, rows(), options)),
      checkers_([this] { return std::make_unique<RowsChecker>(claim_, control_); }) {
  if (sources.is_all()) return;
  for (Vertex& row : sources_) row = sources.at(row);
  std::sort(sources_.begin(), sources_.end());
}

void RowVerifier::accept(const RowBlock& block) {
  std::vector<ClaimedRow> chosen;
  for (std::size_t i = 0; i < block.sources.size(); ++i) {
    const Vertex source = block.sources[i];
    if (!std::binary_search(sources_.begin(), sources_.end(), source)) continue;
    chosen.push_back(
        {source, static_cast<const std::byte*>(block.values) +
                     static_cast<std::int64_t>(i) * block.stride * size_of(block.type)});
  }
  checkers_.use([&](RowsChecker& checker) {
    for (std::size_t i = 0; i < chosen.size(); i += kProvenAtOnce) {
      const std::span rows(chosen);
      checker.check(rows.subspan(i, std::min(kProvenAtOnce, chosen.size() - i)));
      base::check_cancelled(control_);
    }
  });
}

Tally RowVerifier::whole() {
  Tally tally = elsewhere_;
  checkers_.for_each([&](const RowsChecker& checker) { tally.add(checker.tally()); });
  return tally;
}

base::ByteVector RowVerifier::found() {
  const Tally tally = whole();
  base::ByteWriter writer;
  writer.put(tally.tolerance);
  for (const CheckTally& check : tally.checks) {
    writer.put(check.tested);
    writer.put(check.failed);
    writer.put(check.first_source);
    writer.put(check.first_failure);
  }
  return writer.take();
}

void RowVerifier::add_found(std::span<const std::byte> found) {
  base::ByteReader reader(found);
  Tally tally;
  tally.tolerance = reader.get<double>();
  for (CheckTally& check : tally.checks) {
    check.tested = reader.get<std::int64_t>();
    check.failed = reader.get<std::int64_t>();
    check.first_source = reader.get<Vertex>();
    reader.read(check.first_failure);
  }
  elsewhere_.add(tally);
}

VerifyReport RowVerifier::report() {
  const Tally tally = whole();
  const auto of_rows = [](Check check) {
    return check != Check::predecessors && check != Check::via && check != Check::hops &&
           check != Check::statistics;
  };
  return report_of(tally, of_rows, std::ssize(sources_), rows(), claim_.graph.vertex_count(),
                   tolerance_);
}

}  // namespace apsp::verifier
