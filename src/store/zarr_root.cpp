#include "store/zarr_root.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/fail.hpp"
#include "base/json.hpp"
#include "store/tiling.hpp"
#include "store/zarr_group.hpp"
#include "store/zarr_vectors.hpp"

namespace apsp::store {
namespace {

using Json = nlohmann::ordered_json;

class Fields {
 public:
  Fields(const Json& object, const std::string& path) : object_(object), path_(path) {}

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) const {
    base::fail_input(path_, message, std::forward<Args>(args)...);
  }
  const std::string& path() const { return path_; }
  const Json& operator[](const char* name) const {
    const auto at = object_.find(name);
    if (at == object_.end()) fail("the attribute apsp.{} is missing", name);
    return *at;
  }
  std::int64_t integer(const char* name) const {
    const Json& value = (*this)[name];
    const bool fits = value.is_number_integer() &&
                      !(value.is_number_unsigned() &&
                        value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max());
    if (!fits) fail("the attribute apsp.{} is not an integer", name);
    return value.get<std::int64_t>();
  }
  bool boolean(const char* name) const {
    return require(name, &Json::is_boolean, "boolean").get<bool>();
  }
  std::string text(const char* name) const {
    return require(name, &Json::is_string, "string").get<std::string>();
  }
  std::vector<std::string> texts(const char* name) const {
    std::vector<std::string> all;
    for (const Json& item : require(name, &Json::is_array, "list")) {
      if (!item.is_string()) fail("the attribute apsp.{} does not list strings", name);
      all.push_back(item.get<std::string>());
    }
    return all;
  }

 private:
  const Json& require(const char* name, bool (Json::*is)() const noexcept, const char* what) const {
    const Json& value = (*this)[name];
    if (!(value.*is)()) fail("the attribute apsp.{} is not a {}", name, what);
    return value;
  }

  const Json& object_;
  const std::string& path_;
};

Plane parse_plane(const std::string& text, const Fields& fields) {
  for (const Plane plane : {Plane::distance, Plane::predecessor, Plane::via, Plane::hops}) {
    if (name(plane) == text) return plane;
  }
  fields.fail("unknown plane '{}'", text);
}

Layout parse_layout(const Fields& fields) {
  Layout layout;
  layout.n = fields.integer("vertices");
  layout.tile = fields.integer("tile");
  const auto semiring = parse_semiring(fields.text("semiring"));
  const auto type = parse_value_type(fields.text("value_type"));
  if (!semiring) fields.fail("unknown semiring '{}'", fields.text("semiring"));
  if (!type) fields.fail("unknown value type '{}'", fields.text("value_type"));
  layout.semiring = *semiring;
  layout.type = *type;
  layout.planes.clear();
  for (const std::string& text : fields.texts("planes")) {
    layout.planes.push_back(parse_plane(text, fields));
  }
  base::of_file(fields.path(), [&] { require_layout(layout); });
  return layout;
}

/// A JSON list would take thousands of lines.
std::string checksums_text(const Checksums& checksums) {
  std::string text;
  for (const std::uint32_t checksum : checksums) text += fmt::format("{:08x}", checksum);
  return text;
}

Checksums parse_checksums(const std::string& text, std::int64_t chunks, const Fields& fields) {
  constexpr std::size_t kDigits = 8;
  if (text.size() != kDigits * static_cast<std::size_t>(chunks)) {
    fields.fail("{} digits of checksums for {} chunks, of 8 each", text.size(), chunks);
  }
  Checksums checksums(static_cast<std::size_t>(chunks));
  for (std::size_t i = 0; i < checksums.size(); ++i) {
    const char* const first = text.data() + kDigits * i;
    const auto [end, failure] = std::from_chars(first, first + kDigits, checksums[i], 16);
    if (failure != std::errc() || end != first + kDigits) {
      fields.fail("'{}' is no checksum", std::string_view(first, kDigits));
    }
  }
  return checksums;
}

Json to_json(const std::vector<Array>& arrays) {
  Json list = Json::array();
  for (const Array& array : arrays) {
    list.push_back({{"name", array.name},
                    {"value_type", apsp::name(array.type)},
                    {"length", array.length},
                    {"checksums", checksums_text(array.checksums)}});
  }
  return list;
}

std::vector<Array> parse_arrays(const Fields& fields) {
  const Json& list = fields["arrays"];
  if (!list.is_array() || list.empty())
    fields.fail("the attribute apsp.arrays is not a list, or is empty");
  std::vector<Array> arrays;
  for (const Json& item : list) {
    if (!item.is_object()) fields.fail("the attribute apsp.arrays does not list objects");
    const Fields facts(item, fields.path());
    const auto type = parse_value_type(facts.text("value_type"));
    if (!type) fields.fail("unknown value type '{}'", facts.text("value_type"));
    arrays.push_back({facts.text("name"), *type, facts.integer("length")});
    if (!is_vector(arrays.back()) ||
        std::ranges::count(arrays, arrays.back().name, &Array::name) > 1) {
      fields.fail("an array named '{}' of length {}", arrays.back().name, arrays.back().length);
    }
    if (!item.contains("checksums")) continue;
    const std::int64_t chunks = (arrays.back().length + kArrayChunk - 1) / kArrayChunk;
    arrays.back().checksums = parse_checksums(facts.text("checksums"), chunks, facts);
  }
  return arrays;
}

/// Returns 0 for null: all.
std::int64_t parse_selected(const char* name, std::int64_t n, const Fields& fields) {
  if (fields[name].is_null()) return 0;
  const std::int64_t count = fields.integer(name);
  if (count < 1 || count > n) {
    fields.fail("the attribute apsp.{} is {}, of {} vertices", name, count, n);
  }
  return count;
}

const Json* find_apsp(const Json& document) {
  const auto is = [&](const char* field, const Json& value) {
    return document.contains(field) && document.at(field) == value;
  };
  const Json::json_pointer apsp("/attributes/apsp");
  if (!is("zarr_format", 3) || !is("node_type", "group") || !document.contains(apsp))
    return nullptr;
  const Json& facts = document.at(apsp);
  return facts.is_object() ? &facts : nullptr;
}

}  // namespace

