// A verification as a table of its checks.
#pragma once

#include <string>

#include <apsp/verify.hpp>

#include "cli/look.hpp"

namespace apsp::cli {

std::string verify_text(const VerifyReport& report, const Look& look);

}  // namespace apsp::cli
