#include "io/source.hpp"

#include <fmt/format.h>
#include <iconv.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <memory>

#include "base/fail.hpp"
#include "io/formats.hpp"
#include "io/npy.hpp"
#include "io/number.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

std::string_view text_in(const HeldBytes& held) { return {held.bytes.data(), held.bytes.size()}; }

struct Mark {
  std::string_view bytes;
  const char* encoding;
};

/// Byte order marks other than that of UTF-8, longer ones before their prefixes.
constexpr Mark kMarks[] = {{{"\xFF\xFE\0\0", 4}, "UTF-32LE"},
                           {{"\0\0\xFE\xFF", 4}, "UTF-32BE"},
                           {{"\xFF\xFE", 2}, "UTF-16LE"},
                           {{"\xFE\xFF", 2}, "UTF-16BE"}};

HeldBytes recoded(std::string_view text, const std::string& encoding, const std::string& name) {
  const iconv_t opened = iconv_open("UTF-8", encoding.c_str());
  if (opened == reinterpret_cast<iconv_t>(-1)) {  // NOLINT(performance-no-int-to-ptr): POSIX
    base::fail(ErrorKind::usage, "no encoding is called '{}' here; iconv -l lists those there are",
               encoding);
  }
  const std::unique_ptr<void, decltype(&iconv_close)> converter(opened, &iconv_close);
  constexpr std::size_t kRoom = std::size_t{1} << 16;
  StreamedBytes made;
  char* in = const_cast<char*>(text.data());
  std::size_t left = text.size();
  std::ptrdiff_t lines = 0;
  while (left > 0) {
    const std::span<char> room = made.spare(kRoom);
    char* out = room.data();
    std::size_t free = room.size();
    const bool failed =
        iconv(converter.get(), &in, &left, &out, &free) == static_cast<std::size_t>(-1);
    const int reason = errno;
    lines += std::count(room.data(), out, '\n');
    made.added(room.size() - free);
    if (failed && reason != E2BIG) base::fail_input(name, "line {} is not {}", lines + 1, encoding);
  }
  return made.finish();
}

bool ends_in_carriage_return(std::string_view text) {
  if (text.substr(0, 4096).find('\0') != text.npos) return false;
  const std::size_t newline = text.find('\n');
  const std::size_t end = text.substr(0, newline).find('\r');
  return end != text.npos && end + 1 != newline;
}

HeldBytes with_newlines(std::string_view text) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  StreamedBytes lines;
  for (std::size_t first = 0; first < text.size(); first += kPiece) {
    const std::string_view piece = text.substr(first, kPiece);
    const std::span<char> room = lines.spare(piece.size());
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const std::size_t next = first + i + 1;
      const bool ends_line = piece[i] == '\r' && (next == text.size() || text[next] != '\n');
      room[i] = ends_line ? '\n' : piece[i];
    }
    lines.added(piece.size());
  }
  return lines.finish();
}

}  // namespace

HeldBytes as_utf8(HeldBytes held, const std::string& name, const std::string& encoding) {
  if (!encoding.empty()) {
    if (has_npy_magic(held.bytes)) {
      base::fail(ErrorKind::usage, "`encoding` is for texts, and {} is an .npy: leave it out",
                 name);
    }
    held = recoded(text_in(held), encoding, name);
  } else {
    for (const Mark& mark : kMarks) {
      if (!text_in(held).starts_with(mark.bytes)) continue;
      held = recoded(text_in(held).substr(mark.bytes.size()), mark.encoding, name);
      break;
    }
  }
  return ends_in_carriage_return(text_in(held)) ? with_newlines(text_in(held)) : std::move(held);
}

