#include "report/markup.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <apsp/error.hpp>

#include <string_view>
#include "base/units.hpp"
#include "base/utf8.hpp"
#include "report/colour.hpp"

namespace apsp::report {
namespace {

/// Bytes of the first character; 0 if it is not UTF-8 or not a character of XML.
std::size_t character_bytes(std::string_view text) {
  const auto [code, bytes] = base::first_character(text);
  if (bytes == 1) return code >= 0x20 || code == '\t' || code == '\n' ? 1 : 0;
  const bool control = code < 0xA0;  // the C1 controls
  return control || (code & 0xFFFE) == 0xFFFE ? 0 : bytes;
}

void put_number(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
}

void put_chunk(std::string& png, std::string_view type, std::string_view content) {
  put_number(png, static_cast<std::uint32_t>(content.size()));
  std::string checked(type);
  checked += content;
  const auto* const first = reinterpret_cast<const Bytef*>(checked.data());
  png += checked;
  put_number(png, static_cast<std::uint32_t>(crc32(0, first, static_cast<uInt>(checked.size()))));
}

std::string deflated(std::string_view plain) {
  uLongf length = compressBound(static_cast<uLong>(plain.size()));
  std::string packed(length, '\0');
  const int outcome = compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                                reinterpret_cast<const Bytef*>(plain.data()),
                                static_cast<uLong>(plain.size()), Z_BEST_COMPRESSION);
  if (outcome != Z_OK) throw Error(ErrorKind::does_not_fit, "no memory to pack a picture");
  packed.resize(length);
  return packed;
}

template <class T>
std::string data(std::string_view id, T value, const std::string& shown) {
  const std::string mark = id.empty() ? "" : fmt::format(" id=\"{}\"", id);
  return fmt::format("<data{} value=\"{}\">{}</data>", mark, value, shown);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_bytes(text);
    const char sign = text[0];
    result += length == 0   ? "\xEF\xBF\xBD"
              : sign == '&' ? "&amp;"
              : sign == '<' ? "&lt;"
              : sign == '>' ? "&gt;"
              : sign == '"' ? "&quot;"
                            : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string shown_name(const Graph& graph, Vertex v) { return escaped(graph.name(v)); }

std::string number(double value, std::string_view id) {
  return data(id, value, base::format_value(value));
}

std::string count(std::int64_t value, std::string_view id) {
  return data(id, value, base::format_count(value));
}

std::string row(std::string_view title, std::string_view content) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(title), content);
}

std::string figure(std::string_view picture, std::string_view caption) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption></figure>\n", picture, caption);
}

std::string legend(const Scale& scale, std::string_view what) {
  if (scale.empty()) return {};
  std::string bar;
  for (int i = 0; i < kClasses; ++i) {
    bar += fmt::format("<rect class=\"f{}\" x=\"{}\" width=\"1.05\" height=\"1\"/>", i, i);
  }
  return fmt::format(
      "<p class=\"legend\">{}: <span>{}{}</span> <svg viewBox=\"0 0 {} 1\" "
      "preserveAspectRatio=\"none\" aria-hidden=\"true\">{}</svg> <span>{}{}</span></p>\n",
      escaped(what), scale.goes_below() ? "≤ " : "", base::format_value(scale.low()), kClasses, bar,
      scale.goes_above() ? "≥ " : "", base::format_value(scale.high()));
}

std::string png(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                std::span<const Colour> palette) {
  std::string bytes = "\x89PNG\r\n\x1a\n";
  std::string header;
  put_number(header, width);
  put_number(header, height);
  header += std::string("\x08\x03\x00\x00\x00", 5);
  put_chunk(bytes, "IHDR", header);
  std::string colours;
  for (const Colour& colour : palette) {
    for (const std::uint8_t part : {colour.red, colour.green, colour.blue}) {
      colours += static_cast<char>(part);
    }
  }
  put_chunk(bytes, "PLTE", colours);
  put_chunk(bytes, "tRNS", std::string_view("\0", 1));
  std::string rows;
  for (std::uint32_t y = 0; y < height; ++y) {
    rows += '\0';
    for (const std::uint8_t pixel : pixels.subspan(std::size_t{y} * width, width)) {
      rows += static_cast<char>(pixel);
    }
  }
  put_chunk(bytes, "IDAT", deflated(rows));
  put_chunk(bytes, "IEND", {});
  return bytes;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto byte = [&](std::size_t i) {
      return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U;
    };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const bool filled = at + digit <= bytes.size();
      text += filled ? kDigits[group >> (18 - 6 * digit) & 63] : '=';
    }
  }
  return text;
}

namespace {

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("--{}:{};", name, value);
}

std::string value_of(std::string_view name) { return fmt::format("var(--{})", name); }

std::string class_property(int i, std::string_view value) {
  return property(fmt::format("q{}", i), value);
}

/// Defines the colours of classes, q0 …; contrast to the page increases up to the last.
std::string classes(double first, double last) {
  std::string text;
  for (int i = 0; i < kClasses; ++i) {
    const double t = static_cast<double>(i) / (kClasses - 1);
    text += class_property(i, hexadecimal(ramp(t, first, last)));
  }
  return text;
}

