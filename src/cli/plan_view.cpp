#include "cli/plan_view.hpp"

#include "cli/table.hpp"

namespace apsp::cli {

std::string plan_text(const PlanReport& plan, const Look& look) {
  constexpr std::size_t kWidest = 200;  // reasons stay whole
  Table table({Align::left, Align::left}, kWidest);
  for (const auto& [subject, chosen] : plan.rows) table.row({subject, look.spelled(chosen)});
  std::string text = table.text(look);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace apsp::cli
