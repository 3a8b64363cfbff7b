#include "cli/help_pages.hpp"

#include "support/test.hpp"

#include "base/json.hpp"
#include "cli/verb.hpp"

namespace apsp::cli::help_pages_test {
namespace {

TEST(ManualPage, HidesNoLineAsARequestAndHasTheSections) {
  EXPECT_THAT(manual_page("apsp-walk", "goes", "Usage\n  apsp walk\n\n.dot\n'quoted' and \\ too\n"),
              HasSubstr(".SH NAME\napsp\\-walk \\- goes\n.SH \"USAGE\"\n.nf\n  apsp walk\n\n"
                        ".fi\n\\&.dot\n\\&'quoted' and \\e too\n"));
}

TEST(UsageJson, HasEveryOptionOfEveryVerbWithItsKindAndDefault) {
  const nlohmann::json usage = nlohmann::json::parse(usage_json());
  std::size_t at = 0;
  for (const VerbEntry& entry : all_verbs()) {
    const nlohmann::json& verb = usage["verbs"].at(at++);
    EXPECT_EQ(verb["name"], entry.name());
    EXPECT_EQ(verb["examples"], entry.examples);
    Context context({});
    const DeclaredVerb declared(entry, context);
    ASSERT_EQ(verb["options"].size(), declared.arguments.options().size());
    for (std::size_t i = 0; i < verb["options"].size(); ++i) {
      const nlohmann::json& option = verb["options"][i];
      EXPECT_EQ(option["names"].back(), declared.arguments.options()[i].long_name());
      EXPECT_EQ(option["type"] == "flag", option["value"] == "");
      EXPECT_EQ(option["type"] == "choice", !option["choices"].empty());
    }
  }
  EXPECT_EQ(at, usage["verbs"].size());
  const auto option_of_solve = [&](const std::string& name) {
    for (const nlohmann::json& option : usage["verbs"][0]["options"]) {
      if (option["names"].back() == name) return option;
    }
    return nlohmann::json();
  };
  EXPECT_EQ(option_of_solve("--output")["names"], nlohmann::json({"-o", "--output"}));
  EXPECT_EQ(option_of_solve("--seed")["type"], "integer");
  EXPECT_EQ(option_of_solve("--seed")["default"], "1");
  EXPECT_EQ(option_of_solve("--json")["type"], "flag");
  EXPECT_EQ(option_of_solve("--json")["default"], nullptr);
  EXPECT_EQ(option_of_solve("--semiring")["choices"],
            nlohmann::json({"min-plus", "max-min", "min-max", "max-plus", "or-and"}));
}

}  // namespace
}  // namespace apsp::cli::help_pages_test
