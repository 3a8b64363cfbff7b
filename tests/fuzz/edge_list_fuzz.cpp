// The reader of edge lists, and its two ways through the rows: where the short one succeeds, the
// long one gives the same edges.
#include "io/edge_list.hpp"

#include <apsp/error.hpp>

#include <cstdlib>

#include "round_trip.hpp"

namespace {

using namespace apsp;
using namespace apsp::io;

void check_both_ways(const Source& source) {
  TextCursor cursor(source);
  EdgeListComments comments;
  const auto layout = find_layout(cursor, comments);
  if (!layout) return;
  TextCursor again = cursor;
  EdgeListComments ignored;
  NumberedRows numbered;
  if (!read_numbered_rows(cursor, *layout, comments, numbered)) return;
  NamedRows named = read_named_rows(again, *layout, ignored);
  if (named.edges.size() != numbered.edges.size()) std::abort();
  for (std::size_t i = 0; i < named.edges.size(); ++i) {
    const Edge& a = named.edges[i];
    const Edge& b = numbered.edges[i];
    const auto& names = named.names.names();
    if (names[a.from].text != std::to_string(b.from) || names[a.to].text != std::to_string(b.to) ||
        a.weight != b.weight) {
      std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::check_reader(data, size, GraphFormat::edge_list);
  const ReadOptions options;
  const std::string name = "input";
  ReadProgress progress(options.control, size);
  const Source source{{reinterpret_cast<const char*>(data), size}, name, options, progress};
  try {
    check_both_ways(source);
  } catch (const Error&) {
    // A malformed row or comment: `check_reader` has seen it too.
  }
  return 0;
}
