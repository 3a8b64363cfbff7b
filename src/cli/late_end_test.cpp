#include "cli/late_end.hpp"

#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "system/file_lock.hpp"

namespace apsp::cli::late_end_test {
namespace {

TEST(LateEnd, IsTheSameAfterItHasBeenACommandLine) {
  for (const LateEnd& end :
       {LateEnd{},
        LateEnd{
            {"a.csv", "", "--"}, {"/x/.o.zarr.partial-1-2.lock"}, {"solve", "g", "-o", "o.zarr"}},
        LateEnd{{}, {"3"}, {"2", "b"}}}) {
    const std::vector<std::string> words = end.as_words();
    ASSERT_EQ(words.front(), kAfterLateEnd);
    const std::optional<LateEnd> again = LateEnd::of(words);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->kept, end.kept);
    EXPECT_EQ(again->claims, end.claims);
    EXPECT_EQ(again->words, end.words);
  }
}

TEST(LateEnd, IsNoOtherCommandLine) {
  const std::string first(kAfterLateEnd);
  const std::vector<std::vector<std::string>> others = {{},
                                                        {"solve"},
                                                        {first},
                                                        {first, "0"},
                                                        {first, "1", "a"},
                                                        {first, "x", "0"},
                                                        {first, "0", "9", "a"},
                                                        {first, "-1", "0"}};
  for (const std::vector<std::string>& words : others) EXPECT_FALSE(LateEnd::of(words));
}

TEST(LateEnd, RemovesWhatTheRunWasWritingAndNothingElse) {
  const TemporaryFolder folder;
  const std::string begun = folder / ".o.csv.partial-7-1", other = folder / ".p.csv.partial-7-2";
  for (const std::string& partial : {begun, other}) {
    write_bytes(partial, "half");
    system::make_claim(partial + ".lock").claim->abandon();
  }
  write_bytes(folder / "o.csv", "old");
  Context context({});
  clean_after({{"done.csv"}, {begun + ".lock"}, {}}, context);
  EXPECT_FALSE(std::filesystem::exists(begun));
  EXPECT_FALSE(std::filesystem::exists(begun + ".lock"));
  EXPECT_TRUE(std::filesystem::exists(other));
  EXPECT_EQ(read_bytes(folder / "o.csv"), "old");
  EXPECT_EQ(context.kept(), std::vector<std::string>{"done.csv"});
  EXPECT_FALSE(context.unfinished);
}

}  // namespace
}  // namespace apsp::cli::late_end_test
