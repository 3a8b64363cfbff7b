// Texts in, graphs and error messages out.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/graph.hpp>
#include <apsp/io.hpp>

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/compression.hpp"
#include "io/formats.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {

/// Parameters of tests in words; googletest finds these by their names.
inline void PrintTo(GraphFormat format, std::ostream* out) { *out << name(format); }

}  // namespace apsp

namespace apsp::io {

inline void PrintTo(Compression compression, std::ostream* out) {
  *out << (compression == Compression::gzip ? "gzip" : "zstd");
}

inline Graph parse(std::string_view text, const std::string& name,
                   const ReadOptions& options = {}) {
  return parse_graph({text.data(), text.size()}, name, options);
}

/// The message of the input error, "file:line:column: …".
inline std::string failure(std::string_view text, const std::string& name,
                           const ReadOptions& options = {}) {
  const Error error = error_of([&] { parse(text, name, options); });
  EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
  EXPECT_EQ(error.location().file, name);
  return error.what();
}

/// "line:column" of the input error; "0:0" if it is no place in the text.
inline std::string failing_at(std::string_view text, const std::string& name,
                              const ReadOptions& options = {}) {
  const Location at = error_of([&] { parse(text, name, options); }).location();
  EXPECT_EQ(at.file, name);
  return fmt::format("{}:{}", at.line, at.column);
}

/// Each failing text with the place of its error, "line:column".
inline void expect_places(const std::string& name,
                          const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [text, place] : cases) EXPECT_EQ(failing_at(text, name), place) << text;
}

/// Each failing text with words of its message, such as ":2:5: " for line 2, column 5.
template <class Fails>
void expect_failures(const Fails& fails,
                     const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [text, words] : cases) {
    EXPECT_THAT(fails(text), testing::HasSubstr(words)) << text;
  }
}

/// "directed 0-1:5 1-1:2": direction, then every edge by index with its weight.
inline std::string describe(const Graph& graph) {
  std::string text = graph.directed() ? "directed" : "undirected";
  for_each_edge(graph, [&](Vertex u, Vertex v, double weight) {
    text += fmt::format(" {}-{}:{}", u, v, weight);
  });
  return text;
}

/// "a b c": the vertices' names in order.
inline std::string names(const Graph& graph) {
  std::string text;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) text += (v > 0 ? " " : "") + graph.name(v);
  return text;
}

}  // namespace apsp::io
