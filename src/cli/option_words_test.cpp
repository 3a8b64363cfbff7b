// Translation of the library's messages for the command line.
#include "cli/option_words.hpp"

#include "base/json.hpp"
#include "support/test.hpp"

namespace apsp::cli::option_words_test {
namespace {

TEST(OptionWords, AreThoseOfTheCommandLine) {
  EXPECT_EQ(in_option_words("use `device=cpu`, or leave `predecessors` out"),
            "use --device cpu, or leave --predecessors out");
  EXPECT_EQ(in_option_words("`value_type=u16` with `device_memory=20KiB`"),
            "--dtype u16 with --device-memory 20KiB");
  EXPECT_EQ(in_option_words("`grid=2x3`, or leave `cuda_aware` out"),
            "--tuning grid=2x3, or leave --tuning cuda-aware out");
  EXPECT_EQ(in_option_words("`statistics=false`, `estimate=false`"), "--no-statistics, --exact");
}

TEST(OptionWords, OfReadingNameDirectionsAndQuoteTitles) {
  EXPECT_EQ(in_option_words("`directed=true` or `directed=false`"), "--directed or --undirected");
  EXPECT_EQ(in_option_words("`reverse_cost=way back` and `columns=a,b`"),
            "--reverse-cost 'way back' and --columns a,b");
  EXPECT_EQ(in_option_words("`all_streets` with `turns=t.csv`"),
            "--all-streets with --turns t.csv");
}

TEST(OptionWords, OfRemarksStandInObjectsAtAnyDepth) {
  nlohmann::json object = {{"graph", {{"remarks", {"use `zero=edge`"}}, {"name", "`zero=edge`"}}}};
  reword_remarks(object);
  EXPECT_EQ(object["graph"]["remarks"][0], "use --zero edge");
  EXPECT_EQ(object["graph"]["name"], "`zero=edge`") << "only remarks are the library's own text";
}

TEST(OptionWords, OfWhatIsKeptNameTheOutput) {
  EXPECT_EQ(in_option_words("the matrix on disk (`keep=statistics` with `output=OUT.zarr`)"),
            "the matrix on disk (-o OUT.zarr)");
  EXPECT_EQ(in_option_words("`keep=statistics` with `stored=factor` with `output=OUT.zarr`"),
            "--keep factor with -o OUT.zarr");
  EXPECT_EQ(in_option_words("; `keep=auto` with `stored=matrix` does"), "; --keep matrix does");
}

TEST(OptionWords, LeaveOtherTextAsItIs) {
  for (const char* const text : {"", "no option", "a `name` of a user", "one ` mark", "``"}) {
    EXPECT_EQ(in_option_words(text), text);
  }
  EXPECT_EQ(in_option_words("a ` and `device=cpu`"), "a ` and --device cpu");
}

}  // namespace
}  // namespace apsp::cli::option_words_test
