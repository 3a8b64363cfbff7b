// Manual pages and completions of a small verb.
#include "cli/help_pages.hpp"

#include <gmock/gmock.h>

#include <apsp/error.hpp>

#include "support/error_of.hpp"

namespace apsp::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Walk {
  VerbEntry entry{"walk FROM", "goes somewhere", "Walk: goes.", {"apsp walk a"}, nullptr};
  Arguments arguments{"walk", "Walk: goes.", {"apsp walk a"}};
  std::string from, pace, out;
  bool slow = false;
  std::vector<VerbHelp> verbs{{&entry, &arguments}};

  Walk() {
    arguments.positional("FROM", from, "where to begin");
    arguments.text("--pace", "auto|fast|OUT", pace, "how fast; default: auto");
    arguments.text("-o,--output", "OUT", out, "'quoted' and \\ too");
    arguments.flag("--slow", slow, ".begins with a dot");
  }
};

TEST(ManualPage, HasWhatTheHelpHas) {
  const Walk walk;
  EXPECT_THAT(manual_page(walk.verbs[0]),
              AllOf(HasSubstr(".TH APSP\\-WALK 1"), HasSubstr("apsp\\-walk \\- goes somewhere"),
                    HasSubstr("\\fB\\-\\-pace\\fR \\fIauto|fast|OUT\\fR\nhow fast"),
                    HasSubstr("\\fB\\-o, \\-\\-output\\fR"), HasSubstr("apsp walk a")));
}

TEST(ManualPage, HidesNoLineAsARequest) {
  const Walk walk;
  EXPECT_THAT(manual_page(walk.verbs[0]),
              AllOf(HasSubstr("\n\\&.begins with a dot"), HasSubstr("\n\\&'quoted' and \\e too")));
}

TEST(Completion, KnowsVerbsOptionsAndValues) {
  const Walk walk;
  EXPECT_THAT(completion_script("bash", walk.verbs),
              AllOf(HasSubstr("'walk help'"),
                    HasSubstr("'walk --pace') COMPREPLY=($(compgen -W "
                              "'auto fast' -- \"$word\"))"),
                    HasSubstr("'--pace --output --slow --help'"), Not(HasSubstr("OUT"))));
  EXPECT_THAT(completion_script("zsh", walk.verbs),
              AllOf(HasSubstr("walk:'goes somewhere'"), HasSubstr("compadd -- auto fast")));
  EXPECT_THAT(completion_script("fish", walk.verbs),
              AllOf(HasSubstr("-l output -s o -r"), HasSubstr("-l pace -x -a 'auto fast'"),
                    HasSubstr("-l slow -d")));
}

TEST(Completion, TakesThreeShells) {
  const Walk walk;
  const Error error = error_of([&] { completion_script("csh", walk.verbs); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_STREQ(error.what(), "SHELL is bash, zsh or fish, not 'csh'");
}

TEST(Topics, AreFoundByName) {
  ASSERT_NE(find_topic("exit-codes"), nullptr);
  EXPECT_THAT(find_topic("exit-codes")->text, HasSubstr("negative cycle"));
  EXPECT_EQ(find_topic("solve"), nullptr);
}

}  // namespace
}  // namespace apsp::cli
