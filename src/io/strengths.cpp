#include "io/strengths.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "graph/lengths.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

/// The line of the text that has both names and the weight as words; 0: none.
std::int64_t line_with(std::string_view text, const Graph& graph, const Edge& edge) {
  const std::string from = graph.name(edge.from), to = graph.name(edge.to);
  const auto is_weight = [&](std::string_view word) {
    double value = 0;
    return read_whole_number(word, value) == NumberFault::none && value == edge.weight;
  };
  for (std::int64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::vector<std::string_view> words = words_between(" \t\r,;\"", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto take = [&](auto&& is_it) {
      const auto found = std::ranges::find_if(words, is_it);
      if (found == words.end()) return false;
      words.erase(found);
      return true;
    };
    if (take([&](std::string_view word) { return word == from; }) &&
        take([&](std::string_view word) { return word == to; }) && take(is_weight)) {
      return line;
    }
  }
  return 0;
}

}  // namespace

Graph with_lengths_of(const Source& source, const Graph& graph, const std::string& formula) {
  if (const auto bad = graph::first_without_length(graph, graph::LengthFormula(formula))) {
    const std::int64_t line =
        line_with({source.bytes.data(), source.bytes.size()}, graph, bad->edge);
    throw Error::malformed({source.name, line}, bad->why);
  }
  return with_lengths(graph, formula);
}

}  // namespace apsp::io