std::string root_document(const ZarrRoot& root) {
  Json planes = Json::array();
  for (const Plane plane : root.layout.planes) planes.push_back(name(plane));
  const bool all = root.layout.selection.all();
  const std::vector<std::int64_t> chunk = plane_grid(root.layout).chunk;
  const auto count = [](const VertexList& list) {
    return list.is_all() ? Json(nullptr) : Json(list.size(0));
  };
  const bool plain = all && root.arrays.empty();
  Json facts = {{"format_version", root.matrix ? kMatrixVersion
                                   : plain     ? kFormatVersion
                                               : kWiderVersion},
                {"complete", true},
                {"vertices", root.layout.n},
                {"semiring", apsp::name(root.layout.semiring)},
                {"value_type", apsp::name(root.layout.type)},
                {"no_path", no_path_json(root.layout)},
                {"tile", std::max(chunk.front(), chunk.back())},
                {"planes", planes},
                {"compressed", root.compress},
                {"digest", root.digest ? Json(*root.digest) : Json(nullptr)},
                {"vertex_values", root.vertex_values}};
  if (!root.arrays.empty()) facts["arrays"] = to_json(root.arrays);
  if (!all) {
    facts["sources"] = count(root.layout.selection.sources);
    facts["targets"] = count(root.layout.selection.targets);
  }
  const Json document = {
      {"zarr_format", 3},
      {"node_type", "group"},
      {"attributes", {{"apsp", facts}, {"result", base::json_of<Json>(root.attributes)}}}};
  return base::json_text(document, 2) + "\n";
}

bool is_root_document(const std::string& text) {
  return find_apsp(base::parsed_json<Json>(text)) != nullptr;
}

ZarrRoot parse_root_document(const std::string& text, const std::string& path) {
  const Json document = base::parsed_json<Json>(text);
  if (document.is_discarded()) base::fail_input(path, "this is not JSON");
  const Json* facts = find_apsp(document);
  if (facts == nullptr) {
    base::fail_input(path, "no Zarr v3 group with the attribute 'apsp': not a result");
  }
  const Fields fields(*facts, path);
  const std::int64_t version = fields.integer("format_version");
  if (version < kFormatVersion || version > kMatrixVersion) {
    fields.fail("format version {}; this program reads versions {} to {}{}", version,
                kFormatVersion, kMatrixVersion, version > kMatrixVersion ? ": it is too old" : "");
  }
  if (!fields.boolean("complete")) fields.fail("the result is not complete");

  ZarrRoot root;
  root.layout = parse_layout(fields);
  root.matrix = version == kMatrixVersion;
  if (version != kFormatVersion) {
    if (facts->contains("arrays")) root.arrays = parse_arrays(fields);
    if (facts->contains("sources")) root.sources = parse_selected("sources", root.layout.n, fields);
    if (facts->contains("targets")) root.targets = parse_selected("targets", root.layout.n, fields);
  }
  if (version == kWiderVersion && root.arrays.empty() && root.sources == 0 && root.targets == 0) {
    fields.fail("format version 2 without arrays, sources or targets");
  }
  if (root.layout.planes.empty() && root.arrays.empty()) fields.fail("a result without distances");
  root.compress = fields.boolean("compressed");
  if (!fields["digest"].is_null()) root.digest = fields.text("digest");
  root.vertex_values = fields.texts("vertex_values");
  for (const std::string& name : root.vertex_values) {
    if (!is_array_name(name)) fields.fail("vertex values named '{}'", name);
  }
  const auto result = document["attributes"].find("result");
  if (result != document["attributes"].end()) {
    if (!result->is_object()) fields.fail("the attribute result is not an object");
    root.attributes = result->dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return root;
}

}  // namespace apsp::store
