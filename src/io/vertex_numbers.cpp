#include "io/vertex_numbers.hpp"

#include <cmath>
#include <numeric>
#include <unordered_map>

#include "io/number.hpp"

namespace apsp::io {
namespace {

bool is_padded(std::string_view text) {
  const bool plus = text.starts_with('+');
  if (plus || text.starts_with('-')) text.remove_prefix(1);
  return plus || (text.size() > 1 && text[0] == '0' && is_digit(text[1]));
}

/// Whether zeros take the place of digits, as in 1.23E+12, which programs write for longer numbers.
bool may_be_rounded(std::string_view text) {
  const std::size_t point = text.find('.'), exponent = text.find_first_of("eE");
  double power = 0;
  return point < exponent && exponent != text.npos &&
         read_whole_number(text.substr(exponent + 1), power) == NumberFault::none &&
         power > static_cast<double>(exponent - point - 1);
}

/// The number in a form that equal numbers share; empty if the text is not a number.
std::string number_in(std::string_view text) {
  if (std::string integer = integer_in(text); !integer.empty()) return integer;
  double value = 0;
  if (read_whole_number(text, value) != NumberFault::none) return {};
  char written[32];
  return {written, format_number(written, value)};
}

}  // namespace

bool is_integer_id(std::string_view text) {
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, is_digit) &&
         (text[0] != '0' || (text.size() == 1 && !minus));
}

bool less_as_integers(std::string_view a, std::string_view b) {
  const bool minus = a.starts_with('-');
  if (minus != b.starts_with('-')) return minus;
  if (minus) std::swap(a, b);
  return a.size() < b.size() || (a.size() == b.size() && a < b);
}

std::vector<Vertex> sort_integers(std::vector<std::string>& names) {
  std::vector<Vertex> order(names.size()), place(names.size());
  std::iota(order.begin(), order.end(), Vertex{0});
  std::ranges::sort(order, less_as_integers, [&](Vertex v) { return std::string_view(names[v]); });
  std::vector<std::string> sorted(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<Vertex>(i);
    sorted[i] = std::move(names[order[i]]);
  }
  names = std::move(sorted);
  return place;
}

void name_vertices(GraphBuilder& builder, std::vector<std::string>&& names) {
  const Vertex first = !names.empty() && names.front() == "1" ? 1 : 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != std::to_string(i + first)) return builder.set_labels(std::move(names));
  }
  builder.set_first_id(first);
}

std::string integer_in(std::string_view text) {
  if (is_integer_id(text)) return std::string(text);
  const bool minus = text.starts_with('-');
  std::string_view digits = text;
  if (minus || text.starts_with('+')) digits.remove_prefix(1);
  if (!digits.empty() && std::ranges::all_of(digits, is_digit)) {
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return minus && digits != "0" ? "-" + std::string(digits) : std::string(digits);
  }
  if (digits.empty() || (!is_digit(digits[0]) && digits[0] != '.')) return {};
  constexpr double kMostExact = 0x1p53;
  double value = 0;
  if (read_whole_number(text, value) != NumberFault::none) return {};
  if (value != std::trunc(value) || std::abs(value) > kMostExact) return {};
  return std::to_string(static_cast<std::int64_t>(value));
}

IdReading read_ids(std::size_t count, const std::function<std::string_view(std::size_t)>& name,
                   bool as_numbers) {
  IdReading reading;
  const auto is_integer = [&](std::string_view text) {
    return (as_numbers || !is_padded(text)) && !integer_in(text).empty();
  };
  while (reading.first_other < count && is_integer(name(reading.first_other))) {
    if (!reading.rounded && may_be_rounded(name(reading.first_other)))
      reading.rounded = reading.first_other;
    ++reading.first_other;
  }
  reading.numbers = reading.first_other == count;
  if (reading.numbers) return reading;
  reading.rounded.reset();
  std::unordered_map<std::string, std::size_t> seen;
  bool all_numbers = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view text = name(i);
    constexpr std::string_view kBegin = "0123456789+-.";
    const bool may_be = !text.empty() && kBegin.find(text[0]) != kBegin.npos;
    std::string number = may_be ? number_in(text) : std::string();
    all_numbers = all_numbers && !number.empty();
    if (number.empty()) continue;
    if (number.find("e+") != number.npos) reading.rounded = i;
    const auto [found, fresh] = seen.emplace(std::move(number), i);
    if (!fresh && !reading.same) reading.same = {found->second, i};
  }
  if (!all_numbers) reading.rounded.reset();
  return reading;
}

}  // namespace apsp::io
