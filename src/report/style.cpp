#include "report/style.hpp"

#include <fmt/format.h>

#include <string_view>

#include "report/colour.hpp"
#include "report/markup.hpp"

namespace apsp::report {
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
