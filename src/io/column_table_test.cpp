// Tables as CSV; what Parquet readers say of the other kind is in
// tests/python/test_distance_table.py.
#include "io/column_table.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::io {
namespace {

Graph labelled() {
  GraphBuilder builder(3, true);
  builder.set_labels({"a", "b,\"c\"", "#d"});
  builder.add_edge(0, 1, 1);
  return std::move(builder).build();
}

const std::vector<TableColumn> kColumns = {{"from", ColumnKind::vertex},
                                           {"rank", ColumnKind::whole},
                                           {"distance, f32", ColumnKind::real32},
                                           {"distance", ColumnKind::real}};

void write_rows(const std::string& path, const Graph& graph) {
  ColumnTable table(path, kColumns, graph, {});
  const Vertex vertices[] = {1, 2};
  const std::int64_t rank = 7;
  const double inf = std::numeric_limits<double>::infinity();
  const double distances[] = {static_cast<double>(0.1f), 0.1, inf, -inf};
  const ColumnValues values[] = {Stepped<Vertex>{vertices}, Stepped<std::int64_t>{&rank, 0},
                                 Stepped<double>{distances, 2}, Stepped<double>{distances + 1, 2}};
  table.put(2, values);
  table.commit();
}

TEST(ColumnTable, IsCsvThatReadsBack) {
  const TemporaryFolder folder;
  write_rows(folder / "t.csv", labelled());
  EXPECT_EQ(read_bytes(folder / "t.csv"),
            "from,rank,\"distance, f32\",distance\n"
            "\"b,\"\"c\"\"\",7,0.1,0.1\n\"#d\",7,inf,-inf\n");
}

TEST(ColumnTable, CountsVerticesAsTheirFileDoes) {
  const TemporaryFolder folder;
  GraphBuilder builder(3, true);
  builder.set_first_id(1);
  write_rows(folder / "t.csv", std::move(builder).build());
  EXPECT_TRUE(read_bytes(folder / "t.csv").ends_with("\n2,7,0.1,0.1\n3,7,inf,-inf\n"));
}

TEST(ColumnTable, IsParquetBetweenItsMarks) {
  const TemporaryFolder folder;
  write_rows(folder / "t.parquet", labelled());
  const std::string bytes = read_bytes(folder / "t.parquet");
  EXPECT_TRUE(bytes.starts_with("PAR1") && bytes.ends_with("PAR1"));
}

TEST(ColumnTable, LeavesNothingWhereItIsNotComplete) {
  const TemporaryFolder folder;
  const Graph graph = labelled();
  { const ColumnTable table(folder / "t.parquet", kColumns, graph, {}); }
  EXPECT_EQ(folder.entries(), 0);
  const Error error =
      error_of([&] { ColumnTable(folder / "none" + "/t.csv", kColumns, graph, {}); });
  EXPECT_EQ(error.kind(), ErrorKind::input_output);
}

TEST(ColumnTable, KnowsItsFilesBySuffix) {
  for (const char* const name : {"a.csv", "a.csv.gz", "a.csv.zst", "a.parquet"}) {
    EXPECT_TRUE(names_column_table(name)) << name;
  }
  for (const char* const name : {"a.npy", "a.txt", "csv", "a.parquet.gz"}) {
    EXPECT_FALSE(names_column_table(name)) << name;
  }
}

}  // namespace
}  // namespace apsp::io
