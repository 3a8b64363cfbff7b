#include "io/output_names.hpp"

#include <algorithm>

#include "base/fail.hpp"
#include "base/utf8.hpp"
#include "io/number.hpp"

namespace apsp::io {

bool has_integer_names(const Graph& graph) {
  return std::ranges::all_of(
      graph.labels(), [](const std::string& label) { return integer_of(label).has_value(); });
}

void require_utf8_names(const Graph& graph, const std::string& path) {
  const auto labels = graph.labels();
  const auto bad = std::ranges::find_if_not(labels, base::is_utf8);
  if (bad == labels.end()) return;
  base::fail(
      ErrorKind::usage,
      "{} holds texts in UTF-8, and vertex {} (from 0) has a name that is not: read the graph "
      "with `encoding`, such as `encoding=cp1252`",
      path, bad - labels.begin());
}

}  // namespace apsp::io
