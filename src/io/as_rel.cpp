// CAIDA AS Relationships, serial-1 and serial-2: "#" comments, then "a|b|-1" for a provider a of b,
// or "a|b|0" for peers; newer files add a field with the source. Every link is one hop. Vertices
// are labelled with AS numbers and sorted by them.
#include <apsp/error.hpp>

#include "io/annotations.hpp"
#include "io/formats.hpp"
#include "io/vertex_numbers.hpp"

namespace apsp::io {
namespace {

/// Reads "174|" and moves `at` after it.
[[gnu::always_inline]] inline Vertex take_system(const TextCursor& cursor, const char*& at) {
  const char* const first = at;
  std::uint64_t number = 0;
  if (!read_unsigned(at, cursor.end(), number)) {
    cursor.fail_expected(first, "an autonomous system's number");
  }
  if (number > 0xFFFFFFFFu) cursor.fail(first, "autonomous systems have numbers of 32 bits");
  if (at == cursor.end() || *at != '|') cursor.fail_expected(at, "'|'");
  ++at;
  return static_cast<Vertex>(number);
}

/// Reads "a|b|-1" or "a|b|0", perhaps with further fields, and the line end.
[[gnu::always_inline]] inline bool read_link(TextCursor& cursor, AsRelPolicy policy,
                                             RowEdges& edges) {
  const char* at = cursor.next();
  const char* const end = cursor.end();
  const Vertex provider = take_system(cursor, at), customer = take_system(cursor, at);
  const char* const relation = at;
  const bool peers = at != end && *at == '0';
  at += peers ? 1 : end - at > 1 && at[0] == '-' && at[1] == '1' ? 2 : 0;
  const bool known = at != relation;
  const auto at_word_end = [&] { return at == end || is_blank(*at) || *at == '\n'; };
  if (known && at != end && *at == '|') {
    while (!at_word_end()) ++at;
  }
  if (!known || !at_word_end()) {
    cursor.fail_expected(relation, "the relation -1 (provider to customer) or 0 (peers)");
  }
  if (at != end && *at == '\n') {
    cursor.move_to(at + 1);
  } else {
    cursor.move_to(at);
    cursor.expect_line_end();
  }
  if (policy != AsRelPolicy::up || peers) edges.add(provider, customer, 1);
  const bool second = peers && provider != customer && policy != AsRelPolicy::both;
  if (second || (policy == AsRelPolicy::up && !peers)) edges.add(customer, provider, 1);
  return true;
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
  RowArcs rows(cursor, {.mirrored = policy == AsRelPolicy::both},
               [policy](TextCursor& at, std::size_t, RowEdges& edges) {
                 return read_link(at, policy, edges);
               });
  while (annotations.find_row(cursor, '#')) rows.read(cursor);
  if (rows.rows() == 0) cursor.fail_at_end("the file has no relations");
  const IdRanks systems(*rows.arcs(), source.bytes.size());
  return build_ranked(source, directed, rows.arcs(), systems);
}

}  // namespace

extern const Format as_rel_format = {
    .name = "as-rel", .recognises = is_as_rel, .read = read_as_rel};

}  // namespace apsp::io
