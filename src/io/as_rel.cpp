// CAIDA AS Relationships, serial-1 and serial-2: "#" comments, then "a|b|-1" for a provider a of b,
// or "a|b|0" for peers; newer files add a field with the source. Every link is one hop. Vertices
// are labelled with AS numbers and sorted by them.
#include <apsp/error.hpp>

#include <algorithm>
#include <limits>

#include "io/annotations.hpp"
#include "io/formats.hpp"
#include "io/plain_rows.hpp"
#include "io/text_cursor.hpp"
#include "io/vertex_numbers.hpp"

namespace apsp::io {
namespace {

struct Link {
  Vertex provider = 0;
  Vertex customer = 0;
  bool peers = false;
};

Vertex read_system(TextCursor& cursor) {
  const char* const at = cursor.at();
  const char* behind = at;
  std::uint64_t number = 0;
  if (!read_unsigned(behind, cursor.end(), number)) {
    cursor.fail_expected(at, "an autonomous system's number");
  }
  if (number > 0xFFFFFFFFu) cursor.fail(at, "autonomous systems have numbers of 32 bits");
  cursor.move_to(behind);
  if (!cursor.take('|')) cursor.fail_expected(cursor.at(), "'|'");
  return static_cast<Vertex>(number);
}

Link read_link(TextCursor& cursor) {
  cursor.skip_blanks();
  Link link;
  link.provider = read_system(cursor);
  link.customer = read_system(cursor);
  const char* const at = cursor.at();
  const std::string_view rest = cursor.take_word();
  const std::string_view relation = rest.substr(0, rest.find('|'));
  if (relation != "-1" && relation != "0") {
    cursor.fail_expected(at, "the relation -1 (provider to customer) or 0 (peers)");
  }
  link.peers = relation == "0";
  cursor.expect_line_end();
  return link;
}

/// Reads "a|b|-1" or "a|b|0", perhaps with further fields, and moves `at` after the line end.
/// Returns false for other lines.
inline bool read_plain_link(const char*& at, const char* end, Link& link) {
  std::uint64_t provider = 0, customer = 0;
  if (!read_unsigned(at, end, provider) || at == end || *at++ != '|') return false;
  if (!read_unsigned(at, end, customer) || end - at < 4 || *at++ != '|') return false;
  link.provider = static_cast<Vertex>(provider);
  link.customer = static_cast<Vertex>(customer);
  link.peers = *at == '0';
  if (!link.peers && (*at++ != '-' || *at != '1')) return false;
  if (*++at == '|') {
    while (at != end && !is_blank(*at) && *at != '\n') ++at;
  }
  return std::max(provider, customer) <= std::numeric_limits<Vertex>::max() &&
         take_line_end(at, end);
}

void add_edges(const Link& link, AsRelPolicy policy, std::vector<Edge>& edges) {
  if (policy != AsRelPolicy::up || link.peers) {
    edges.push_back({link.provider, link.customer, 1});
  }
  const bool second = link.peers && link.provider != link.customer && policy != AsRelPolicy::both;
  if (second || (policy == AsRelPolicy::up && !link.peers)) {
    edges.push_back({link.customer, link.provider, 1});
  }
}

void read_plain_links(Piece& piece, const char* end, AsRelPolicy policy) {
  const char* at = piece.begin;
  while (at != piece.end) {
    const char* next = at;
    Link link;
    if (!read_plain_link(next, end, link)) break;
    add_edges(link, policy, piece.edges);
    piece.greatest = std::max({piece.greatest, link.provider, link.customer});
    ++piece.rows;
    at = next;
  }
  piece.reached = at;
}

bool resolve_directed(const ReadOptions& options, AsRelPolicy policy) {
  const bool one_way = policy != AsRelPolicy::both;
  if (one_way && options.directed == false) {
    throw Error(ErrorKind::usage,
                "links from providers to customers (or back) do not make an undirected graph: "
                "choose `as_rel=both`, or leave `directed=false` out");
  }
  return options.directed.value_or(one_way);
}

bool is_as_rel(std::string_view text) {
  const std::string_view line = first_line_without(text, '#');
  const char* at = line.data();
  const char* const end = at + line.size();
  std::uint64_t number = 0;
  for (int field = 0; field < 2; ++field) {
    if (!read_unsigned(at, end, number) || at == end || *at++ != '|') return false;
  }
  if (at != end && *at == '-') ++at;
  return read_unsigned(at, end, number) && number <= 1 && (at == end || *at == '|') &&
         line.find_first_of(" \t,;") == std::string_view::npos;
}

Graph read_as_rel(const Source& source) {
  TextCursor cursor(source);
  const AsRelPolicy policy = source.options.as_rel.value_or(AsRelPolicy::both);
  const bool directed = resolve_directed(source.options, policy);
  Annotations annotations;
  RowArcs rows(source, policy == AsRelPolicy::both, 0, [end = cursor.end(), policy](Piece& piece) {
    read_plain_links(piece, end, policy);
  });
  std::vector<Edge> edges;
  while (annotations.find_row(cursor, '#')) {
    if (rows.append(cursor)) continue;
    edges.clear();
    add_edges(read_link(cursor), policy, edges);
    rows.add_row(edges);
  }
  if (rows.rows() == 0) cursor.fail_at_end("the file has no relations");
  const IdRanks systems(*rows.arcs(), source.bytes.size());
  return build_ranked(source, directed, rows.arcs(), systems);
}

}  // namespace

extern const Format as_rel_format = {
    .name = "as-rel", .recognises = is_as_rel, .read = read_as_rel};

}  // namespace apsp::io
