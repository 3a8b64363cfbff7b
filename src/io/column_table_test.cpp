// Tables as CSV. The tests of Parquet read with other programs:
// tests/python/test_distance.py.
#include "io/column_table.hpp"

#include "base/utf8.hpp"
#include "io/formats.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::io::column_table_test {
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

TEST(ColumnTable, HasEachTitleOnce) {
  const TemporaryFolder folder;
  const Graph graph = labelled();
  for (const char* const name : {"t.csv", "t.parquet"}) {
    EXPECT_ERROR(usage, ColumnTable(folder / name, {{"from"}, {"a"}, {"from"}}, graph, {}));
  }
  EXPECT_EQ(folder.entries(), 0);
}

Graph named(std::vector<std::string> labels) {
  GraphBuilder builder(std::ssize(labels), true);
  builder.set_labels(std::move(labels));
  return std::move(builder).build();
}

TEST(ColumnTable, InParquetHasNamesInUtf8) {
  const TemporaryFolder folder;
  const Graph graph = named({"a", "Z\xFCrich"});
  const Error error = error_of([&] { ColumnTable(folder / "t.parquet", kColumns, graph, {}); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(std::string(error.what()).find("vertex 1 (from 0)"), std::string::npos);
  EXPECT_NO_THROW(ColumnTable(folder / "t.csv", kColumns, graph, {}));
  EXPECT_NO_THROW(ColumnTable(folder / "t.parquet", kColumns, named({"Z\xC3\xBCrich"}), {}));
}

TEST(OutputNames, AreIntegersIfAllAre) {
  EXPECT_TRUE(has_integer_names(named({})));
  EXPECT_TRUE(has_integer_names(named({"7", "0", "-12", "9223372036854775807"})));
  for (const char* const name : {"007", "+7", "7.0", "-0", "9223372036854775808", "", "-", "1e5"}) {
    EXPECT_FALSE(has_integer_names(named({"7", name}))) << name;
  }
}

TEST(OutputNames, AreTextsInUtf8) {
  for (const char* const good : {"", "a", "\xC3\xBC", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    EXPECT_TRUE(base::is_utf8(good)) << good;
  }
  for (const char* const bad : {"\xFC", "\xC3", "\xC0\x80", "\xE0\x9F\xBF", "\xED\xA0\x80",
                                "\xF4\x90\x80\x80", "\xF0\x80\x80\x80", "\x80", "\xE2\x82"}) {
    EXPECT_FALSE(base::is_utf8(bad)) << bad;
  }
}

TEST(ColumnTable, LeavesNothingWhereItIsNotComplete) {
  const TemporaryFolder folder;
  const Graph graph = labelled();
  { const ColumnTable table(folder / "t.parquet", kColumns, graph, {}); }
  EXPECT_EQ(folder.entries(), 0);
  EXPECT_ERROR(input_output, ColumnTable(folder / "none" + "/t.csv", kColumns, graph, {}));
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
}  // namespace apsp::io::column_table_test
