// Formulas of lengths (apsp/io.hpp).
#pragma once

#include <apsp/io.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::graph {

/// A function of a weight.
class LengthFormula {
 public:
  /// `text`: as of `with_lengths`. Throws `Error` (usage).
  explicit LengthFormula(std::string_view text);

  /// NaN if the formula takes no such weight.
  double operator()(double weight) const;
  /// The text, or "1/w for w > 0" of a name.
  const std::string& expression() const { return expression_; }

 private:
  friend class LengthParser;
  struct Step {
    int operands = 0;  // 0: pushes `number`, or the weight if that is NaN
    double number = 0;
    double (*apply)(double, double) = nullptr;
  };

  std::string expression_;
  bool positive_ = false;    // only weights above 0
  std::vector<Step> steps_;  // in postfix notation
};

struct NoLength {
  Edge edge;
  std::string why;  // "the edge A → B has the weight 0, and …"
};

/// An edge without a length, if there is one. O(m).
std::optional<NoLength> first_without_length(const Graph& graph, const LengthFormula& formula);

}  // namespace apsp::graph
