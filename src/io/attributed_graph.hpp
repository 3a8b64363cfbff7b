// A graph with vertex ids and named edge attributes: GraphML, GML, Pajek, node-link JSON.
//
// The weight is the attribute that `ReadOptions::weight` names, by default `weight`. If that is
// missing and another attribute is numeric, the reader reports an error. Vertices are in the order
// of their names if these are all integers, else in the order of the file.
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

  /// Throws `Error` (input). `at`: position in the text; null: unknown.
  template <class... Args>
  [[noreturn]] void fail(const char* at, fmt::format_string<Args...> message,
                         Args&&... args) const {
    fail_at(at, fmt::format(message, std::forward<Args>(args)...));
  }

  /// Throws `Error` (input) for a repeated id.
  void add_vertex(std::string_view id, std::string_view label, const char* at);
  /// Ends may be declared later. `directed`: empty: as in `build`.
  void add_edge(std::string_view from, std::string_view to, std::optional<bool> directed,
                const char* at);
  void set(std::string_view attribute, std::string_view value, const char* at);
  void set_default(std::string_view attribute, std::string_view value);
  void remark(std::string text) { remarks_.push_back(std::move(text)); }

  /// Names from labels are used only if all vertices have distinct ones.
  enum class Names { ids, labels };
  /// Throws `Error` (input): an undeclared end, a missing or bad weight, or no attribute that is
  /// the weight.
  Graph build(bool directed, Names names = Names::ids);

  bool every_id(bool (*holds)(std::string_view id)) const;

 private:
  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  struct Attribute {
    std::vector<std::pair<std::size_t, double>> values;  // by edge
    double otherwise = kMissing;
    const char* fault = nullptr;
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
  std::vector<bool> declared_;
  std::vector<std::string> labels_;  // [ids], empty: no label
  std::vector<End> edges_;
  std::map<std::string, Attribute, std::less<>> attributes_;
  std::vector<std::string> remarks_;
};

}  // namespace apsp::io
