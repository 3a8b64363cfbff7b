#include "io/geojson.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "base/fail.hpp"
#include "base/json.hpp"
#include "io/column_table.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

bool is_place(const json& at) {
  return at.is_array() && at.size() > 1 && at[0].is_number() && at[1].is_number();
}

std::string line_of(const json& places) {
  std::string line;
  for (const json& at : places) {
    line += fmt::format("{}{} {}", line.empty() ? "LINESTRING (" : ", ", base::json_text(at[0]),
                        base::json_text(at[1]));
  }
  return line + ')';
}

std::string text_of(const json& value) {
  std::string text = value.is_string() ? value.get<std::string>()
                     : value.is_null() ? std::string()
                                       : base::json_text(value);
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

std::string geojson_as_csv(const Source& source) {
  if (!first_word(io::text_of(source)).starts_with('{')) return {};
  const json document = base::parsed_json(io::text_of(source));
  if (!document.is_object() || !document.contains("features")) return {};
  Texts titles;
  std::vector<Texts> rows;
  for (const json& feature : document["features"]) {
    const json whole = feature.is_object() ? feature : json::object();
    const json geometry = whole.value("geometry", json());
    const json at = geometry.is_object() ? geometry.value("coordinates", json()) : json();
    const bool is_line = at.is_array() && at.size() > 1 && std::ranges::all_of(at, is_place);
    if (titles.empty()) titles = is_line ? Texts{"geometry"} : Texts{"lon", "lat"};
    const std::size_t places = titles[0] == "lon" ? 2 : 1;
    const json type = places == 1 ? "LineString" : "Point";
    if (!(places == 1 ? is_line : is_place(at)) || geometry.value("type", json()) != type) {
      base::fail_input(source.name, "feature {} is no {}, and features are all points or all lines",
                       rows.size() + 1, places == 1 ? "line" : "point");
    }
    Texts& row = rows.emplace_back(is_line ? Texts{line_of(at)}
                                           : Texts{base::json_text(at[0]), base::json_text(at[1])});
    const json properties = whole.value("properties", json());
    for (const auto& [title, value] : properties.items()) {
      const auto place =
          std::find(titles.begin() + (places == 1 ? 1 : 2), titles.end(), title) - titles.begin();
      if (place == std::ssize(titles)) titles.push_back(title);
      row.resize(titles.size());
      row[static_cast<std::size_t>(place)] = text_of(value);
    }
  }
  rows.insert(rows.begin(), titles);
  std::string csv;
  for (const Texts& row : rows) {
    for (std::size_t i = 0; i < titles.size(); ++i) {
      if (i > 0) csv += ',';
      if (i < row.size() && !row[i].empty()) csv += quoted_field(row[i]);
    }
    csv += '\n';
  }
  return csv;
}

}  // namespace apsp::io
