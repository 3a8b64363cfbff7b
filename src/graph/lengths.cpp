#include "graph/lengths.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/refusal.hpp"

namespace apsp {
namespace graph {
namespace {

constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
    {"inverse", "1/w"}, {"log", "-log(w)"}, {"one-minus", "1-w"}};

using Apply = double (*)(double, double);
constexpr Apply kMinus = [](double a, double) { return -a; };
constexpr std::pair<std::string_view, Apply> kFunctions[] = {
    {"sqrt(", [](double a, double) { return std::sqrt(a); }},
    {"log(", [](double a, double) { return std::log(a); }},
    {"exp(", [](double a, double) { return std::exp(a); }},
    {"abs(", [](double a, double) { return std::abs(a); }},
    {"(", nullptr}};
struct Operator {
  std::string_view token;
  int rank, right;  // the least rank of an operator in the right operand
  Apply apply;
};
constexpr int kMinusRank = 3;
constexpr Operator kOperators[] = {
    {"+", 1, 2, [](double a, double b) { return a + b; }},
    {"-", 1, 2, [](double a, double b) { return a - b; }},
    {"*", 2, kMinusRank, [](double a, double b) { return a * b; }},
    {"/", 2, kMinusRank, [](double a, double b) { return a / b; }},
    {"^", 4, kMinusRank, [](double a, double b) { return std::pow(a, b); }}};
constexpr std::size_t kMostSteps = 40;

bool is_length(double value) { return value >= 0 && std::isfinite(value); }

}  // namespace

/// Climbs by precedence.
class LengthParser {
 public:
  LengthParser(std::string_view text, std::vector<LengthFormula::Step>& steps)
      : text_(text), steps_(steps) {
    parse(1);
    if (!take("") || at_ < text_.size()) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw usage_error(
        "'{}' is no formula of lengths, from character {} on: it may have numbers, w for the "
        "weight of the edge, + - * / ^, parentheses, sqrt, log, exp and abs; or it is inverse, "
        "log or one-minus",
        text_, at_ + 1);
  }

  bool take(std::string_view token) {
    at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void push(int operands, double number, Apply apply = nullptr) {
    if (steps_.size() == kMostSteps) fail();
    steps_.push_back({operands, number, apply});
  }

  /// Parses operators of at least this rank.
  void parse(int least) {
    if (++depth_ > kMostSteps) fail();
    if (take("-")) {
      parse(kMinusRank);
      push(1, 0, kMinus);
    } else {
      operand();
    }
    const auto follows = [&](const Operator& of) { return of.rank >= least && take(of.token); };
    for (const Operator* of;
         (of = std::ranges::find_if(kOperators, follows)) != std::end(kOperators);) {
      parse(of->right);
      push(2, 0, of->apply);
    }
    --depth_;
  }

  void operand() {
    if (take("w")) return push(0, std::numeric_limits<double>::quiet_NaN());
    for (const auto& [function, apply] : kFunctions) {
      if (!take(function)) continue;
      parse(1);
      if (!take(")")) fail();
      if (apply != nullptr) push(1, 0, apply);
      return;
    }
    double number = 0;
    const char* const end = text_.data() + text_.size();
    const auto [after, error] = std::from_chars(text_.data() + at_, end, number);
    if (error != std::errc{} || !std::isfinite(number)) fail();
    at_ = static_cast<std::size_t>(after - text_.data());
    push(0, number);
  }

  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0;
  std::vector<LengthFormula::Step>& steps_;
};

LengthFormula::LengthFormula(std::string_view text) : expression_(text) {
  for (const auto& [name, expression] : kNamed) {
    if (text == name) expression_ = expression, positive_ = true;
  }
  LengthParser(expression_, steps_);
  if (positive_) expression_ += " for w > 0";
}

double LengthFormula::operator()(double weight) const {
  if (positive_ && !(weight > 0)) return std::numeric_limits<double>::quiet_NaN();
  std::array<double, kMostSteps + 1> stack{};
  double* top = stack.data();  // above the values
  for (const auto& [operands, number, apply] : steps_) {
    if (operands == 0) {
      *top++ = std::isnan(number) ? weight : number;
    } else {
      top -= operands;
      *top = apply(top[0], operands == 2 ? top[1] : 0);
      ++top;
    }
  }
  return stack[0] + 0.0;  // no −0
}

std::optional<NoLength> first_without_length(const Graph& graph, const LengthFormula& formula) {
  std::optional<NoLength> found;
  for (Vertex from = 0; from < graph.vertex_count() && !found; ++from) {
    graph.for_each_arc(from, [&](Vertex to, double weight) {
      if (found || is_length(formula(weight))) return;
      found = {{from, to, weight},
               fmt::format("the edge {} → {} has the weight {}, and {} is no length of it that is "
                           "finite and at least 0: leave the edge out, or give it another weight",
                           graph.name(from), graph.name(to), weight, formula.expression())};
    });
  }
  return found;
}

}  // namespace graph

Graph with_lengths(const Graph& graph, std::string_view text) {
  const graph::LengthFormula formula(text);
  if (const auto bad = graph::first_without_length(graph, formula)) {
    throw Error(ErrorKind::usage, bad->why);
  }
  std::vector<double> found;
  found.reserve(static_cast<std::size_t>(graph.edge_count()));
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    if (graph.directed() || from <= to) found.push_back(formula(weight));
  });
  Graph changed = with_weights(graph, found);
  for (const std::string& remark : graph.remarks()) changed = changed.with_remark(remark);
  return changed.with_remark(
      fmt::format("lengths are made of weights w: {}", formula.expression()));
}

}  // namespace apsp
