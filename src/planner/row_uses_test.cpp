// What becomes of rows, in every case.
#include "planner/row_candidates.hpp"

#include <gtest/gtest.h>

namespace apsp::planner {
namespace {

constexpr RowTakers kTakers[] = {RowTakers::nobody, RowTakers::matrix, RowTakers::one_place,
                                 RowTakers::device_callback, RowTakers::several};
constexpr Counting kCountings[] = {Counting::nobody, Counting::by_rows, Counting::by_columns};

TEST(RowUses, OnlyAMatrixInMemoryKeepsAllRows) {
  for (const RowTakers takers : kTakers) {
    for (const Counting counting : kCountings) {
      EXPECT_EQ(uses_of(takers, counting).keeps_matrix, takers == RowTakers::matrix);
    }
  }
}

TEST(RowUses, NoRowIsComputedWhereNobodyTakesOrCountsOne) {
  for (const RowTakers takers : kTakers) {
    for (const Counting counting : kCountings) {
      const bool wanted = takers != RowTakers::nobody || counting != Counting::nobody;
      EXPECT_EQ(uses_of(takers, counting).computes_rows, wanted);
    }
  }
}

TEST(RowUses, ColumnsAreGivenInThePlaceOfRowsOrCountedWithThem) {
  for (const RowTakers takers : kTakers) {
    for (const Counting counting : kCountings) {
      const RowUses uses = uses_of(takers, counting);
      const bool columns = counting == Counting::by_columns && takers != RowTakers::matrix;
      EXPECT_EQ(uses.gives_columns, columns && takers == RowTakers::nobody);
      EXPECT_EQ(uses.counts_columns, columns && takers != RowTakers::nobody);
    }
  }
}

TEST(RowUses, RowsThatAreCountedPassThroughTheHost) {
  for (const RowTakers takers : kTakers) {
    for (const Counting counting : kCountings) {
      const RowUses uses = uses_of(takers, counting);
      const bool whole = counting == Counting::by_rows;
      EXPECT_EQ(uses.stays_on_device, !whole && takers == RowTakers::device_callback);
      EXPECT_EQ(uses.fills_rooms, !whole && takers == RowTakers::one_place);
      EXPECT_FALSE(uses.finds_predecessors) << "the device's plan says so";
    }
  }
}

}  // namespace
}  // namespace apsp::planner
