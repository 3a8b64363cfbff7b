#include "base/json.hpp"

namespace apsp::base {

bool is_too_deep(std::string_view text) {
  constexpr int kDeepest = 100;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (c == '\\' && in_string) ++i;
    if (in_string) continue;
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (depth > kDeepest) return true;
  }
  return false;
}

template <class Json>
Json json_of(std::string_view text) {
  return Json::parse(text);
}

template <class Json>
Json parsed_json(std::string_view text) {
  return is_too_deep(text) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

template <class Json>
std::string json_text(const Json& value, int indent, BadBytes bad) {
  using Handler = nlohmann::detail::error_handler_t;
  return value.dump(indent, ' ', false,
                    bad == BadBytes::refused ? Handler::strict : Handler::replace);
}

template nlohmann::json json_of(std::string_view);
template nlohmann::ordered_json json_of(std::string_view);
template nlohmann::json parsed_json(std::string_view);
template nlohmann::ordered_json parsed_json(std::string_view);
template std::string json_text(const nlohmann::json&, int, BadBytes);
template std::string json_text(const nlohmann::ordered_json&, int, BadBytes);

}  // namespace apsp::base
