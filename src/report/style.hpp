// The style of the page: light and dark, on screens and on paper.
#pragma once

#include <string>

namespace apsp::report {

/// Rules of CSS, without anything from elsewhere.
std::string style();

}  // namespace apsp::report
