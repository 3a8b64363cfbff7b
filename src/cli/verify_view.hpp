// A verification as a table of its checks.
#pragma once

#include <string>
#include <string_view>

#include <apsp/verify.hpp>

#include "cli/look.hpp"

namespace apsp::cli {

/// `read_back`: the file that was just written and read again, if there is one.
std::string verify_text(const VerifyReport& report, const Look& look,
                        std::string_view read_back = {});

}  // namespace apsp::cli
