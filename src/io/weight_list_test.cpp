// Lists of weights, and errors in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "io/npy_header.hpp"
#include "io/vertex_lists.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<double> weights_in(const std::string& bytes) {
  const TemporaryFolder folder;
  write_bytes(folder / "weights", bytes);
  return read_weight_list(folder / "weights");
}

std::string refusal_of_weights(const std::string& bytes) {
  const Error error = error_of([&] { weights_in(bytes); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  return error.what();
}

template <class T>
std::string array_file(const char* descr, const char* shape, const std::vector<T>& values) {
  return format_npy_header(descr, shape) +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

TEST(WeightList, IsAWeightARowOfText) {
  const std::vector<double> expected = {3, 0.5, kInfinite, -2};
  for (const char* const text :
       {"3\n0.5\ninf\n-2\n", "minutes\n3\n0.5\ninf\n-2\n", "weight\n3\n0.5\nInfinity\n-2",
        "# night\n3\r\n\n0.5\n-inf\n-2\n"}) {
    EXPECT_EQ(weights_in(text), expected) << text;
  }
  EXPECT_TRUE(weights_in("weight\n").empty());
  EXPECT_THAT(refusal_of_weights(""), HasSubstr("the file is empty"));
}

TEST(WeightList, IsAnArrayOfAnyRealType) {
  const auto of = [&]<class T>(const char* descr, T) {
    EXPECT_EQ(weights_in(array_file<T>(descr, "(3,)", {1, 0, 100})),
              (std::vector<double>{1, 0, 100}))
        << descr;
  };
  of("|i1", std::int8_t{});
  of("|u1", std::uint8_t{});
  of("<i2", std::int16_t{});
  of("<u2", std::uint16_t{});
  of("<i4", std::int32_t{});
  of("<u4", std::uint32_t{});
  of("<i8", std::int64_t{});
  of("<u8", std::uint64_t{});
  of("<f4", float{});
  of("<f8", double{});
  EXPECT_EQ(weights_in(array_file<std::uint8_t>(">i2", "(2,)", {1, 2, 0, 3})),
            (std::vector<double>{258, 3}));
  EXPECT_EQ(weights_in(array_file<float>("<f4", "(1,)", {std::numeric_limits<float>::infinity()})),
            (std::vector<double>{kInfinite}));
}

TEST(WeightList, RefusesOtherArraysAndText) {
  EXPECT_THAT(refusal_of_weights("1\n2x\n"), HasSubstr("'2x' is not a number"));
  EXPECT_THAT(refusal_of_weights("1,2,3\n"), HasSubstr("3 columns: a list of weights has one"));
  EXPECT_THAT(refusal_of_weights(array_file<double>("<f8", "(1, 2)", {1, 2})),
              HasSubstr("an array of shape (1, 2) is no list of weights"));
  EXPECT_THAT(refusal_of_weights(array_file<double>("<f8", "(3,)", {1, 2})),
              HasSubstr("16 bytes of values do not make 3 values of 8 bytes"));
  EXPECT_THAT(refusal_of_weights(array_file<std::uint8_t>("|b1", "(1,)", {1})),
              HasSubstr("values of type b1 are no weights"));
  EXPECT_THAT(
      refusal_of_weights(array_file<std::int64_t>("<i8", "(1,)", {(std::int64_t{1} << 53) + 1})),
      HasSubstr("weight 0: 9007199254740993 is no exact double"));
  EXPECT_THAT(refusal_of_weights(array_file<float>("<f4", "(2,)", {1, std::nanf("")})),
              HasSubstr("weight 1: nan is no number"));
}

TEST(WeightList, ChangesHaveTheColumnsThatTheirTitlesName) {
  const TemporaryFolder folder;
  write_bytes(folder / "changes", "weight,to,from,old\n4,0,1,2\n5,1,0,\n");
  const std::vector<WeightChange> changes =
      read_changes(folder / "changes", graph_of(2, {{0, 1, 1}, {1, 0, 1}}));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].from, 1u);
  EXPECT_EQ(changes[0].to, 0u);
  EXPECT_EQ(changes[0].weight, 4);
  EXPECT_EQ(changes[0].old, 2);
  EXPECT_FALSE(changes[1].old);
}

TEST(WeightList, OfChangesMayBeInfinite) {
  const TemporaryFolder folder;
  write_bytes(folder / "changes", "0,1,inf\n1,0,2.5\n");
  const std::vector<WeightChange> changes =
      read_changes(folder / "changes", graph_of(2, {{0, 1, 1}, {1, 0, 1}}));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].weight, kInfinite);
  EXPECT_EQ(changes[1].weight, 2.5);
  EXPECT_FALSE(changes[0].old);
}

TEST(WeightList, OfChangesMayNameOldWeights) {
  const TemporaryFolder folder;
  const Graph graph = graph_of(2, {{0, 1, 1}, {0, 1, 9}});
  write_bytes(folder / "changes", "from,to,weight,old\n0,1,inf,9\n0,1,2,\n");
  const std::vector<WeightChange> changes = read_changes(folder / "changes", graph);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].old, 9);
  EXPECT_FALSE(changes[1].old);
  write_bytes(folder / "changes", "0,1,2,closed\n");
  EXPECT_EQ(error_of([&] { read_changes(folder / "changes", graph); }).kind(), ErrorKind::input);
}

}  // namespace
}  // namespace apsp::io
