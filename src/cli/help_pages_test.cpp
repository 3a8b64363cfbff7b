#include "cli/help_pages.hpp"

#include "support/test.hpp"

namespace apsp::cli {
namespace {

TEST(ManualPage, HidesNoLineAsARequestAndHasTheSections) {
  EXPECT_THAT(manual_page("apsp-walk", "goes", "Usage\n  apsp walk\n\n.dot\n'quoted' and \\ too\n"),
              HasSubstr(".SH NAME\napsp\\-walk \\- goes\n.SH \"USAGE\"\n.nf\n  apsp walk\n\n"
                        ".fi\n\\&.dot\n\\&'quoted' and \\e too\n"));
}

}  // namespace
}  // namespace apsp::cli
