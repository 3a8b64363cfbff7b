#include "cli/verify_view.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/table.hpp"
#include "cli/text_width.hpp"

namespace apsp::cli {

std::string verify_text(const VerifyReport& report, const Look& look, std::string_view read_back) {
  const std::string verdict = report.passed ? look.good("passed") : look.bad("FAILED");
  std::string text =
      heading(look, "Verification",
              report.passed ? verdict + ": " + look.spelled(report.meaning) : verdict);
  Table table({Align::left, Align::right, Align::right, Align::left});
  table.header({"check", "tested", "failed", ""});
  for (const VerifyCheck& check : report.checks) {
    table.row({check.name, base::format_count(check.tested), base::format_count(check.failed),
               check.failed > 0 ? "wrong" : ""});
  }
  text += table.text(look);
  for (const VerifyCheck& check : report.checks) {
    if (!check.first_failure.empty()) {
      text += fmt::format("  {}: {}\n", check.name, look.spelled(printable(check.first_failure)));
    }
  }
  text += fmt::format("  rows checked: {} of {}", base::format_count(report.sources_checked),
                      base::format_count(report.sources));
  if (report.tolerance > 0) text += fmt::format(", relative tolerance {:.3g}", report.tolerance);
  if (!read_back.empty()) text += fmt::format(", read back from {}", printable(read_back));
  return text + "\n";
}

}  // namespace apsp::cli
