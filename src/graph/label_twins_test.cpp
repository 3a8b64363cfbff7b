#include "graph/label_twins.hpp"

#include "support/test.hpp"

namespace apsp::graph::label_twins_test {
namespace {

using Labels = std::vector<std::string>;

TEST(LabelTwins, AreOneTextInTwoNormalForms) {
  const Labels cafe = {"Rome", "Cafe\xCC\x81", "Caf\xC3\xA9"};
  EXPECT_EQ(find_label_twins(cafe), (std::pair<Vertex, Vertex>(1, 2)));
  const Labels two_marks = {"Hu\xE1\xBA\xBF", "Hue\xCC\x82\xCC\x81"};
  EXPECT_EQ(find_label_twins(two_marks), (std::pair<Vertex, Vertex>(1, 0)));
  const Labels kana = {"\xE3\x81\x8B\xE3\x82\x99", "\xE3\x81\x8C"};
  EXPECT_EQ(find_label_twins(kana), (std::pair<Vertex, Vertex>(0, 1)));
}

TEST(LabelTwins, AreNoOtherTexts) {
  for (const Labels& labels : {Labels{}, Labels{"a", "b"}, Labels{"Caf\xC3\xA9", "Caf\xC3\xA8"},
                               Labels{"Cafe\xCC\x81", "Cafe"}, Labels{"\xCC\x81", "a"}}) {
    EXPECT_EQ(find_label_twins(labels), std::nullopt);
  }
}

TEST(LabelTwins, AreFoundForANameThatIsNone) {
  const Labels labels = {"Rome", "Cafe\xCC\x81", "Z\xC3\xBCrich"};
  EXPECT_THAT(note_on_twin(labels, "Caf\xC3\xA9"), testing::HasSubstr("'Cafe\xCC\x81'"));
  EXPECT_THAT(note_on_twin(labels, "Zu\xCC\x88rich"), testing::HasSubstr("'Z\xC3\xBCrich'"));
  for (const char* const other : {"Cafe", "Z\xC3\xB6rich", "Bonn\xC3\xA9", ""}) {
    EXPECT_EQ(note_on_twin(labels, other), "");
  }
}

TEST(LabelTwins, AreRemarkedOnOnce) {
  GraphBuilder builder(2);
  builder.set_labels({"Cafe\xCC\x81", "Caf\xC3\xA9"});
  const Graph graph = std::move(builder).build();
  EXPECT_THAT(graph.remarks(), ElementsAre(HasSubstr("Cafe\xCC\x81")));
  EXPECT_EQ(graph.with_remark(graph.remarks()[0]).remarks().size(), 1u);
}

}  // namespace
}  // namespace apsp::graph::label_twins_test
