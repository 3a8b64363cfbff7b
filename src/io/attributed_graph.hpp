// A graph whose file declares vertices by ids and gives edges named attributes: GraphML, GML,
// Pajek, node-link JSON.
//
// The attribute `weight` is the weight, or the one that `ReadOptions::weight` names. Without it an
// attribute whose values all read as numbers is an error, not a guess. Vertices whose names are all
// integers are in the order of these; others in the order of the file.
#pragma once

#include <apsp/graph.hpp>

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_cursor.hpp"
#include "io/vertex_numbers.hpp"

namespace apsp::io {

class AttributedGraph {
 public:
  explicit AttributedGraph(const Source& source) : cursor_(source) {}

  /// Throws `Error` (input) at a place of the text; null: the format does not tell places.
  template <class... Args>
  [[noreturn]] void fail(const char* at, fmt::format_string<Args...> message,
                         Args&&... args) const {
    fail_at(at, fmt::format(message, std::forward<Args>(args)...));
  }

  /// Throws `Error` (input) for an id that comes twice.
  void add_vertex(std::string_view id, std::string_view label, const char* at);
  /// The ends may be declared later. `directed`: empty: as `build` is told.
  void add_edge(std::string_view from, std::string_view to, std::optional<bool> directed,
                const char* at);
  /// An attribute of the last edge.
  void set(std::string_view attribute, std::string_view value, const char* at);
  /// The value of the edges that have none.
  void set_default(std::string_view attribute, std::string_view value);
  void remark(std::string text) { remarks_.push_back(std::move(text)); }

  /// Whether vertices are named by their labels, where all have one and no two the same.
  enum class Names { ids, labels };
  /// Throws `Error`: input (an end that is not declared, a weight that is missing or no number, no
  /// attribute that is the weight).
  Graph build(bool directed, Names names = Names::ids);

  bool every_id(bool (*holds)(std::string_view id)) const;

 private:
  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  struct Attribute {
    std::vector<std::pair<std::size_t, double>> values;  // by edge; the last of one edge holds
    double otherwise = kMissing;
    const char* fault = nullptr;  // the first value that does not read as a number
    std::string fault_value;
  };
  struct End {
    Vertex from, to;
    std::optional<bool> directed;
    const char* at;
  };

  [[noreturn]] void fail_at(const char* at, const std::string& message) const;
  Attribute& attribute(std::string_view name);
  const Attribute* weight_attribute();
  std::vector<double> weights();
  void require_declared() const;
  bool resolve_direction(bool directed);
  std::vector<std::string> names_of_vertices(Names names);
  std::string edge_text(std::size_t edge) const;

  TextCursor cursor_;
  VertexNames ids_;
  std::vector<bool> declared_;       // [ids]
  std::vector<std::string> labels_;  // [ids], empty ones: none
  std::vector<End> edges_;
  std::map<std::string, Attribute, std::less<>> attributes_;
  std::vector<std::string> remarks_;
};

}  // namespace apsp::io