struct NamedColour {
  std::string_view name, light, dark;
};
constexpr NamedColour kColours[] = {{"page", "#ffffff", "#14181f"}, {"panel", "#f4f5f7", "#1d232d"},
                                    {"ink", "#1c2430", "#e6eaf0"},  {"soft", "#596474", "#9fabbb"},
                                    {"rule", "#d5dae1", "#37404d"}, {"pale", "#c3cad4", "#465161"},
                                    {"way", "#b3261e", "#ff9d73"},  {"good", "#1b6e3c", "#7fd6a2"},
                                    {"bad", "#b3261e", "#ff9d8f"},  {"bar", "#3f6fb0", "#7aa7e6"}};

constexpr std::string_view kRules = R"(
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:1080px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:1.7rem;line-height:1.2;margin:.2em 0;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2.2em 0 .5em;padding-top:.6em;border-top:1px solid var(--rule)}
h3{font-size:1rem;margin:1.4em 0 .4em}
p{margin:.4em 0}
p.about,figcaption,.note{color:var(--soft);font-size:.92rem;overflow-wrap:anywhere}
dl.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px;margin:18px 0}
dl.figures div{background:var(--panel);border-radius:8px;padding:10px 12px;min-width:0}
dt{color:var(--soft);font-size:.85rem}
dd{margin:0;font-size:1.25rem;font-weight:600;overflow-wrap:anywhere}
dd small{display:block;font-size:.8rem;font-weight:400;color:var(--soft)}
.wide{overflow-x:auto}
table{border-collapse:collapse;min-width:min(100%,26rem);font-size:.95rem}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:0 40px}
th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--rule);vertical-align:top}
th{font-weight:500;color:var(--soft)}
td{overflow-wrap:anywhere}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;overflow-wrap:normal}
figure{margin:14px 0}
svg.map{display:block;width:100%;max-height:680px;background:var(--panel);border-radius:8px;fill:none;stroke-width:1.5px;stroke-linecap:round;stroke-linejoin:round}
svg.crowded{stroke-width:.6px;stroke-opacity:.45}
.map path.pale{stroke:var(--pale)}
.map .pale{stroke-width:1px}
.crowded .pale{stroke-width:.6px}
.map path.way{stroke-opacity:1;stroke:var(--way);stroke-width:3px}
.qnone{stroke:var(--pale)}
.map circle{stroke:var(--panel);stroke-width:1px;vector-effect:non-scaling-stroke}
.map circle.fnone{fill:var(--pale)}
.map circle.end{fill:var(--way)}
.map text{fill:var(--ink);font-size:38px;paint-order:stroke;stroke:var(--panel);stroke-width:8px;stroke-linejoin:round}
svg.histogram{display:block;width:100%;font-size:17px}
.histogram text{fill:var(--soft)}
.histogram .bar{fill:var(--bar)}
.histogram .axis{stroke:var(--soft);fill:none}
.histogram .mark{stroke:var(--ink);stroke-dasharray:4 3;fill:none}
img.matrix{display:block;width:100%;max-width:720px;height:auto;image-rendering:pixelated;border:1px solid var(--rule);background:var(--panel)}
.legend{display:flex;flex-wrap:wrap;align-items:center;gap:4px 8px;font-size:.9rem;color:var(--soft)}
.legend svg,.legend .bar{display:inline-block;width:160px;height:12px}
.legend .swatch{display:inline-block;width:14px;height:14px;background:var(--panel);border:1px solid var(--soft)}
.good{color:var(--good)}
.bad{color:var(--bad)}
details{margin:.6em 0}
summary{cursor:pointer;color:var(--soft)}
footer{margin-top:3em;color:var(--soft);font-size:.85rem}
@media (max-width:600px){main{padding:14px 12px 40px}.map text{font-size:72px}.map circle{stroke-width:0}svg.map{stroke-width:1px}svg.crowded{stroke-width:.4px}svg.histogram{font-size:25px}.legend svg,.legend .bar{width:110px}table{font-size:.88rem}th,td{padding-right:8px}}
@media print{main{max-width:none;padding:0}figure,table.short,dl.figures{break-inside:avoid}h2,h2+p{break-after:avoid}svg,img,.bar,rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}svg.map{max-height:520px}}
)";

}  // namespace

std::string style() {
  std::string light = "color-scheme:light;", dark = "color-scheme:dark;";
  for (const NamedColour& colour : kColours) {
    light += property(colour.name, colour.light);
    dark += property(colour.name, colour.dark);
  }
  light += classes(0.82, 0.30);
  dark += classes(0.40, 0.95);
  std::string text =
      ":root{" + light + "}\n@media screen and (prefers-color-scheme:dark){:root{" + dark + "}}";
  text += kRules;
  for (int i = 0; i < kClasses; ++i) {
    text += fmt::format(".q{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", i, value_of(fmt::format("q{}", i)));
  }
  // A copied line does not see rules that name elements around its original.
  text += "\npath{vector-effect:non-scaling-stroke}\n.map use.pale{";
  for (int i = 0; i < kClasses; ++i) text += class_property(i, value_of("pale"));
  return text + "}\n";
}

}  // namespace apsp::report
