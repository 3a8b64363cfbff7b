#include <fmt/format.h>

#include <apsp/error.hpp>
#include <apsp/io.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/checks.hpp"
#include "fuzz/choices.hpp"
#include "fuzz/report.hpp"
#include "io/vertex_lists.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::fuzz {
namespace {

/// Vertices with numbers from 1, or with names that a table has to quote, titles among them.
Graph make_graph(bool named) {
  GraphBuilder builder(7, true);
  if (named) {
    builder.set_labels({"a", "b c", "17", "x;y", "say \"q\"", "from", "1,5"});
  } else {
    builder.set_first_id(1);
  }
  return std::move(builder).build();
}

std::string in_quotes(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) all.append(c == '"' ? 2 : 1, c);
  return all + '"';
}

/// One list of a graph's vertices, in a file.
class ListFile {
 public:
  ListFile(const Graph& graph, const std::string& text) : graph_(graph) {
    write_bytes(path(), text);
  }

  void check(std::size_t reader) const {
    switch (reader) {
      case 0:
        return ask([&] { return io::read_vertices(path(), graph_); },
                   [&](Vertex v) { return name(v); });
      case 1:
        return ask([&] { return io::read_pairs(path(), graph_); },
                   [&](const VertexPair& pair) { return name(pair.from) + "," + name(pair.to); });
      case 2:
        return ask([&] { return io::read_changes(path(), graph_); },
                   [&](const WeightChange& change) {
                     const std::string old = change.old ? fmt::format("{}", *change.old) : "";
                     return fmt::format("{},{},{},{}", name(change.from), name(change.to),
                                        change.weight, old);
                   });
      case 3:
        return ask([&] { return io::read_weight_list(path()); },
                   [](double weight) {  // −inf is no edge either
                     return fmt::format("{}", std::isinf(weight) ? std::abs(weight) : weight);
                   });
      case 4:
        return ask_for_a_table([&] { return io::read_quantities(path(), graph_); },
                               [&](const auto& found) { return text_of(found); });
      default:
        return ask_for_a_table([&] { return read_coordinates(path(), graph_); },
                               [&](const auto& found) { return text_of(found); });
    }
  }

 private:
  static const std::string& path() {
    static const TemporaryFolder folder;
    static const std::string path = folder / "list";
    return path;
  }
  std::string name(Vertex v) const { return in_quotes(graph_.name(v)); }

  std::string text_of(const io::VertexQuantities& found) const {
    std::string text;
    if (found.titles.front() != "1") {  // it had titles
      text = "vertex";
      for (const std::string& title : found.titles) text += "," + in_quotes(title);
      text += "\n";
    }
    const auto n = static_cast<std::size_t>(graph_.vertex_count());
    for (std::size_t v = 0; v < n; ++v) {
      text += name(static_cast<Vertex>(v));
      for (std::size_t at = v; at < found.values.size(); at += n) {
        text += fmt::format(",{}", found.values[at]);
      }
      text += "\n";
    }
    return text;
  }
  std::string text_of(const Coordinates& found) const {
    std::string text = found.degrees ? "name,lon,lat\n" : "name,x,y\n";
    for (std::size_t v = 0; v < found.x.size(); ++v) {
      text += fmt::format("{},{},{}\n", name(static_cast<Vertex>(v)), found.x[v], found.y[v]);
    }
    return text;
  }

  template <class Read>
  static auto found_by(const Read& read) -> std::optional<decltype(read())> {
    try {
      return read();
    } catch (const Error& error) {
      const std::string message = error.what();
      if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::does_not_fit) {
        report("an error of the wrong kind: " + message);
      }
      if (message.find(path()) != 0) report("an error without the file's name: " + message);
      return std::nullopt;
    }
  }

  /// A list or an `Error`. What was read reads back the same, from the text that text_of gives.
  template <class Read, class TextOf>
  static void ask_for_a_table(const Read& read, const TextOf& text_of) {
    const auto found = found_by(read);
    if (!found) return;
    const std::string text = text_of(*found);
    if (text.empty()) return;
    write_bytes(path(), text);
    const std::string again = text_of(read());
    if (again != text) report("written as\n" + text + "and read back as\n" + again);
  }
  template <class Read, class RowOf>
  static void ask(const Read& read, const RowOf& row_of) {
    ask_for_a_table(read, [&](const auto& rows) {
      std::string text;
      for (const auto& row : rows) text += row_of(row) + "\n";
      return text;
    });
  }

  const Graph& graph_;
};

}  // namespace

void check_lists(const std::uint8_t* data, std::size_t size) {
  static const Graph numbered = make_graph(false), named = make_graph(true);
  Choices choices(data, size);
  const std::size_t reader = choices.below(12);
  ListFile(reader < 6 ? numbered : named, choices.text(size)).check(reader % 6);
}

}  // namespace apsp::fuzz
