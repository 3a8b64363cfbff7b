// The style of the page as rules of CSS: light and dark, on screens and on paper.
#pragma once

#include <string>

namespace apsp::report {

std::string style();

}  // namespace apsp::report