namespace {

constexpr std::string_view kExcel = "Excel";
constexpr std::size_t kSample = 4096;

/// The way to convert a format: a Python expression that gives a NetworkX graph or a pandas table,
/// a call of igraph's reader, or instructions.
enum class Way { networkx, pandas, igraph, words };

struct ForeignFormat {
  std::string_view name;
  Way way;
  std::string_view conversion;
  std::string_view begins = {};            ///< perhaps after blanks and comments
  std::string_view holds = {};             ///< somewhere near the beginning
  bool (*is)(std::string_view) = nullptr;  ///< a further condition
  std::string_view suffix = {};
};

/// "digraph {", "strict graph name {": at most one name before the brace.
bool is_dot(std::string_view text) {
  text = first_word(text.substr(0, kSample));
  const std::string words = lower_case(text.substr(0, text.find('{')));
  if (words.size() == text.size()) return false;
  std::string_view left = words;
  if (left.starts_with("strict")) left = first_word(left.substr(6));
  if (!left.starts_with("digraph") && !left.starts_with("graph")) return false;
  left = first_word(left.substr(left.find("graph") + 5));
  const std::string_view name = without_blanks(left.substr(0, left.find_last_not_of('\n') + 1));
  return name.starts_with('"') || name.find_first_of(" \t\n") == name.npos;
}

bool is_adjacency_list(std::string_view text) {
  const std::size_t line = text.find('\n');
  return text.starts_with('#') && line != text.npos && text.substr(line + 1).starts_with("# GMT ");
}

bool is_attributed_list(std::string_view text) {
  while (text.starts_with('#')) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line.ends_with('}') && (line.ends_with(" {}") || line.find(" {'") != line.npos);
}

/// Whether a line such as "p edge VERTICES EDGES" with this word follows comments.
bool is_dimacs(std::string_view text, std::string_view word) {
  while (text.starts_with("c ") || text.starts_with("c\n"))
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.starts_with("p ") && text.substr(2).starts_with(word) &&
         text.substr(2 + word.size()).starts_with(' ');
}

/// UCINET's language begins with "DL N=4" and further words.
bool is_dl(std::string_view text) {
  const std::string begin = lower_case(first_word(text).substr(0, 80));
  return begin.starts_with("dl") && begin.find_first_of(" ,\r\n") == 2 &&
         (begin.find("n=") != begin.npos || begin.find("n =") != begin.npos);
}

bool is_json_lines(std::string_view text) {
  text = first_word(text);
  const std::string_view line = without_blanks(text.substr(0, text.find('\n')));
  return line.starts_with('{') && line.ends_with('}') && line.size() < text.size() &&
         first_word(text.substr(text.find('\n'))).starts_with('{');
}

bool is_json_records(std::string_view text) {
  text = first_word(text);
  return text.starts_with('[') && first_word(text.substr(1)).starts_with('{');
}

/// Sections of EMME's network begin with "t nodes" and "t links".
bool is_emme(std::string_view text) {
  text = text.substr(0, kSample);
  return text.starts_with("t nodes") || text.starts_with("t links") ||
         text.find("\nt nodes") != text.npos || text.find("\nt links") != text.npos;
}

bool is_xml(std::string_view text) {
  const std::string_view begin = first_word(text), sample = text.substr(0, kSample);
  return begin.size() > 1 && begin[0] == '<' &&
         (begin[1] == '!' || std::isalpha(static_cast<unsigned char>(begin[1])) != 0) &&
         (sample.find("</") != sample.npos || sample.find("/>") != sample.npos) &&
         text.find("<graphml") == text.npos;
}

using namespace std::string_view_literals;
constexpr std::array kForeign = {
    ForeignFormat{"GEXF", Way::networkx, "nx.read_gexf('{in}')", "<gexf"},
    ForeignFormat{"DOT", Way::networkx, "nx.nx_pydot.read_dot('{in}')", "", "", is_dot},
    ForeignFormat{
        "a multiline adjacency list of NetworkX", Way::networkx,
        "nx.read_multiline_adjlist('{in}')", "#", "",
        [](auto text) { return is_adjacency_list(text) && text.find(" {") != text.npos; }},
    ForeignFormat{"an adjacency list of NetworkX", Way::networkx, "nx.read_adjlist('{in}')", "#",
                  "", is_adjacency_list},
    ForeignFormat{"an edge list of NetworkX with attributes", Way::networkx,
                  "nx.read_edgelist('{in}')", "", "", is_attributed_list},
    ForeignFormat{"DIMACS' format for colouring", Way::words,
                  "awk '$1 == \"e\" {print $2, $3, $4}' '{in}' > '{in}.txt'", "", "",
                  [](auto text) { return is_dimacs(text, "edge") || is_dimacs(text, "col"); }},
    ForeignFormat{"DIMACS' format for coordinates", Way::words,
                  "awk 'BEGIN {print \"vertex,lon,lat\"} $1 == \"v\" {printf \"%s,%.6f,%.6f\\n\", "
                  "$2, $3 / 1e6, $4 / 1e6}' '{in}' > '{in}.csv'",
                  "", "", [](auto text) { return is_dimacs(text, "aux sp co"); }},
    ForeignFormat{
        "LEDA", Way::words,
        "awk '/^-[12]/ {print ($1 < -1 ? \"# undirected\" : \"# directed\")} /^[1-9].*[|][{]/ "
        "{gsub(/[|{}]/, \"\"); print $1, $2, $4}' '{in}' > '{in}.txt'",
        "LEDA.GRAPH"},
    ForeignFormat{"a graph of PBBS or Ligra", Way::words,
                  "tail -n +2 '{in}' > '{in}.txt' for an EdgeArray; write an AdjacencyGraph as "
                  "rows 'from to'",
                  "", "",
                  [](auto text) {
                    text = text.substr(text.starts_with("Weighted") ? 8 : 0);
                    return text.starts_with("AdjacencyGraph") || text.starts_with("EdgeArray");
                  }},
    ForeignFormat{"TSPLIB", Way::words,
                  "python3 -c \"import tsplib95, networkx as nx; "
                  "nx.write_graphml(tsplib95.load('{in}').get_graph(), '{in}.graphml')\"",
                  "", "EDGE_WEIGHT_TYPE",
                  [](auto text) { return text.find("DIMENSION") != text.npos; }},
    ForeignFormat{"LGL", Way::igraph, "Lgl('{in}', directed=False)", "", "", nullptr, ".lgl"},
    ForeignFormat{"UCINET's DL", Way::igraph, "DL('{in}')", "", "", is_dl, ".dl"},
    ForeignFormat{"JSON Lines", Way::pandas,
                  "pandas.DataFrame([json.loads(row) for row in open('{in}', encoding='utf-8-sig') "
                  "if row.strip()])",
                  "{", "", is_json_lines},
    ForeignFormat{"a JSON list of records", Way::pandas,
                  "pandas.DataFrame(json.load(open('{in}', encoding='utf-8-sig')))", "[", "",
                  is_json_records},
    ForeignFormat{"GeoJSON", Way::pandas,
                  "__import__('geopandas').read_file('{in}').drop(columns='geometry')", "{",
                  "\"FeatureCollection\""},
    ForeignFormat{
        "JSON Graph Format", Way::words,
        "jq -r '.graph | (.directed != false) as $d | [.edges[] | .directed |= if . == null then "
        "$d else . end] | any(.directed) as $a | any(.metadata.weight != null) as $w | (if $a "
        "then \"# directed\" else \"# undirected\" end), (.[] | ([.source, .target], (select($a "
        "and (.directed | not)) | [.target, .source])) + (if $w then [.metadata.weight // 1] else "
        "[] end) | @csv)' '{in}' > '{in}.csv'",
        "{", "\"graph\"",
        [](auto text) { return text.substr(0, kSample).find("\"metadata\"") != text.npos; }},
    ForeignFormat{"Cytoscape's JSON", Way::networkx,
                  "nx.cytoscape_graph(__import__('json').load(open('{in}')))", "{", "\"elements\""},
    ForeignFormat{"NetworkX's adjacency JSON", Way::networkx,
                  "nx.adjacency_graph(__import__('json').load(open('{in}')))", "{",
                  "\"adjacency\""},
    ForeignFormat{"EMME's network", Way::words,
                  "awk '$1 == \"t\" {links = $2 == \"links\"} links && $1 ~ /^a/ {print $2, $3, "
                  "$4}' '{in}' > '{in}.txt' takes the lengths of links; read that as directed",
                  "", "", is_emme},
    ForeignFormat{"graph6", Way::networkx, "nx.read_graph6('{in}')", ">>graph6<<"},
    ForeignFormat{"sparse6", Way::networkx, "nx.read_sparse6('{in}')", ">>sparse6<<"},
    ForeignFormat{"Python's pickle", Way::networkx, "__import__('pickle').load(open('{in}', 'rb'))",
                  "\x80", "",
                  [](auto text) { return text.size() > 2 && text[1] >= 2 && text[1] <= 5; }},
    ForeignFormat{kExcel, Way::pandas, "pandas.read_excel('{in}')", "\xD0\xCF\x11\xE0"},
    ForeignFormat{"HDF5", Way::pandas, "pandas.read_hdf('{in}')", "\x89HDF\r\n\x1A\n"},
    ForeignFormat{"Feather", Way::pandas, "pandas.read_feather('{in}')", "ARROW1\0\0"sv},
    ForeignFormat{"Feather", Way::pandas, "pandas.read_feather('{in}')", "FEA1", "",
                  [](auto text) { return text.ends_with("FEA1"); }},
    ForeignFormat{
        "ORC", Way::pandas, "pandas.read_orc('{in}')", "ORC", "",
        [](auto text) { return text.size() > 4 && text.substr(text.size() - 4, 3) == "ORC"; }},
    ForeignFormat{"Shapefile", Way::pandas,
                  "__import__('geopandas').read_file('{in}').drop(columns='geometry')",
                  "\0\0\x27\x0A\0\0\0\0"sv},
    // MATLAB 7.3 files are HDF5 after such a line.
    ForeignFormat{"MATLAB", Way::words,
                  "python3 -c \"import scipy.io as s; s.mmwrite('{in}.mtx', "
                  "s.loadmat('{in}')['A'])\", where A is the name of the matrix",
                  "MATLAB ", " MAT-file"},
    ForeignFormat{"SQLite", Way::words,
                  "sqlite3 -header -csv '{in}' 'SELECT * FROM edges' > '{in}.csv', where edges is "
                  "the name of the table",
                  "SQLite format 3\0"sv},
    ForeignFormat{"OpenStreetMap's XML", Way::words,
                  "osmium cat '{in}' -o '{in}.pbf', and then as docs/roads.md says", "<osm "},
    ForeignFormat{"tar", Way::words, "unpack it (tar -xf), and name one of its files", "", "",
                  [](auto text) { return text.size() >= 262 && text.substr(257, 5) == "ustar"; }},
    ForeignFormat{"7-Zip", Way::words, "unpack it (7z x), and name one of its files",
                  "7z\xBC\xAF\x27\x1C"},
    ForeignFormat{
        "Cytoscape's SIF", Way::words,
        "awk '/\\t/ {FS = \"\\t\"; $0 = $0} {for (i = 3; i <= NF; i++) print $1 \"\\t\" $i}' "
        "'{in}' > '{in}.txt'",
        "", "", nullptr, ".sif"},
    ForeignFormat{"the Trivial Graph Format", Way::words, "sed '1,/^#/d' '{in}' > '{in}.txt'", "",
                  "", nullptr, ".tgf"},
    ForeignFormat{
        "SteinLib", Way::words,
        "awk '$1 == \"A\" {print \"# directed\"} $1 == \"A\" || $1 == \"E\" {print $2, $3, $4}' "
        "'{in}' > '{in}.txt'",
        "", "SECTION Graph"},
    ForeignFormat{"TNTP", Way::words,
                  "grep -v '^<' '{in}' | tr -d '~;' | awk '{$1 = $1} 1' > '{in}.txt', and read "
                  "that as directed, by its columns init_node,term_node,free_flow_time",
                  "", "<END OF METADATA>"},
    ForeignFormat{"VISUM's network", Way::words, "export the list of links as CSV", "$VISION"},
    ForeignFormat{"a pointer of Git LFS", Way::words, "fetch the file (git lfs pull)",
                  "version https://git-lfs"},
    ForeignFormat{"HTML or XML", Way::words, "write its edges as CSV, such as by pandas.read_xml",
                  "<", "", is_xml}};

bool is_of(const ForeignFormat& format, std::string_view text) {
  const bool by_content = !format.begins.empty() || !format.holds.empty() || format.is != nullptr;
  return by_content &&
         (text.starts_with(format.begins) || first_word(text).starts_with(format.begins)) &&
         (format.holds.empty() || text.substr(0, kSample).find(format.holds) != text.npos) &&
         (format.is == nullptr || format.is(text));
}

std::string command_of(const ForeignFormat& format, std::string_view name) {
  std::string command(format.conversion);
  if (format.way == Way::networkx) {
    command = fmt::format(
        "python3 -c \"import networkx as nx; nx.write_graphml({}, '{{in}}.graphml')\"", command);
  } else if (format.way == Way::pandas) {
    command = fmt::format(
        "python3 -c \"import json, pandas; {}.to_csv('{{in}}.csv', index=False)\"", command);
  } else if (format.way == Way::igraph) {
    command = fmt::format(
        "python3 -c \"import igraph; igraph.Graph.Read_{}.write_graphml('{{in}}.graphml')\"",
        command);
  }
  constexpr std::string_view kSign = "{in}", kList = "list('{in}'";
  if (const std::size_t list = command.find(kList); list != command.npos) {
    command.insert(list + kList.size(), ", create_using=nx.MultiGraph");
    command += "  # nx.MultiDiGraph if its edges have one direction";
  }
  for (std::size_t at = 0; (at = command.find(kSign, at)) != command.npos; at += name.size()) {
    command.replace(at, kSign.size(), name);
  }
  return command;
}

[[noreturn]] void refuse(const ForeignFormat& format, std::string_view name) {
  base::fail_input(std::string(name), "{} is not read. To convert it: {}", format.name,
                   command_of(format, name));
}

}  // namespace

std::string_view first_word(std::string_view text) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const auto skip = [&](std::string_view begin, std::string_view end) {
      if (!text.starts_with(begin)) return false;
      const std::size_t at = text.find(end, begin.size());
      text.remove_prefix(at == text.npos ? text.size() : at + end.size());
      return true;
    };
    if (skip("<?", "?>") || skip("<!--", "-->") || skip("/*", "*/") || skip("//", "\n")) continue;
    return text;
  }
}

void refuse_foreign(std::string_view text, std::string_view name) {
  for (const ForeignFormat& format : kForeign) {
    const bool named = !format.suffix.empty() && has_suffix(name, format.suffix);
    if (named || is_of(format, text)) refuse(format, name);
  }
}

void refuse_foreign_member(std::string_view member, std::string_view name) {
  if (!member.starts_with("xl/")) return;
  refuse(*std::ranges::find(kForeign, kExcel, &ForeignFormat::name), name);
}

}  // namespace apsp::io
