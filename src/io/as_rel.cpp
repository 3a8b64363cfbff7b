// CAIDA's relations between autonomous systems: "#" comments, then "a|b|-1" where a is a provider
// of b, or "a|b|0" where they are peers; newer files name the source behind a further bar. Every
// link is one hop. Vertices are labelled with their AS numbers and sorted by them.
// Format: CAIDA AS Relationships, serial-1 and serial-2.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>

#include "io/annotations.hpp"
#include "io/formats.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

struct Link {
  std::uint64_t provider;  // or a peer
  std::uint64_t customer;  // or the other peer
  bool peers;
};

std::uint64_t read_system(TextCursor& cursor) {
  const char* const at = cursor.at();
  const char* behind = at;
  std::uint64_t number = 0;
  if (!read_unsigned(behind, cursor.end(), number)) {
    cursor.fail_expected(at, "an autonomous system's number");
  }
  if (number > 0xFFFFFFFFu) cursor.fail(at, "autonomous systems have numbers of 32 bits");
  cursor.move_to(behind);
  if (!cursor.take('|')) cursor.fail_expected(cursor.at(), "'|'");
  return number;
}

Link read_link(TextCursor& cursor) {
  cursor.skip_blanks();
  Link link = {};
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

std::vector<std::uint64_t> sorted_systems(const std::vector<Link>& links) {
  std::vector<std::uint64_t> systems;
  systems.reserve(2 * links.size());
  for (const Link& link : links) {
    systems.push_back(link.provider);
    systems.push_back(link.customer);
  }
  std::sort(systems.begin(), systems.end());
  systems.erase(std::unique(systems.begin(), systems.end()), systems.end());
  return systems;
}

/// One way only, or both: then undirected unless the caller wants arcs.
bool resolve_directed(const ReadOptions& options) {
  const bool one_way = options.as_rel != AsRelPolicy::both;
  if (one_way && options.directed == false) {
    throw Error(ErrorKind::usage,
                "links from providers to customers (or back) alone make no undirected graph");
  }
  return options.directed.value_or(one_way);
}

}  // namespace

Graph read_as_rel(const Source& source) {
  TextCursor cursor(source);
  const bool directed = resolve_directed(source.options);
  Annotations annotations;
  std::vector<Link> links;
  while (!cursor.at_end()) {
    const char first = cursor.peek();
    if (first == '\n') {
      cursor.skip_line();
    } else if (cursor.take('#')) {
      annotations.read_comment(cursor);
    } else {
      links.push_back(read_link(cursor));
    }
  }
  if (links.empty()) cursor.fail_at_end("the file has no relations");

  const std::vector<std::uint64_t> systems = sorted_systems(links);
  const auto vertex_of = [&](std::uint64_t system) {
    const auto at = std::lower_bound(systems.begin(), systems.end(), system);
    return static_cast<Vertex>(at - systems.begin());
  };
  const AsRelPolicy policy = source.options.as_rel;
  GraphBuilder builder(static_cast<std::int64_t>(systems.size()), directed);
  for (const Link& link : links) {
    const Vertex above = vertex_of(link.provider), below = vertex_of(link.customer);
    const bool both = link.peers || policy == AsRelPolicy::both;
    if (both || policy == AsRelPolicy::down) builder.add_edge(above, below);
    if (directed && above != below && (both || policy == AsRelPolicy::up)) {
      builder.add_edge(below, above);
    }
  }
  std::vector<std::string> labels;
  labels.reserve(systems.size());
  for (const std::uint64_t system : systems) labels.push_back(std::to_string(system));
  builder.set_labels(std::move(labels));
  return std::move(builder).build();
}

}  // namespace apsp::io
